"""A player's own scenario, from the roster pages to a battle: API, commands, odds and the battle's page."""

import io
import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from battles.models import Battle, Forecast
from battles.tasks import battle_resolve, forecast_run
from rosters.scenarios.selectors import scenario_value
from rosters.services import scenario_clone, scenario_save
from systems.simulation.records import verify
from tests.battles.builders import player
from tests.systems.meks_and_mercs.battle.games import document

pytestmark = pytest.mark.django_db


@pytest.fixture
def setup():
    """Return Head to Head, cloned by a player, with other terrain and a shorter limit."""
    owner = player()
    row = scenario_clone(by=owner, system="meks-and-mercs", published="head-to-head")
    spec = {**row.spec, "terrain": [*["wood"] * 8, "urban"], "turn_limit": 5}
    scenario_save(author=owner, system=row.system, name="Ridge", spec=spec, scenario=row)
    return {**document("head-to-head"), "scenario": scenario_value(f"custom-{row.pk}", owner, system="meks-and-mercs")}


@pytest.fixture
def api(monkeypatch):
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    monkeypatch.setattr(forecast_run, "delay", lambda pk: None)
    client = Client()
    client.force_login(player())
    return client


def post(api, path, body):
    return api.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json")


def test_own_scenario_battle_goes_from_setup_to_its_page(api, setup):
    answer = post(api, "battles/", {"setup": setup, "seed": 7})
    assert answer.status_code == 201, answer.json()
    battle_resolve(Battle.objects.get().pk)
    done = api.get(f"/api/v1/battles/{answer.json()['key']}/").json()
    assert (done["status"], done["setup"]["scenario"]["name"]) == ("done", "Ridge")
    assert done["result"]["rounds"] <= 5
    assert verify(api.get(done["record"]).content.decode()) is None
    assert api.get(reverse("battles:battle", args=[answer.json()["key"]])).status_code == 200


def test_odds_are_simulated_for_own_scenario(api, setup):
    answer = post(api, "forecasts/", {"setup": setup, "battles": 300, "seed": 3})
    assert answer.status_code == 201, answer.json()
    forecast_run(Forecast.objects.get().pk)
    odds = api.get(f"/api/v1/forecasts/{answer.json()['key']}/").json()["odds"]
    assert sum(odds["wins"].values()) + odds["draws"] + odds["unfinished"] == 300
    assert api.get(reverse("battles:forecast", args=[answer.json()["key"]])).status_code == 200


def test_api_refuses_unplayable_scenario(api, setup):
    setup["scenario"]["spec"]["objective"]["kind"] = None
    answer = post(api, "battles/", {"setup": setup, "seed": 7})
    assert answer.status_code == 400
    (error,) = answer.json()["errors"]
    assert error["field"].endswith("scenario.spec.objective.kind")
    assert "no victory condition" in error["reason"]


def test_commands_accept_own_scenario(setup, tmp_path):
    path, record, out = tmp_path / "setup.json", tmp_path / "record.jsonl", io.StringIO()
    path.write_text(json.dumps(setup))
    call_command("resolve", str(path), "--seed", "5", stdout=out)
    record.write_text(out.getvalue())
    call_command("verify", str(record), stdout=io.StringIO())
    odds = io.StringIO()
    call_command("forecast", str(path), "--battles", "100", "--seed", "4", stdout=odds)
    assert json.loads(odds.getvalue())["battles"] == 100
