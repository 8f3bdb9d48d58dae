"""What-if and the matchup matrix through the API: the same services, refusals in one format, never a 500."""

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from battles.models import Forecast, Matrix, WhatIf
from battles.odds.matrices import cell_setup
from battles.tasks import forecast_matrix, forecast_run, forecast_what_if
from systems.reading import read_setup
from systems.simulation.odds import compare, differences, tally
from tests.battles.builders import duel, player
from tests.builders import a_token

pytestmark = pytest.mark.django_db
CHANGE = {"what": "level", "of": "a1", "to": "elite"}
MATRIX = {"terrain": "plain", "doctrines": ["aggressive", "cautious"], "battles": 20}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    for task in (forecast_run, forecast_what_if, forecast_matrix):
        monkeypatch.setattr(task, "delay", lambda *message: None)


@pytest.fixture
def api() -> Client:
    """Return a client with kim's token. It raises uncaught errors into the test."""
    return Client(headers={"Authorization": f"Token {a_token(player())}"})


def post(api: Client, path: str, body: Any):
    return api.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json")


def ask_odds(api: Client, **more: Any) -> dict[str, Any]:
    answer = post(api, "forecasts/", {"setup": duel("demon", "saber"), "battles": 300, **more})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_half_width_is_requested_and_returned(api):
    body = ask_odds(api, half_width=0.05, battles=20_000)
    assert body["half_width"] == 0.05
    forecast_run(Forecast.objects.get().pk)
    body = api.get(f"/api/v1/forecasts/{body['key']}/").json()
    assert (body["status"], body["battles_asked"], body["battles_done"]) == ("done", 20_000, 2_000)
    for low, high in body["odds"]["intervals"].values():
        assert high - low <= 0.1
    assert sum(part["battles"] for part in body["odds"]["margins"]) == 2_000
    assert set(body["odds"]["repair"]) == {"Red", "Blue"}
    for wrong in (1, "x", 0, True):
        answer = post(api, "forecasts/", {"setup": duel(), "battles": 300, "half_width": wrong})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "half_width")


def test_what_if_goes_from_change_to_difference(api):
    key = ask_odds(api)["key"]
    answer = post(api, f"forecasts/{key}/what-if/", {"change": CHANGE, "battles": 500})
    assert answer.status_code == 201
    body = answer.json()
    assert (body["status"], body["chances"], body["forecast"]) == ("queued", None, key)
    assert post(api, f"forecasts/{key}/what-if/", {"change": CHANGE, "battles": 500}).status_code == 200
    row = WhatIf.objects.get()
    forecast_what_if(row.pk)
    body = api.get(f"/api/v1/what-ifs/{body['key']}/").json()
    before, after = read_setup(row.forecast.setup), read_setup(row.setup)
    found = differences(compare(before, after, 0, 0, 500))
    assert body["setup"]["sides"][0]["units"][0]["pilot"]["experience"] == "elite"
    assert list(body["chances"]) == ["Red", "Blue", "draws"]
    for one, difference in zip(body["chances"].values(), found, strict=True):
        assert one["difference"] == round(difference.change, 6)
        assert one["difference"] == pytest.approx(one["after"] - one["before"], abs=2e-6)
        assert one["interval"] == [round(difference.low, 6), round(difference.high, 6)]
        assert (one["won_over"], one["lost_by_it"]) == (difference.gained, difference.lost)
    assert Client().get(f"/api/v1/what-ifs/{body['key']}/").status_code == 200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, "change"),
        ({"what": "terrain"}, "change.to"),
        ({"what": "terrain", "to": "swamp"}, "change.to"),
        ({"what": "terrain", "to": 1}, "change.to"),
        ({"what": "colour", "to": "red"}, "change.what"),
        ({"what": "level", "of": "zz", "to": "elite"}, "change.of"),
        ({"what": "level", "of": ["a1"], "to": "elite"}, "change.of"),
        ({"what": "skill", "of": "a1", "to": "x" * 5000}, "change.to"),
        ({"what": "design", "of": "a1", "to": {"chassis": "tiny"}}, "change.to"),
        ({"what": "design", "of": "a1", "to": {"chassis": []}}, "change.to"),
        ({**CHANGE, "extra": 1}, "change.extra"),
    ],
)
def test_bad_change_is_refused_with_field(api, change, field):
    key = ask_odds(api)["key"]
    answer = post(api, f"forecasts/{key}/what-if/", {"change": change, "battles": 500})
    assert answer.status_code == 400, answer.content
    (error,) = answer.json()["errors"]
    assert error["field"].startswith(field)
    assert error["reason"]
    assert not WhatIf.objects.exists()


def test_matrix_goes_from_question_to_cells(api):
    answer = post(api, "matrices/", MATRIX)
    assert answer.status_code == 201
    assert answer.json()["cells"] == []
    forecast_matrix(Matrix.objects.get().pk)
    body = api.get(f"/api/v1/matrices/{answer.json()['key']}/").json()
    assert (body["status"], len(body["cells"]), len(body["designs"])) == ("done", 81, 9)
    cell = body["cells"][30]
    doctrines = ("aggressive", "cautious")
    setup = read_setup(cell_setup("meks-and-mercs", "plain", doctrines, cell["attacker"], cell["defender"]))
    battle = tally(setup, 0, 0, 20).battle
    assert [cell["wins"], cell["losses"], cell["draws"]] == [
        battle["attacker_wins"], battle["defender_wins"], battle["draws"],
    ]  # fmt: skip
    assert post(api, "matrices/", MATRIX).status_code == 200


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"system": "chess"}, "system"),
        ({"terrain": "swamp"}, "terrain"),
        ({"terrain": None}, "terrain"),
        ({"doctrines": ["aggressive"]}, "doctrines"),
        ({"doctrines": ["aggressive", "wild"]}, "doctrines[1]"),
        ({"battles": 10**6}, "battles"),
        ({"battles": True}, "battles"),
        ({"seed": "x"}, "seed"),
        ({"more": 1}, "more"),
    ],
)
def test_bad_matrix_is_refused_with_field(api, more, field):
    answer = post(api, "matrices/", MATRIX | more)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)
    assert not Matrix.objects.exists()


def test_unknown_keys_return_404(api):
    key = uuid.uuid4()
    for path in (f"what-ifs/{key}/", f"matrices/{key}/"):
        assert api.get(f"/api/v1/{path}").status_code == 404
    body = {"change": CHANGE, "battles": 500}
    assert post(api, f"forecasts/{key}/what-if/", body).status_code == 404
    assert post(Client(), f"forecasts/{key}/what-if/", body).status_code == 404
