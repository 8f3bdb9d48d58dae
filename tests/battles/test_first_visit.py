"""A visitor's first minute in a real browser: fight, read the replay, step through it by keyboard."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker_of_all")]


def test_new_battle_plays_by_itself_to_its_result_and_the_next_step(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("[data-ready]")).to_be_attached(timeout=20_000)
    expect(page.locator("[data-map-number]")).not_to_have_text("1")
    expect(page.locator("[data-map-says]")).to_have_attribute("aria-live", "off")
    result = page.get_by_role("link", name="Result", exact=True)
    expect(result).to_be_hidden()
    page.locator('[data-go="last"]').click()
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-map-says]")).to_have_attribute("aria-live", "polite")
    result.click()
    expect(page.locator(".outcome")).to_be_in_viewport()
    actions = page.locator(".stage-actions")
    expect(actions.locator(".button--primary")).to_have_text("Create company")
    assert actions.get_by_text("Win chance over time").count() == 0  # it is further down
    page.goto(f"{page.url.partition('#')[0]}?step=2")  # a link to a step shows that step
    expect(page.locator("[data-ready]")).to_be_attached()
    expect(page.locator("[data-play]")).to_have_attribute("aria-pressed", "false")


def test_visitor_fights_and_steps_through_the_replay(page: Page):
    page.emulate_media(reduced_motion="reduce")  # nothing plays by itself
    page.goto("/")
    page.get_by_role("button", name="Simulate").click()  # one click leads to a result on a map
    expect(page.locator(".outcome")).to_be_visible(timeout=20_000)
    expect(page.locator("[data-map] svg").first).to_be_in_viewport()
    expect(page.locator("#round-head")).to_contain_text("Round 1")

    page.keyboard.press("j")
    first = page.locator(".event.is-here")
    expect(first).to_have_count(1)
    text = first.inner_text()
    page.keyboard.press("j")
    assert page.locator(".event.is-here").inner_text() != text
    page.keyboard.press("k")
    assert page.locator(".event.is-here").inner_text() == text

    step = page.locator("[data-map-number]")
    page.keyboard.press("ArrowRight")
    expect(step).to_have_text("2")
    page.keyboard.press("ArrowLeft")
    expect(step).to_have_text("1")

    page.get_by_role("navigation", name="Rounds").get_by_role("link", name="Round 2", exact=True).click()
    expect(page.locator("#round-head")).to_contain_text("Round 2")
    assert page.url.endswith("?round=2")
    page.go_back()
    expect(page.locator("#round-head")).to_contain_text("Round 1")

    chip = page.locator("details.rule").first
    chip.locator("summary").click()
    expect(chip.locator(".rule__text")).to_be_visible()
    expect(chip.locator(".rule__source")).to_contain_text(re.compile("^(The book: |Muster’s own rule)"))


def test_key_pressed_before_frames_load_is_kept(page: Page):
    page.goto("/")
    held: list[Route] = []
    page.route("**/frames.json*", lambda route: held.append(route))
    with page.expect_request("**/frames.json*"):
        page.get_by_role("button", name="Simulate").click()
    expect(page.locator(".outcome")).to_be_visible(timeout=20_000)
    step = page.locator("[data-map-number]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(step).to_have_text("1")
    for route in held:
        route.continue_()
    expect(step).to_have_text("3")


def test_odds_appear_without_reload(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Odds").click()
    expect(page.get_by_role("heading", name="Win chances")).to_be_visible(timeout=90_000)
    expect(page.locator("#job progress")).to_have_count(0, timeout=30_000)


def test_replay_works_without_scripts(chromium, live_server):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator(".outcome")).to_be_visible(timeout=20_000)  # the page reloads by itself
    page.get_by_role("navigation", name="Rounds").get_by_role("link", name="Round 2", exact=True).click()
    expect(page.locator("#round-head")).to_contain_text("Round 2")
    context.close()


def test_pages_fit_a_phone(phone: Page):
    phone.goto("/")
    phone.get_by_role("button", name="Simulate").click()
    expect(phone.locator(".outcome")).to_be_visible(timeout=20_000)
    battle = phone.url
    for path in ("/", "/battles/", "/battles/new/", battle):
        phone.goto(path)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360, path


@pytest.mark.slow
def test_opening_shots_is_played_on_a_phone(phone: Page):
    phone.goto("/battles/new/")
    phone.locator("#id_f-scenario").select_option("opening-shots")
    expect(phone.locator("#tally-a")).to_contain_text("of 30")
    expect(phone.locator("#tally-b .tag--good")).to_be_visible()
    expect(phone.get_by_label("Terrain", exact=True)).to_have_count(0)

    phone.locator("#id_a2-unit").select_option("design:thor")
    expect(phone.locator("#tally-a")).to_contain_text("Opening Shots allows 30")
    phone.locator("#a-force").select_option("force:rear-guard")
    expect(phone.locator("#tally-a .tag--good")).to_be_visible()
    phone.locator("#id_b-support-1").select_option("minefield")
    expect(phone.locator("#id_b-support-1")).to_have_value("minefield")
    phone.locator(".house-rules summary").click()
    phone.get_by_label("Diagonal moves").check()
    expect(phone.locator("#rules-changed")).to_contain_text("1 changed")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360

    phone.get_by_role("button", name="Simulate").click()
    expect(phone.locator(".outcome")).to_be_visible(timeout=20_000)
    expect(phone.locator("h1")).to_contain_text("Opening Shots")
    expect(phone.locator(".played-by")).to_contain_text("Diagonal moves")
    expect(phone.locator(".support").last).to_contain_text("Minefield")
    expect(phone.locator("#round-head")).to_contain_text("Turn 1")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
