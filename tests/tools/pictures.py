"""Take the pictures of the README and the guides: `python -m tests.tools.pictures [NAME ...] [--url URL --password PASSWORD]`.

Start a demo site as `make run` does, walk to each page as its readers do, and write docs/pictures/NAME.png: 1280 px wide for
a computer, 360 px for a phone, in light mode. With names, only those pictures are taken.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.services import ROOT, find_chromium
from tests.tools.screens import demo_site, sign_in

FOLDER = ROOT / "docs" / "pictures"
COLOURS = 128  # of each picture: enough for flat drawings, and a third of the bytes
PATIENCE = 120_000  # milliseconds; jobs wait for the worker


@dataclass(frozen=True)
class Picture:
    """How to get to a page, and how much of it to show, in pixels."""

    walk: Callable[[Page], None]
    width: int = 1280
    height: int = 800
    signed_in: bool = True


def open_home(page: Page) -> None:
    page.goto("/")


def open_battle(page: Page) -> None:
    open_home(page)
    page.click("main form button:has-text('Simulate')")
    page.wait_for_selector(".page-head--stage")


def open_company(page: Page) -> None:
    page.goto("/companies/")
    _follow_first(page, r"/companies/\d+/")


def open_prints(page: Page) -> None:
    open_company(page)
    _follow_first(page, r"/companies/\d+/print/.*")
    page.click("button:has-text('Create PDF')")
    page.wait_for_selector("main a:has-text('Open the PDF')")


def open_sheet(page: Page) -> None:
    """Start a game at the table, and let another phone join it."""
    open_company(page)
    page.click("a:has-text('Play at the table')")
    page.click("button:has-text('Start game')")
    code = page.inner_text(".live-join__code")
    browser = page.context.browser
    assert browser is not None
    guest = browser.new_page(base_url=page.url)
    guest.goto(f"/table/?code={code}")
    guest.click("button:has-text('Join game')")
    guest.wait_for_selector("#live-table")
    guest.close()
    page.reload()


def open_campaign(page: Page) -> None:
    open_home(page)
    _follow_first(page, r"/campaigns/\d+/")


def open_match(page: Page) -> None:
    open_campaign(page)
    _follow_first(page, r"/matches/[0-9a-f-]+/")


def open_offline_pack(page: Page) -> None:
    page.goto("/tonight/")


def _follow_first(page: Page, path: str) -> None:
    """Follow the first link of the page whose whole path matches."""
    hrefs = page.eval_on_selector_all("main a[href]", "all => all.map((each) => each.getAttribute('href'))")
    page.goto(next(href for href in hrefs if re.fullmatch(path, href)))


PICTURES = {
    "home": Picture(open_home, signed_in=False),
    "battle": Picture(open_battle, signed_in=False),
    "company": Picture(open_company),
    "print": Picture(open_prints),
    "sheet": Picture(open_sheet, width=360, height=740),
    "campaign": Picture(open_campaign),
    "match": Picture(open_match),
    "offline": Picture(open_offline_pack, width=360, height=740),
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these pictures")
    parser.add_argument("--url", default="", help="a running demo site to use instead of starting one")
    parser.add_argument("--password", default="", help="password of its demo login")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    with demo_site(options.url, options.password) as (url, password), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for name in options.names or PICTURES:
            _take(browser, url, password, name)
    return 0


def _take(browser: Browser, url: str, password: str, name: str) -> None:
    picture = PICTURES[name]
    size = {"width": picture.width, "height": picture.height}
    context = browser.new_context(base_url=url, viewport=size, service_workers="block")  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    if picture.signed_in:
        sign_in(page, password)
    picture.walk(page)
    page.wait_for_load_state("networkidle")
    image = Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
    image.save(FOLDER / f"{name}.png", optimize=True)
    print(f"docs/pictures/{name}.png: {(FOLDER / name).with_suffix('.png').stat().st_size // 1000} kB")
    context.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
