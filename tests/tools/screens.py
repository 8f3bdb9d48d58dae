"""Look at every kind of page of a demo site: `python -m tests.tools.screens OUT [--only WORD] [--url URL] [--axe]`.

Start a site as `make run` does, walk it as a stranger and as the demo's player, and open one page of each route at 1280
and 360 px, in light and dark mode. OUT/index.html shows the pages side by side; OUT/pages.tsv lists size, requests and
pictures of each. The summary lists faults: pages over 250 kB or 20 requests, pages wider than their screen, findings of
axe in any mode (`--axe`), and pages without a picture in their main part.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urldefrag, urljoin, urlsplit

from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.services import find_chromium
from tests.tools.site import Site

MAX_BYTES, MAX_REQUESTS = 250_000, 20
MODES: tuple[tuple[int, Literal["light", "dark"]], ...] = (
    (1280, "light"),
    (1280, "dark"),
    (360, "light"),
    (360, "dark"),
)
READERS = ("stranger", "demo")
MAX_PAGES = 600  # pages to walk
PATIENCE = 120_000  # milliseconds; the machine may be busy
MAX_PICTURE_HEIGHT = 4000  # maximum height of a picture, in pixels
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
COUNT_TEXTS_AT_EDGE = """[...document.querySelectorAll("main :is(h1, h2, p, label, .button)")].filter((each) => {
  const {left, width} = each.getBoundingClientRect();
  return width > 8 && left >= 0 && left < 4;
}).length"""  # texts without a margin beside them
SKIPPED_PATHS = re.compile(
    r"^/(admin|static|api/v1|api/schema|healthz|readyz|accounts/logout)|\.(pdf|png|svg|json|jsonl|txt|xml|ics|csv|zip)$"
)


@dataclass
class PageKind:
    """A kind of page: an example address, its size, and its pictures."""

    reader: str
    route: str
    path: str
    bytes: int = 0
    requests: int = 0
    pictures: int = 0
    width: int = 0  # of its content on a phone
    at_edge: int = 0  # texts that touch the edge of a phone
    shots: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # findings of axe: mode, rule, place

    @property
    def is_heavy(self) -> bool:
        return self.bytes > MAX_BYTES or self.requests > MAX_REQUESTS


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", default="", help="only routes with this in their name")
    parser.add_argument("--url", default="", help="a running site to use instead of starting one")
    parser.add_argument("--password", default="", help="password of its demo login")
    parser.add_argument(
        "--modes", type=int, choices=(0, 2, 4), default=4, help="2: day on a screen, night on a phone; 0: figures"
    )
    parser.add_argument("--axe", action="store_true", help="check each page with axe in each mode")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    with demo_site(options.url, options.password) as (url, password), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        seen: dict[str, PageKind] = {}
        for reader in READERS:
            _look(browser, url, reader, password, options, seen)
        browser.close()
    return _write_report(options.out, list(seen.values()))


@contextmanager
def demo_site(url: str, password: str) -> Iterator[tuple[str, str]]:
    """Yield the address of a demo site and the password of its login; start one if no address is given."""
    if url:
        yield url, password
        return
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        try:
            site.wait_until_open()
            yield site.url, (Path(folder) / "demo-password").read_text().strip()
        finally:
            site.stop()


def _look(
    browser: Browser, url: str, reader: str, password: str, options: argparse.Namespace, seen: dict[str, PageKind]
) -> None:
    """Walk the site and look at each new kind of page."""
    contexts: dict[tuple[int, str], Page] = {}
    state: Any = None
    for width, scheme in {4: MODES, 2: MODES[::3], 0: MODES[:1]}[options.modes]:
        context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": 800 if width > 500 else 740},
            is_mobile=width < 500,
            color_scheme=scheme,
            service_workers="block",
            storage_state=state,
            bypass_csp=options.axe,
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        if reader == "demo" and state is None:
            sign_in(page, password)
            state = context.storage_state()
        contexts[width, scheme] = page
    waiting, known = ["/", "/styleguide/", "/api/docs/"], {"/", "/styleguide/", "/api/docs/"}
    opened: dict[str, int] = {}
    for path in waiting:
        route = _route(path)
        if not route or opened.get(route, 0) >= 2 or len(opened) > MAX_PAGES:
            continue
        opened[route] = opened.get(route, 0) + 1
        kind = f"{reader} {route}" if reader == "stranger" else route
        is_new = kind not in seen and f"stranger {route}" not in seen
        found = _opened(contexts[1280, "light"], reader, route, path)
        if found is None:
            continue
        if (is_new or (route == "home" and reader == "demo")) and options.only in route:
            seen[kind] = found
            _weigh(browser, contexts[1280, "light"], found)
            if options.modes:
                _shoot(contexts, found, options.out, axe=options.axe)
        for link in _links(contexts[1280, "light"], path):
            if link not in known:
                known.add(link)
                waiting.append(link)
    for page in contexts.values():
        page.context.close()


def sign_in(page: Page, password: str) -> None:
    page.goto("/accounts/login/")
    page.fill("input[name=login]", "demo")
    page.fill("input[name=password]", password)
    page.click("main form button[type=submit], main form button:not([type])")
    page.wait_for_url(lambda address: "/accounts/login" not in address)


def _route(path: str) -> str:
    """Return the name of the path's route; empty for none, or one that is left out."""
    from django.urls import Resolver404, resolve

    bare = urlsplit(path).path
    if SKIPPED_PATHS.search(bare):
        return ""
    try:
        return resolve(bare).view_name or ""
    except Resolver404:
        return ""


def _opened(page: Page, reader: str, route: str, path: str) -> PageKind | None:
    """Open the page; return None if it isn't a page."""
    try:
        answer = page.goto(path, wait_until="load")
    except Exception:  # a download
        return None
    if answer is None or answer.status != 200 or "text/html" not in answer.headers.get("content-type", ""):
        return None
    pictures = page.locator("main svg, main img, main canvas").count()
    return PageKind(reader, route, path, pictures=pictures)


def _weigh(browser: Browser, page: Page, found: PageKind) -> None:
    """Measure the page with an empty browser cache."""
    context = browser.new_context(storage_state=page.context.storage_state(), service_workers="block")
    context.set_default_timeout(PATIENCE)
    responses: list[Response] = []

    def note(response: Response) -> None:
        responses.append(response)

    other = context.new_page()
    other.on("response", note)
    other.goto(page.url, wait_until="load")
    sizes = [_size(each) for each in responses if not each.url.startswith("data:")]
    found.bytes, found.requests = sum(sizes), len(sizes)
    context.close()


def _size(response: Response) -> int:
    """Return the bytes on the wire; 0 for cached or cancelled responses."""
    try:
        return max(0, int(response.request.sizes()["responseBodySize"]))
    except Exception:  # the page was closed
        return 0


def _links(page: Page, path: str) -> Iterator[str]:
    for href in page.eval_on_selector_all("a[href]", "all => all.map((each) => each.getAttribute('href'))"):
        link = urldefrag(urljoin(page.url, str(href)))[0]
        parts = urlsplit(link)
        if parts.netloc == urlsplit(page.url).netloc and len(parts.query) < 400:
            yield parts.path + (f"?{parts.query}" if parts.query else "")


def _shoot(contexts: dict[tuple[int, str], Page], found: PageKind, out: Path, *, axe: bool) -> None:
    """Take a picture in each mode; note the page's width on a phone and the findings of axe."""
    for (width, scheme), page in contexts.items():
        page.goto(found.path, wait_until="load")
        if width < 500:
            found.width = max(found.width, int(page.evaluate("document.documentElement.scrollWidth")))
            found.at_edge = max(found.at_edge, int(page.evaluate(COUNT_TEXTS_AT_EDGE)))
        name = f"{found.reader}-{found.route.replace(':', '.')}-{width}-{scheme}.jpg"
        height = min(MAX_PICTURE_HEIGHT, int(page.evaluate("document.documentElement.scrollHeight")))
        clip = {"x": 0, "y": 0, "width": width, "height": height}
        page.screenshot(path=out / name, type="jpeg", quality=70, full_page=True, clip=clip)  # type: ignore[arg-type]
        found.shots.append(name)
        if axe:
            found.faults += [f"{width} {scheme}: {fault}" for fault in _axe(page)]


def _axe(page: Page) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations)")
    return [f"{each['id']} at {[node['target'] for node in each['nodes'][:3]]}" for each in found]


def _write_report(out: Path, pages: list[PageKind]) -> int:
    """Write the lists and print the faults; return 1 if there are any."""
    pages.sort(key=lambda page: (page.route, page.reader))
    head = "reader\troute\tpath\tbytes\trequests\tpictures\twidth on a phone\n"
    rows = "".join(
        f"{page.reader}\t{page.route}\t{page.path}\t{page.bytes}\t{page.requests}\t{page.pictures}\t{page.width}\n"
        for page in pages
    )
    (out / "pages.tsv").write_text(head + rows, encoding="utf-8")
    table_rows = "".join(
        f"<h2>{escape(page.route)} <small>{escape(page.path)}, {page.bytes // 1000} kB, {page.requests} requests</small></h2>"
        + "".join(
            f'<img src="{escape(shot)}" loading="lazy" style="width:24%;vertical-align:top">' for shot in page.shots
        )
        for page in pages
    )
    (out / "index.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>Screens</title>{table_rows}", encoding="utf-8"
    )
    heavy = [page for page in pages if page.is_heavy]
    wide = [page for page in pages if page.width > 360]
    cramped = [page for page in pages if page.at_edge]
    bare = [page for page in pages if not page.pictures]
    faulty = [page for page in pages if page.faults]
    print(
        f"{len(pages)} kinds of page, {len(heavy)} too heavy, {len(wide)} too wide, {len(cramped)} at the edge, "
        f"{len(faulty)} with findings of axe, {len(bare)} without a picture"
    )
    for page in heavy:
        print(f"too heavy: {page.route} {page.path}: {page.bytes // 1000} kB, {page.requests} requests")
    for page in wide:
        print(f"too wide: {page.route} {page.path}: {page.width} px")
    for page in cramped:
        print(f"at the edge: {page.route} {page.path}: {page.at_edge} times")
    for page in faulty:
        for fault in page.faults:
            print(f"axe: {page.route} {page.path}: {fault}")
    for page in bare:
        print(f"no picture: {page.route} {page.path}")
    return 1 if heavy or wide or cramped or faulty else 0


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("MUSTER_VAR", tempfile.mkdtemp())
    django.setup()
    sys.exit(main(sys.argv[1:]))
