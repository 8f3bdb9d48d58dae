"""A table's log on the stage in a real browser: played, stepped through by keyboard, shared, followed live."""

import re
from importlib.resources import files

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from battles.live.services import table_close
from battles.live.state import ROLL
from tests.battles.live.builders import a_table, do, mark

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
HITS = "a1.hits"
NEXT_LOOK = """new Promise((take) => document.addEventListener(
    "htmx:beforeRequest", (event) => take(event.defaultPrevented), { once: true }))"""


@pytest.fixture
def seats(live_server):
    ann, ben = a_table()
    do(ann, ROLL, what="To hit", dice=3, sides=6, need=4)
    mark(ben, HITS, 1)
    mark(ann, "a1.weapons-cannon", 1)
    mark(ben, HITS, 2)
    return ann, ben


def open_replay(page, seats, query=""):
    page.goto(reverse("battles:table-replay", args=[seats[0].table.key]) + query)
    page.wait_for_selector("[data-ready]")
    return page.locator("[data-map-number]")


def test_keys_step_through_acts_and_turning_points(page, seats):
    table_close(table=seats[0].table)
    number = open_replay(page, seats, "?step=1")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.keyboard.press("ArrowRight")
    expect(number).to_have_text("2")
    expect(page.locator("[data-events] .die")).to_have_count(3)
    page.keyboard.press("n")
    expect(number).to_have_text("4")
    expect(page.locator("[data-map-says]")).to_have_text("Ann: WASP, Cannon")
    expect(page.locator(".unit").first).to_contain_text("1/2")
    page.keyboard.press("n")
    expect(page.locator(".chit.is-destroyed")).to_have_count(1)
    page.keyboard.press("p")
    expect(number).to_have_text("4")
    assert [each for each in requests if not each.endswith(".svg")] == [], "a step makes no request"


def test_log_plays_and_a_moment_is_shared(page, seats):
    number = open_replay(page, seats, "?step=1")
    page.locator("[data-speed]").select_option("300")
    page.locator("[data-play]").click()
    expect(number).to_have_text("5")
    expect(page.locator("[data-play-word]")).to_have_text("Play")
    page.locator('[data-to-step="3"]').last.click()
    expect(number).to_have_text("3")
    page.get_by_text("Share", exact=True).click()
    expect(page.get_by_label("Link to this moment")).to_have_value(re.compile(r"/told/\?step=3#map$"))
    expect(page.get_by_role("link", name="Picture, SVG")).to_have_attribute("href", re.compile(r"moment\.svg\?step=3$"))


def test_last_act_follows_new_ones_but_earlier_one_stays(page, seats):
    ann, ben = seats
    number = open_replay(page, seats)
    expect(number).to_have_text("5")
    page.locator("[data-by]").select_option("turn")
    page.locator('[data-go="next"]').focus()
    mark(ann, HITS, 1)
    expect(number).to_have_text("6")
    expect(page.locator("[data-play]")).to_be_visible()
    expect(page.locator("[data-by]")).to_have_value("turn")
    expect(page.locator('[data-go="next"]')).to_be_focused()
    expect(page.locator(".spectator__lines li")).to_have_count(5)
    page.keyboard.press("p")
    expect(number).to_have_text("5")
    mark(ben, HITS, 0)
    assert page.evaluate(NEXT_LOOK), "no request is made meanwhile"
    expect(number).to_have_text("5")
    page.locator('[data-go="last"]').click()
    expect(page.locator(".map__count")).to_have_text("7 / 7")


def test_spectator_page_is_accessible_and_fits_a_phone(phone, seats):
    open_replay(phone, seats)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    for part in ("[data-play]", '[data-go="last"]', "[data-scrub]"):
        box = phone.locator(part).bounding_box()
        assert box
        assert box["height"] >= 28
        assert box["y"] + box["height"] <= 800
    phone.evaluate(AXE)
    found = phone.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})")
    assert [each["id"] for each in found["violations"]] == []
