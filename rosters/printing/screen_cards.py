"""Cards on web pages: the same cards as on paper, drawn as SVG, with text for screen readers.

A unit of the SVG is 1 mm of the `CardPage` that `rosters/paper/drawing.py` draws on paper, and lines of text have the
same positions. The page's style sheet (`.card-side` in `rosters.css`) sets the web versions of the print fonts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Literal

from django.utils.safestring import SafeString, mark_safe

from rosters import fragment_cache
from rosters.card_layout import CardPage, TextBox
from rosters.card_layout.page import CONTROLS
from rosters.paper.documents import PrintSettings, UnitDocument
from rosters.paper.sources import Link, unit_document
from rosters.paper.themes import THEMES, Theme, css_colour
from rosters.paper.unit_artwork import picture_svg
from rosters.printing.orders import design_unit
from rosters.products import CARD
from rosters.products.base import UnitItem
from rosters.selectors import CompanySheet, UnitRow
from rosters.site.pagination import Slice
from systems.paper.metrics import MM_PER_PT, below_middle_em
from systems.text import shorten_name

NUMBER = re.compile(r"-?\d*\.\d+")
MODULES = re.compile(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-\3z")  # a run of dark modules of a QR code
ANCHORS = {"left": "", "center": "middle", "right": "end"}
ANCHORS_TURNED = {"left": "end", "center": "middle", "right": ""}  # for right-to-left lines


def side_svg(page: CardPage, name: str, key: str, theme: Theme = THEMES["colour"]) -> str:
    """Return the side as an SVG element with this label; the ID of its drawing is `key`, so that it can be reused."""
    return (
        f'<svg class="card-side" viewBox="0 0 {page.size.width:g} {page.size.height:g}" role="img"'
        f' aria-label="{escape(name)}"><g id="{key}">{"".join(_drawn(page, theme))}</g></svg>'
    )


def _drawn(page: CardPage, theme: Theme) -> Iterator[str]:
    """Yield the parts of the drawing, in the same order as on paper."""
    colour = theme.band(page.band)
    if colour and page.band_mm:
        yield f'<path fill="{css_colour(colour)}" d="M0 0h{page.size.width:g}v{_short(page.band_mm)}H0z"/>'
    for kind, paths in page.art.items():
        yield _art(page, theme, kind, "".join(paths))
    for picture in page.pictures:
        yield picture_svg(picture, theme.picture, colour)
    yield from _texts(page.texts, theme)


# --- strokes and shapes -----------------------------------------------------------------------------------------------


def _art(page: CardPage, theme: Theme, kind: str, path: str) -> str:
    """Return the strokes or filled shapes of one kind as one path; empty for a band without a colour."""
    if stroke := theme.strokes.get(kind):
        dash = f' stroke-dasharray="{" ".join(map(_short, stroke.dash))}"' if stroke.dash else ""
        return (
            f'<path fill="none" stroke="{css_colour(stroke.colour)}" stroke-width="{_short(stroke.width)}"{dash}'
            f' d="{_rounded(path)}"/>'
        )
    fill = theme.band(page.band) if kind == "band" else theme.fills[kind]
    if fill is None:
        return ""
    return _code(path, css_colour(fill)) if kind == "qr" else f'<path fill="{css_colour(fill)}" d="{_rounded(path)}"/>'


def _code(path: str, ink: str) -> str:
    """Return a QR code's runs of dark modules as strokes, which need half the characters of their outlines."""
    runs = MODULES.findall(path)
    height = max((float(high) for *_, high in runs), default=0.0)
    strokes = "".join(
        f"M{_short(float(left))} {_short(float(top) + float(high) / 2)}h{_short(float(wide))}"
        for left, top, wide, high in runs
    )
    return f'<path fill="none" stroke="{ink}" stroke-width="{height:.3f}" d="{strokes}"/>'


def _rounded(path: str) -> str:
    return NUMBER.sub(lambda found: _short(float(found[0])), path)


@lru_cache(maxsize=8192)
def _short(length: float) -> str:
    """Format a length to a hundredth of a mm in the fewest characters."""
    text = f"{length:.2f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


# --- text -------------------------------------------------------------------------------------------------------------


def _texts(texts: Sequence[TextBox], theme: Theme) -> Iterator[str]:
    """Yield the lines of text, grouped by font and style."""
    runs: dict[tuple[str, str], list[str]] = {}
    for text in texts:
        anchor = (ANCHORS_TURNED if text.direction == "rtl" else ANCHORS)[text.align]
        look = f' font-size="{_em(text):.3f}" fill="{css_colour(theme.tones[text.tone])}"'
        look += f' text-anchor="{anchor}"' if anchor else ""
        runs.setdefault((text.font, look), []).extend(_lines(text))
    for (font, look), lines in runs.items():
        yield f'<g class="card-side__{font}"{look}>{"".join(lines)}</g>'


def _lines(text: TextBox) -> Iterator[str]:
    x = text.x + {"left": 0.0, "center": text.width / 2, "right": text.width}[text.align]
    more = ' direction="rtl"' if text.direction == "rtl" else ""
    if text.turned:
        middle = f"{_short(text.x + text.width / 2)} {_short(text.y + text.leading * len(text.lines) / 2)}"
        more += f' transform="rotate(180 {middle})"'
    for at, line in enumerate(text.lines):
        if line.strip():
            y = text.y + (at + 0.5) * text.leading + below_middle_em(text.font) * _em(text)
            yield f'<text x="{_short(x)}" y="{_short(y)}"{more}>{_written(line)}</text>'


def _em(text: TextBox) -> float:
    """Return the type size in mm."""
    return text.size * MM_PER_PT


def _written(line: str) -> str:
    """Escape a line, and keep all its spaces, because browsers collapse several in a row."""
    return escape(line.translate(CONTROLS).replace("  ", " \u00a0"), quote=False)


TEMPLATE = "rosters/_printed_card.html"
AS_PRINTED = PrintSettings()  # the default print settings
LONGEST_NAME = 60
ON_A_PAGE = 12  # cards on a page of a company's cards
Look = Literal["whole", "folded", "front"]  # both sides, the back on request, only the front


@dataclass(frozen=True, slots=True)
class ScreenCardSide:
    """One side of a card on a web page."""

    name: str
    key: str  # ID of the drawing
    box: str  # view box of the drawing, for reusing it
    drawing: SafeString
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScreenCard:
    """A unit's card on a web page."""

    key: str  # ID of its enlarged form
    name: str
    size: str
    fronts: tuple[ScreenCardSide, ...]
    backs: tuple[ScreenCardSide, ...]


def card_of_unit(
    company: CompanySheet,
    unit: UnitRow,
    *,
    link: Link,
    options: Mapping[str, object],
    look: Look = "whole",
    href: str = "",
) -> SafeString:
    """Return the card of a company's unit as it would be printed today; empty if its game has no cards.

    `href` is the URL of the other side, if only the front is shown.
    """
    return _card(unit_document(company, unit, link=link, options=options), look, href)


def card_of_design(system: str, name: str, spec: Mapping[str, object], look: Look = "whole") -> SafeString:
    """Return the card of a new unit of this design."""
    return _card(design_unit(system, shorten_name(name, LONGEST_NAME), spec), look)


def cards_page(units: Sequence[UnitRow], asked: Mapping[str, str]) -> Slice[UnitRow]:
    """Return the page of units that the query parameters request, by default the first."""
    ids = [str(unit.id) for unit in units]
    after, before = asked.get("after", ""), asked.get("before", "")
    first = ids.index(after) + 1 if after in ids else max(ids.index(before) - ON_A_PAGE, 0) if before in ids else 0
    last = first + ON_A_PAGE
    return Slice(
        list(units[first:last]),
        before=ids[first] if 0 < first < len(ids) else "",
        after=ids[last - 1] if last < len(ids) else "",
    )


def _card(unit: UnitDocument, look: Look, href: str = "") -> SafeString:
    item = CARD.of_unit(unit) if CARD.is_made(unit.system) else None
    if item is None:
        return mark_safe("")
    return fragment_cache.render_fragment(
        TEMPLATE,
        item.model_dump_json(),
        look,
        href,
        context=lambda: {"card": screen_card(item, look), "look": look, "href": href},
    )


def screen_card(item: UnitItem, look: Look = "whole") -> ScreenCard:
    """Return the sides of the item's card that `look` needs; DocumentError if the item is invalid."""
    sides = CARD.sides(item, AS_PRINTED)
    key = f"card-{hashlib.sha256(item.model_dump_json().encode()).hexdigest()[:8]}"
    width, height = sides[0].front.size.width, sides[0].front.size.height
    return ScreenCard(
        key=key,
        name=item.unit.name,
        size=f"{width:g} × {height:g} mm",
        fronts=tuple(_side_pages("Front", key, [side.front for side in sides])),
        backs=tuple(_side_pages("Back", key, [side.back for side in sides])) if look != "front" else (),
    )


def _side_pages(side: str, key: str, pages: list[CardPage]) -> Iterator[ScreenCardSide]:
    """Yield the pages of a side; a page that several cards share is shown once."""
    different = [page for at, page in enumerate(pages) if page not in pages[:at]]
    for at, page in enumerate(different, start=1):
        name = f"{side} of the card" if len(different) == 1 else f"{side} of card {at}"
        drawn = f"{key}-{side.lower()}-{at}"
        yield ScreenCardSide(
            name=name,
            key=drawn,
            box=f"0 0 {page.size.width:g} {page.size.height:g}",
            drawing=mark_safe(side_svg(page, name, drawn)),  # all its parts are escaped
            sentences=tuple(page.text_content().splitlines()),
        )
