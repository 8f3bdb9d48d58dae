"""Fonts on a first visit: every text ends in the site's own fonts, and nothing moves when they come."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.campaigns.builders import a_campaign

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATHS = ("/", "/companies/", "/rules/")
MORE_PATHS = ("/battles/", "/clubs/", "/scenarios/", "/designs/", "/designs/lab/", "/battles/new/", "/table/")
FILES = {  # by PostScript name
    "Barlow-Regular": "barlow-400",
    "Barlow-SemiBold": "barlow-600",
    "BarlowCondensed-SemiBold": "barlow-condensed-600",
    "BarlowCondensed-Bold": "barlow-condensed-700",
}
MARK_TEXTS = """() => {
  let number = 0;
  for (const each of document.querySelectorAll("body *")) {
    const text = [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
    const signs = ["::before", "::after"].map((part) => getComputedStyle(each, part).content).join("");
    const isOther = each.closest("select, textarea, .vh") || /mono/i.test(getComputedStyle(each).fontFamily);
    if (!text || /[^ -~]/.test(text + signs) || isOther || !each.checkVisibility()) continue;
    each.dataset.text = each.getBoundingClientRect().top < innerHeight ? "first" : "later"; // with the skip link
    number += 1;
  }
  return number;
}"""
SHIFTS = """new PerformanceObserver((list) => {
  for (const each of list.getEntries()) window.shifted = (window.shifted ?? 0) + each.value;
}).observe({ type: "layout-shift", buffered: true })"""


@pytest.fixture
def visitor(chromium: Browser, live_server) -> Iterator[Page]:
    """Return a page with an empty cache."""
    context = chromium.new_context(
        base_url=live_server.url, viewport={"width": 1280, "height": 900}, service_workers="block"
    )
    yield context.new_page()
    context.close()


def fonts_of_texts(page: Page, selector: str = "[data-text]") -> dict[str, dict[str, Any]]:
    """Return an example of each font that texts in plain letters are shown in, by its PostScript name."""
    client = page.context.new_cdp_session(page)
    client.send("DOM.enable")
    client.send("CSS.enable")
    assert page.evaluate(MARK_TEXTS) > 20
    root = client.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    found: dict[str, dict[str, Any]] = {}
    for node in client.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector})["nodeIds"]:
        for font in client.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]:
            is_mono = "Mono" in font["postScriptName"]  # the machine's own, for rule IDs and code
            if font["postScriptName"] not in found and not is_mono:
                example = client.send("DOM.getOuterHTML", {"nodeId": node})["outerHTML"][:120]
                found[font["postScriptName"]] = {**font, "example": example}
    return found


def fallback_fonts(page: Page) -> list[dict[str, Any]]:
    return [font for name, font in fonts_of_texts(page).items() if not name.startswith("Barlow")]


@pytest.mark.parametrize("path", [*PATHS, *(pytest.param(path, marks=pytest.mark.slow) for path in MORE_PATHS)])
def test_first_visit_ends_in_the_sites_own_fonts(visitor: Page, path: str):
    visitor.goto(path, wait_until="networkidle")
    visitor.evaluate("document.fonts.ready.then(() => null)")
    assert fallback_fonts(visitor) == []


def test_campaign_page_shows_bold_text_in_the_sites_own_font(visitor: Page):
    campaign = a_campaign(state="running", is_public=True)
    visitor.goto(f"/campaigns/{campaign.pk}/", wait_until="networkidle")
    assert fallback_fonts(visitor) == []


@pytest.mark.parametrize("path", [*PATHS, *(pytest.param(path, marks=pytest.mark.slow) for path in MORE_PATHS)])
def test_late_fonts_move_nothing(visitor: Page, path: str):
    def hold(route: Route) -> None:
        visitor.wait_for_timeout(400)
        route.continue_()

    visitor.add_init_script(SHIFTS)
    visitor.route("**/*.woff2", hold)
    visitor.goto(path, wait_until="networkidle")
    assert visitor.evaluate("document.fonts.ready.then(() => window.shifted ?? 0)") < 0.02


@pytest.mark.parametrize("path", PATHS)
def test_first_screen_uses_the_preloaded_fonts_and_no_others(visitor: Page, path: str):
    visitor.goto(path, wait_until="networkidle")
    preloaded = visitor.eval_on_selector_all(
        "link[rel=preload][as=font]", "all => all.map((each) => each.href.split('/').at(-1).split('.')[0])"
    )
    used = fonts_of_texts(visitor, "[data-text=first]")
    assert {FILES.get(name, name) for name in used} == set(preloaded)
