"""Two presses in a real browser: a double click, the way back, and once more on purpose."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from rosters.models import Company
from tests.builders import a_company, a_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def owner(page, live_server, client):
    """A player whose browser is signed in."""
    player = a_player("kim")
    client.force_login(player)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    return player


def test_a_double_click_founds_one_company_and_another_name_another(page, live_server, owner):
    page.goto(f"{live_server.url}/companies/found/")
    page.get_by_label("Name").fill("Iron Hounds")
    found = page.locator("main form").get_by_role("button", name="Found")
    found.dblclick()
    expect(page.get_by_role("heading", name="Iron Hounds")).to_be_visible()
    assert Company.objects.count() == 1

    page.go_back()
    page.get_by_label("Name").fill("Steel Foxes")
    found.click()
    expect(page.get_by_role("heading", name="Steel Foxes")).to_be_visible()
    assert Company.objects.count() == 2


def test_the_same_is_bought_as_often_as_it_is_bought_on_purpose(page, live_server, owner):
    company = a_company(owner)
    page.goto(f"{live_server.url}/companies/{company.pk}/")
    for name in ("WASP", "WASP 2", "WASP 3"):
        page.locator("#buy-publishedwasp").click()
        expect(page.get_by_text(re.compile(rf"^\s*Bought {name}\."))).to_be_visible()
    assert company.units.count() == 3
