"""Standees for the map: folded in the middle, both faces printed, glued by tabs."""

from __future__ import annotations

from rosters.paper.documents import PrintSettings, UnitDocument, drawing_of
from rosters.paper.faces import Side, describe_printed_side, side_bar
from rosters.paper.layout import CardPage, CardSize
from rosters.paper.layout.measure import SMALLEST_PT, Measure
from rosters.paper.layout.page import Tone
from rosters.paper.product import UnitItem
from rosters.paper.products.counter import (
    CODE_PT,
    Piece,
    corner_words,
    describe_figure,
    describe_number,
    name_of,
    draw_picture,
)
from systems.paper.blocks import CounterContent
from systems.paper.bodies import Drawing
from systems.paper.metrics import FontKey, wrap

STANDEE = CardSize("standee", 25, 80, 1.5, has_back=False)
TAB_MM = 8.0  # at each end, to glue it to a base
GLUE = "glue"
CORNER_MM = 13.0  # width of number and code
SIDE_MM = (0.45, 0.7)  # the mark of a side: distance below the fold, and height


class Standee(Piece):
    slug, label, said = "standee", "Standees", "standee for the map"
    packet_label = "Standees of both sides"
    size = STANDEE

    def sides(self, item: UnitItem, settings: PrintSettings) -> tuple[Side, ...]:
        return (Side(_standee_page(self.content(item.unit), item.unit, drawing_of(self.shown(item.unit))), CardPage(STANDEE)),)


def _standee_page(content: CounterContent, unit: UnitDocument, drawn: Drawing | None) -> CardPage:
    """Return a standee to be folded in the middle: both faces upright when it stands, a glue tab at each end."""
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
            """Return where something of that height, `y` mm below the fold, starts on the page."""
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
