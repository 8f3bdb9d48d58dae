"""Battles and odds by API without an account: what a visitor of the pages has, and nothing more."""

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
from rosters.models import KeptAnswer, LedgerEntry, Visibility
from tests.battles.builders import company, company_battle, duel, player
from tests.builders import a_token
from tests.campaigns.test_results_races import each_at_once

pytestmark = pytest.mark.django_db

HERE, ELSEWHERE = "192.0.2.7", "198.51.100.4"


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch):
    monkeypatch.setattr("battles.services.battles.wake", lambda *told, **more: None)
    monkeypatch.setattr("battles.services.forecasts.wake", lambda *told, **more: None)


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
    """A whole game at one press."""
    return client.post(reverse("battles:ready"), {"system": "meks-and-mercs", "scenario": "head-to-head"})


def used_up(answer, said: str) -> int:
    """The seconds to wait of an answer that says so."""
    (error,) = answer.json()["errors"]
    assert (answer.status_code, said in error["reason"]) == (429, True), answer.content
    return int(answer["Retry-After"])


# --- what he gets -----------------------------------------------------------------------------------------------------


def test_a_visitor_fights_a_battle_and_reads_it_by_its_address():
    told = fight(visitor())
    assert (told.status_code, told.json()["status"], told.json()["visibility"]) == (201, "queued", "public")
    battle_resolve(Battle.objects.get().pk)
    done = visitor(ELSEWHERE).get(f"/api/v1/battles/{told.json()['key']}/").json()
    assert done["status"] == "done"
    assert done["result"]["rounds"] >= 1
    assert visitor(ELSEWHERE).get(done["record"]).status_code == 200
    assert visitor(ELSEWHERE).get(done["page"]).status_code == 200


def test_his_battle_by_link_is_in_no_list_and_read_by_who_has_its_address():
    key = fight(visitor(), visibility="link").json()["key"]
    assert visitor(ELSEWHERE).get(f"/api/v1/battles/{key}/").status_code == 200
    assert visitor(ELSEWHERE).get("/api/v1/battles/").json()["results"] == []


def test_what_he_asked_for_by_api_is_his_on_the_pages_too():
    key = fight(visitor()).json()["key"]
    call_off = reverse("battles:battle-call-off", args=[key])
    visitor(ELSEWHERE).post(call_off)
    assert Battle.objects.get().status == "queued"
    visitor().post(call_off)
    assert Battle.objects.get().status == "called-off"


def test_odds_are_counted_once_whoever_asks():
    assert [count(visitor(address)).status_code for address in (HERE, ELSEWHERE)] == [201, 200]
    assert Forecast.objects.count() == 1


def test_a_visitor_s_matrix_is_the_one_that_the_page_counts():
    asked = {"system": "meks-and-mercs", "terrain": "plain", "doctrines": ["aggressive", "cautious"]}
    for more in ({"battles": 40}, {"seed": 7}):
        assert ask(visitor(), "matrices/", asked | more).status_code == 401
    assert ask(visitor(), "matrices/", asked).status_code == 201
    assert Matrix.objects.get().runs_asked % limits.RUNS_VISITOR != 0


# --- one quota, whichever way he comes ----------------------------------------------------------------------------------


def test_battles_by_api_and_by_the_pages_are_counted_together(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 2)
    assert fight_on_the_page(visitor()).status_code == 302
    assert fight(visitor()).status_code == 201
    wait = used_up(fight(visitor()), "2 battles within the hour; the next can be fought in 60 minutes. With an account")
    assert 3_500 < wait <= 3_600
    page = fight_on_the_page(visitor())
    assert (page.status_code, "2 battles within the hour" in page.content.decode()) == (422, True)
    assert fight(visitor(ELSEWHERE)).status_code == 201
    Battle.objects.filter(pk=Battle.objects.order_by("pk")[0].pk).update(queued_at=timezone.now() - limits.HOUR)
    assert fight(visitor()).status_code == 201


def test_odds_by_api_and_by_the_pages_are_counted_together(monkeypatch):
    monkeypatch.setattr(limits, "FORECASTS_AN_HOUR_VISITOR", 2)
    assert count(visitor(), 100).status_code == 201
    again = reverse("battles:forecast-fight", args=[Forecast.objects.get().key])
    visitor().post(again, {"battles": "1000"})
    assert Forecast.objects.count() == 2
    assert used_up(count(visitor(), 102), "2 odds within the hour") > 3_500
    assert count(visitor(), 100).status_code == 200  # counted before, it costs nothing
    assert count(visitor(ELSEWHERE), 102).status_code == 201


def test_few_are_open_at_once(monkeypatch):
    monkeypatch.setattr(limits, "OPEN_VISITOR", 1)
    assert fight_on_the_page(visitor()).status_code == 302
    assert used_up(fight(visitor()), "still being fought") < 60
    assert used_up(count(visitor()), "still being fought") < 60


def test_a_visitor_counts_fewer_battles_than_a_player():
    answer = count(visitor(), limits.RUNS_VISITOR + 1)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "battles")


def test_a_player_s_quota_is_told_in_the_same_way(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_PLAYER", 1)
    api = Client(headers={"Authorization": f"Token {a_token(player())}"})
    assert fight(api).status_code == 201
    assert used_up(fight(api), "1 battles within the hour; the next can be fought in 60 minutes.") > 3_500
    assert fight(visitor()).status_code == 201


def test_a_refusal_for_now_is_not_kept_under_the_key_of_the_request(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    fight(visitor())
    key = {"Idempotency-Key": str(uuid.uuid4())}
    used_up(ask(visitor(), "battles/", {"setup": duel()}, **key), "within the hour")
    Battle.objects.update(queued_at=timezone.now() - limits.HOUR)
    done = [ask(visitor(), "battles/", {"setup": duel()}, **key) for _ in range(2)]
    assert [answer.status_code for answer in done] == [201, 201]
    assert done[0].json()["key"] == done[1].json()["key"]
    assert Battle.objects.count() == 2


def test_of_a_visitor_nothing_is_kept_that_costs_him_nothing():
    """Else whoever has no account could fill the disk, with a new key each time."""
    count(visitor())
    for at, told in enumerate((200, 200, 422)):
        asked = {"setup": duel(), "battles": 100 if told == 200 else limits.RUNS_VISITOR + 1}
        assert ask(visitor(), "forecasts/", asked, **{"Idempotency-Key": f"key-{at}"}).status_code == told
    assert not KeptAnswer.objects.exists()
    fought = [ask(visitor(), "battles/", {"setup": duel()}, **{"Idempotency-Key": "battle"}) for _ in range(2)]
    assert [each.get("Idempotency-Replayed") for each in fought] == [None, "true"]
    assert KeptAnswer.objects.count() == Battle.objects.count() == 1


# --- those who would have more ------------------------------------------------------------------------------------------


def test_a_made_up_x_forwarded_for_renews_no_quota(monkeypatch, settings):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    settings.PROXIES = 0
    told = [fight(visitor(**{"X-Forwarded-For": f"203.0.113.{at}"})).status_code for at in range(3)]
    assert told == [201, 429, 429]


def test_behind_a_proxy_its_own_word_counts_and_not_the_asker_s(monkeypatch, settings):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    settings.PROXIES = 1
    told = [
        fight(visitor(**{"X-Forwarded-For": hops})).status_code
        for hops in ("203.0.113.1", "198.51.100.9, 203.0.113.1", "10.0.0.1, 10.0.0.2, 203.0.113.1", "203.0.113.2")
    ]
    assert told == [201, 429, 429, 201]


def test_a_house_has_one_quota_however_many_addresses_it_has(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 1)
    told = [fight(visitor(address)).status_code for address in ("2001:db8::1", "2001:db8::2:1", "2001:db8:0:1::1")]
    assert told == [201, 429, 201]


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_no_more_are_fought_than_he_has(monkeypatch):
    monkeypatch.setattr(limits, "BATTLES_AN_HOUR_VISITOR", 3)
    fight(visitor())
    answers = each_at_once([lambda: fight(visitor()).status_code] * 6)
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
def test_a_huge_body_is_refused_and_costs_him_nothing(body):
    answer = ask(visitor(), "battles/", body)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["reason"]
    assert not Battle.objects.exists()


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
def test_another_site_s_page_sends_nothing_in_his_name(kind):
    """What a browser sends without asking first is no JSON."""
    answer = visitor().post("/api/v1/battles/", json.dumps({"setup": duel()}), content_type=kind)
    assert answer.status_code == 415
    assert not Battle.objects.exists()


def test_who_is_signed_in_on_the_site_is_no_visitor_for_another_site_s_page():
    client = Client(enforce_csrf_checks=True)
    client.force_login(player())
    assert fight(client).status_code == 403
    assert not Battle.objects.exists()


@pytest.mark.parametrize("visibility", [Visibility.PRIVATE, Visibility.PUBLIC])
def test_a_company_s_battle_needs_its_token(visibility):
    owner = player()
    own = company(owner, "wasp", visibility=visibility)
    setup, _ = company_battle(own)
    before = Battle.objects.count()
    answer = ask(visitor(), "battles/", {"setup": setup, "companies": [own.pk, None]})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (401, "token")
    assert ask(visitor(), "battles/", {"setup": duel(), "companies": [10**6, None]}).status_code == 401
    assert Battle.objects.count() == before


def test_a_company_s_units_in_a_visitor_s_set_up_are_names_and_nothing_is_written_to_it():
    owner = player()
    own = company(owner, "wasp")
    setup, _ = company_battle(own)
    booked = LedgerEntry.objects.count()
    assert ask(visitor(), "battles/", {"setup": setup}).status_code == 201
    battle = Battle.objects.order_by("pk").last()
    assert [side.company for side in battle.sides.all()] == [None, None]
    battle_resolve(battle.pk)
    assert LedgerEntry.objects.count() == booked


def test_a_private_battle_needs_a_token():
    assert fight(visitor(), visibility="private").status_code == 401
    theirs = battle_queue(setup=duel(), actor=player(), visibility=Visibility.PRIVATE)
    for tail in ("", "record/"):
        assert visitor().get(f"/api/v1/battles/{theirs.key}/{tail}").status_code == 404
    for tail in ("curve/", "forks/"):
        assert ask(visitor(), f"battles/{theirs.key}/{tail}", {}).status_code == 404


@pytest.mark.parametrize("field", ["dice", "match", "actor", "visitor", "asked_by", "words"])
def test_he_says_nothing_that_the_request_has_no_field_for(field):
    """The sealed dice of a match, and who asks, are named by nobody."""
    assert fight(visitor(), **{field: "1"}).status_code == 400


def test_a_token_that_only_reads_and_a_wrong_one_ask_for_nothing():
    reads = Client(headers={"Authorization": f"Token {a_token(player(), 'read')}"})
    assert fight(reads).status_code == 403
    assert fight(visitor(Authorization="Token 0123")).status_code == 401
    assert not Battle.objects.exists()


# --- the description ------------------------------------------------------------------------------------------------------


def test_the_description_says_where_the_token_is_optional(client):
    described = client.get(f"{reverse('schema')}?format=json").json()["paths"]
    posts = {path: methods["post"] for path, methods in described.items() if "post" in methods}
    optional = {
        path for path, told in posts.items() if {} in told["security"] and "token is optional" in told["description"]
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
