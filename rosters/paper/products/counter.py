"""A counter for the map: a silhouette, a name, an arrow at the front edge; behind, an unknown contact."""

from __future__ import annotations

from dataclasses import asdict

from rosters.paper.documents import PrintSettings, UnitDocument, paper_of, sheet_of
from rosters.paper.faces import Side
from rosters.paper.layout import CardPage, CardSize
from rosters.paper.layout.measure import SMALLEST_PT, Measure
from rosters.paper.layout.shapes import silhouette_path
from rosters.paper.product import Product, UnitItem, UnitProduct, fingerprint_of
from systems.paper.blocks import CounterContent
from systems.paper.metrics import capitals, wrap

COUNTER = CardSize("counter", 25, 25, 1.5)
NAME_PT = (9.0, 8.0, 7.0, 6.2, 5.6, SMALLEST_PT)
NAME_LINES = 2  # as many as a name takes before it gets smaller; at the smallest it takes as many as it needs
BAND = 1.8
ARROW_MM = (4.4, 2.2)
CODE_PT = 7.0
UNKNOWN = "?"


class Piece(UnitProduct):
    """What stands for a unit on the map. It shows neither damage nor a pilot."""

    made_of = ("counter",)
    is_card = True

    def content(self, unit: UnitDocument) -> CounterContent:
        return paper_of(unit.system, "unit.system").counter(sheet_of(unit))

    def shown(self, unit: UnitDocument) -> UnitDocument:
        return unit.model_copy(update={"condition": {}, "pilot": None, "company": ""})

    def facts(self, item: UnitItem) -> dict[str, object]:
        """What is drawn."""
        return {"what": self.slug, "drawn": asdict(self.content(item.unit)), "colour": item.unit.colour}

    def is_as_printed(self, item: UnitItem, fingerprint: str) -> bool:
        earlier = fingerprint_of(self._facts_of_earlier_releases(item))
        return fingerprint == earlier or super().is_as_printed(item, fingerprint)

    def _facts_of_earlier_releases(self, item: UnitItem) -> object:
        """More than is drawn: all that is equal by these is equal by what is drawn."""
        unit = item.unit.model_dump(mode="json", exclude={"url"})
        pilot = {"name": item.unit.pilot.name} if item.unit.pilot else None
        return {**Product.facts(self, item), "unit": {**unit, "condition": {}, "pilot": pilot}}


class Counter(Piece):
    slug, label, said = "counter", "Counters", "a counter"
    size = COUNTER

    def sides(self, item: UnitItem, settings: PrintSettings) -> tuple[Side, ...]:
        return (Side(*_pages(self.content(item.unit), item.unit.colour)),)


def _pages(content: CounterContent, colour: str = "") -> tuple[CardPage, CardPage]:
    """A counter's front, and its back: somebody is there, nobody knows who; or the front again if nothing hides it."""
    front = _known_page(content, colour)
    return front, _unknown_page(content, colour) if content.unknown else front


def _blank_page(colour: str) -> CardPage:
    page = CardPage(COUNTER)
    if colour:
        page.band, page.band_mm = colour, BAND
    _arrow(page)
    return page


def _known_page(content: CounterContent, colour: str) -> CardPage:
    front = _blank_page(colour)
    top = BAND + 0.5
    inner = COUNTER.width - 2 * COUNTER.safe
    size, lines, leading = name_of(content.name, inner)
    name_top = COUNTER.height - COUNTER.safe - leading * len(lines)
    fine = Measure.leading(CODE_PT, 1.0)
    front.text(COUNTER.safe, top, 7.5, (content.code,), CODE_PT, fine, "head", tone="soft")
    right = COUNTER.width - COUNTER.safe - 7.5
    front.text(right, top, 7.5, (content.figure,), CODE_PT, fine, "head", "right")
    room = name_top - (top + 2.2)
    side = max(min(room - 0.2, 17.0), 0.0)
    _shape(front, content.shape, COUNTER.width / 2, top + 2.2 + (room - side) / 2, side)
    front.text(COUNTER.safe, name_top, inner, lines, size, leading, "head", "center")
    front.say(content.name, content.code, figure_said(content), "Arrow at the front edge")
    return front


def _unknown_page(content: CounterContent, colour: str) -> CardPage:
    back = _blank_page(colour)
    inner = COUNTER.width - 2 * COUNTER.safe
    big = 34.0
    back.text(COUNTER.safe, 5.2, inner, (UNKNOWN,), big, Measure.leading(big, 1.0), "head", "center")
    label = Measure.leading(CODE_PT, 1.1)
    y = COUNTER.height - COUNTER.safe - label
    back.text(COUNTER.safe, y, inner, (capitals(content.unknown),), CODE_PT, label, "head", "center")
    back.say(f"{content.unknown} {UNKNOWN}", "Arrow at the front edge")
    return back


def name_of(name: str, width: float) -> tuple[float, tuple[str, ...], float]:
    """Type size, lines and leading of a name: as large as it can be on few lines, never cut."""
    lines: tuple[str, ...] = ()
    size = NAME_PT[-1]
    capital = capitals(name)
    for size in NAME_PT:
        lines = wrap(capital, "head", size, width)
        if len(lines) <= NAME_LINES and " ".join(lines) == " ".join(capital.split()):  # no word broken
            break
    return size, lines, Measure.leading(size, 1.06)


def figure_said(content: CounterContent) -> str:
    return f"{content.figure_label}: {content.figure}" if content.figure else ""


def _arrow(page: CardPage) -> None:
    """A triangle that points to the front edge."""
    width, height = ARROW_MM
    middle, top = page.size.width / 2, BAND + 0.4
    page.path("shape", f"M{middle:.2f} {top:.2f}l{width / 2:.2f} {height:.2f}h-{width:.2f}z")


def _shape(page: CardPage, shape: str, middle: float, top: float, side: float) -> None:
    data = silhouette_path(shape, round(middle - side / 2, 2), round(top, 2), round(side, 2))
    if data:
        page.path("shape", data)
