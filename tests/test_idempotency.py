"""Repeated requests are done once: API requests by key, forms by hidden field, on both databases."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from config.settings import KEEP_ANSWERS_DAYS
from rosters import services
from rosters.models import Company, IdempotentResponse
from rosters.services.retention import clear_all
from rosters.site.retention import Clearing
from tests.builders import SYSTEM, a_company, a_player, a_unit

pytestmark = pytest.mark.django_db

FOUNDING = {"system": SYSTEM, "name": "Iron Hounds", "points": 60}
CALCULATE_ONLY = {
    "api-designs-check", "api-scenarios-check", "api-correction-preview", "api-adjustment-preview",
    "api-webhook-secret", "api-guest-link", "api-club-place",  # these return a secret, which isn't kept
}  # fmt: skip


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def post(client, name, *args, key=None, body=None, query=""):
    headers = {} if key is None else {"Idempotency-Key": key}
    data = b"" if body is None else json.dumps(body)
    return client.generic("POST", reverse(name, args=args) + query, data, "application/json", headers=headers)


# --- the API's header ---


def test_repeated_request_with_a_key_founds_one_company(client, owner):
    answers = [post(client, "api-companies", key="spring", body=FOUNDING) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201] * 5
    assert len({answer.content for answer in answers}) == 1
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, *["true"] * 4]
    assert owner.companies.count() == 1


def test_requests_without_a_key_are_all_done(client, owner):
    for _ in range(2):
        assert post(client, "api-companies", body=FOUNDING).status_code == 201
    assert owner.companies.count() == 2
    assert not IdempotentResponse.objects.exists()


def test_key_may_have_quotation_marks(client, owner):
    post(client, "api-companies", key='"spring"', body=FOUNDING)
    post(client, "api-companies", key="spring", body=FOUNDING)
    assert owner.companies.count() == 1


def test_other_request_with_the_same_key_is_refused(client, owner):
    company = a_company(owner)
    post(client, "api-units", company.pk, key="one", body={"published": "wasp"})
    for again in (
        post(client, "api-units", company.pk, key="one", body={"published": "viper"}),
        post(client, "api-companies", key="one", body=FOUNDING),
        post(client, "api-units", a_company(owner).pk, key="one", body={"published": "wasp"}),
    ):
        assert again.status_code == 422
        assert again.json()["errors"][0]["field"] == "Idempotency-Key"
        assert "used for another request" in again.json()["errors"][0]["reason"]
    assert company.units.count() == 1


def test_order_of_fields_does_not_matter(client, owner):
    post(client, "api-companies", key="one", body=FOUNDING)
    assert post(client, "api-companies", key="one", body=dict(reversed(FOUNDING.items()))).status_code == 201
    assert owner.companies.count() == 1


def test_two_players_may_use_the_same_key(client, owner):
    post(client, "api-companies", key="one", body=FOUNDING)
    other = Client()
    other.force_login(a_player("other"))
    assert post(other, "api-companies", key="one", body=FOUNDING).json()["owner"] == "other"


def test_refusal_is_repeated_unchanged(client, owner):
    company = a_company(owner, points=9)
    a_unit(company)
    first = post(client, "api-units", company.pk, key="one", body={"published": "wasp"})
    services.undo_last_act(company=company, by=owner, act=company.ledger.last().act)
    again = post(client, "api-units", company.pk, key="one", body={"published": "wasp"})
    assert (first.status_code, again.status_code) == (422, 422)
    assert first.content == again.content
    assert post(client, "api-units", company.pk, key="two", body={"published": "wasp"}).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "two words", "x" * 201, "tab\there", '"', 'a"b'])
def test_bad_key_is_refused(client, owner, key):
    answer = post(client, "api-companies", key=key, body=FOUNDING)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "Idempotency-Key"
    assert not owner.companies.exists()


def test_unauthenticated_request_leaves_no_answer(client):
    assert post(client, "api-companies", key="one", body=FOUNDING).status_code == 401
    assert not IdempotentResponse.objects.exists()


def test_unreadable_document_leaves_no_answer(client, owner):
    broken = client.post(reverse("api-companies"), "{", "application/json", headers={"Idempotency-Key": "one"})
    assert broken.status_code == 400
    assert post(client, "api-companies", key="one", body=FOUNDING).status_code == 201


def test_server_error_is_neither_done_nor_repeated(client, owner, monkeypatch):
    def found(**fields):
        company_create(**fields)
        raise RuntimeError("the disk is gone")

    company_create = services.company_create
    monkeypatch.setattr(services, "company_create", found)
    client.raise_request_exception = False
    assert post(client, "api-companies", key="one", body=FOUNDING).status_code == 500
    assert (Company.objects.count(), IdempotentResponse.objects.count()) == (0, 0)
    monkeypatch.undo()
    assert post(client, "api-companies", key="one", body=FOUNDING).status_code == 201


def test_answer_that_cannot_be_kept_undoes_its_act(client, owner, monkeypatch):
    def create(**fields):
        raise RuntimeError("the machine dies here")

    monkeypatch.setattr(IdempotentResponse.objects, "create", create)
    client.raise_request_exception = False
    assert post(client, "api-companies", key="one", body=FOUNDING).status_code == 500
    assert not Company.objects.exists()


def test_answers_are_kept_for_a_day_and_then_cleared(client, owner):
    post(client, "api-companies", key="one", body=FOUNDING)
    assert KEEP_ANSWERS_DAYS == settings.KEEP_ANSWERS_DAYS >= 1
    just = Clearing(now=timezone.now() + timedelta(days=KEEP_ANSWERS_DAYS, minutes=-1))
    assert dict(clear_all(just))["kept answers"] == 0
    later = Clearing(now=timezone.now() + timedelta(days=KEEP_ANSWERS_DAYS, minutes=1))
    assert dict(clear_all(later))["kept answers"] == 1
    assert not IdempotentResponse.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_with_one_key_found_one_company():
    player, gate = a_player("owner"), threading.Barrier(10)

    def run(_):
        client = Client()
        client.force_login(player)
        gate.wait()
        try:
            return post(client, "api-companies", key="one", body=FOUNDING)
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(run, range(10)))
    done = [answer for answer in answers if answer.status_code == 201]
    conflicts = [answer for answer in answers if answer.status_code == 409]
    assert len(done) + len(conflicts) == 10
    assert len({answer.json()["id"] for answer in done}) == 1
    assert {answer.headers["Retry-After"] for answer in conflicts} <= {"1"}
    assert player.companies.count() == 1


@pytest.mark.django_db(transaction=True)
def test_second_request_during_the_first_gets_409(client, owner, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer: the second request waits and gets the first response")
    began, go_on = threading.Event(), threading.Event()
    company_create = services.company_create

    def found(**fields):
        company = company_create(**fields)
        began.set()
        go_on.wait(30)
        return company

    monkeypatch.setattr(services, "company_create", found)

    def run():
        try:
            return post(client, "api-companies", key="one", body=FOUNDING)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(run)
        began.wait(30)
        second = post(client, "api-companies", key="one", body=FOUNDING)
        go_on.set()
        assert first.result().status_code == 201
    assert second.status_code == 409
    assert second.json()["errors"][0]["field"] == "Idempotency-Key"
    assert second.headers["Retry-After"] == "1"
    assert post(client, "api-companies", key="one", body=FOUNDING).json() == first.result().json()


def api_posts(resolver=None, prefix=""):
    """Yield name and method of the API's routes that take a POST."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from api_posts(pattern, prefix + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and prefix.startswith("api/v1/"):
            method = getattr(getattr(pattern.callback, "cls", None), "post", None)
            if method:
                yield pattern.name, method


def test_every_changing_post_of_the_api_takes_a_key():
    posts = dict(api_posts())
    assert len(posts) > 30
    bare = {name for name, method in posts.items() if not getattr(method, "is_done_once", False)}
    assert bare == CALCULATE_ONLY, "put @idempotent above its @extend_schema, or add it to CALCULATE_ONLY"


def test_description_lists_the_key_header_on_changing_posts(client):
    described = client.get(reverse("schema") + "?format=json").json()
    taking, all_posts = set(), set()
    for path, methods in described["paths"].items():
        if "post" in methods:
            all_posts.add(path)
            names = [each["name"] for each in methods["post"].get("parameters", [])]
            if "Idempotency-Key" in names:
                taking.add(path)
                assert "409" in methods["post"]["responses"], path
    assert len(taking) > 30
    assert len(all_posts - taking) == len(CALCULATE_ONLY)
