"""Settings changed meanwhile by another user aren't overwritten unnoticed, and no typed text is lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign, Club, Round
from campaigns.planning.services import round_set_deadline
from rosters.models import Company
from rosters.services import company_change, scenario_clone, scenario_delete
from rosters.site.forms import OVERTAKEN, READ
from tests.builders import SYSTEM, a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, a_round
from tests.concurrent_commits import commit_between

pytestmark = pytest.mark.django_db


def form_data(page, **typed):
    """Return the data of the page's form, with some fields changed.

    Also check that its marks are on the page for a browser.
    """
    fields = {}
    for form in filter(None, map(page.context.get, ("form", "rules"))):
        assert f'name="{form.add_prefix(READ)}"' in page.content.decode()
        for bound in form:
            if not bound.field.disabled and bound.value() is not None and bound.value() is not False:
                fields[bound.html_name] = bound.value()
    return {**fields, **typed}


@pytest.fixture
def company(client):
    company = a_company(motto="Old and grim")
    client.force_login(company.owner)
    return company


def settings_of(company):
    return reverse("rosters:company_settings", args=[company.pk])


def test_settings_unchanged_meanwhile_are_saved_at_once(client, company):
    url = settings_of(company)
    assert client.post(url, form_data(client.get(url), motto="Young")).status_code == 302
    assert Company.objects.get().motto == "Young"


def test_outdated_form_is_refused_with_the_current_value(client, company):
    url = settings_of(company)
    old = form_data(client.get(url), motto="Mine")
    company_change(company=company, by=company.owner, motto="Theirs")
    page = client.post(url, old)
    assert page.status_code == 422
    text = page.content.decode()
    assert OVERTAKEN in text
    assert "Changed meanwhile to “Theirs”. Save again to replace that" in text
    assert page.context["form"]["motto"].value() == "Mine"
    assert Company.objects.get().motto == "Theirs"


def test_refused_form_sent_again_is_saved(client, company):
    url = settings_of(company)
    old = form_data(client.get(url), motto="Mine")
    company_change(company=company, by=company.owner, motto="Theirs")
    assert client.post(url, form_data(client.post(url, old))).status_code == 302
    assert Company.objects.get().motto == "Mine"


def test_untouched_field_shows_the_changes_of_others(client, company):
    url = settings_of(company)
    old = form_data(client.get(url), name="Steel Foxes")
    company_change(company=company, by=company.owner, motto="Theirs", visibility="public")
    page = client.post(url, old)
    assert page.status_code == 422
    form = page.context["form"]
    assert (form["name"].value(), form["motto"].value(), form["visibility"].value()) == (
        "Steel Foxes",
        "Theirs",
        "public",
    )
    assert "motto" in form.errors
    assert "name" not in form.errors
    client.post(url, form_data(page))
    saved = Company.objects.get()
    assert (saved.name, saved.motto, saved.visibility) == ("Steel Foxes", "Theirs", "public")


def test_same_change_by_both_is_no_conflict(client, company):
    url = settings_of(company)
    old = form_data(client.get(url), motto="Same")
    company_change(company=company, by=company.owner, motto="Same")
    assert client.post(url, old).status_code == 302


def test_form_without_marks_is_saved(client, company):
    url = settings_of(company)
    fields = form_data(client.get(url), motto="Mine")
    for marks in ("", "nonsense", "[1]", "{}"):
        assert client.post(url, {**fields, READ: marks, "motto": f"Mine {marks}"}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_form_of_something_deleted_meanwhile_returns_404(client):
    player = a_player("kim")
    client.force_login(player)
    scenario = scenario_clone(by=player, system=SYSTEM, published="citadel")
    url = reverse("rosters:scenario_edit", args=[scenario.pk])
    deletes = lambda: scenario_delete(scenario=scenario, by=player)  # noqa: E731
    with commit_between(deletes, after='FROM "rosters_scenario"') as interruption:
        assert client.post(url, {"name": "Mine", "do": "save"}).status_code == 404
    assert interruption.is_done


@pytest.mark.django_db(transaction=True)
def test_only_one_of_parallel_saves_succeeds():
    company, gate = a_company(), threading.Barrier(6)
    first = Client()
    first.force_login(company.owner)
    url = settings_of(company)
    fields = form_data(first.get(url))

    def save(number):
        client = Client()
        client.force_login(company.owner)
        gate.wait()
        try:
            return client.post(url, {**fields, "motto": f"Motto {number}"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(save, range(6))) == [302, *[422] * 5]


def test_club_settings_detect_changes(client):
    club = a_club()
    organiser = club.memberships.get(role="organiser").player
    client.force_login(organiser)
    url = reverse("campaigns:club_settings", args=[club.slug])
    old = form_data(client.get(url), about="Mine")
    Club.objects.update(about="Theirs", takes_requests=not club.takes_requests)
    page = client.post(url, old)
    assert page.status_code == 422
    assert "Changed meanwhile to “Theirs”." in page.content.decode()
    assert page.context["form"]["takes_requests"].value() is not club.takes_requests
    assert Club.objects.get().about == "Theirs"
    assert client.post(url, form_data(page)).status_code == 302
    club.refresh_from_db()
    assert club.about == "Mine"


def test_campaign_settings_and_house_rules_detect_changes(client):
    campaign = a_campaign(state="draft")
    client.force_login(campaign.club.memberships.get(role="organiser").player)
    url = reverse("campaigns:campaign_settings", args=[campaign.pk])
    old = form_data(client.get(url), about="Mine")
    assert client.post(url, old).status_code == 302
    old = form_data(client.get(url), about="Mine too")
    Campaign.objects.update(about="Theirs", options={"natural-rolls": "six-hits-one-misses"})
    page = client.post(url, old)
    assert page.status_code == 422
    assert "Changed meanwhile to “Theirs”." in page.content.decode()
    assert "natural-rolls" in page.context["rules"].errors
    assert Campaign.objects.get().about == "Theirs"


def test_profile_and_printer_detect_changes(client):
    player = a_player("kim")
    client.force_login(player)
    url = reverse("rosters:profile")
    old = form_data(client.get(url), name_shown="Mine")
    assert client.post(url, form_data(client.get(url), name_shown="Theirs")).status_code == 302
    page = client.post(url, old)
    assert page.status_code == 422
    assert "Changed meanwhile to “Theirs”." in page.content.decode()
    client.post(
        reverse("rosters:print-printers"),
        {
            "name": "Laser",
            "paper": "a4",
            "flip": "long-edge",
            "front_x": "1.5",
            "front_y": "0",
            "back_x": "0",
            "back_y": "0",
        },
    )
    url = reverse("rosters:print-printer", args=[player.printers.get().pk])
    old = form_data(client.get(url, follow=True), front_x="2.5")
    answer = client.post(url, form_data(client.get(url, follow=True), front_x="3.5"))
    assert answer.status_code == 302, answer.context["form"].errors
    page = client.post(url, old)
    assert page.status_code == 422
    assert "Changed meanwhile to “3.5”." in page.content.decode()


def test_deadline_moved_meanwhile_is_shown_and_kept(client):
    round_ = a_round(a_campaign())
    organiser = round_.campaign.club.memberships.get(role="organiser").player
    client.force_login(organiser)
    page = client.get(reverse("campaigns:round", args=[round_.campaign_id, round_.number]))
    read = page.context["round"].deadline.isoformat()
    assert f'name="read" value="{read}"' in page.content.decode()
    theirs, mine = timezone.now() + timedelta(days=20), timezone.now() + timedelta(days=30)
    round_set_deadline(round_=round_, by=organiser, deadline=theirs)
    url = reverse("campaigns:round_act", args=[round_.campaign_id, round_.number])
    form = {"act": "deadline", "deadline": f"{mine:%Y-%m-%dT%H:%M}", "read": read}
    (message,) = get_messages(client.post(url, form).wsgi_request)
    assert (
        f"to {theirs:%-d %b %Y, %H:%M} after you opened this page. Set it again if you want {mine:%-d %b %Y, %H:%M}"
        in str(message)
    )
    assert Round.objects.get().deadline == theirs
    client.post(url, {**form, "read": theirs.isoformat()})
    assert Round.objects.get().deadline.date() == mine.date()
