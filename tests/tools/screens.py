"""Every kind of page of a site with its demo club, looked at: `python -m tests.tools.screens OUT [--only WORD] [--url URL] [--axe]`.

A site is started as `make run` starts it, walked as a stranger and as the demo's player, and one page of each route is
opened at 1280 and 360 px, by day and by night. OUT/index.html shows them beside each other; OUT/pages.tsv tells of each its
weight, its requests and its pictures. What is said at the end is what should not be: pages over 250 kB or 20 requests, pages
that are wider than their screen, what axe finds against them in any of these modes (`--axe`), and those without a picture in
what they are about.
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
MAX_OPENED = 600  # pages that are walked
PATIENCE = 120_000  # milliseconds; a busy machine is slow, not wrong
TALLEST = 4000  # pixels of a picture
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
AT_THE_EDGE = """[...document.querySelectorAll("main :is(h1, h2, p, label, .button)")].filter((each) => {
  const {left, width} = each.getBoundingClientRect();
  return width > 8 && left >= 0 && left < 4;
}).length"""  # words that have no margin beside them
LEFT_OUT = re.compile(
    r"^/(admin|static|api/v1|api/schema|healthz|readyz|accounts/logout)|\.(pdf|png|svg|json|jsonl|txt|xml|ics|csv|zip)$"
)


@dataclass
class Seen:
    """A kind of page: an address of it, what it weighs, and what is drawn on it."""

    reader: str
    route: str
    path: str
    bytes: int = 0
    requests: int = 0
    pictures: int = 0
    width: int = 0  # of what is on a phone's page
    at_edge: int = 0  # words on it that touch the side of a phone
    shots: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # that axe finds: in which mode, against which rule, where

    @property
    def is_heavy(self) -> bool:
        return self.bytes > MAX_BYTES or self.requests > MAX_REQUESTS


def main(arguments: list[str]) -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("out", type=Path)
    asked.add_argument("--only", default="", help="routes that have this in their name")
    asked.add_argument("--url", default="", help="a site that stands, instead of one that is started")
    asked.add_argument("--password", default="", help="of its demo login")
    asked.add_argument(
        "--modes", type=int, choices=(0, 2, 4), default=4, help="2: day on a screen, night on a phone; 0: figures"
    )
    asked.add_argument("--axe", action="store_true", help="have axe read each page in each mode")
    said = asked.parse_args(arguments)
    said.out.mkdir(parents=True, exist_ok=True)
    with _site(said.url, said.password) as (url, password), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        seen: dict[str, Seen] = {}
        for reader in READERS:
            _look(browser, url, reader, password, said, seen)
        browser.close()
    return _tell(said.out, list(seen.values()))


@contextmanager
def _site(url: str, password: str) -> Iterator[tuple[str, str]]:
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
    browser: Browser, url: str, reader: str, password: str, said: argparse.Namespace, seen: dict[str, Seen]
) -> None:
    """Walks the site and looks at each kind of page that is not seen yet."""
    contexts: dict[tuple[int, str], Page] = {}
    state: Any = None
    for width, scheme in {4: MODES, 2: MODES[::3], 0: MODES[:1]}[said.modes]:
        context = browser.new_context(
            base_url=url,
            viewport={"width": width, "height": 800 if width > 500 else 740},
            is_mobile=width < 500,
            color_scheme=scheme,
            service_workers="block",
            storage_state=state,
            bypass_csp=said.axe,
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        if reader == "demo" and state is None:
            _sign_in(page, password)
            state = context.storage_state()
        contexts[width, scheme] = page
    waiting, known = ["/", "/styleguide/", "/api/docs/"], {"/", "/styleguide/", "/api/docs/"}
    opened: dict[str, int] = {}
    for path in waiting:
        route = _route(path)
        if not route or opened.get(route, 0) >= 2 or len(opened) > MAX_OPENED:
            continue
        opened[route] = opened.get(route, 0) + 1
        kind = f"{reader} {route}" if reader == "stranger" else route
        is_new = kind not in seen and f"stranger {route}" not in seen
        found = _opened(contexts[1280, "light"], reader, route, path)
        if found is None:
            continue
        if (is_new or (route == "home" and reader == "demo")) and said.only in route:
            seen[kind] = found
            _weigh(browser, contexts[1280, "light"], found)
            if said.modes:
                _shoot(contexts, found, said.out, axe=said.axe)
        for link in _links(contexts[1280, "light"], path):
            if link not in known:
                known.add(link)
                waiting.append(link)
    for page in contexts.values():
        page.context.close()


def _sign_in(page: Page, password: str) -> None:
    page.goto("/accounts/login/")
    page.fill("input[name=login]", "demo")
    page.fill("input[name=password]", password)
    page.click("main form button[type=submit], main form button:not([type])")
    page.wait_for_url(lambda address: "/accounts/login" not in address)


def _route(path: str) -> str:
    """The name of the route of that path; empty: none, or none that is looked at."""
    from django.urls import Resolver404, resolve

    bare = urlsplit(path).path
    if LEFT_OUT.search(bare):
        return ""
    try:
        return resolve(bare).view_name or ""
    except Resolver404:
        return ""


def _opened(page: Page, reader: str, route: str, path: str) -> Seen | None:
    """The page; None for what is none."""
    try:
        answer = page.goto(path, wait_until="load")
    except Exception:  # a file that is downloaded
        return None
    if answer is None or answer.status != 200 or "text/html" not in answer.headers.get("content-type", ""):
        return None
    pictures = page.locator("main svg, main img, main canvas").count()
    return Seen(reader, route, path, pictures=pictures)


def _weigh(browser: Browser, page: Page, found: Seen) -> None:
    """Weighs the page for who was never here: nothing of it is kept in his browser."""
    context = browser.new_context(storage_state=page.context.storage_state(), service_workers="block")
    context.set_default_timeout(PATIENCE)
    told: list[Response] = []

    def note(response: Response) -> None:
        told.append(response)

    other = context.new_page()
    other.on("response", note)
    other.goto(page.url, wait_until="load")
    sizes = [_size(each) for each in told if not each.url.startswith("data:")]
    found.bytes, found.requests = sum(sizes), len(sizes)
    context.close()


def _size(response: Response) -> int:
    """Bytes on the wire; 0 for what the browser had, or took back."""
    try:
        return max(0, int(response.request.sizes()["responseBodySize"]))
    except Exception:  # the page was left meanwhile
        return 0


def _links(page: Page, path: str) -> Iterator[str]:
    for href in page.eval_on_selector_all("a[href]", "all => all.map((each) => each.getAttribute('href'))"):
        link = urldefrag(urljoin(page.url, str(href)))[0]
        parts = urlsplit(link)
        if parts.netloc == urlsplit(page.url).netloc and len(parts.query) < 400:
            yield parts.path + (f"?{parts.query}" if parts.query else "")


def _shoot(contexts: dict[tuple[int, str], Page], found: Seen, out: Path, *, axe: bool) -> None:
    """A picture in each mode, how wide the page is on a phone, and what axe says."""
    for (width, scheme), page in contexts.items():
        page.goto(found.path, wait_until="load")
        if width < 500:
            found.width = max(found.width, int(page.evaluate("document.documentElement.scrollWidth")))
            found.at_edge = max(found.at_edge, int(page.evaluate(AT_THE_EDGE)))
        name = f"{found.reader}-{found.route.replace(':', '.')}-{width}-{scheme}.jpg"
        height = min(TALLEST, int(page.evaluate("document.documentElement.scrollHeight")))
        clip = {"x": 0, "y": 0, "width": width, "height": height}
        page.screenshot(path=out / name, type="jpeg", quality=70, full_page=True, clip=clip)  # type: ignore[arg-type]
        found.shots.append(name)
        if axe:
            found.faults += [f"{width} {scheme}: {fault}" for fault in _axe(page)]


def _axe(page: Page) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then((told) => told.violations)")
    return [f"{each['id']} at {[node['target'] for node in each['nodes'][:3]]}" for each in found]


def _tell(out: Path, pages: list[Seen]) -> int:
    """Writes the lists, and says what should not be; 1 if there is any of it."""
    pages.sort(key=lambda page: (page.route, page.reader))
    head = "reader\troute\tpath\tbytes\trequests\tpictures\twidth on a phone\n"
    rows = "".join(
        f"{page.reader}\t{page.route}\t{page.path}\t{page.bytes}\t{page.requests}\t{page.pictures}\t{page.width}\n"
        for page in pages
    )
    (out / "pages.tsv").write_text(head + rows, encoding="utf-8")
    shown = "".join(
        f"<h2>{escape(page.route)} <small>{escape(page.path)}, {page.bytes // 1000} kB, {page.requests} requests</small></h2>"
        + "".join(
            f'<img src="{escape(shot)}" loading="lazy" style="width:24%;vertical-align:top">' for shot in page.shots
        )
        for page in pages
    )
    (out / "index.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>Screens</title>{shown}", encoding="utf-8"
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
