"""Counters and standees for the map: a silhouette, a name, an arrow at the front edge."""

from __future__ import annotations

from rosters.paper.layout.measure import SMALLEST_PT, Measure
from rosters.paper.layout.page import COUNTER, STANDEE, CardPage
from rosters.paper.layout.shapes import silhouette_path
from systems.paper.blocks import CounterContent
from systems.paper.metrics import FontKey, capitals, wrap

NAME_PT = (9.0, 8.0, 7.0, 6.2, 5.6, SMALLEST_PT)
NAME_LINES = 2  # as many as a name takes before it gets smaller; at the smallest it takes as many as it needs
COUNTER_BAND = 1.8
ARROW_MM = (4.4, 2.2)
CODE_PT = 7.0
TAB_MM = 8.0  # of a standee, at each end, to be glued to what it stands on
GLUE = "glue"
UNKNOWN = "?"


def counter_pages(content: CounterContent, colour: str = "") -> tuple[CardPage, CardPage]:
    """A counter's front, and its back: somebody is there, nobody knows who; or the front again if nothing hides it."""
    front = _known_page(content, colour)
    return front, _unknown_page(content, colour) if content.unknown else front


def _blank_page(colour: str) -> CardPage:
    page = CardPage(COUNTER)
    if colour:
        page.band, page.band_mm = colour, COUNTER_BAND
    _arrow(page)
    return page


def _known_page(content: CounterContent, colour: str) -> CardPage:
    front = _blank_page(colour)
    top = COUNTER_BAND + 0.5
    inner = COUNTER.width - 2 * COUNTER.safe
    size, lines, leading = _name(content.name, inner)
    name_top = COUNTER.height - COUNTER.safe - leading * len(lines)
    fine = Measure.leading(CODE_PT, 1.0)
    front.text(COUNTER.safe, top, 7.5, (content.code,), CODE_PT, fine, "head", tone="soft")
    right = COUNTER.width - COUNTER.safe - 7.5
    front.text(right, top, 7.5, (content.figure,), CODE_PT, fine, "head", "right")
    room = name_top - (top + 2.2)
    side = max(min(room - 0.2, 17.0), 0.0)
    _shape(front, content.shape, COUNTER.width / 2, top + 2.2 + (room - side) / 2, side)
    front.text(COUNTER.safe, name_top, inner, lines, size, leading, "head", "center")
    front.say(content.name, content.code, _figure(content), "Arrow at the front edge")
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


def standee_page(content: CounterContent, colour: str = "") -> CardPage:
    """A standee to be folded in the middle: both faces upright when it stands, a tab to glue at each end."""
    page = CardPage(STANDEE, band=colour)
    middle = STANDEE.height / 2
    for fold in (TAB_MM, middle, STANDEE.height - TAB_MM):
        page.line(STANDEE.safe, fold, STANDEE.width - STANDEE.safe, fold, "fold")
    inner = STANDEE.width - 2 * STANDEE.safe
    size, lines, leading = _name(content.name, inner)
    height = middle - TAB_MM
    foot = 1.6  # of colour above the base
    fine = Measure.leading(CODE_PT, 1.0)
    name_y = height - foot - 0.8 - leading * len(lines)
    side = min(inner, name_y - fine - 3.0)
    shape_y = name_y - side - 0.6
    for turned in (True, False):  # the upper face is read from behind

        def at(y: float, tall: float, turned: bool = turned) -> float:
            """Where something `y` mm below the fold and that tall starts on the page."""
            return middle - y - tall if turned else middle + y

        def words(
            x: float, y: float, width: float, text: tuple[str, ...], pt: float, tall: float, align: str,
            turned: bool = turned,
        ) -> None:  # fmt: skip
            left = STANDEE.width - x - width if turned else x
            font: FontKey = "head"
            top = at(y, tall * len(text), turned)
            page.text(left, top, width, text, pt, tall, font, align, turned=turned)  # type: ignore[arg-type]

        words(STANDEE.safe, 1.4, 9.0, (content.code,), CODE_PT, fine, "left")
        words(STANDEE.width - STANDEE.safe - 9.0, 1.4, 9.0, (content.figure,), CODE_PT, fine, "right")
        x = (STANDEE.width - side) / 2
        data = silhouette_path(content.shape, round(x, 2), round(at(shape_y, side), 2), round(side, 2), turned=turned)
        if data:
            page.path("shape", data)
        words(STANDEE.safe, name_y, inner, lines, size, leading, "center")
        if colour:
            y = at(height - foot, foot)
            page.path("band", f"M0 {y:.2f}h{STANDEE.width:.2f}v{foot:.2f}h-{STANDEE.width:.2f}z")
        glue = Measure.leading(6.0, 1.1)
        words(STANDEE.safe, height + (TAB_MM - glue) / 2, inner, (GLUE,), 6.0, glue, "center")
    page.say(content.name, content.code, _figure(content), f"Fold in the middle; {GLUE} the tabs at both ends")
    return page


def _name(name: str, width: float) -> tuple[float, tuple[str, ...], float]:
    """Type size, lines and leading of a name: as large as it can be on few lines, never cut."""
    lines: tuple[str, ...] = ()
    size = NAME_PT[-1]
    capital = capitals(name)
    for size in NAME_PT:
        lines = wrap(capital, "head", size, width)
        if len(lines) <= NAME_LINES and " ".join(lines) == " ".join(capital.split()):  # no word broken
            break
    return size, lines, Measure.leading(size, 1.06)


def _figure(content: CounterContent) -> str:
    return f"{content.figure_label}: {content.figure}" if content.figure else ""


def _arrow(page: CardPage) -> None:
    """A triangle that points to the front edge."""
    width, height = ARROW_MM
    middle, top = page.size.width / 2, COUNTER_BAND + 0.4
    page.path("shape", f"M{middle:.2f} {top:.2f}l{width / 2:.2f} {height:.2f}h-{width:.2f}z")


def _shape(page: CardPage, shape: str, middle: float, top: float, side: float) -> None:
    data = silhouette_path(shape, round(middle - side / 2, 2), round(top, 2), round(side, 2))
    if data:
        page.path("shape", data)
