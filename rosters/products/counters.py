"""Counters and standees for the map.

In games that measure from bases, the counter is the base: round, to scale, with its arcs. Standees have two faces; they
are folded in the middle, and glued at the tabs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, replace

from rosters.card_layout import CardPage, CardSize, Picture
from rosters.card_layout.card_fronts import BELOW_BAND, SIDE_PIECES, Side, describe_printed_side, mark_side, side_bar
from rosters.card_layout.page import SMALLEST_PT, Measure, Tone, silhouette_path
from rosters.paper.documents import PrintSettings, UnitDocument, drawing_of, paper_of, sheet_of
from rosters.paper.sources import LETTERS, Packet
from rosters.products.base import Item, Product, UnitItem, UnitProduct, fingerprint_of
from systems.artwork import Drawing
from systems.paper.blocks import CounterContent
from systems.paper.metrics import FontKey, capitals, width_mm, wrap

COUNTER = CardSize("counter", 25, 25, 1.5)
NAME_PT = (9.0, 8.0, 7.0, 6.5, SMALLEST_PT)
NAME_MM = 10.5  # height above which the lines of a name are set closer
NAME_LINES = 2  # with more lines the name gets smaller; at the smallest size it may have any number
BAND = 1.8
ARROW_MM = (4.4, 2.2)
CODE_PT = 7.0
CORNER_PT = (CODE_PT, 6.5, SMALLEST_PT)  # type sizes of number and code
CORNER_GAP = 0.9  # between number and code
REAR_MM, REAR_ARC = 0.9, 60  # a side's mark at the rear of a round base: width, and half of its angle
UNKNOWN = "?"
SHAPE_MM = 17.0  # maximum size of the picture or silhouette
RIM_MM = 0.4  # between the line of a round base and the cut
ROOM = 0.6  # side of the square for contents inside a round base, as a share of the diameter
WORDS_ROOM = 0.72  # width of text, as a share of a round base's diameter
MARK_ROOM = 0.84  # width of the credit's last line, as a share of the square for contents
ARC_FROM = 0.86  # start of the lines between arcs, as a share of the radius
LATER = (
    "base_mm",
    "arcs",
    "credit",
    "attribution",
)  # fields of CounterContent that are left out of the facts if empty, because earlier prints don't have them


class Piece(UnitProduct):
    """A piece that represents a unit on the map. It shows neither damage nor the pilot."""

    made_of = ("counter",)
    is_card = shows_number = True
    is_usual = False

    def of_packet(self, packet: Packet, copies: int) -> Iterator[Item]:
        for letter, side in zip(LETTERS, packet.sides, strict=True):
            for unit in side.units:
                document = unit.document.model_copy(update={"side": letter})
                yield self.item(what=self.slug, unit=document, copies=copies)

    def content(self, unit: UnitDocument) -> CounterContent:
        return paper_of(unit.system, "unit.system").counter(sheet_of(unit))

    def printed_unit(self, unit: UnitDocument) -> UnitDocument:
        return unit.model_copy(update={"condition": {}, "pilot": None, "company": ""})

    def facts(self, item: UnitItem) -> dict[str, object]:
        """Return the facts that are drawn, and the unit's spec if it is drawn as a picture."""
        build = {"build": item.unit.spec} if drawing_of(self.printed_unit(item.unit)) else {}
        tag = {"tag": item.unit.tag} if item.unit.tag else {}
        return {**self._facts_without_pictures(item), **build, **tag}

    def is_as_printed(self, item: UnitItem, fingerprint: str) -> bool:
        earlier = self._facts_without_pictures(item), self._facts_of_earlier_releases(item)
        return fingerprint in map(fingerprint_of, earlier) or super().is_as_printed(item, fingerprint)

    def _facts_without_pictures(self, item: UnitItem) -> dict[str, object]:
        """Return the facts as recorded by prints with a silhouette instead of a picture."""
        content = asdict(self.content(item.unit))
        drawn = {name: value for name, value in content.items() if name != "mark" and (value or name not in LATER)}
        return {"what": self.slug, "drawn": drawn, "colour": item.unit.colour}

    def _facts_of_earlier_releases(self, item: UnitItem) -> object:
        """Return the facts as recorded by earlier versions; they hold all that is drawn, so equal facts look equal."""
        unit = item.unit.model_dump(mode="json", exclude={"url", "number"})
        pilot = {"name": item.unit.pilot.full_name} if item.unit.pilot else None
        return {**Product.facts(self, item), "unit": {**unit, "condition": {}, "pilot": pilot}}


class Counter(Piece):
    slug, label, phrase = "counter", "Counters", "a counter"
    packet_label = "Counters of both sides"
    size = COUNTER

    def size_of(self, item: UnitItem, settings: PrintSettings) -> CardSize:
        return _size(self.content(item.unit))

    def sides(self, item: UnitItem, settings: PrintSettings) -> tuple[Side, ...]:
        content = self.content(item.unit)
        if settings.has_backs or content.unknown:  # the back has the credit; a hidden counter needs none
            content = replace(content, mark=())
        return (Side(*_pages(content, item.unit, drawing_of(self.printed_unit(item.unit)))),)


def _size(content: CounterContent) -> CardSize:
    return CardSize("counter", content.base_mm, content.base_mm, COUNTER.safe) if content.base_mm else COUNTER


def _pages(content: CounterContent, unit: UnitDocument, drawn: Drawing | None) -> tuple[CardPage, CardPage]:
    """Return a counter's front and back. The back is an unknown contact, the rules' credit, or the front again."""
    front = (_base_page if content.base_mm else _known_page)(content, unit, drawn)
    if content.unknown:
        return front, _unknown_page(content, unit)
    return front, _credit_page(content) if content.credit else front


def _credit_page(content: CounterContent) -> CardPage:
    """Return the back of a counter in a game without hidden units: the credit that the rules' licence requires."""
    page = CardPage(_size(content))
    width = page.size.width * WORDS_ROOM if content.base_mm else page.size.width - 2 * page.size.safe
    lines = wrap(content.credit, "text", SMALLEST_PT, width)
    leading = Measure.leading(SMALLEST_PT, 1.15)
    top = (page.size.height - leading * len(lines)) / 2
    page.text((page.size.width - width) / 2, top, width, lines, SMALLEST_PT, leading, "text", "center")
    if content.base_mm:
        page.path("hair", _ring(content.base_mm / 2, content.base_mm / 2 - RIM_MM))
    page.say(content.attribution)
    return page


def _blank_page(unit: UnitDocument) -> CardPage:
    page = CardPage(COUNTER)
    if unit.colour:
        page.band, page.band_mm = unit.colour, BAND
    if unit.side:
        mark_side(page, unit.side)
    _arrow(page, BAND + _below_side(unit))
    return page


def _below_side(unit: UnitDocument) -> float:
    """Return how much lower, in mm, the contents are if a side's mark is below the colour band."""
    return sum(BELOW_BAND) if unit.side and unit.colour else 0.0


def _known_page(content: CounterContent, unit: UnitDocument, drawn: Drawing | None) -> CardPage:
    front = _blank_page(unit)
    inner = COUNTER.width - 2 * COUNTER.safe
    foot = COUNTER.height - COUNTER.safe
    room = (COUNTER.safe, BAND + 0.5 + _below_side(unit), inner, _mark(front, content, inner, foot, foot))
    _inside(front, content, unit.tag, drawn, *room)
    front.say(describe_number(unit), content.name, content.code, describe_figure(content), "Arrow at the front edge")
    return front


def _base_page(content: CounterContent, unit: UnitDocument, drawn: Drawing | None) -> CardPage:
    """Return a round base with its front up.

    It has the arrow, the lines between arcs, the company's colour around the front, and the side's mark at the rear.
    """
    page = CardPage(_size(content), band=unit.colour)
    middle = content.base_mm / 2
    radius = middle - RIM_MM
    page.path("hair", _ring(middle, radius))
    for bearing in content.arcs:
        (x1, y1), (x2, y2) = (_point(middle, part * radius, bearing) for part in (ARC_FROM, 1.0))
        page.line(x1, y1, x2, y2, "bar")
    _arrow(page, RIM_MM + BAND)
    if unit.colour:
        page.path("band", _band(middle, radius, BAND, 45, -45))
    if unit.side:
        _rear_mark(page, unit.side, middle, radius)
        radius -= REAR_MM  # leaves less for text
    side = content.base_mm * ROOM
    corner = (content.base_mm - side) / 2
    lowest = middle + math.sqrt(radius**2 - (side * MARK_ROOM / 2) ** 2)
    room = (corner, corner, side, _mark(page, content, side, corner + side, lowest))
    _inside(page, content, unit.tag, drawn, *room)
    arcs = f"Lines between arcs at {', '.join(f'{bearing}°' for bearing in content.arcs)}" if content.arcs else ""
    page.say(
        describe_number(unit), content.name, content.code, describe_figure(content), "Arrow at the front edge", arcs
    )
    page.say(describe_printed_side(unit.side))
    return page


def _mark(page: CardPage, content: CounterContent, width: float, foot: float, lowest: float) -> float:
    """Draw the credit of the rules, with its last line above `lowest`, on a front without a printed back.

    Return the y above which the other contents must end: that of the credit, or `foot` if there is none.
    """
    if not content.mark:
        return foot
    leading = Measure.leading(SMALLEST_PT, 1.0)
    top = lowest - leading * len(content.mark)
    page.text((page.size.width - width) / 2, top, width, content.mark, SMALLEST_PT, leading, "text", "center")
    page.say(content.attribution)
    return min(foot, top)


def _inside(
    page: CardPage,
    content: CounterContent,
    tag: str,
    drawn: Drawing | None,
    left: float,
    top: float,
    width: float,
    bottom: float,
) -> None:
    """Draw the number, code, figure, picture or silhouette, and name into this room."""
    size, lines, leading = name_of(content.name, width)
    name_top = bottom - leading * len(lines)
    most = width - 7.5 if content.base_mm else (width - ARROW_MM[0]) / 2 - 0.4  # beside the arrow
    for x, words, pt, tone in corner_words(tag, content.code, most):
        page.text(left + x, top, most - x, (words,), pt, Measure.leading(pt, 1.0), "head", tone=tone)
    fine = Measure.leading(CODE_PT, 1.0)
    page.text(left + width - 7.5, top, 7.5, (content.figure,), CODE_PT, fine, "head", "right")
    room = name_top - (top + 2.2)
    side = max(min(room - 0.2, SHAPE_MM if not content.base_mm else room), 0.0)
    draw_picture(page, drawn, content.shape, left + (width - side) / 2, top + 2.2 + (room - side) / 2, side)
    page.text(left, name_top, width, lines, size, leading, "head", "center")


def _point(middle: float, radius: float, bearing: float) -> tuple[float, float]:
    """Return the point at this distance and bearing from the middle."""
    angle = math.radians(bearing)
    return middle - radius * math.sin(angle), middle - radius * math.cos(angle)


def _ring(middle: float, radius: float) -> str:
    left, right = middle - radius, middle + radius
    half = f"A{radius:.2f} {radius:.2f} 0 0 1"
    return f"M{left:.2f} {middle:.2f}{half} {right:.2f} {middle:.2f}{half} {left:.2f} {middle:.2f}z"


def _rear_mark(page: CardPage, side: str, middle: float, radius: float) -> None:
    """Draw a band along the rear edge, solid for side A and broken for side B."""
    pieces = 1 if side == "a" else SIDE_PIECES
    pitch = 2 * REAR_ARC // pieces
    for at in range(pieces):
        first = 180 + REAR_ARC - at * pitch
        page.path("shape", _band(middle, radius, REAR_MM, first, first - (pitch if pieces == 1 else pitch // 2)))


def _band(middle: float, radius: float, width: float, first: int, last: int) -> str:
    """Return the path of a band along the edge, from one bearing down to a smaller one."""
    bearings = range(first, last - 1, -5)
    edge = [_point(middle, radius, bearing) for bearing in bearings]
    back = [_point(middle, radius - width, bearing) for bearing in reversed(bearings)]
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in (*edge, *back)) + "z"


def _unknown_page(content: CounterContent, unit: UnitDocument) -> CardPage:
    back = _blank_page(unit)
    inner = COUNTER.width - 2 * COUNTER.safe
    big = 34.0
    back.text(COUNTER.safe, 5.2, inner, (UNKNOWN,), big, Measure.leading(big, 1.0), "head", "center")
    label = Measure.leading(CODE_PT, 1.1)
    y = COUNTER.height - COUNTER.safe - label
    back.text(COUNTER.safe, y, inner, (capitals(content.unknown),), CODE_PT, label, "head", "center")
    back.say(f"{content.unknown} {UNKNOWN}", "Arrow at the front edge")
    return back


def name_of(name: str, width: float) -> tuple[float, tuple[str, ...], float]:
    """Return the type size, lines and leading of a name: the largest size with few lines, never truncated."""
    lines: tuple[str, ...] = ()
    size = NAME_PT[-1]
    capital = capitals(name)
    for size in NAME_PT:
        lines = wrap(capital, "head", size, width)
        if len(lines) <= NAME_LINES and " ".join(lines) == " ".join(capital.split()):  # no word broken
            break
    is_high = len(lines) * Measure.leading(size, 1.06) > NAME_MM
    return size, lines, Measure.leading(size, 0.9 if is_high else 1.06)


def corner_words(tag: str, code: str, width: float) -> list[tuple[float, str, float, Tone]]:
    """Return the start, text, type size and tone of number and code, side by side.

    If there is no room for both, the code is left out, because the name also identifies the unit.
    """
    for pt in CORNER_PT if tag else ():
        after = width_mm(tag, "head", pt) + CORNER_GAP
        if after + width_mm(code, "head", pt) <= width:
            return [(0.0, tag, pt, "ink"), (after, code, pt, "soft")]
    return [(0.0, tag, SMALLEST_PT, "ink")] if tag else [(0.0, code, CODE_PT, "soft")]


def describe_number(unit: UnitDocument) -> str:
    return f"Number {unit.tag}" if unit.tag else ""


def describe_figure(content: CounterContent) -> str:
    return f"{content.figure_label}: {content.figure}" if content.figure else ""


def _arrow(page: CardPage, above: float = BAND) -> None:
    """Draw a triangle that points to the front edge, at this distance from it."""
    width, height = ARROW_MM
    middle, top = page.size.width / 2, above + 0.4
    page.path("shape", f"M{middle:.2f} {top:.2f}l{width / 2:.2f} {height:.2f}h-{width:.2f}z")


def draw_picture(
    page: CardPage, drawn: Drawing | None, shape: str, x: float, y: float, side: float, *, turned: bool = False
) -> None:
    """Draw the unit's picture, or the silhouette of its size if its game has no pictures."""
    x, y, side = round(x, 2), round(y, 2), round(side, 2)
    if drawn:
        page.pictures.append(Picture(drawn, x, y, side, turned))
    elif data := silhouette_path(shape, x, y, side, turned=turned):
        page.path("shape", data)


STANDEE = CardSize("standee", 25, 80, 1.5, has_back=False)
TAB_MM = 8.0  # length of the tab at each end, which is glued to a base
GLUE = "glue"
CORNER_MM = 13.0  # width of number and code together
SIDE_MM = (0.45, 0.7)  # a side's mark: distance below the fold, and height


class Standee(Piece):
    slug, label, phrase = "standee", "Standees", "standee for the map"
    packet_label = "Standees of both sides"
    size = STANDEE

    def sides(self, item: UnitItem, settings: PrintSettings) -> tuple[Side, ...]:
        return (
            Side(
                _standee_page(self.content(item.unit), item.unit, drawing_of(self.printed_unit(item.unit))),
                CardPage(STANDEE),
            ),
        )


def _standee_page(content: CounterContent, unit: UnitDocument, drawn: Drawing | None) -> CardPage:
    """Return a standee that is folded in the middle, so that both faces are upright; it has a glue tab at each end."""
    colour = unit.colour
    page = CardPage(STANDEE, band=colour)
    middle = STANDEE.height / 2
    for fold in (TAB_MM, middle, STANDEE.height - TAB_MM):
        page.line(STANDEE.safe, fold, STANDEE.width - STANDEE.safe, fold, "fold")
    inner = STANDEE.width - 2 * STANDEE.safe
    size, lines, leading = name_of(content.name, inner)
    height = middle - TAB_MM
    foot = 1.6  # height of the colour above the base
    fine = Measure.leading(CODE_PT, 1.0)
    name_y = height - foot - 0.8 - leading * len(lines)
    side = min(inner, name_y - fine - 3.0)
    shape_y = name_y - side - 0.6
    corner = corner_words(unit.tag, content.code, CORNER_MM)
    for turned in (True, False):  # the upper face is read from behind

        def at(y: float, tall: float, turned: bool = turned) -> float:
            """Return the top on the page of something `tall` mm high that starts `y` mm below the fold."""
            return middle - y - tall if turned else middle + y

        def words(
            x: float, y: float, width: float, text: tuple[str, ...], pt: float, tall: float, align: str,
            font: FontKey = "head", tone: Tone = "ink", turned: bool = turned,
        ) -> None:  # fmt: skip
            left = STANDEE.width - x - width if turned else x
            top = at(y, tall * len(text), turned)
            page.text(left, top, width, text, pt, tall, font, align, tone, turned=turned)  # type: ignore[arg-type]

        for x, text, pt, tone in corner:
            tall = Measure.leading(pt, 1.0)
            words(STANDEE.safe + x, 1.4, CORNER_MM - x, (text,), pt, tall, "left", tone=tone)
        words(STANDEE.width - STANDEE.safe - 9.0, 1.4, 9.0, (content.figure,), CODE_PT, fine, "right")
        x = (STANDEE.width - side) / 2
        draw_picture(page, drawn, content.shape, x, at(shape_y, side), side, turned=turned)
        words(STANDEE.safe, name_y, inner, lines, size, leading, "center")
        if unit.side:
            side_bar(page, unit.side, STANDEE.safe, at(*SIDE_MM), inner, SIDE_MM[1])
        if colour:
            y = at(height - foot, foot)
            page.path("band", f"M0 {y:.2f}h{STANDEE.width:.2f}v{foot:.2f}h-{STANDEE.width:.2f}z")
        tab = wrap(f"{GLUE} · {content.credit}", "text", SMALLEST_PT, inner) if content.credit else (GLUE,)
        glue = Measure.leading(SMALLEST_PT, 1.1)
        font: FontKey = "text" if content.credit else "head"
        words(STANDEE.safe, height + (TAB_MM - glue * len(tab)) / 2, inner, tab, SMALLEST_PT, glue, "center", font)
    page.say(describe_number(unit), content.name, content.code, describe_figure(content))
    page.say(describe_printed_side(unit.side), f"Fold in the middle; {GLUE} the tabs at both ends")
    page.say(content.attribution)
    return page
