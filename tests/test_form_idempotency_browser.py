"""Forms sent twice in a real browser: a double click, going back, and repeating on purpose."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from campaigns.models import Club
from rosters.models import Company, IdempotentResponse
from tests.builders import a_company, a_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def owner(page, live_server, client):
    """Return a player who is signed in in the browser."""
    player = a_player("kim")
    client.force_login(player)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return player


def test_double_click_founds_one_company(page, live_server, owner):
    page.goto(f"{live_server.url}/companies/found/")
    page.get_by_label("Name").fill("Iron Hounds")
    found = page.locator("main form").get_by_role("button", name="Create company")
    found.dblclick()
    expect(page.get_by_role("heading", name="Iron Hounds")).to_be_visible()
    assert Company.objects.count() == 1

    page.go_back()
    page.get_by_label("Name").fill("Steel Foxes")
    found.click()
    expect(page.get_by_role("heading", name="Steel Foxes")).to_be_visible()
    assert Company.objects.count() == 2


def check_founded_once(page, live_server, where, heading, button, **fields):
    """Found something, go back to the form, press again, and check that nothing else was founded."""
    page.goto(f"{live_server.url}{where}")
    for label, value in fields.items():
        page.get_by_label(label, exact=True).first.fill(value)
    press = page.get_by_role("button", name=button)
    press.click()
    expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    made = page.url
    page.go_back()
    IdempotentResponse.objects.update(created_at=timezone.now() - timedelta(minutes=2))
    for label, value in fields.items():
        page.get_by_label(label, exact=True).first.fill(value)  # browsers may clear it
    press.click()
    expect(page.get_by_text("You already did this 2 minutes ago, so we didn't do it again")).to_be_visible()
    assert page.url == made
    return made


def test_going_back_and_pressing_leads_to_the_founded_company(page, live_server, owner):
    check_founded_once(page, live_server, "/companies/found/", "Double Tap", "Create company", Name="Double Tap")
    assert Company.objects.count() == 1
    page.go_back()
    page.reload()
    page.get_by_label("Name", exact=True).first.fill("Double Tap")
    page.locator("main form button:not([name])").last.click()
    expect(page.get_by_role("heading", name="Double Tap", level=1)).to_be_visible()
    assert Company.objects.count() == 2, "a reloaded page is a new request"


def test_going_back_and_pressing_leads_to_the_founded_club(page, live_server, owner):
    check_founded_once(page, live_server, "/clubs/new/", "Double Tap", "Create club", Name="Double Tap")
    assert Club.objects.count() == 1


def test_repeated_purchase_on_purpose_buys_each_time(page, live_server, owner):
    company = a_company(owner)
    page.goto(f"{live_server.url}/companies/{company.pk}/")
    for name in ("WASP", "WASP 2", "WASP 3"):
        page.locator("#buy-publishedwasp").click()
        expect(page.get_by_text(re.compile(rf"^\s*Bought {name}\."))).to_be_visible()
    assert company.units.count() == 3
