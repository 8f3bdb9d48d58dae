"""Painting a scenario's map in a real browser: by mouse, by keyboard, on a phone."""

import pytest
from playwright.sync_api import Page, expect

from rosters.models import Scenario
from tests.builders import a_player

pytestmark = pytest.mark.browser


def sign_in(page: Page) -> None:
    a_player("owner")
    page.goto("/accounts/login/?next=/scenarios/new/")
    page.locator("[name=login]").fill("owner")
    page.locator("[name=password]").fill("secret-sesame")
    page.keyboard.press("Enter")
    page.wait_for_url("**/scenarios/new/")


def brush(page: Page, name: str) -> None:
    page.locator(".brushes").get_by_role("radio", name=name, exact=True).check()


def paint_and_save(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("Ridge")
    brush(page, "Wood")
    for zone in (4, 5, 6):
        page.locator(f"#zone-{zone}").click()
    brush(page, "Attacker sets up")
    page.locator("#zone-7").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("#zone-8")).to_be_focused()
    brush(page, "Defender sets up")
    page.locator("#zone-8").click()
    expect(page.locator("#preview")).to_contain_text("Zone 8 is a set-up zone for both sides")
    page.locator("#zone-8").click()
    page.locator("#zone-2").click()
    page.get_by_role("radio", name="Last side standing.").check()
    expect(page.locator("#preview")).to_contain_text("Can be played")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Save scenario").click()
    expect(page.get_by_role("heading", name="Ridge")).to_be_visible()
    expect(page.get_by_role("link", name="Play this")).to_be_visible()


def painted_map() -> tuple[list[str], list[int], list[int]]:
    spec = Scenario.objects.get().spec
    return spec["terrain"], spec["attacker"]["setup"][0]["zones"], spec["defender"]["setup"][0]["zones"]


RIDGE = (["plain"] * 3 + ["wood"] * 3 + ["plain"] * 3, [7, 8], [2])


def test_map_is_painted_and_saved(page: Page):
    sign_in(page)
    paint_and_save(page)
    assert painted_map() == RIDGE


def test_map_is_painted_on_a_phone(phone: Page):
    sign_in(phone)
    for zone in phone.locator(".zone-button, .brush").all():
        box = zone.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    paint_and_save(phone)
    assert painted_map() == RIDGE


def test_zone_redrawn_during_a_press_is_still_painted(page: Page):
    sign_in(page)
    brush(page, "Wood")
    zone = page.locator("#zone-5")
    zone.scroll_into_view_if_needed()
    box = zone.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    zone.evaluate("button => button.replaceChildren(button.firstElementChild.cloneNode(true))")
    page.mouse.up()
    expect(zone).to_contain_text("Wood")
