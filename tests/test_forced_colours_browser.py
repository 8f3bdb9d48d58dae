"""In forced colours both sides of a battle still look different."""

from io import BytesIO

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import Locator, Page

from rosters.views.reference import styleguide

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def ink_of(mark: Locator) -> float:
    """Return how dark a mark is, from 0 to 1."""
    mark.evaluate("each => each.scrollIntoView({ block: 'center' })")
    mark.page.wait_for_timeout(200)  # what comes near the screen is laid out
    mark.evaluate("each => each.scrollIntoView({ block: 'center' })")
    box = mark.bounding_box()
    assert box
    screen = Image.open(BytesIO(mark.page.screenshot())).convert("L")
    picture = screen.crop((int(box["x"]), int(box["y"]), int(box["x"] + box["width"]), int(box["y"] + box["height"])))
    return 1 - ImageStat.Stat(picture).mean[0] / 255


def test_sides_differ_without_their_colours(page: Page, rf):
    components = styleguide(rf.get("/styleguide/")).content  # the address exists in development only
    page.route("**/styleguide/", lambda route: route.fulfill(body=components, content_type="text/html"))
    page.emulate_media(forced_colors="active")
    page.goto("/styleguide/", wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => null)")
    full, hollow = (ink_of(page.locator(f".versus .side-mark.side-{letter}").first) for letter in "ab")
    assert full > 1.5 * hollow > 0.05
    fills = page.evaluate(
        """() => [".split__a", ".split__b", ".side-a .bar__fill", ".side-b .bar__fill"].map((each) => {
          const { fill, stroke } = getComputedStyle(document.querySelector(each));
          return [fill, stroke];
        })"""
    )
    assert fills[0] == fills[2]
    assert fills[1] == fills[3]
    assert fills[0] != fills[1]
    assert fills[1][1] == fills[0][0]  # an outline in the colour of text
