"""Painting a hex map in a real browser: by mouse, keys and touch, and through its document without scripts."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from rosters.models import Scenario
from tests.builders import a_player

pytestmark = pytest.mark.browser
FORM = "/scenarios/new/?system=hex-core"


def sign_in(page: Page) -> None:
    a_player("owner")
    page.goto(f"/accounts/login/?next={FORM}")
    page.locator("[name=login]").fill("owner")
    page.locator("[name=password]").fill("secret-sesame")
    page.keyboard.press("Enter")
    page.wait_for_url("**/scenarios/new/**")
    expect(page.locator("[data-hex-tools]")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Ridge")


def cell(page: Page, column: int, row: int) -> Locator:
    return page.locator(f'[data-hex="{row * 16 + column}"]')


def brush(page: Page, name: str) -> None:
    page.locator(".brushes").get_by_role("radio", name=name, exact=True).check()


def document(page: Page) -> dict[str, object]:
    return json.loads(page.locator("[data-hex-text]").input_value())


def middle(page: Page, column: int, row: int) -> tuple[float, float]:
    box = cell(page, column, row).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_mouse_stroke_paints_hexes_and_their_opposites(page: Page):
    sign_in(page)
    brush(page, "Green")
    cell(page, 4, 5).scroll_into_view_if_needed()
    page.mouse.move(*middle(page, 4, 5))
    page.mouse.down()
    page.mouse.move(*middle(page, 4, 6), steps=8)
    page.mouse.up()
    assert document(page) == {"hexes": {"green": [[4, 5], [4, 6], [11, 6], [11, 7]]}}
    expect(cell(page, 11, 6)).to_have_class("cell hex--woods")
    expect(page.locator("#preview")).to_contain_text("Can be played")
    page.get_by_role("button", name="Undo").click()
    assert document(page) == {}
    expect(cell(page, 4, 5)).to_have_class("cell hex--plain")


def test_asymmetric_hex_is_marked_and_named(page: Page):
    sign_in(page)
    page.get_by_label("Paint the opposite hex too").uncheck()
    brush(page, "Building")
    cell(page, 3, 4).click()
    assert document(page) == {"buildings": [[3, 4, 5]]}
    for place in ((3, 4), (12, 8)):
        assert "is-uneven" in (cell(page, *place).get_attribute("class") or "")
    expect(page.locator("#preview")).to_contain_text("must be the same after half a turn: (3, 4) is grey, 5 floors")
    expect(page.locator("[data-hex-here]")).to_contain_text(
        "(3, 4) grey, building of 5 floors, differs from the opposite hex"
    )


@pytest.mark.rule("HX-148")
def test_building_needs_land(page: Page):
    sign_in(page)
    for name in ("White", "Level +1", "Building"):
        brush(page, name)
        cell(page, 4, 5).click()
    both = [[4, 5], [11, 7]]
    assert document(page) == {
        "hexes": {"white": both},
        "levels": [[*place, 1] for place in both],
        "buildings": [[*place, 5] for place in both],
    }
    expect(cell(page, 4, 5)).to_contain_text("5 +1")
    expect(page.locator("#preview")).to_contain_text("Can be played")
    brush(page, "Light Blue")
    cell(page, 4, 5).click()
    assert document(page) == {"hexes": {"light-blue": both}}


def test_keys_move_paint_and_undo(page: Page):
    sign_in(page)
    brush(page, "Level +2")
    page.locator("#map").focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowRight", "Space"):
        page.keyboard.press(key)
    assert document(page) == {"levels": [[6, 4, 2], [9, 8, 2]]}
    expect(page.locator("[data-hex-here]")).to_have_text("(9, 8) grey, level +2")
    page.keyboard.press("Space")
    assert document(page) == {}
    page.keyboard.press("Control+z")
    assert document(page) == {"levels": [[6, 4, 2], [9, 8, 2]]}


def test_map_is_painted_and_saved_on_a_phone(phone: Page):
    sign_in(phone)
    phone.get_by_role("radio", name="Domination.").check()
    brush(phone, "Objective")
    for place in ((7, 0), (7, 6), (7, 12)):
        cell(phone, *place).scroll_into_view_if_needed()
        cell(phone, *place).click()
    expect(phone.locator("#preview")).to_contain_text("Can be played")
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    box = cell(phone, 7, 6).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 38
    phone.get_by_role("button", name="Save scenario").click()
    expect(phone.get_by_role("heading", name="Ridge")).to_be_visible()
    saved = Scenario.objects.get()
    assert saved.spec["mission"] == "domination"
    assert saved.spec["map"]["objectives"] == [[7, 0], [7, 6], [7, 12]]
