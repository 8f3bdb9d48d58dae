"""The card of a page in a real browser: its letters as wide as on paper, larger at a press, accessible."""

from __future__ import annotations

from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from rosters.designs.selectors import design_published
from rosters.paper.drawing import FAMILIES, PX_PER_PT, _fonts
from rosters.paper.weasyprint_inside import LineOfType
from rosters.printing.orders import design_unit
from rosters.printing.screen_cards import AS_PRINTED
from rosters.products import CARD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
WIDTHS = """() => [...document.querySelectorAll(".printed-card > .card-side")].flatMap((side) =>
    [...side.querySelectorAll("text")].map((text) => {
        const box = text.getBBox(), all = side.viewBox.baseVal;
        return [text.textContent, text.getComputedTextLength(), box.x >= 0 && box.x + box.width <= all.width
            && box.y >= -1 && box.y + box.height <= all.height];
    }))"""


def open_page(page: Page, path: str) -> Page:
    page.goto(path)
    page.evaluate("document.fonts.ready")
    return page


def test_text_is_as_wide_as_on_paper(page):
    odin = design_published("meks-and-mercs", "odin")
    item = CARD.of_unit(design_unit(odin.system, odin.name, odin.spec))
    assert item is not None
    wanted: dict[str, list[float]] = {}
    for side in CARD.sides(item, AS_PRINTED):
        for text in (*side.front.texts, *side.back.texts):
            weight, families = FAMILIES[text.font]
            line = LineOfType(_fonts(), families, weight, text.size * PX_PER_PT, text.direction)
            for words in text.lines:
                line.set(words)
                wanted.setdefault(words, []).append(line.width / PX_PER_PT * 25.4 / 72)
    found = open_page(page, "/designs/meks-and-mercs/odin/").evaluate(WIDTHS)
    assert len(found) == sum(map(len, wanted.values()))
    for words, width, is_inside in found:
        assert is_inside, words
        assert min(abs(width - each) for each in wanted[words]) < 0.15 + 0.01 * width, words


def test_card_is_enlarged_and_closed_again(phone):
    open_page(phone, "/designs/meks-and-mercs/odin/")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    card, large = phone.locator(".printed-card > .card-side").first, phone.get_by_role("dialog")
    width = card.bounding_box()["width"]
    assert width > 300
    expect(large).to_be_hidden()
    phone.get_by_role("button", name="Enlarge").press("Enter")
    expect(large).to_be_visible()
    assert large.locator(".card-side").first.bounding_box()["width"] > 1.5 * width
    phone.keyboard.press("Escape")
    expect(large).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_page_with_a_card(chromium, live_server, scheme):
    context = chromium.new_context(base_url=live_server.url, color_scheme=scheme, bypass_csp=True)
    page = open_page(context.new_page(), "/designs/blazing-steel/darter/")
    page.evaluate(AXE)
    run = "axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map((each) => each.id))"
    assert page.evaluate(run) == []
    page.get_by_role("button", name="Enlarge").click()
    assert page.evaluate(run) == []
    context.close()


def test_unfolded_back_stays_open_while_the_build_changes(page):
    open_page(page, "/designs/lab/?chassis=light&weapons=cannon&name=Toppler")
    preview = page.locator("#preview")
    expect(preview.locator(".printed-card > .card-side text", has_text="TOPPLER")).to_have_count(1)
    preview.get_by_text("Back", exact=True).click()
    page.get_by_label("Name").fill("Tipper")
    expect(preview.locator(".printed-card > .card-side text", has_text="TIPPER")).to_have_count(1)
    expect(preview.locator(".printed-card__back .card-side")).to_be_visible()
