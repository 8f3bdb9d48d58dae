"""The API of battles and odds: it uses the same services, refuses in one format and never answers 500."""

import json

import pytest
from django.test import Client

from battles.models import Battle, Forecast
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve, forecast_run
from rosters.models import Visibility
from systems.simulation.records import verify
from tests.battles.builders import company, company_battle, duel, player
from tests.builders import a_token
from tests.systems.meks_and_mercs.battle.games import COMPANIES, ROLLS, document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch) -> None:
    monkeypatch.setattr(battle_resolve, "delay", lambda *message: None)
    monkeypatch.setattr(forecast_run, "delay", lambda *message: None)


@pytest.fixture
def api() -> Client:
    """Return a client with kim's token. It raises uncaught errors into the test."""
    return Client(headers={"Authorization": f"Token {a_token(player())}"})


def post(api: Client, path: str, body: object):
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    return api.post(f"/api/v1/{path}", data, content_type="application/json")


def test_battle_goes_from_setup_to_record(api):
    answer = post(api, "battles/", {"setup": duel(), "seed": 2**64 - 1})
    assert answer.status_code == 201
    battle = answer.json()
    assert (battle["status"], battle["seed"], battle["record"]) == ("queued", str(2**64 - 1), None)
    assert api.get(f"/api/v1/battles/{battle['key']}/record/").status_code == 404
    battle_resolve(Battle.objects.get().pk)
    done = api.get(f"/api/v1/battles/{battle['key']}/").json()
    assert done["status"] == "done"
    assert done["result"]["rounds"] >= 1
    assert done["setup"]["sides"][0]["units"][0]["design"] == "wasp"
    record = api.get(done["record"])
    assert record.headers["Content-Type"].startswith("application/jsonl")
    assert verify(record.content.decode()) is None


@pytest.mark.parametrize("scenario", COMPANIES)
def test_map_game_goes_from_setup_to_its_page(api, scenario):
    setup = document(scenario, support=(["roll"] * ROLLS[scenario][0], ["roll"] * ROLLS[scenario][1]))
    answer = post(api, "battles/", {"setup": setup, "seed": 7})
    assert answer.status_code == 201, answer.json()
    battle_resolve(Battle.objects.get().pk)
    done = api.get(f"/api/v1/battles/{answer.json()['key']}/").json()
    assert done["status"] == "done"
    assert verify(api.get(done["record"]).content.decode()) is None
    page = api.get(f"/battles/{answer.json()['key']}/")
    assert (page.status_code, b"Traceback" in page.content) == (200, False)


def test_company_fights_through_api(api):
    own = company(player(), "draken")
    setup, _ = company_battle(own)
    answer = post(api, "battles/", {"setup": setup, "companies": [own.pk, None], "visibility": "private"})
    assert answer.status_code == 201
    assert Battle.objects.get().sides.get(position=0).company == own
    stranger = company(player("eve"), name="Eve's")
    answer = post(api, "battles/", {"setup": setup, "companies": [stranger.pk, None]})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "companies[0]")


def test_same_odds_are_simulated_once(api):
    body = {"setup": duel(), "battles": 500, "seed": 3}
    first, again = post(api, "forecasts/", body), post(api, "forecasts/", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["key"] == again.json()["key"]
    assert first.json()["odds"] is None
    forecast_run(Forecast.objects.get().pk)
    odds = api.get(f"/api/v1/forecasts/{first.json()['key']}/").json()["odds"]
    assert odds["battles"] == 500
    assert sum(odds["wins"].values()) + odds["draws"] + odds["unfinished"] == 500


def without(*path: str | int) -> dict:
    document: dict = {"setup": duel()}
    place = document
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return document


def with_(value: object, *path: str | int) -> dict:
    document: dict = {"setup": duel()}
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


BAD = [
    (b"", "setup"),
    (b"not json", "document"),
    (b"[]", "document"),
    (b'{"setup": NaN}', "document"),
    (b"\xff\xfe", "document"),
    (b"[" * 1_000_000, "document"),
    (b'{"setup":' * 100_000, "document"),
    ({}, "setup"),
    ({"setup": "text"}, "setup"),
    ({"setup": {}}, "setup."),
    (without("setup", "sides", 1), "setup.sides"),
    (with_([], "setup", "sides", 0, "units"), "setup.sides[0].units"),
    (with_("wasp", "setup", "sides", 0, "units"), "setup.sides[0].units"),
    (with_("swamp", "setup", "terrain"), "setup.terrain"),
    (with_("chess", "setup", "system"), "setup.system"),
    (with_("nothing", "setup", "sides", 0, "units", 0, "design"), "setup.sides[0].units[0].design"),
    (
        with_({"chassis": "light", "weapons": ["laser"] * 40}, "setup", "sides", 0, "units", 0, "design"),
        "setup.sides[0].units[0].design",
    ),
    (with_("psychic", "setup", "sides", 0, "doctrine"), "setup.sides[0].doctrine"),
    (with_(1, "setup", "surprise"), "setup.surprise"),
    (with_(2**80, "seed"), "seed"),
    (with_(-1, "seed"), "seed"),
    (with_("x", "seed"), "seed"),
    (with_([1], "seed"), "seed"),
    (with_(True, "seed"), "seed"),
    (with_("everybody", "visibility"), "visibility"),
    (with_([1, 2, 3], "companies"), "companies"),
    (with_(1, "unknown"), "unknown"),
]


@pytest.mark.parametrize(("body", "field"), BAD)
@pytest.mark.parametrize("path", ["battles/", "forecasts/"])
def test_bad_document_is_refused_with_field(api, path: str, body: object, field: str):
    if path == "forecasts/" and isinstance(body, dict):
        body = body | {"battles": 10}
    answer = post(api, path, body)
    assert answer.status_code == 400, answer.content
    (error,) = answer.json()["errors"]
    assert error["field"].startswith(field)
    assert error["reason"]
    assert not Battle.objects.exists()
    assert not Forecast.objects.exists()


@pytest.mark.parametrize("battles", [0, -1, 10**7, "10", 1.5, None, [1]])
def test_bad_number_of_battles_is_refused(api, battles: object):
    answer = post(api, "forecasts/", {"setup": duel(), "battles": battles})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "battles")


def test_private_battle_without_token_is_refused(client):
    answer = post(client, "battles/", {"setup": duel(), "visibility": "private"})
    assert answer.status_code == 401
    (error,) = answer.json()["errors"]
    assert error["field"] == "token"
    assert "Authorization: Token" in error["reason"]


def test_public_battles_are_read_without_token(client):
    battle = battle_queue(setup=duel(), actor=player())
    hidden = battle_queue(setup=duel(), actor=player(), visibility=Visibility.PRIVATE)
    assert client.get(f"/api/v1/battles/{battle.key}/").status_code == 200
    for tail in ("", "record/"):
        assert client.get(f"/api/v1/battles/{hidden.key}/{tail}").status_code == 404
    assert client.get(f"/api/v1/forecasts/{battle.key}/").status_code == 404


def test_list_holds_public_and_own_battles(api, client, django_assert_num_queries):
    for seed in range(3):
        battle_queue(setup=duel(), seed=seed, actor=player())
    battle_queue(setup=duel(), actor=player("eve"), visibility=Visibility.PRIVATE)
    mine = battle_queue(setup=duel(), actor=player(), visibility=Visibility.PRIVATE)
    page = client.get("/api/v1/battles/?limit=2").json()
    assert (page["count"], len(page["results"])) == (3, 2)
    following = client.get(page["next"]).json()
    assert ([row["seed"] for row in page["results"]], [row["seed"] for row in following["results"]]) == (
        ["2", "1"],
        ["0"],
    )
    assert (following["count"], following["next"]) == (3, None)
    assert client.get(following["previous"]).json()["results"] == page["results"]
    assert "offset=2" in client.get("/api/v1/battles/?limit=2&offset=0").json()["next"]
    assert client.get("/api/v1/battles/?after=nonsense").status_code == 400
    assert api.get("/api/v1/battles/").json()["results"][0]["key"] == str(mine.key)
    for odd in ("limit=x", "limit=-1", "offset=99999999999999999999", "limit=100000"):
        answer = client.get(f"/api/v1/battles/?{odd}")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, odd.partition("=")[0])
    with django_assert_num_queries(2):
        client.get("/api/v1/battles/")


def test_schema_describes_requests_and_answers(client):
    schema = client.get("/api/schema/?format=json").json()
    asked = schema["paths"]["/api/v1/battles/"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert asked["$ref"].endswith("/BattleRequest")
    parts = schema["components"]["schemas"]
    assert set(parts["BattleRequest"]["properties"]) == {"setup", "seed", "visibility", "companies"}
    assert {"battles_asked", "battles_done", "odds"} <= set(parts["ForecastAnswer"]["properties"])
