"""The report grid in a browser: by keyboard alone, and as cards on a phone."""

import pytest
from django.conf import settings
from django.test import Client

from campaigns.army_lists.services import lists_reveal
from tests.campaigns.builders import a_match
from tests.campaigns.test_results import key, owner

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match():
    return lists_reveal(match=a_match())


def open_as(page, live_server, player, path):
    client = Client()
    client.force_login(player)
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    page.goto(path)


def test_grid_is_filled_in_and_sent_by_keyboard(page, live_server, match):
    open_as(page, live_server, owner(match, 0), f"/matches/{match.key}/report/")
    killer, victim = key(match, 0), key(match, 1, 1)

    def focused():
        return page.evaluate("document.activeElement.name || document.activeElement.dataset.column")

    def press(*keys):
        for each in keys:
            page.keyboard.press(each)

    while focused() != "kills":  # the row that fills a column is the first in the grid
        press("Tab")
    press("ArrowDown")
    assert focused() == f"{killer}-kills"
    page.keyboard.type("1")
    press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Space")
    assert focused() == f"{killer}-wounded"
    press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowDown", "Enter")
    assert focused() == "hits_lost", "from the last row of one side to the first of the other"
    page.keyboard.type("1")
    press("Enter", "Enter")
    assert focused() == f"{victim}-hits_lost"
    page.keyboard.type("2")
    assert page.locator(f'[name="{victim}-destroyed"]').is_checked(), "losing the last Hit destroys the unit"
    lefts = page.locator("[data-left]").all_text_contents()
    assert lefts == ["2", "2", "1", "0"]
    press("Enter")
    assert focused() == f"{victim}-hits_lost", "there is no row below"
    while focused() != "r-winner":
        press("Tab")
    press("Space")
    while page.evaluate("document.activeElement.tagName") != "BUTTON":
        press("Tab")
    press("Enter")
    page.wait_for_url(f"**/matches/{match.key}/")
    content = match.reports.get().content
    assert content["winner"] == "attacker"
    units = {name: {field: value for field, value in unit.items() if value} for name, unit in content["units"].items()}
    assert units == {
        killer: {"kills": 1, "wounded": True},
        key(match, 0, 1): {},
        key(match, 1): {"hits_lost": 1},
        victim: {"hits_lost": 2, "destroyed": True},
    }


def test_first_row_ticks_a_column_for_its_side(page, live_server, match):
    open_as(page, live_server, owner(match, 0), f"/matches/{match.key}/report/")
    page.locator("tr[data-fill]").nth(1).locator('[data-column="withdrew"]').check()
    ticked = page.locator('input[name$="-withdrew"]').evaluate_all("(all) => all.map((each) => each.checked)")
    assert ticked == [False, False, True, True]


def test_phone_shows_units_as_cards_within_the_width(phone, live_server, match):
    open_as(phone, live_server, owner(match, 0), f"/matches/{match.key}/report/")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert phone.locator("tr[data-hits]").first.evaluate("(row) => getComputedStyle(row).display") == "grid"
