"""Blocks to positioned boxes: where every line of text and every stroke of a card goes, in mm from its top left corner.

Text is measured here, so rendering has nothing left to decide: it sets each line where it is told. The one invariant:
no box leaves the card's safe area and no two overlap; what does not fit at the smallest size continues on a next card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rosters.printing.blocks import Block, Box, CardFace, Cell, Entries, Entry, Row, Strip, Table, Ticks, Track
from rosters.printing.metrics import MM_PER_PT, FontKey, fit_size, width_mm, wrap

Align = Literal["left", "center", "right"]
Tone = Literal["ink", "soft", "signal"]

SCALES = (1.15, 1.07, 1.0, 0.94, 0.88, 0.84)  # from what a sparse card can afford down to the floor
SMALLEST_PT = 5.4
CONTINUED = "continued"
HOT_GAP = 0.7  # mm before the boxes that are not safe
TICK_MM = 2.1  # a box before a line, at scale 1


@dataclass(frozen=True, slots=True)
class CardSize:
    """A card format, in mm; `safe` is kept free of text and strokes along every edge."""

    slug: str
    width: float
    height: float
    safe: float
    folds: bool = False


POKER = CardSize("poker", 63, 88, 3.2)


@dataclass(frozen=True, slots=True)
class TextBox:
    x: float
    y: float
    width: float
    leading: float  # height of a line, mm
    size: float  # pt
    font: FontKey
    align: Align
    tone: Tone
    lines: tuple[str, ...]
    turned: bool = False
    direction: Literal["ltr", "rtl"] = "ltr"


@dataclass(slots=True)
class CardPage:
    """One side of one card: its text, and its strokes as SVG elements."""

    size: CardSize
    texts: list[TextBox] = field(default_factory=list)
    art: dict[str, list[str]] = field(default_factory=dict)  # path data by kind of stroke or filled shape
    band: str = ""  # colour of the company, along the top edge; empty: none
    band_mm: float = 0.0

    def text_content(self) -> str:
        """What the side says, in reading order."""
        return "\n".join(" ".join(filter(None, text.lines)) for text in self.texts)

    def text(
        self,
        x: float,
        y: float,
        width: float,
        lines: Sequence[str],
        size: float,
        leading: float,
        font: FontKey = "text",
        align: Align = "left",
        tone: Tone = "ink",
    ) -> None:
        if any(lines):
            self.texts.append(TextBox(x, y, width, leading, size, font, align, tone, tuple(lines)))

    def columns(
        self,
        x: float,
        y: float,
        pitch: float,
        values: Sequence[str],
        size: float,
        leading: float,
        font: FontKey = "text",
        tone: Tone = "ink",
    ) -> None:
        """Short texts, each in the middle of a column `pitch` mm wide."""
        for at, value in enumerate(values):
            self.text(x + at * pitch, y, pitch, (value,), size, leading, font, "center", tone)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = "hair") -> None:
        self._stroke(stroke, f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}")

    def box(self, x: float, y: float, side: float, *, is_marked: bool = False, is_hot: bool = False) -> None:
        self._stroke("hot" if is_hot else "box", f"M{x:.2f} {y:.2f}h{side:.2f}v{side:.2f}h-{side:.2f}z")
        if is_marked:
            far = side * 0.86
            near = side - far
            self._stroke(
                "mark",
                f"M{x + near:.2f} {y + near:.2f}L{x + far:.2f} {y + far:.2f}"
                f"M{x + far:.2f} {y + near:.2f}L{x + near:.2f} {y + far:.2f}",
            )

    def _stroke(self, kind: str, path: str) -> None:
        self.art.setdefault(kind, []).append(path)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a block that is never divided: its height, and how to draw it at a given top edge."""

    height: float
    draw: Callable[[CardPage, float], None]
    heading: Piece | None = None  # drawn again above this piece when it starts a continuation card
    keeps_with_next: bool = False


def lay_out(face: CardFace, size: CardSize = POKER) -> list[CardPage]:
    """The pages of one side of a card: one, at the largest scale at which all fits; more only at the floor."""
    for scale in SCALES:
        pages = _Setter(face, size, scale).pages()
        if len(pages) == 1:
            return pages
    return pages


class _Setter:
    """Sets one face at one scale."""

    def __init__(self, face: CardFace, size: CardSize, scale: float) -> None:
        self.face, self.size, self.scale = face, size, scale
        self.left = size.safe
        self.right = size.width - size.safe
        self.width = self.right - self.left
        self.bottom = size.height - size.safe
        self.foot = self._foot()
        self.floor = self.bottom - self.foot.height

    def pages(self) -> list[CardPage]:
        pieces = list(self._pieces())
        pages: list[CardPage] = []
        at = 0
        while at < len(pieces) or not pages:
            page = CardPage(self.size)
            y = self._head(page, is_continued=bool(pages))
            heading = pieces[at].heading if at < len(pieces) and pages else None
            if heading is not None:
                heading.draw(page, y)
                y += heading.height
            first = at
            while at < len(pieces):
                needed = pieces[at].height
                if pieces[at].keeps_with_next and at + 1 < len(pieces):
                    needed += pieces[at + 1].height
                if y + needed > self.floor + 1e-6 and at > first:
                    break
                pieces[at].draw(page, y)
                y += pieces[at].height
                at += 1
            self.foot.draw(page, self.floor)
            pages.append(page)
        if len(pages) > 1:
            for number, page in enumerate(pages, start=1):
                label = f"{number} of {len(pages)}"
                leading = self._mm(5.6)
                page.text(self.right - 8.5, self.bottom - leading, 8.5, (label,), 5.6, leading, "head", "right", "soft")
        return pages

    # --- sizes --------------------------------------------------------------------------------------------------------

    def _mm(self, points: float, leading: float = 1.16) -> float:
        """Height of a line of that type size."""
        return points * MM_PER_PT * leading

    def _pt(self, points: float) -> float:
        return max(points * self.scale, min(points, SMALLEST_PT))

    # --- head and foot ------------------------------------------------------------------------------------------------

    def _head(self, page: CardPage, *, is_continued: bool) -> float:
        """Draws name and kicker; the y below them."""
        face = self.face
        y = self.size.safe - 0.4
        width = self.width
        if face.corner:
            corner_size = 19.0
            corner_width = (
                max(width_mm(face.corner, "head", corner_size), width_mm(face.corner_label, "text", 5.4)) + 0.6
            )
            width -= corner_width + 1.6
            x = self.right - corner_width
            page.text(
                x, y - 0.7, corner_width, (face.corner,), corner_size, self._mm(corner_size, 1.0), "head", "right"
            )
            page.text(
                x,
                y + self._mm(corner_size, 1.0) - 1.15,
                corner_width,
                (face.corner_label,),
                5.4,
                self._mm(5.4),
                "text",
                "right",
                "soft",
            )
        title = face.title.upper()
        size, lines = fit_size(title, "head", (17, 15.5, 14, 12.5, 11, 10), width)
        if len(lines) > 1:
            lines = wrap(title, "head", size, width)
        leading = self._mm(size, 0.98)
        page.text(self.left, y, width, lines, size, leading, "head")
        y += leading * len(lines) + 0.2
        kicker = f"{face.kicker} · {CONTINUED}" if is_continued else face.kicker
        if kicker:
            small = wrap(kicker, "text", 6.6, width)
            page.text(self.left, y, width, small, 6.6, self._mm(6.6), "text", tone="soft")
            y += self._mm(6.6) * len(small)
        y = max(y, self.size.safe + (8.0 if face.corner else 0))
        y += 0.9
        page.line(self.left, y, self.right, y, "bar")
        page.line(self.left, y + 0.65, self.right, y + 0.65)
        return y + 1.0

    def _foot(self) -> Piece:
        size = 5.6
        lines = wrap(self.face.foot, "text", size, self.width - 9)
        leading = self._mm(size)

        def draw(page: CardPage, y: float) -> None:
            if self.face.foot:
                page.line(self.left, y + 0.5, self.right, y + 0.5)
            page.text(self.left, y + 0.9, self.width - 9, lines, size, leading, "text", tone="soft")

        return Piece(leading * len(lines) + 0.9, draw)

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _pieces(self) -> Iterator[Piece]:
        for block in self.face.blocks:
            yield from self._block(block)

    def _block(self, block: Block) -> Iterator[Piece]:
        match block:
            case Strip():
                yield self._strip(block)
            case Track():
                yield self._track(block)
            case Table():
                yield from self._table(block)
            case Entries():
                yield from self._entries(block)
            case Ticks():
                yield from self._ticks(block)

    def _strip(self, strip: Strip) -> Piece:
        label, note = 5.2, 5.4
        label_leading, note_leading = self._mm(label), self._mm(note)
        wishes = [self._cell_width(cell, label, note) for cell in strip.cells]
        spare = max(self.width - sum(wishes), 0) / len(wishes)
        widths = [wish + spare for wish in wishes]
        value_leading = self._mm(self._pt(14), 1.02)
        height = label_leading + value_leading + note_leading + 1.1

        def draw(page: CardPage, y: float) -> None:
            x = self.left
            for at, (cell, width) in enumerate(zip(strip.cells, widths, strict=True)):
                inset = 1.3 if at else 0.0
                if at:
                    page.line(x, y + 0.4, x, y + height - 1.0)
                inner = width - inset - 0.5
                top = y + 0.2
                page.text(x + inset, top, inner, (cell.label,), label, label_leading, "text", tone="soft")
                size, _ = fit_size(cell.value, "head", tuple(self._pt(s) for s in (14, 12, 10, 8.5)), inner)
                page.text(
                    x + inset,
                    top + label_leading - 0.25,
                    inner,
                    (cell.value,),
                    size,
                    value_leading,
                    "head",
                    tone="signal" if cell.is_loud else "ink",
                )
                page.text(
                    x + inset,
                    top + label_leading + value_leading - 0.45,
                    inner,
                    (cell.note,),
                    note,
                    note_leading,
                    "text",
                    tone="soft",
                )
                x += width
            page.line(self.left, y + height - 0.35, self.right, y + height - 0.35)

        return Piece(height, draw)

    def _cell_width(self, cell: Cell, label: float, note: float) -> float:
        return 2.0 + max(
            width_mm(cell.label, "text", label),
            width_mm(cell.value, "head", self._pt(10)),
            width_mm(cell.note, "text", note),
        )

    def _track(self, track: Track) -> Piece:
        label_width = 9.5
        side = (4.5 if track.is_large else 3.3) * self.scale
        gap = 1.5 * self.scale if track.is_large else 0.0
        room = self.width - label_width - HOT_GAP
        per_row = max(1, min(len(track.boxes), int((room + gap) // (side + gap))))
        rows = [track.boxes[at : at + per_row] for at in range(0, len(track.boxes), per_row)] or [()]
        below_size = 5.2
        below_leading = self._mm(below_size)
        has_below = any(box.below for box in track.boxes)
        row_height = side + (below_leading if has_below else 0.0) + 0.6
        height = row_height * len(rows) + 0.5
        label_size = self._pt(8)

        def draw(page: CardPage, y: float) -> None:
            page.text(
                self.left,
                y + 0.4 + (side - self._mm(label_size)) / 2,
                label_width,
                (track.label,),
                label_size,
                self._mm(label_size),
                "head",
            )
            if has_below and track.note:
                page.text(
                    self.left,
                    y + 0.5 + side,
                    label_width,
                    (track.note,),
                    below_size,
                    below_leading,
                    "text",
                    tone="soft",
                )
            for number, boxes in enumerate(rows):
                self._boxes(page, self.left + label_width, y + 0.5 + number * row_height, boxes, side, gap)

        return Piece(height, draw)

    def _boxes(self, page: CardPage, x: float, y: float, boxes: Sequence[Box], side: float, gap: float) -> None:
        size = 5.2
        leading = self._mm(size)
        pitch = side + gap
        for is_hot in (False, True):
            row = [box for box in boxes if box.is_hot == is_hot]
            if is_hot:
                x += HOT_GAP
            for at, box in enumerate(row):
                page.box(x + at * pitch, y, side, is_marked=box.is_marked, is_hot=is_hot)
            inside = ["" if box.is_marked else box.inside for box in row]
            page.columns(x - gap / 2, y + (side - leading) / 2, pitch, inside, size, leading, tone="soft")
            page.columns(x - gap / 2, y + side, pitch, [box.below for box in row], size, leading, tone="soft")
            x += pitch * len(row)

    def _title(
        self, title: str, note: str = "", heads: Sequence[str] = (), cell: float = 7.0, *, is_alone: bool = False
    ) -> Piece:
        """The heading of a block. With nothing to follow it has no rule, or a rule to write on if there is no note."""
        size = self._pt(7.6)
        leading = self._mm(size)
        room = self.width - cell * len(heads)
        title_width = width_mm(title.upper(), "head", size)
        beside = room - title_width - 1.6
        note_size, note_lines = fit_size(note, "text", (self._pt(7.2), self._pt(6.6)), beside)
        note_leading = self._mm(note_size)
        is_below = len(note_lines) > 1
        if is_below:
            note_lines = wrap(note, "text", note_size, room)
        height = (
            (0.9 if note or not is_alone else 2.2)
            + leading
            + (note_leading * len(note_lines) if is_below else 0.0)
            + 0.2
        )

        def draw(page: CardPage, y: float) -> None:
            top = y + (0.9 if note or not is_alone else 2.2)
            page.text(self.left, top, title_width + 0.3, (title.upper(),), size, leading, "head")
            if note and is_below:
                page.text(self.left, top + leading, room, note_lines, note_size, note_leading)
            elif note:
                page.text(self.left + title_width + 1.6, top, beside, note_lines, note_size, leading)
            page.columns(self.right - cell * len(heads), top + 0.2, cell, heads, 5.4, leading - 0.2, tone="soft")
            if not is_alone:
                page.line(self.left, y + height - 0.1, self.right, y + height - 0.1)
            elif not note:
                page.line(self.left + title_width + 1.6, y + height - 0.1, self.right, y + height - 0.1)

        return Piece(height, draw, keeps_with_next=not is_alone)

    def _ticks_width(self, ticks: Sequence[bool], side: float) -> float:
        return len(ticks) * (side + 0.6) + (0.5 if ticks else 0.0)

    def _table(self, table: Table) -> Iterator[Piece]:
        heading = self._title(table.title, heads=table.heads, cell=table.cell_mm)
        yield heading
        for row in table.rows:
            yield self._row(row, table, heading)

    def _row(self, row: Row, table: Table, heading: Piece) -> Piece:
        size, small = self._pt(7.6), self._pt(6.2)
        leading, small_leading = self._mm(size, 1.14), self._mm(small, 1.12)
        start = self._start(row)
        cell = table.cell_mm
        room = self.width - start - cell * len(table.heads)
        names = wrap(row.name, "text", size, room)
        details = wrap(row.detail, "text", small, self.width - start) if row.detail else ()
        is_struck = bool(row.ticks) and all(row.ticks)
        tone: Tone = "soft" if is_struck else "ink"
        height = leading * len(names) + small_leading * len(details) + 0.55

        def draw(page: CardPage, y: float) -> None:
            top = y + 0.2
            self._lead_in(page, top, row, size, leading)
            page.text(self.left + start, top, room, names, size, leading, tone=tone)
            page.text(
                self.left + start,
                top + leading * len(names),
                self.width - start,
                details,
                small,
                small_leading,
                tone="soft",
            )
            page.columns(self.right - cell * len(table.heads), top, cell, row.cells, size, leading, "head", tone)
            if is_struck:
                end = self.left + start + max(width_mm(name, "text", size) for name in names)
                page.line(self.left + start, top + leading * 0.56, end, top + leading * 0.56, "mark")
            page.line(self.left, y + height, self.right, y + height, "faint")

        return Piece(height, draw, heading)

    def _start(self, line: Row | Entry) -> float:
        """How far in, in mm, a line's words begin, behind its boxes and its lead."""
        return self._ticks_width(line.ticks, TICK_MM * self.scale) + (3.2 if line.lead else 0.0)

    def _lead_in(self, page: CardPage, top: float, line: Row | Entry, size: float, leading: float) -> None:
        """Draws a line's boxes and its lead."""
        side, x = TICK_MM * self.scale, self.left
        for is_marked in line.ticks:
            page.box(x, top + (leading - side) / 2, side, is_marked=is_marked)
            x += side + 0.6
        if line.lead:
            page.text(x, top, 3.0, (line.lead,), size, leading, "head")

    def _entries(self, block: Entries) -> Iterator[Piece]:
        heading = self._title(block.title, block.note, is_alone=not block.entries)
        yield heading
        for entry in block.entries:
            yield self._entry(entry, heading)

    def _entry(self, entry: Entry, heading: Piece) -> Piece:
        size, small = self._pt(7.2), self._pt(6.5)
        leading = self._mm(size, 1.14)
        start = self._start(entry)
        room = self.width - start
        name_width = width_mm(entry.name, "head", size)
        beside = room - name_width - 1.2
        is_struck = bool(entry.ticks) and all(entry.ticks)
        names: tuple[str, ...] = (entry.name,)
        rest: tuple[str, ...] = ()
        first = ""
        if name_width > room:
            names = wrap(entry.name, "head", size, room)
            rest = wrap(entry.text, "text", small, room) if entry.text else ()
        elif entry.text:
            first, rest = _run_in(entry.text, small, beside, room)
        height = leading * (len(names) + len(rest)) + 0.35

        def draw(page: CardPage, y: float) -> None:
            top = y + 0.2
            self._lead_in(page, top, entry, size, leading)
            left = self.left + start
            tone: Tone = "soft" if is_struck else "ink"
            page.text(left, top, min(name_width + 0.4, room), names, size, leading, "head", tone=tone)
            if first:
                page.text(left + name_width + 1.2, top, beside, (first,), small, leading, tone=tone)
            page.text(left, top + leading * len(names), room, rest, small, leading, tone=tone)
            if is_struck:
                page.line(left, top + leading * 0.56, left + min(name_width, room), top + leading * 0.56, "mark")

        return Piece(height, draw, heading)

    def _ticks(self, block: Ticks) -> Iterator[Piece]:
        size = self._pt(6.6)
        leading = self._mm(size, 1.2)
        side = 2.2 * self.scale
        rows: list[list[tuple[float, str, tuple[bool, ...]]]] = [[]]
        x = 0.0
        for label, ticks in block.items:
            width = self._ticks_width(ticks, side) + width_mm(label, "text", size) + 1.9
            if x + width - 1.9 > self.width and rows[-1]:
                rows.append([])
                x = 0.0
            rows[-1].append((x, label, ticks))
            x += width
        for row in rows:
            yield self._tick_row(row, size, leading, side)

    def _tick_row(
        self, row: list[tuple[float, str, tuple[bool, ...]]], size: float, leading: float, side: float
    ) -> Piece:
        def draw(page: CardPage, y: float) -> None:
            top = y + 0.5
            for offset, label, ticks in row:
                x = self.left + offset
                for is_marked in ticks:
                    page.box(x, top + (leading - side) / 2, side, is_marked=is_marked)
                    x += side + 0.6
                page.text(x + 0.4, top, width_mm(label, "text", size) + 0.4, (label,), size, leading)

        return Piece(leading + 0.7, draw)


def _run_in(text: str, size: float, beside: float, room: float) -> tuple[str, tuple[str, ...]]:
    """The text's first line, which stands beside the name, and the lines below it."""
    words = text.split()
    first = ""
    at = 0
    while at < len(words):
        joined = f"{first} {words[at]}" if first else words[at]
        if width_mm(joined, "text", size) > beside:
            break
        first = joined
        at += 1
    rest = " ".join(words[at:])
    return first, wrap(rest, "text", size, room) if rest else ()
