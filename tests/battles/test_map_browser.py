"""The replay on the map in a real browser: stepped by keyboard, played on a phone."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from tests.battles.systems.meks_and_mercs.games import document

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def url(live_server, monkeypatch) -> str:
    """The page of a game on the map."""
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    battle = battle_queue(setup=document("hot-gates"), seed=1, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    return reverse("battles:battle", args=[battle.key])


def places(page: Page) -> list[str | None]:
    return [chit.get_attribute("transform") for chit in page.locator(".chit:not(.is-away)").all()]


def test_the_map_is_stepped_by_keyboard(page: Page, url: str):
    page.goto(url)
    expect(page.locator("[data-play]")).to_be_visible()
    number, says = page.locator("[data-map-number]"), page.locator("[data-map-says]")
    start = places(page)
    while "move" not in says.inner_text():
        page.keyboard.press("ArrowRight")
    step = int(number.inner_text())
    assert places(page) != start
    assert page.url.endswith(f"#step={step}")
    expect(page.locator("#map-panel .event__text").first).to_contain_text("moves")
    drawn = places(page)

    page.goto(f"{url}?step={step}")  # what the server draws is what the script has drawn
    assert places(page) == drawn
    page.keyboard.press("ArrowLeft")
    expect(number).to_have_text(str(step - 1))
    page.locator("#map").focus()
    page.keyboard.press("End")
    expect(page.locator('[data-go="next"]')).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Home")
    expect(number).to_have_text("1")

    page.locator("[data-by]").select_option("turn")
    page.keyboard.press("Escape")
    page.locator("#map").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-map-title]")).to_contain_text("Turn 1")
    expect(page.locator('.map__turns [aria-current="true"]')).to_have_text("Turn 1")

    page.locator('[data-to-zone="5"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#map-zone")).to_contain_text("Zone 5")
    page.reload()
    expect(page.locator("#map-zone")).to_contain_text("Zone 5")  # the address keeps step and zone


def test_the_map_is_played_on_a_phone(phone: Page, url: str):
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(url)
    play = phone.locator("[data-play]")
    phone.locator("[data-speed]").select_option("300")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("[data-map-number]")).to_have_text(re.compile(r"^([4-9]|\d\d)$"), timeout=10_000)
    play.click()
    expect(play).to_have_attribute("aria-pressed", "false")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    phone.locator('[data-to-zone="8"]').click()
    expect(phone.locator("#map-zone")).to_contain_text("Zone 8")
    motion = phone.locator(".chit:not(.is-away)").first.evaluate("chit => getComputedStyle(chit).transitionDuration")
    assert motion in ("0s", "")
