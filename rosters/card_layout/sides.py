"""Lays out one side of a card: head, blocks, ruler, and foot with the QR code, on as many pages as it needs.

The ruler runs up the right edge from the lower corner, in half inches, and can be used for measuring. The QR code links
to the unit's page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import segno

from rosters.card_layout.number_blocks import strip_pieces, tick_pieces, track_piece
from rosters.card_layout.page import MIN_HEAD_SCALE, POKER, SMALLEST_PT, CardPage, CardSize, Measure, Picture, Piece
from rosters.card_layout.text_blocks import entry_pieces, fill_pieces, line_pieces, table_pieces
from systems.paper.blocks import Block, CardFace, Entries, Lines, Strip, Table, Ticks, Track
from systems.paper.metrics import capitals, fit_size, width_mm, wrap

MIN_SIZE_MM = 12.0  # of a QR code with its quiet zone, on the smallest card
MIN_MODULE_MM = 0.29  # the smallest module that printers can print and phones can read
QUIET = 4  # width of the quiet zone in modules
MASK = 3  # fixed, because choosing the best mask takes five times as long
OVERLAP = 1.03  # height of a row in modules, so that no gap shows between rows


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code of `side` mm, without its quiet zone of `quiet` mm on each side."""

    side: float
    quiet: float
    module: float
    rows: tuple[tuple[tuple[int, int], ...], ...]  # the runs of dark modules in each row: start and length

    def path(self, x: float, y: float) -> str:
        """Return the code's path data, with its top left corner at this point."""
        count = len(self.rows)
        lefts = [f"M{x + at * self.module:.3f} " for at in range(count)]
        widths = [f"{at * self.module:.3f}" for at in range(count + 1)]
        height = f"v{self.module * OVERLAP:.3f}h-"
        return "".join(
            f"{lefts[start]}{top}h{widths[length]}{height}{widths[length]}z"
            for top, row in ((f"{y + at * self.module:.3f}", row) for at, row in enumerate(self.rows))
            for start, length in row
        )


def qr_code_of(url: str, size: CardSize) -> QrCode:
    """Return the QR code of a URL, large enough for this card size and for readable modules."""
    rows = _runs(url)
    count = len(rows)
    whole = max(MIN_SIZE_MM * min(size.unit, 1.35), (count + 2 * QUIET) * MIN_MODULE_MM)
    module = whole / (count + 2 * QUIET)
    return QrCode(count * module, QUIET * module, module, rows)


@lru_cache(maxsize=1024)
def _runs(url: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    rows = []
    for row in segno.make_qr(url, error="m", mask=MASK, boost_error=False).matrix:
        runs, start = [], None
        for at, is_dark in enumerate((*row, 0)):
            if is_dark and start is None:
                start = at
            elif not is_dark and start is not None:
                runs.append((start, at - start))
                start = None
        rows.append(tuple(runs))
    return tuple(rows)


INCH_MM = 25.4
TOP_MM = 3.35  # free space above the last mark, for the company's colour and the mark of a side
EDGE_MM = 1.25  # free space along the cut
HALF, WHOLE, LONG = 0.45, 0.7, 1.0  # lengths of the marks, as shares of the room


def inches_on(size: CardSize) -> int:
    """Return the number of whole inches on the card's ruler."""
    return int((size.height - TOP_MM) / INCH_MM)


def describe_ruler(size: CardSize, measured: Sequence[int]) -> str:
    """Return a text on how to use the ruler, also for measured distances that are longer than the card."""
    longest = inches_on(size)
    on_edge = [inches for inches in measured if inches <= longest]
    long_mark = f", {_inches(on_edge[-1])} the long mark" if on_edge else ""
    beyond = [
        f"{_inches(inches)} is {_parts(inches, on_edge[-1] if on_edge else longest)}"
        for inches in measured
        if inches > longest
    ]
    return "; ".join((f"Right edge in inches from below{long_mark}", *beyond)) + "; print at 100%"


def _parts(inches: int, unit: int) -> str:
    times, rest = divmod(inches, unit)
    whole = f"{times} × {unit}" if times > 1 else str(unit)
    return f"{whole} and {rest}" if rest else whole


def _inches(inches: int) -> str:
    return f'{inches}"'


def draw_ruler(page: CardPage, measured: Sequence[int]) -> None:
    """Draw the ruler: marks every half inch, longer at whole inches, heavy at measured distances. Zero is the cut."""
    size = page.size
    right = size.width - EDGE_MM
    room = size.safe - EDGE_MM - 0.1
    for halves in range(1, 2 * inches_on(size) + 1):
        inches, is_half = divmod(halves, 2)
        is_measured = not is_half and inches in measured
        length = room * (HALF if is_half else LONG if is_measured else WHOLE)
        y = size.height - halves * INCH_MM / 2
        page.line(right - length, y, right, y, "bar" if is_measured else "hair")


CONTINUED = "continued"
TITLE_PT = (17, 15.5, 14, 12.5, 11, 10)
CORNER_PT = 19.0
TAG_PT = 11.0
MAX_URL_LINES = 3
BESIDE_MM = 10.0  # side of the picture beside the name
CROWDED_MM = 8.4  # the same on a crowded card, no higher than the figure in the corner
ROUNDING = 1e-6


def lay_out(face: CardFace, size: CardSize = POKER) -> list[CardPage]:
    """Return the pages of one side: one page at the largest scale that fits, or several at the smallest."""
    whole = lay_out_whole(face, size)
    return [whole] if whole else _Setter(face, size, size.scales[-1], is_numbered=True).pages()


def lay_out_whole(face: CardFace, size: CardSize = POKER, least: float = 0.0) -> CardPage | None:
    """Return the side on one page, at the largest scale that fits; None if it doesn't fit at a scale of `least`."""
    scales = [scale for scale in size.scales if scale >= least]
    best = _Setter(face, size, scales[-1])
    if not best.is_whole:
        return None
    low, high = 0, len(scales) - 2
    while low <= high:  # a side that fits at one scale also fits at smaller ones
        middle = (low + high) // 2
        setter = _Setter(face, size, scales[middle])
        if setter.is_whole:
            best, high = setter, middle - 1
        else:
            low = middle + 1
    return best.pages()[0]


def fits(face: CardFace, size: CardSize, least: float = 0.0) -> bool:
    """Return whether the side fits on one page at a scale of `least` or more."""
    return free_height(face, size, least) >= -ROUNDING


def free_height(face: CardFace, size: CardSize, least: float = 0.0) -> float:
    """Return the free height in mm at the smallest scale of `least` or more; negative if the side doesn't fit."""
    return _Setter(face, size, _smallest(size, least)).free_height


def height_of(block: Block, size: CardSize, least: float = 0.0) -> float:
    """Return the height of the block in mm at the smallest scale of `least` or more."""
    return sum(piece.height for piece in _pieces_of(block, size, _smallest(size, least)))


def _smallest(size: CardSize, least: float) -> float:
    return min(scale for scale in size.scales if scale >= least)


@dataclass(frozen=True, slots=True)
class _Head:
    """The sizes of the head, which is scaled down less than the rest."""

    factor: float

    @classmethod
    def at(cls, size: CardSize, scale: float) -> _Head:
        return cls(max(size.unit * min(scale / MIN_HEAD_SCALE, 1.0), 1.0))

    def mm(self, length: float) -> float:
        return length * self.factor

    pt = mm


class _Setter:
    """Lays out one face at one scale."""

    def __init__(self, face: CardFace, size: CardSize, scale: float, *, is_numbered: bool = False) -> None:
        self.face, self.size, self.is_numbered = face, size, is_numbered
        self.m = Measure(size, scale)
        self.h = _Head.at(size, scale)
        self.code = qr_code_of(face.url, size) if face.url else None
        self.foot = self._foot(self.code)
        self.pieces = [piece for block in face.blocks for piece in _pieces_of(block, size, scale)]
        self.head = self._head(is_continued=False)

    @property
    def top(self) -> float:
        return self.m.top - self.h.mm(0.4)

    @property
    def is_whole(self) -> bool:
        """Whether everything fits on one page."""
        return self.free_height >= -ROUNDING

    @property
    def free_height(self) -> float:
        used = self.head.height + sum(piece.height for piece in self.pieces) + self.foot.height
        return self.m.bottom - self.top - used

    def pages(self) -> list[CardPage]:
        pages: list[CardPage] = []
        at = 0
        while at < len(self.pieces) or not pages:
            page = CardPage(self.size)
            head = self._head(is_continued=True) if pages else self.head
            foot = self._foot(None) if pages and self.code else self.foot
            floor = self.m.bottom - foot.height
            y = head.put(page, self.top)
            heading = self.pieces[at].heading if at < len(self.pieces) and pages else None
            if heading is not None:
                y = heading.put(page, y)
            first = at
            while at < len(self.pieces):
                needed = self.pieces[at].height
                if self.pieces[at].keeps_with_next and at + 1 < len(self.pieces):
                    needed += self.pieces[at + 1].height
                if y + needed > floor + ROUNDING and at > first:
                    break
                y = self.pieces[at].put(page, y)
                at += 1
            if self.face.notes and at >= len(self.pieces):
                for piece in fill_pieces(self.m, self.face.notes, floor - y):
                    y = piece.put(page, y)
            foot.put(page, floor)
            if self.face.ruler_in:
                draw_ruler(page, self.face.ruler_in)
            pages.append(page)
        if self.is_numbered and len(pages) > 1:
            self._number(pages)
        return pages

    def _number(self, pages: Sequence[CardPage]) -> None:
        size = self.h.pt(SMALLEST_PT)
        leading = self.m.leading(size)
        for number, page in enumerate(pages, start=1):
            right = self._foot_right(self.code if number == 1 else None)
            label, width = f"{number} of {len(pages)}", self.h.mm(8.5)
            page.text(right - width, self.m.bottom - leading, width, (label,), size, leading, "head", "right", "soft")
            page.say(f"Card {label}")

    # --- head ---------------------------------------------------------------------------------------------------------

    def _head(self, *, is_continued: bool) -> Piece:
        """Return the head: the name, the kicker and the figure in the corner, above a double rule."""
        face, m, h = self.face, self.m, self.h
        corner_size, small = h.pt(CORNER_PT), h.pt(SMALLEST_PT)
        corner = width = 0.0
        is_crowded = m.is_crowded
        beside = h.mm(CROWDED_MM if is_crowded else BESIDE_MM) if face.picture and not is_continued else 0.0
        tag_size = h.pt(TAG_PT)
        tag = width_mm(face.tag, "head", tag_size) + h.mm(1.0) if face.tag else 0.0
        left = m.left + tag + (beside + h.mm(1.2) if beside else 0.0)
        if face.corner or face.corner_label:
            corner = max(
                width_mm(face.corner, "head", corner_size), width_mm(face.corner_label, "text", small), h.mm(5.0)
            ) + h.mm(0.6)
        width = m.right - left - (corner + h.mm(1.6) if corner else 0.0)
        title = capitals(face.title)
        size, lines = fit_size(title, "head", tuple(h.pt(size) for size in TITLE_PT), width)
        leading = m.leading(size, 0.98)
        kicker = " · ".join(filter(None, (face.kicker, CONTINUED if is_continued else "")))
        kicker_size = h.pt(6.6)
        kickers = wrap(kicker, "text", kicker_size, width) if kicker else ()
        kicker_leading = m.leading(kicker_size)
        height = h.mm(0.2) + leading * len(lines) + kicker_leading * len(kickers)
        height = max(height, h.mm(8.4) if corner else 0.0, beside) + h.mm(0.9)

        def draw(page: CardPage, y: float) -> None:
            if face.picture and beside:
                page.pictures.append(Picture(face.picture, round(m.left + tag, 2), round(y, 2), round(beside, 2)))
            page.text(m.left, y, tag, (face.tag,), tag_size, m.leading(tag_size, 0.98), "head")
            page.text(left, y, width, lines, size, leading, "head")
            if not face.title:
                page.line(left, y + leading, left + width, y + leading)
            top = y + leading * len(lines) + h.mm(0.2)
            page.text(left, top, width, kickers, kicker_size, kicker_leading, tone="soft")
            if corner:
                figure = m.leading(corner_size, 1.0)
                x = m.right - corner
                page.text(x, y - h.mm(0.7), corner, (face.corner,), corner_size, figure, "head", "right")
                label_top = y + figure - h.mm(1.15)
                page.text(x, label_top, corner, (face.corner_label,), small, m.leading(small), "text", "right", "soft")
                if not face.corner:
                    page.line(x, y + leading, m.right, y + leading)
            page.line(m.left, y + height, m.right, y + height, "bar")
            page.line(m.left, y + height + h.mm(0.65), m.right, y + height + h.mm(0.65))

        def describe() -> str:
            number = f"Number {face.tag}" if face.tag else ""
            return "\n".join(filter(None, (number, face.title, kicker, f"{face.corner} {face.corner_label}".strip())))

        return Piece(height + h.mm(1.0), draw, describe)

    # --- foot ---------------------------------------------------------------------------------------------------------

    def _foot_right(self, code: QrCode | None) -> float:
        return self.m.right - (code.side + 2 * code.quiet if code else 0.0)

    def _foot(self, code: QrCode | None) -> Piece:
        face, m, h = self.face, self.m, self.h
        size = h.pt(SMALLEST_PT)
        leading = m.leading(size)
        right = self._foot_right(code)
        width = right - m.left - (h.mm(9) if self.is_numbered else 0.0)
        foot = "\n".join(filter(None, (face.foot, describe_ruler(self.size, face.ruler_in) if face.ruler_in else "")))
        lines = [line for part in foot.splitlines() for line in wrap(part, "text", size, width)]
        top = h.mm(0.9)
        height = top + leading * len(lines)
        address: tuple[str, ...] = ()
        if code:
            height = max(height, code.side + code.quiet + h.mm(0.3))
            address = wrap(short_url(face.url), "text", size, width)
            if len(address) > MAX_URL_LINES or top + leading * (len(lines) + len(address)) > height:
                address = ()

        def draw(page: CardPage, y: float) -> None:
            if foot or address:
                page.line(m.left, y + h.mm(0.5), right, y + h.mm(0.5))
            page.text(m.left, y + top, width, lines, size, leading, tone="soft")
            page.text(m.left, y + top + leading * len(lines), width, address, size, leading, tone="soft")
            if code:
                page.path("qr", code.path(m.right - code.side, m.bottom - code.side))

        def describe() -> str:
            return "\n".join(filter(None, (foot, f"Code: opens {face.url}" if code else "")))

        return Piece(height, draw, describe)


@lru_cache(maxsize=1024)
def _pieces_of(block: Block, size: CardSize, scale: float) -> tuple[Piece, ...]:
    """Return the block's pieces; cached, because many cards have the same blocks."""
    m = Measure(size, scale)
    match block:
        case Strip():
            return tuple(strip_pieces(m, block))
        case Track():
            return (track_piece(m, block),)
        case Table():
            return tuple(table_pieces(m, block))
        case Entries():
            return tuple(entry_pieces(m, block))
        case Ticks():
            return tuple(tick_pieces(m, block))
        case Lines():
            return tuple(line_pieces(m, block))


def short_url(url: str) -> str:
    """Return a URL as people type it, without the scheme and the last slash."""
    return url.split("://", 1)[-1].rstrip("/")
