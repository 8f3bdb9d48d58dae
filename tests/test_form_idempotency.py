"""A form that is sent twice is done once; a changed or reloaded form is another request."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from battles.models import Battle
from campaigns.notifications.views import mail_unsubscribe
from rosters import services
from rosters.ledger.records import company_balance
from rosters.models import IdempotentResponse, Scenario
from rosters.site.idempotency import NOT_HERE
from tests.builders import SYSTEM, a_company, a_player

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parent.parent
FOUNDING = {"system": SYSTEM, "name": "Iron Hounds", "points": 60, "colour": "#123456", "visibility": "private"}
WASP = {"what": "published:wasp"}


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def key_on(page):
    """Return the key of the first posting form in the page's content."""
    return re.search(r'<main.*?name="once" value="([0-9a-f]{32})"', page.content.decode(), re.DOTALL)[1]


def messages_of(answer):
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_form_sent_twice_founds_one_company(client, owner):
    url = reverse("rosters:company_create")
    form = {**FOUNDING, "once": key_on(client.get(url))}
    first, again = client.post(url, form), client.post(url, form)
    assert (first.status_code, first.url) == (again.status_code, again.url)
    assert first.url == reverse("rosters:company", args=[owner.companies.get().pk])


def test_repeated_form_shows_the_same_message_once(client, owner):
    company = a_company(owner)
    url = reverse("rosters:unit_buy", args=[company.pk])
    key = key_on(client.get(reverse("rosters:company", args=[company.pk])))
    client.post(url, {**WASP, "once": key})
    assert messages_of(client.post(url, {**WASP, "once": key}, follow=True)) == ["Bought WASP."]
    assert messages_of(client.post(url, {**WASP, "once": key}, follow=True)) == ["Bought WASP."]
    assert company.units.count() == 1


def test_old_form_sent_again_shows_its_earlier_result(client, owner):
    company = a_company(owner)
    url = reverse("rosters:unit_buy", args=[company.pk])
    form = {**WASP, "once": "a" * 32}
    client.post(url, form, follow=True)
    IdempotentResponse.objects.update(created_at=timezone.now() - timedelta(minutes=5))
    (message,) = messages_of(client.post(url, form, follow=True))
    assert message == (
        "You already did this 5 minutes ago, so we didn't do it again: Bought WASP. To do it again, reload the page first."
    )
    assert company.units.count() == 1


def test_page_after_a_purchase_can_buy_the_same_again(client, owner):
    company = a_company(owner)
    page = client.get(reverse("rosters:company", args=[company.pk]))
    keys = []
    for _ in range(3):
        keys.append(key_on(page))
        url = reverse("rosters:unit_buy", args=[company.pk])
        page = client.post(url, {**WASP, "once": keys[-1]}, headers={"HX-Request": "true"}, follow=True)
    assert len(set(keys)) == 3
    assert company.units.count() == 3


def test_form_changed_after_going_back_is_another_request(client, owner):
    url = reverse("rosters:company_create")
    form = {**FOUNDING, "once": key_on(client.get(url))}
    client.post(url, form)
    client.post(url, {**form, "name": "Steel Foxes"})
    client.post(url, form)
    assert sorted(owner.companies.values_list("name", flat=True)) == ["Iron Hounds", "Steel Foxes"]


def test_same_key_at_another_address_is_another_request(client, owner):
    one, other = a_company(owner), a_company(owner)
    for company in (one, other, one):
        client.post(reverse("rosters:unit_buy", args=[company.pk]), {**WASP, "once": "a" * 32})
    assert (one.units.count(), other.units.count()) == (1, 1)


def test_refused_form_may_be_sent_again(client, owner):
    company = a_company(owner, points=9)
    url = reverse("rosters:unit_buy", args=[company.pk])
    form = {**WASP, "once": "a" * 32}
    client.post(url, {**WASP, "once": "b" * 32})
    assert "costs 9" in messages_of(client.post(url, form, follow=True))[-1]
    services.undo_last_act(company=company, by=owner)
    client.post(url, form)
    assert company_balance(company) == 0


def test_invalid_form_keeps_no_answer(client, owner):
    url = reverse("rosters:company_create")
    assert client.post(url, {**FOUNDING, "name": "", "once": "a" * 32}).status_code == 422
    assert not IdempotentResponse.objects.exists()


def test_visitors_battle_is_fought_once(client):
    page = client.get(reverse("home"))
    url = reverse("battles:ready-battle")
    scenario = re.search(r'name="scenario" value="([^"]+)"', page.content.decode())[1]
    form = {"scenario": scenario, "once": key_on(page)}
    first, again = client.post(url, form), client.post(url, form)
    assert first.status_code == 302
    assert first.url == again.url
    assert Battle.objects.count() == 1


def test_same_key_of_two_visitors_makes_two_requests(client):
    other = Client()
    for each in (client, other):
        each.get(reverse("home"))
    url = reverse("battles:ready-battle")
    scenario = re.search(r'name="scenario" value="([^"]+)"', client.get(reverse("home")).content.decode())[1]
    places = {each.post(url, {"scenario": scenario, "once": "a" * 32}).url for each in (client, other)}
    assert len(places) == 2


def test_file_is_part_of_the_request(client, owner):
    document = client.get(reverse("rosters:scenario_published_json", args=[SYSTEM, "citadel"])).content
    url = reverse("rosters:scenario_upload")

    def send(content):
        file = SimpleUploadedFile("breach.json", content, "application/json")
        return client.post(url, {"file": file, "once": "a" * 32})

    assert send(document).url == send(document).url
    assert Scenario.objects.count() == 1
    assert send(document.replace(b'"name": "', b'"name": "Other ', 1)).status_code == 302
    assert Scenario.objects.count() == 2


def test_form_is_done_when_sent_again_after_server_error(client, owner, monkeypatch):
    company, buy = a_company(owner), services.unit_buy

    def buy_and_fail(**fields):
        buy(**fields)
        raise RuntimeError("the machine dies here")

    url = reverse("rosters:unit_buy", args=[company.pk])
    client.raise_request_exception = False
    monkeypatch.setattr(services, "unit_buy", buy_and_fail)
    assert client.post(url, {**WASP, "once": "a" * 32}).status_code == 500
    assert company.units.count() == 0
    monkeypatch.undo()
    client.post(url, {**WASP, "once": "a" * 32})
    assert company.units.count() == 1


@pytest.mark.django_db(transaction=True)
def test_ten_parallel_requests_buy_one_unit():
    company, gate = a_company(), threading.Barrier(10)

    def press(_):
        client = Client()
        client.force_login(company.owner)
        gate.wait()
        try:
            answer = client.post(reverse("rosters:unit_buy", args=[company.pk]), {**WASP, "once": "a" * 32})
            return answer.status_code, answer.url, messages_of(answer)
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(press, range(10)))
    assert answers == [(302, reverse("rosters:company", args=[company.pk]), ["Bought WASP."])] * 10
    assert company.units.count() == 1


# --- every form ---


def test_every_posting_form_has_the_hidden_fields():
    found = 0
    for path in [*(ROOT / "templates").rglob("*.html"), *ROOT.glob("systems/*/templates/**/*.html")]:
        text = path.read_text(encoding="utf-8")
        for form in re.findall(r"<form\b[^>]*method=[\"']post.*?</form>", text, re.DOTALL | re.IGNORECASE):
            found += 1
            assert "{% csrf_token %}" in form, f"{path.relative_to(ROOT)}: {form[:120]}"
        assert not re.search(r"hx-(put|patch|delete)=", text), f"{path}: use a posting form"
    assert found > 90


WITHOUT_KEY = {
    "admin:": "the admin's pages show what was done, and ask before deleting",
    "account_": "allauth refuses a taken name, and signing in or out twice changes nothing",
    "mfa_": "a code works once, and the first response's cookie signs the player in",
    "usersessions_": "ending a session twice changes nothing",
}


def test_every_posting_page_uses_its_key():
    assert set(NOT_HERE) == set(WITHOUT_KEY)
    views = [view for view in pages() if getattr(view, "csrf_exempt", False)]
    assert views == [mail_unsubscribe], "a form without CSRF token has no key: unsubscribing twice changes nothing"


def pages(resolver=None, path=""):
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from pages(pattern, path + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and not f"{path}{pattern.pattern}".startswith(
            ("api/", "admin/", "accounts/")
        ):
            yield pattern.callback
