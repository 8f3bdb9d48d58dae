"""Drawing a Blazing Steel table in a real browser, by mouse, keyboard and phone; then a battle on it and its replay."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.models import Battle
from battles.tasks import battle_resolve
from rosters.models import Scenario
from tests.builders import a_player
from tests.rosters.test_stellar_table_browser import at, hand, wait_for_piece

pytestmark = pytest.mark.browser
NEW = "/scenarios/new/?system=blazing-steel"


def begin(page: Page) -> None:
    a_player("owner")
    page.goto(f"/accounts/login/?next={NEW}")
    page.locator("[name=login]").fill("owner")
    page.locator("[name=password]").fill("secret-sesame")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{NEW}")
    expect(page.locator("[data-inch-tools]")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Ridge")


def test_table_is_drawn_saved_played_and_replayed(page: Page, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    begin(page)
    hand(page, "Block")
    page.locator("[data-inch-radius]").fill("3")
    page.mouse.click(*at(page, 17, 20))
    wait_for_piece(page, 17, 20, 3)
    wait_for_piece(page, 31, 28, 3)  # the opposite one
    hand(page, "Hill")
    page.mouse.click(*at(page, 24, 30))
    wait_for_piece(page, 24, 30, 4)
    expect(page.locator("[data-inch-here]")).to_have_text("Hill (24, 30).")
    stage = page.locator("[data-inch-stage]")
    hand(page, "Move")
    stage.focus()
    page.keyboard.press("Enter")
    for _step in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_for_piece(page, 24, 27, 4)
    page.locator("#rounds").fill("2")
    page.get_by_label("Warmechs at most").first.fill("3")
    expect(page.locator("#preview")).to_contain_text("Can be played")
    page.get_by_role("button", name="Save scenario").click()
    expect(page.get_by_role("heading", name="Ridge")).to_be_visible()
    row = Scenario.objects.get()
    assert (row.spec["hill"], row.spec["rounds"]) == ([24, 27], 2)
    assert row.spec["forces"] == {"a": {"units_most": 3}}
    assert [(each["kind"], each["x"], each["y"]) for each in row.spec["pieces"]] == [
        ("block", 17, 20),
        ("block", 31, 28),
    ]

    page.get_by_role("link", name="Play this").click()
    page.get_by_role("button", name="Fight it").last.click()
    page.wait_for_url("**/battles/*/**")
    battle = Battle.objects.get()
    battle_resolve(battle.pk)
    page.goto(reverse("battles:battle", args=[battle.key]))
    expect(page.locator("h1")).to_contain_text("Ridge")
    expect(page.locator("#map .piece__face--block")).to_have_count(2)


def test_second_map_beside_the_drawn_table_is_refused(phone: Page):
    begin(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    hand(phone, "Woods")
    phone.mouse.click(*at(phone, 10, 30))
    wait_for_piece(phone, 10, 30, 2)
    wait_for_piece(phone, 38, 18, 2)
    phone.get_by_label("City.", exact=False).check()
    expect(phone.locator("#preview")).to_contain_text("It has both the city map and its own table")
    hand(phone, "Remove")
    phone.mouse.click(*at(phone, 10, 30))
    expect(phone.locator("#preview")).to_contain_text("Can be played")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
