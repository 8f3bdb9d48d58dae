"""Battles and odds through the API without an account: visitors can do the same as on the pages, and no more."""

from __future__ import annotations

import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, Forecast, Matrix
from battles.services import limits
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from rosters.models import IdempotentResponse, LedgerEntry, Visibility
from tests.battles.builders import company, company_battle, duel, player
from tests.builders import a_token
from tests.campaigns.test_results_races import run_concurrently

pytestmark = pytest.mark.django_db

HERE, ELSEWHERE = "192.0.2.7", "198.51.100.4"


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch):
    monkeypatch.setattr("battles.services.battles.wake", lambda *_message, **more: None)
    monkeypatch.setattr("battles.odds.services.wake", lambda *_message, **more: None)


def visitor(address: str = HERE, **headers: str) -> Client:
    return Client(REMOTE_ADDR=address, headers=headers)


def ask(client: Client, path: str, body: object, **headers: str):
    data = body if isinstance(body, str) else json.dumps(body)
    return client.post(f"/api/v1/{path}", data, content_type="application/json", headers=headers)


def fight(client: Client, **more: object):
    return ask(client, "battles/", {"setup": duel()} | more)


def count(client: Client, battles: int = 100):
    return ask(client, "forecasts/", {"setup": duel(), "battles": battles})


def fight_on_the_page(client: Client):
    """Submit a whole battle through the quick form."""
    return client.post(reverse("battles:ready-battle"), {"system": "meks-and-mercs", "scenario": "head-to-head"})


def seconds_to_wait(answer, expected: str) -> int:
    """Return the seconds to wait that a refusal names."""
    (error,) = answer.json()["errors"]
    assert (answer.status_code, expected in error["reason"]) == (429, True), answer.content
    return int(answer["Retry-After"])


# --- what visitors can do ---


def test_visitor_fights_and_reads_battle_by_address():
    battle = fight(visitor())
    assert (battle.status_code, battle.json()["status"], battle.json()["visibility"]) == (201, "queued", "public")
    battle_resolve(Battle.objects.get().pk)
    done = visitor(ELSEWHERE).get(f"/api/v1/battles/{battle.json()['key']}/").json()
    assert done["status"] == "done"
    assert done["result"]["rounds"] >= 1
    assert visitor(ELSEWHERE).get(done["record"]).status_code == 200
    assert visitor(ELSEWHERE).get(done["page"]).status_code == 200


def test_link_battle_is_unlisted_but_readable_by_address():
    key = fight(visitor(), visibility="link").json()["key"]
    assert visitor(ELSEWHERE).get(f"/api/v1/battles/{key}/").status_code == 200
    assert visitor(ELSEWHERE).get("/api/v1/battles/").json()["results"] == []


def test_visitor_cancels_api_battle_on_the_page():
    key = fight(visitor()).json()["key"]
    call_off = reverse("battles:battle-cancel", args=[key])
    visitor(ELSEWHERE).post(call_off)
    assert Battle.objects.get().status == "queued"
    visitor().post(call_off)
    assert Battle.objects.get().status == "called-off"


def test_same_odds_are_simulated_once_for_all_visitors():
    assert [count(visitor(address)).status_code for address in (HERE, ELSEWHERE)] == [201, 200]
    assert Forecast.objects.count() == 1


def test_visitor_gets_the_matrix_of_the_page_only():
    arguments = {"system": "meks-and-mercs", "terrain": "plain", "doctrines": ["aggressive", "cautious"]}
    for more in ({"battles": 40}, {"seed": 7}):
        assert ask(visitor(), "matrices/", arguments | more).status_code == 401
    assert ask(visitor(), "matrices/", arguments).status_code == 201
    assert Matrix.objects.get().runs_asked % limits.RUNS_VISITOR != 0


# --- one quota for API and pages ---


def test_api_and_page_battles_share_one_quota(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 2)
    assert fight_on_the_page(visitor()).status_code == 302
    assert fight(visitor()).status_code == 201
    wait = seconds_to_wait(fight(visitor()), "2 battles an hour. Try again in 60 minutes. With an account")
    assert 3_500 < wait <= 3_600
    page = fight_on_the_page(visitor())
    assert (page.status_code, "2 battles an hour" in page.content.decode()) == (422, True)
    assert fight(visitor(ELSEWHERE)).status_code == 201
    Battle.objects.filter(pk=Battle.objects.order_by("pk")[0].pk).update(queued_at=timezone.now() - limits.HOUR)
    assert fight(visitor()).status_code == 201


def test_api_and_page_odds_share_one_quota(monkeypatch):
    monkeypatch.setattr(limits, "FORECASTS_AN_HOUR_VISITOR", 2)
    assert count(visitor(), 100).status_code == 201
    again = reverse("battles:forecast-simulate", args=[Forecast.objects.get().key])
    visitor().post(again, {"battles": "1000"})
    assert Forecast.objects.count() == 2
    assert seconds_to_wait(count(visitor(), 102), "2 odds an hour") > 3_500
    assert count(visitor(), 100).status_code == 200  # simulated before, so it costs nothing
    assert count(visitor(ELSEWHERE), 102).status_code == 201


def test_visitor_has_few_open_jobs(monkeypatch):
    monkeypatch.setattr(limits, "OPEN_VISITOR", 1)
    assert fight_on_the_page(visitor()).status_code == 302
    assert seconds_to_wait(fight(visitor()), "still running") < 60
    assert seconds_to_wait(count(visitor()), "still running") < 60


def test_visitor_simulates_fewer_battles_than_player():
    answer = count(visitor(), limits.RUNS_VISITOR + 1)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "battles")


def test_player_over_quota_gets_the_same_refusal(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_PLAYER", 1)
    api = Client(headers={"Authorization": f"Token {a_token(player())}"})
    assert fight(api).status_code == 201
    assert seconds_to_wait(fight(api), "1 battles an hour. Try again in 60 minutes.") > 3_500
    assert fight(visitor()).status_code == 201


def test_quota_refusal_is_not_kept_under_idempotency_key(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    fight(visitor())
    key = {"Idempotency-Key": str(uuid.uuid4())}
    seconds_to_wait(ask(visitor(), "battles/", {"setup": duel()}, **key), "an hour")
    Battle.objects.update(queued_at=timezone.now() - limits.HOUR)
    done = [ask(visitor(), "battles/", {"setup": duel()}, **key) for _ in range(2)]
    assert [answer.status_code for answer in done] == [201, 201]
    assert done[0].json()["key"] == done[1].json()["key"]
    assert Battle.objects.count() == 2


def test_free_answers_of_visitors_are_not_kept():
    """Otherwise anybody without an account could fill the disk, with a new key each time."""
    count(visitor())
    for at, status in enumerate((200, 200, 422)):
        arguments = {"setup": duel(), "battles": 100 if status == 200 else limits.RUNS_VISITOR + 1}
        assert ask(visitor(), "forecasts/", arguments, **{"Idempotency-Key": f"key-{at}"}).status_code == status
    assert not IdempotentResponse.objects.exists()
    answers = [ask(visitor(), "battles/", {"setup": duel()}, **{"Idempotency-Key": "battle"}) for _ in range(2)]
    assert [each.get("Idempotency-Replayed") for each in answers] == [None, "true"]
    assert IdempotentResponse.objects.count() == Battle.objects.count() == 1


# --- abuse ---


def test_forged_x_forwarded_for_renews_no_quota(monkeypatch, settings):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    settings.PROXIES = 0
    statuses = [fight(visitor(**{"X-Forwarded-For": f"203.0.113.{at}"})).status_code for at in range(3)]
    assert statuses == [201, 429, 429]


def test_only_the_proxys_forwarded_address_counts(monkeypatch, settings):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    settings.PROXIES = 1
    statuses = [
        fight(visitor(**{"X-Forwarded-For": hops})).status_code
        for hops in ("203.0.113.1", "198.51.100.9, 203.0.113.1", "10.0.0.1, 10.0.0.2, 203.0.113.1", "203.0.113.2")
    ]
    assert statuses == [201, 429, 429, 201]


def test_ipv6_network_has_one_quota(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    statuses = [fight(visitor(address)).status_code for address in ("2001:db8::1", "2001:db8::2:1", "2001:db8:0:1::1")]
    assert statuses == [201, 429, 201]


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_stay_within_quota(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 3)
    fight(visitor())
    answers = run_concurrently([lambda: fight(visitor()).status_code] * 6)
    assert (answers.count(201), set(answers)) == (2, {201, 429})
    assert Battle.objects.count() == 3


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"setup": duel(), "more": "x" * 300_000}),
        json.dumps({"setup": duel() | {"options": {f"o{at}": 1 for at in range(60_000)}}}),
        "[" * 5_000 + "]" * 5_000,
        json.dumps({"setup": duel(), "seed": "9" * 5_000}),
    ],
    ids=["long", "many", "deep", "long seed"],
)
def test_huge_body_is_refused(body):
    answer = ask(visitor(), "battles/", body)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["reason"]
    assert not Battle.objects.exists()


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
def test_request_of_another_content_type_is_refused(kind):
    """A browser sends these types to another site without asking first. JSON isn't one of them."""
    answer = visitor().post("/api/v1/battles/", json.dumps({"setup": duel()}), content_type=kind)
    assert answer.status_code == 415
    assert not Battle.objects.exists()


def test_signed_in_player_without_csrf_token_is_refused():
    client = Client(enforce_csrf_checks=True)
    client.force_login(player())
    assert fight(client).status_code == 403
    assert not Battle.objects.exists()


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.PUBLIC])
def test_company_battle_without_token_is_refused(visibility):
    owner = player()
    own = company(owner, "wasp", visibility=visibility)
    setup, _ = company_battle(own)
    before = Battle.objects.count()
    answer = ask(visitor(), "battles/", {"setup": setup, "companies": [own.pk, None]})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (401, "token")
    assert ask(visitor(), "battles/", {"setup": duel(), "companies": [10**6, None]}).status_code == 401
    assert Battle.objects.count() == before


def test_visitor_setup_writes_nothing_to_company():
    owner = player()
    own = company(owner, "wasp")
    setup, _ = company_battle(own)
    booked = LedgerEntry.objects.count()
    assert ask(visitor(), "battles/", {"setup": setup}).status_code == 201
    battle = Battle.objects.order_by("pk").last()
    assert [side.company for side in battle.sides.all()] == [None, None]
    battle_resolve(battle.pk)
    assert LedgerEntry.objects.count() == booked


def test_private_battle_needs_token():
    assert fight(visitor(), visibility="private").status_code == 401
    theirs = battle_queue(setup=duel(), actor=player(), visibility=Visibility.PRIVATE)
    for tail in ("", "record/"):
        assert visitor().get(f"/api/v1/battles/{theirs.key}/{tail}").status_code == 404
    for tail in ("curve/", "forks/"):
        assert ask(visitor(), f"battles/{theirs.key}/{tail}", {}).status_code == 404


@pytest.mark.parametrize("field", ["dice", "match", "actor", "visitor", "asked_by", "words"])
def test_unknown_field_is_refused(field):
    """Nobody can choose a match's dice or another requester."""
    assert fight(visitor(), **{field: "1"}).status_code == 400


def test_read_only_and_wrong_tokens_start_no_battle():
    reads = Client(headers={"Authorization": f"Token {a_token(player(), 'read')}"})
    assert fight(reads).status_code == 403
    assert fight(visitor(Authorization="Token 0123")).status_code == 401
    assert not Battle.objects.exists()


# --- the schema ---


def test_schema_marks_paths_with_optional_token(client):
    described = client.get(f"{reverse('schema')}?format=json").json()["paths"]
    posts = {path: methods["post"] for path, methods in described.items() if "post" in methods}
    optional = {
        path
        for path, operation in posts.items()
        if {} in operation["security"] and "token is optional" in operation["description"]
    }
    assert optional == {
        "/api/v1/battles/",
        "/api/v1/battles/{key}/curve/",
        "/api/v1/battles/{key}/forks/",
        "/api/v1/best-builds/",
        "/api/v1/forecasts/",
        "/api/v1/forecasts/{key}/best-answers/",
        "/api/v1/forecasts/{key}/best-builds/",
        "/api/v1/forecasts/{key}/what-if/",
        "/api/v1/matrices/",
    }
    assert {} not in posts["/api/v1/companies/"]["security"]
