"""Drawing a Mech Campaign table in a real browser, by mouse, keyboard and phone; then a battle on it and its replay."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.models import Battle
from battles.tasks import battle_resolve
from rosters.models import Scenario
from tests.builders import a_player

pytestmark = pytest.mark.browser
NEW = "/scenarios/new/?system=mech-campaign"


def begin(page: Page) -> None:
    a_player("owner")
    page.goto(f"/accounts/login/?next={NEW}")
    page.locator("[name=login]").fill("owner")
    page.locator("[name=password]").fill("secret-sesame")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{NEW}")
    expect(page.locator("[data-inch-tools]")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Wide")


def hand(page: Page, name: str) -> None:
    page.locator(".brushes").get_by_role("radio", name=name, exact=True).check(force=True)


def at(page: Page, x: float, y: float, size: int = 36) -> tuple[float, float]:
    """Return where that place of the table is on the screen."""
    stage = page.locator("[data-inch-stage]")  # stays while the drawing inside is replaced
    stage.scroll_into_view_if_needed()
    svg = page.locator("[data-inch-stage] svg")
    box = svg.bounding_box()
    while box is None:  # being drawn again
        svg.wait_for()
        box = svg.bounding_box()
    assert box
    inch = box["width"] / (size + 1)
    return box["x"] + (x + 0.5) * inch, box["y"] + (size - y + 0.5) * inch


def wait_for_piece(page: Page, kind: str, x: float, y: float, size: int = 36) -> None:
    """Wait until the server has drawn a piece there."""
    shape = f'[data-inch-stage] g[transform="translate({x:.1f} {size - y:.1f})"] .mech-table__disc--{kind}'
    expect(page.locator(shape)).to_have_count(1)


@pytest.mark.slow
def test_table_is_drawn_saved_played_and_replayed(page: Page, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    begin(page)
    page.locator("[name=goal][value=drill]").check()
    page.locator("#turn_limit").fill("2")
    hand(page, "Slag hill")
    page.mouse.click(*at(page, 10, 6))
    wait_for_piece(page, "hill", 10, 6)
    wait_for_piece(page, "hill", 26, 30)  # the opposite one
    hand(page, "Place")
    page.mouse.click(*at(page, 20, 19))
    expect(page.locator('[data-inch-stage] g[transform="translate(20.0 17.0)"] .mech-table__spot')).to_have_count(1)
    hand(page, "Move")
    page.mouse.move(*at(page, 20, 19))
    page.mouse.down()
    page.mouse.move(*at(page, 16, 20), steps=4)
    page.mouse.up()
    expect(page.locator('[data-inch-stage] g[transform="translate(16.0 16.0)"] .mech-table__spot')).to_have_count(1)
    expect(page.locator("#preview")).to_contain_text("Can be played")
    page.get_by_role("button", name="Save scenario").click()
    expect(page.get_by_role("heading", name="Wide")).to_be_visible()
    row = Scenario.objects.get()
    assert (row.spec["places"], row.spec["turn_limit"]) == ([[16, 20]], 2)
    assert [(each["kind"], each["x"], each["y"]) for each in row.spec["pieces"]] == [("hill", 10, 6), ("hill", 26, 30)]

    page.get_by_role("link", name="Play this").click()
    page.get_by_role("button", name="Simulate").last.click()
    page.wait_for_url("**/battles/*/**")
    battle = Battle.objects.get()
    battle_resolve(battle.pk)
    page.goto(reverse("battles:battle", args=[battle.key]))
    expect(page.locator("h1")).to_contain_text("Wide")
    expect(page.locator("#map .piece__face")).to_have_count(2)


def test_table_is_drawn_by_keyboard_alone(page: Page):
    begin(page)
    stage = page.locator("[data-inch-stage]")
    page.get_by_label("Table, inches each way").fill("48")
    expect(page.locator('[data-inch-stage] [data-table-in="48"]')).to_have_count(1)
    hand(page, "Mine works")
    page.locator("[data-inch-mirror]").uncheck()
    stage.focus()
    for key in ("ArrowUp", "ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    page.keyboard.press("Space")
    wait_for_piece(page, "works", 19.5, 19, 48)
    hand(page, "Remove")
    stage.focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-inch-stage] .mech-table__disc")).to_have_count(0)
    page.keyboard.press("Control+z")
    wait_for_piece(page, "works", 19.5, 19, 48)
    hand(page, "Place")
    stage.focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-inch-here]")).to_contain_text("This scenario has no objective to place.")


def test_table_is_drawn_on_a_phone_like_its_rows(phone: Page):
    begin(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    phone.locator(".brush").nth(1).locator("input").check(force=True)
    phone.mouse.click(*at(phone, 6, 6))
    wait_for_piece(phone, "rubble", 6, 6)
    wait_for_piece(phone, "rubble", 30, 30)
    phone.get_by_label("x of piece 2", exact=True).fill("28")
    wait_for_piece(phone, "rubble", 28, 30)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    for face in phone.locator(".brush").all():
        box = face.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
