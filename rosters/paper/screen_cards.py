"""Printed cards on web pages: the same cards drawn for the screen, with their text for screen readers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.safestring import SafeString, mark_safe

from rosters import pieces
from rosters.paper.card_svg import side_svg
from rosters.paper.documents import PrintSettings, UnitDocument
from rosters.paper.layout import CardPage
from rosters.paper.prints import design_unit
from rosters.paper.product import UnitItem
from rosters.paper.products import CARD
from rosters.paper.sources import Link, unit_document
from rosters.selectors import CompanySheet, UnitRow
from rosters.site.keyset import Slice
from systems.names import shorten_name

TEMPLATE = "rosters/_printed_card.html"
AS_PRINTED = PrintSettings()  # the default print settings
LONGEST_NAME = 60
ON_A_PAGE = 12  # cards of a company
Look = Literal["whole", "folded", "front"]  # both sides; the back on request; only the front


@dataclass(frozen=True, slots=True)
class ScreenCardSide:
    """A side of a card on a web page."""

    name: str
    key: str  # id of the drawing
    box: str  # view box of the drawing, to reuse it
    drawing: SafeString
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScreenCard:
    """A unit's whole card on a web page."""

    key: str  # id of its enlarged form
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
    """Return a company unit's card, with pilot and damage, as it would be printed today; empty where its game has none.

    `href`: URL of the other side, for a front alone.
    """
    return _card(unit_document(company, unit, link=link, options=options), look, href)


def card_of_design(system: str, name: str, spec: Mapping[str, object], look: Look = "whole") -> SafeString:
    """Return the card of a new unit of that design."""
    return _card(design_unit(system, shorten_name(name, LONGEST_NAME), spec), look)


def cards_page(units: Sequence[UnitRow], asked: Mapping[str, str]) -> Slice[UnitRow]:
    """Return the page of a company's cards that the query parameters request, else the first page."""
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
    return pieces.render_fragment(
        TEMPLATE,
        item.model_dump_json(),
        look,
        href,
        context=lambda: {"card": screen_card(item, look), "look": look, "href": href},
    )


def screen_card(item: UnitItem, look: Look = "whole") -> ScreenCard:
    """Return the item's sides, as far as `look` needs them; raises DocumentError."""
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
    """Yield the pages of a side; a page shared by several cards is shown once."""
    different = [page for at, page in enumerate(pages) if page not in pages[:at]]
    for at, page in enumerate(different, start=1):
        name = f"{side} of the card" if len(different) == 1 else f"{side} of card {at}"
        drawn = f"{key}-{side.lower()}-{at}"
        yield ScreenCardSide(
            name=name,
            key=drawn,
            box=f"0 0 {page.size.width:g} {page.size.height:g}",
            drawing=mark_safe(side_svg(page, name, drawn)),  # all its parts are escaped
            said=tuple(page.text_content().splitlines()),
        )
