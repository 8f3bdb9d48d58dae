"""The stage in a real browser: layout, turning points, requests, sharing, frame, axe."""

from __future__ import annotations

import gzip
import re
from importlib.resources import files
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, Response, expect

from battles.models import Curve
from battles.odds import curves
from battles.services.battles import battle_queue
from battles.services.setups import ready_setup
from battles.tasks import battle_resolve, forecast_curve
from rosters.jobs import JobStatus
from tests.battles.builders import duel
from tests.battles.hexes import document as hex_document
from tests.example_shares import in_turn
from tests.systems.mech_campaign.battle.tables import document as table_document
from tests.systems.meks_and_mercs.battle.games import crew
from tests.systems.meks_and_mercs.battle.games import document as map_document

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BATTLES = {
    "bands": lambda: duel("demon", "saber"),
    "map": lambda: map_document("hot-gates"),
    "hexes": hex_document,
    "blazing-steel": lambda: ready_setup(system="blazing-steel", scenario="skirmish"),
    "mechastellar": lambda: ready_setup(system="mechastellar", scenario="versus"),
    "mech-campaign": lambda: table_document("picket", "rock-rats", scenario="survey-beacons"),
}
CHECKED_IN_EVERY_RUN = {"map"}
CROWD = [crew(name, "green") for name in ("wasp", "viper", "saber", "demon", "sagitarii", "draken")]
MAX_BYTES, MAX_ANSWERS = 250_000, 20  # of a replay of twelve units, as transferred
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SCREENS = {"desk": (1280, 800), "phone": (360, 740)}


@pytest.fixture
def url(request, live_server, monkeypatch) -> str:
    """Return the page of a battle."""
    monkeypatch.setattr(battle_resolve, "delay", lambda pk: None)
    setup = (BATTLES | {"crowd": lambda: map_document("citadel", attackers=CROWD, defenders=CROWD)})[request.param]()
    battle = battle_queue(setup=setup, seed=1, visitor="v", visibility="public")
    battle_resolve(battle.pk)
    return reverse("battles:battle", args=[battle.key])


def transferred_size(answer: Response) -> int:
    """Return the bytes of a response as transferred, compressed where possible."""
    body = answer.body()
    return len(body) if answer.headers.get("content-type", "").startswith("font/") else len(gzip.compress(body))


def open_page(page: Page, url: str) -> Page:
    page.goto(url)
    page.wait_for_selector("[data-ready]")
    return page


LABELS = """() => [...document.querySelectorAll(".map__svg text")].filter(
  (each) => each.checkVisibility() && each.textContent.trim() && each.getBoundingClientRect().width
).map((each) => [
  each.textContent.trim(),
  each.getAttribute("class"),
  parseFloat(getComputedStyle(each).fontSize) * Math.abs(each.getScreenCTM().a),
])"""


@pytest.mark.parametrize(
    ("url", "screen"),
    in_turn([(url, screen) for url in BATTLES for screen in SCREENS], CHECKED_IN_EVERY_RUN),
    indirect=["url"],
)
def test_drawing_is_as_wide_as_its_column_with_the_controls_in_view(
    chromium: Browser, live_server, url: str, screen: str
):
    width, height = SCREENS[screen]
    size: Any = {"width": width, "height": height}
    context = chromium.new_context(
        base_url=live_server.url, viewport=size, is_mobile=screen == "phone", reduced_motion="reduce"
    )
    page = open_page(context.new_page(), url)
    for part in ("[data-scrub]", "[data-play]", '[data-go="last"]'):
        box = page.locator(part).first.bounding_box()
        assert box, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= height, part
        assert box["x"] + box["width"] <= width, part
    column, drawing = page.locator(".map__sheet").bounding_box(), page.locator(".map__svg").first.bounding_box()
    assert column
    assert drawing
    assert drawing["width"] == pytest.approx(column["width"], abs=1)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for _step in range(4):
        assert [each for each in page.evaluate(LABELS) if each[2] < 11] == []
        for _event in range(3):
            page.keyboard.press("n")
    context.close()


@pytest.mark.parametrize("url", list(BATTLES), indirect=True)
def test_counter_says_its_name_where_the_pointer_is(phone: Page, url: str):
    open_page(phone, url)
    tip = phone.locator("[data-tip]")
    expect(tip).to_be_hidden()
    face = phone.locator(".chit:not(.is-away)").first.locator(".chit__face--a")
    box = face.bounding_box()
    assert box
    phone.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tip).to_have_text(phone.locator('[data-part="units"]').first.get_attribute("data-name") or "")
    place = tip.bounding_box()
    assert place
    assert place["x"] >= 0
    assert place["x"] + place["width"] <= 360
    phone.mouse.move(180, 20)
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("url", ["blazing-steel"], indirect=True)
def test_terrain_kinds_have_different_colours(page: Page, url: str):
    open_page(page, url)
    fills = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[class*=\"piece__face--\"]')].map("
        "(face) => [face.getAttribute('class'), getComputedStyle(face).fill]))"
    )
    assert len(fills) > 1
    assert len(set(fills.values())) == len(fills), fills
    assert page.evaluate("getComputedStyle(document.querySelector('.piece__letter')).fontSize") == "28px"


@pytest.mark.parametrize("url", ["map", "hexes"], indirect=True)
def test_step_makes_no_request(page: Page, url: str):
    open_page(page, url)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for _step in range(30):
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-map-number]")).to_have_text("31")
    expect(page.locator("[data-events] .event__text").first).not_to_be_empty()
    assert page.url.endswith(url) or page.wait_for_url("**#step=31") is None
    assert [each for each in requests if not each.endswith(".svg")] == []


@pytest.mark.parametrize("url", ["map"], indirect=True)
def test_what_if_link_follows_the_shown_step(page: Page, url: str):
    open_page(page, url)
    link = page.get_by_role("link", name="What if from this round")
    first = link.get_attribute("href")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-map-number]")).to_have_text("2")
    expect(link).to_have_attribute("href", re.compile(r"\?step=2$"))
    assert first != link.get_attribute("href")
    link.click()
    expect(page.get_by_role("button", name="Simulate")).to_be_visible()
    expect(page.get_by_role("img", name="The battle at that point")).to_be_visible()


@pytest.mark.parametrize("url", ["map"], indirect=True)
def test_keys_move_between_turning_points(page: Page, url: str):
    open_page(page, url)
    steps = sorted({int(link.get_attribute("data-to-step") or 0) for link in page.locator(".moment-list a").all()})
    assert len(steps) > 2
    assert page.locator(".map__marks .mark").count() >= len(steps)
    number = page.locator("[data-map-number]")
    page.keyboard.press("n")
    expect(number).to_have_text(str(steps[0]))
    page.keyboard.press("n")
    expect(number).to_have_text(str(steps[1]))
    page.keyboard.press("p")
    expect(number).to_have_text(str(steps[0]))
    expect(page.locator('[data-go="back"]')).to_have_attribute("aria-disabled", "true")


@pytest.mark.slow
@pytest.mark.parametrize("url", ["bands", "blazing-steel"], indirect=True)
def test_reduced_motion_shows_everything_still(page: Page, url: str):
    page.emulate_media(reduced_motion="reduce")
    open_page(page, url)
    frames = page.evaluate(
        "fetch(document.querySelector('[data-frames]').dataset.frames).then((found) => found.json())"
    )
    fired = [
        number
        for number, frame in enumerate(frames["frames"], start=1)
        if any(frames["shots"][at][0] != "shot is-away" for at in frame["shots"])
    ]
    page.goto(f"{url}#step={fired[0]}")
    page.reload()
    page.wait_for_selector("[data-ready]")
    assert page.locator(".shot:not(.is-away)").count() > 0
    assert page.locator(".thrown:not(.is-away)").count() > 0
    assert page.locator(".fire__word").first.text_content()
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("url", ["map"], indirect=True)
def test_step_is_shared_as_link_picture_and_frame(page: Page, url: str, live_server):
    open_page(page, url)
    for _step in range(4):
        page.keyboard.press("ArrowRight")
    link = page.locator('[data-share="link"]').input_value()
    assert link == f"{live_server.url}{url}?step=5#map"
    assert f'src="{live_server.url}{url}embed/?step=5"' in page.locator('[data-share="frame"]').input_value()
    sentence = page.locator("[data-map-says]").inner_text()
    page.locator(".map__share summary").click()
    with page.expect_download() as saved:
        page.locator('[data-share="png"]').click()
    assert saved.value.suggested_filename == "moment-5.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    page.goto(link)
    expect(page.locator("[data-map-says]")).to_have_text(sentence)
    page.set_content(f'<iframe src="{live_server.url}{url}embed/?step=5" width="800" height="700"></iframe>')
    frame = page.frame_locator("iframe")
    expect(frame.locator("[data-map-says]")).to_have_text(sentence)
    frame.locator('[data-go="next"]').click()
    expect(frame.locator("[data-map-number]")).to_have_text("6")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "scheme"),
    in_turn([(url, scheme) for url in BATTLES for scheme in ("light", "dark")], CHECKED_IN_EVERY_RUN),
    indirect=["url"],
)
def test_axe_finds_nothing_on_the_stage(chromium: Browser, live_server, url: str, scheme: Any):
    size: Any = {"width": 1280, "height": 800}
    context = chromium.new_context(base_url=live_server.url, viewport=size, color_scheme=scheme, bypass_csp=True)
    page = open_page(context.new_page(), url)
    page.locator(".map__under summary").first.click()
    for _step in range(6):
        page.keyboard.press("n")
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations)")
    assert [(each["id"], [node["target"] for node in each["nodes"][:3]]) for each in found] == []
    context.close()


@pytest.mark.parametrize("url", ["crowd"], indirect=True)
def test_replay_stays_within_its_size_limit(chromium: Browser, live_server, url: str):
    size: Any = {"width": 1280, "height": 800}
    context = chromium.new_context(base_url=live_server.url, viewport=size)
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    open_page(page, url)
    page.wait_for_load_state("networkidle")
    assert page.locator(".chit").count() >= 12
    sizes = {each.url: transferred_size(each) for each in answers}
    assert len(answers) <= MAX_ANSWERS, sizes
    assert 50_000 < sum(sizes.values()) <= MAX_BYTES, sizes
    context.close()


@pytest.mark.parametrize("url", ["bands"], indirect=True)
def test_curve_under_the_scrubber_links_to_steps(page: Page, url: str, monkeypatch):
    def at_once(pk: int, lease: str = "") -> None:
        forecast_curve(pk, *([lease] if lease else []))
        row = Curve.objects.get(pk=pk)
        if row.status == JobStatus.RUNNING:
            at_once(pk, str(row.lease))

    monkeypatch.setattr(forecast_curve, "delay", at_once)
    monkeypatch.setattr(curves, "MAX_BATTLES", 20)
    open_page(page, url)
    page.get_by_role("link", name="Show win chance over time").click()
    expect(page.locator(".course__chart")).to_be_visible(timeout=60_000)
    assert page.url.partition("#")[0].endswith(url)
    chart, scrub = page.locator(".course__chart").bounding_box(), page.locator("[data-scrub]").bounding_box()
    assert chart
    assert scrub
    assert abs(chart["x"] - scrub["x"] - 8) < 1
    assert abs(chart["width"] - scrub["width"] + 16) < 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    moment = page.locator(".course__turned a").first
    step = moment.get_attribute("data-to-step")
    moment.click()
    expect(page.locator("[data-map-number]")).to_have_text(step or "")
