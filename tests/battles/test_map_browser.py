"""The replay on the map in a real browser: stepped through by keyboard, played on a phone."""

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from tests.battles.hexes import document as hex_document
from tests.systems.mech_campaign.battle.tables import document as table_document
from tests.systems.meks_and_mercs.battle.games import document

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def battle_page(monkeypatch, setup: dict[str, Any]) -> str:
    """Return the page of a battle of that set-up."""
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    battle = battle_queue(setup=setup, seed=1, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    return reverse("battles:battle", args=[battle.key])


@pytest.fixture
def zones(live_server, monkeypatch) -> str:
    """Return the page of a game on the zone map."""
    return battle_page(monkeypatch, document("hot-gates"))


@pytest.fixture(params=["zones", *(pytest.param(name, marks=pytest.mark.slow) for name in ("table", "hexes"))])
def url(request, live_server, monkeypatch) -> str:
    """Return the page of a battle on each kind of drawing."""
    setups = {
        "zones": lambda: document("hot-gates"),
        "table": lambda: table_document("picket", "rock-rats", scenario="survey-beacons"),
        "hexes": hex_document,
    }
    return battle_page(monkeypatch, setups[request.param]())


def places(page: Page) -> list[str | None]:
    return [chit.get_attribute("transform") for chit in page.locator(".chit:not(.is-away)").all()]


def test_map_is_stepped_by_keyboard(page: Page, url: str):
    page.goto(url)
    expect(page.locator("[data-play]")).to_be_visible()
    number = page.locator("[data-map-number]")
    start = places(page)
    for _step in range(100):
        page.keyboard.press("ArrowRight")
        if places(page) != start:
            break
    step = int(number.inner_text())
    assert places(page) != start
    page.wait_for_url(f"**#step={step}")
    expect(page.locator("#map-panel .event__text").first).not_to_be_empty()
    drawn = places(page)

    page.goto(f"{url}?step={step}")  # the server's drawing equals the script's
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
    expect(page.locator("[data-map-title]")).to_contain_text(re.compile("(Turn|Round) 1"))
    expect(page.locator('.map__turns [aria-current="true"]')).to_have_text(re.compile("^(Turn|Round) 1$"))


def test_zone_is_chosen_by_keyboard(page: Page, zones: str):
    page.goto(zones)
    expect(page.locator("[data-play]")).to_be_visible()
    page.locator('[data-to-zone="5"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#map-zone")).to_contain_text("Zone 5")
    page.wait_for_url("**#step=1&zone=5")
    page.reload()
    expect(page.locator("#map-zone")).to_contain_text("Zone 5")  # the address keeps step and zone


def test_zone_is_chosen_by_touch(phone: Page, zones: str):
    phone.goto(zones)
    expect(phone.locator("[data-play]")).to_be_visible()
    phone.locator('[data-to-zone="8"]').click()
    expect(phone.locator("#map-zone")).to_contain_text("Zone 8")


def test_map_is_played_on_a_phone(phone: Page, url: str):
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
    motion = phone.locator(".chit:not(.is-away)").first.evaluate("chit => getComputedStyle(chit).transitionDuration")
    assert motion in ("0s", "")


@pytest.mark.parametrize("every", [21, pytest.param(7, marks=pytest.mark.proof)])
def test_server_and_script_draw_the_same_table(page: Page, live_server, monkeypatch, every: int):
    url = battle_page(monkeypatch, table_document("picket", "rock-rats", scenario="survey-beacons"))
    drawn = """() => [...document.querySelectorAll('[data-part]')].map(part => part.outerHTML)"""
    page.goto(url)
    page.wait_for_selector("[data-ready]")
    page.locator("#map").focus()
    page.keyboard.press("End")
    last = int(page.locator("[data-map-number]").inner_text())
    for step in range(last, 1, -every):
        page.goto(f"{url}#step={step}")
        expect(page.locator("[data-map-number]")).to_have_text(str(step))
        by_script = page.evaluate(drawn)
        page.goto(f"{url}?step={step}")
        page.wait_for_selector("[data-ready]")
        by_server = page.evaluate(drawn)
        assert [visible_part(part) for part in by_script] == [visible_part(part) for part in by_server]


def visible_part(part: str) -> str:
    """Return the part if it is visible, otherwise only that it is hidden."""
    return "away" if "is-away" in part else part


def test_phone_counters_are_large_and_can_be_doubled(phone: Page, live_server, monkeypatch):
    phone.goto(battle_page(monkeypatch, table_document("picket", "rock-rats")) + "?step=2")
    size = ".chit.side-a:not(.is-away) .chit__face--a"
    before = phone.locator(size).first.bounding_box()
    assert before
    assert before["width"] >= 20
    phone.locator("#map-zoom").focus()
    phone.keyboard.press("Space")
    after = phone.locator(size).first.bounding_box()
    assert after
    assert after["width"] >= 40
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
