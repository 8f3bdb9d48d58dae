"""Draw everything that the print shop offers, to look at it: `python -m tests.tools.gallery OUT [WORD ...]`.

Each product becomes a PDF and a PNG per page in each theme, with different paper, backs and bleed. OUT/index.html shows
them all. With words, only drawings with all of them in their name are made.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path

DPI = 80
THEMES = ("colour", "grey", "ink-saver")
HOW: dict[str, dict[str, object]] = {
    "letter": {"paper": "letter"},
    "screen": {"medium": "screen"},
}
CARD_HOW: dict[str, dict[str, object]] = {
    "short-edge": {"backs": "short-edge"},
    "fold-over": {"backs": "fold-over"},
    "no backs": {"backs": "none"},
    "bleed": {"bleed_mm": 3.0},
    "letter short-edge bleed": {"paper": "letter", "backs": "short-edge", "bleed_mm": 3.0},
    "fold-over bleed": {"backs": "fold-over", "bleed_mm": 3.0},
    "moved 3 mm": {"front": {"x": 3.0, "y": 3.0}, "back": {"x": -3.0, "y": 3.0}},
    "no marks": {"marks": False},
}
STYLE = "body{font:14px sans-serif;margin:1rem}h2{margin:1.5rem 0 .3rem}a img{height:330px;border:1px solid #999;margin:2px}"


def wanted() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield the name of each drawing, its product, and its settings."""
    from tests.rosters.paper.products import HARD, PRODUCTS

    for product in PRODUCTS:
        for theme in THEMES:
            yield f"{product}, {theme}", product, {"theme": theme}
        for how, settings in HOW.items():
            yield f"{product}, {how}", product, settings
        if product.startswith(("unit cards ", "counters", "standees")):
            for how, settings in CARD_HOW.items():
                yield f"{product}, {how}", product, settings
    for product in HARD:
        for theme in ("colour", "ink-saver"):
            yield f"{product}, {theme}", product, {"theme": theme}


def draw(folder: Path, words: list[str]) -> str:
    """Write the files; return the HTML page that shows them."""
    from rosters.printing import render_order
    from tests.rosters.paper.products import order

    sections = []
    for name, product, settings in wanted():
        if not all(word in name for word in words):
            continue
        started = time.perf_counter()
        printed = render_order(order(product, **settings))
        took = time.perf_counter() - started
        stem = re.sub(r"[^a-z0-9]+", "-", name)
        (folder / f"{stem}.pdf").write_bytes(printed.pdf)
        for old in folder.glob(f"{stem}-p*.png"):
            old.unlink()
        subprocess.run(["pdftoppm", "-r", str(DPI), "-png", folder / f"{stem}.pdf", folder / f"{stem}-p"], check=True)
        pages = sorted(folder.glob(f"{stem}-p*.png"))
        sys.stdout.write(f"{name}: {printed.pages} pages, {took:.2f} s {printed.warning}\n")
        links = "".join(f'<a href="{page.name}"><img loading="lazy" alt="" src="{page.name}"></a>' for page in pages)
        sections.append(
            f'<h2>{escape(name)}</h2><p><a href="{stem}.pdf">PDF</a>, {printed.pages} pages. '
            f"{escape(printed.warning)}</p>{links}"
        )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>{STYLE}</style>'
        f"<h1>Gallery of the print shop</h1>{''.join(sections)}</html>"
    )


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.exit(__doc__)
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    (folder / "index.html").write_text(draw(folder, arguments[1:]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
