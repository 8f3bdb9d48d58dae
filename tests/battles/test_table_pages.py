"""The replay on a measured table as a page: readable without scripts, step by step."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from systems import battle_rules, roster_rules
from systems.mech_campaign.battle.events import END_TEXTS
from tests.example_shares import in_every_run
from tests.systems.mech_campaign.battle.tables import document

pytestmark = pytest.mark.django_db
SCENARIOS = ("claim-dispute", "survey-beacons", "sabotage")


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)


def finished_battle(scenario: str = "survey-beacons", seed: int = 3) -> Battle:
    setup = document("picket", "rock-rats", scenario=scenario)
    battle = battle_queue(setup=setup, seed=seed, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def page_of(battle: Battle, **query) -> str:
    return reverse("battles:battle", args=[battle.key], query=query or None)


def frames_of(client, battle: Battle) -> dict[str, Any]:
    return client.get(reverse("battles:frames", args=[battle.key])).json()


@pytest.mark.parametrize("scenario", in_every_run(("claim-dispute",), SCENARIOS, pytest.mark.slow))
def test_every_scenario_is_shown_on_its_table(client, scenario: str):
    battle = finished_battle(scenario)
    frames = frames_of(client, battle)["frames"]
    html = client.get(page_of(battle)).content.decode()
    assert "The battle on the table" in html
    assert html.count('data-part="chits"') == 11
    at_edges = re.findall(r'class="table__side side-([ab])"[^>]*>\s*(.*?)\s*</text>', html)
    assert at_edges == [("b", battle.setup["sides"][1]["name"]), ("a", battle.setup["sides"][0]["name"])]
    last = client.get(page_of(battle, step=len(frames))).content.decode()
    assert f"{len(frames)}</span> / {len(frames)}" in last
    assert frames[-1]["title"] in last.replace("&#x27;", "'")
    assert 'data-go="next" role="link" aria-disabled="true"' in last


def test_page_says_why_a_battle_ended(client):
    battle = finished_battle("claim-dispute")
    assert battle.result["reason"] in END_TEXTS
    assert f": {END_TEXTS[battle.result['reason']]}." in client.get(page_of(battle)).content.decode()


def test_step_has_address_and_text_without_scripts(client):
    battle = finished_battle()
    frames = frames_of(client, battle)
    step = next(at for at, frame in enumerate(frames["frames"], start=1) if "fires at" in frame["says"])
    shown_frame = frames["frames"][step - 1]
    html = client.get(page_of(battle, step=step)).content.decode()
    assert f'data-map-says aria-live="polite">{shown_frame["says"]}<' in html
    assert f'data-go="prev" href="?step={step - 1}#map"' in html
    assert f'data-go="next" href="?step={step + 1}#map"' in html
    shots = re.findall(r'<g class="([^"]*)" data-part="shots">\s*<path class="fire fire--halo" d="([^"]*)"', html)
    assert shots == [tuple(frames["shots"][place][:2]) for place in shown_frame["shots"]]
    assert any(look != "shot is-away" for look, _path in shots)
    assert roster_rules("mech-campaign").rulebook["MC-073"].title in html


def test_text_beside_the_table_lists_every_unit(client):
    battle = finished_battle()
    part = client.get(page_of(battle, step=2)).content.decode().partition('id="map-panel"')[2]
    part = part.partition("</section>\n</div>")[0]
    assert "All units" in part
    assert part.count('data-part="units"') == 11
    assert "off the table, away" in part  # the drone
    assert "Beacon 1: held by nobody" in part
    assert "facing north" in part
    assert f", {battle_rules('mech-campaign').hand.hits}</span>" in part


def test_step_out_of_range_shows_the_nearest(client):
    battle = finished_battle()
    last = len(frames_of(client, battle)["frames"])
    assert f"{last}</span> / {last}" in client.get(page_of(battle, step=99_999)).content.decode()
    for step in ("0", "-4", "x", "1" * 30):
        assert f"1</span> / {last}" in client.get(page_of(battle, step=step, zone="7")).content.decode()


@pytest.mark.slow
def test_replay_page_query_count_is_constant(client, django_assert_max_num_queries):
    counts = set()
    for scenario in SCENARIOS:
        battle = finished_battle(scenario)
        client.get(page_of(battle))  # fills the cache
        for step in (1, 40):
            with django_assert_max_num_queries(8) as queries:
                client.get(page_of(battle, step=step))
            counts.add(len(queries))
            with django_assert_max_num_queries(2):
                client.get(reverse("battles:frames", args=[battle.key]))
    assert len(counts) == 1
