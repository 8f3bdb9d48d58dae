"""The layout of cards on sheets of paper: sizes, blocks of cards, cut and fold marks, backs behind their fronts.

All lengths are in mm from the paper's top left corner. A cell is the piece that is cut out: a card, or a front and a
back with a fold between them. Nothing is placed in the margins. Sheets are always portrait. If a landscape sheet would
hold more cards, the cards are turned instead, so that a printer's offsets and its turning edge mean the same on every
sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

MARGIN = 6.0  # mm kept free of marks and cards
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARK_GAP = 0.5  # mm between the drawing of a card and the mark beside it
MARK_LENGTH = 4.0
SHORTEST_MARK = 1.0
MARK_ROOM = MARK_GAP + SHORTEST_MARK  # kept free around cards, so that each cut has marks at both ends
_SLACK = 1e-6

Turning = Literal["long-edge", "short-edge"]
Fold = Literal["beside", "below"]  # position of the back relative to the front
Segment = tuple[float, float, float, float]


class UnknownPaperError(ValueError):
    """Raised for an unknown paper."""


class CardTooLargeError(ValueError):
    """Raised for a card that is too large for the paper."""


def paper_size(paper: str) -> tuple[float, float]:
    """Return the width and height of a paper in mm; UnknownPaperError."""
    try:
        return PAPERS[paper]
    except KeyError:
        raise UnknownPaperError(f"unknown paper {ascii(str(paper)[:40])}; there is {', '.join(PAPERS)}") from None


@dataclass(frozen=True, slots=True)
class Place:
    """A box on paper; its contents are rotated clockwise by `turn` quarter turns."""

    x: float
    y: float
    width: float
    height: float
    turn: int = 0

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def behind(self, paper: tuple[float, float], turning: Turning) -> Place:
        """Return the place exactly behind this one, on the sheet's other side, with the tops aligned."""
        if turning == "long-edge":
            return Place(paper[0] - self.right, self.y, self.width, self.height, -self.turn % 4)
        return Place(self.x, paper[1] - self.bottom, self.width, self.height, (2 - self.turn) % 4)


@dataclass(frozen=True, slots=True)
class Block:
    """A grid of equal cells; turned cells have their top on the right."""

    x: float
    y: float
    columns: int
    rows: int
    width: float  # of a cell, as placed on the sheet
    height: float
    bleed: float
    turned: bool

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def outer(self) -> tuple[float, float]:
        """The width and height of the block including its bleed."""
        return self.columns * (self.width + 2 * self.bleed), self.rows * (self.height + 2 * self.bleed)

    def cell(self, at: int) -> Place:
        row, column = divmod(at, self.columns)
        x = self.x + self.bleed + column * (self.width + 2 * self.bleed)
        y = self.y + self.bleed + row * (self.height + 2 * self.bleed)
        return Place(x, y, self.width, self.height, int(self.turned))


@dataclass(frozen=True, slots=True)
class Marks:
    cuts: tuple[Segment, ...]
    folds: tuple[Segment, ...]  # marks beside the cells, and lines between fronts and backs

    def behind(self, paper: tuple[float, float], turning: Turning) -> Marks:
        def turn(segment: Segment) -> Segment:
            x1, y1, x2, y2 = segment
            if turning == "long-edge":
                return paper[0] - x1, y1, paper[0] - x2, y2
            return x1, paper[1] - y1, x2, paper[1] - y2

        return Marks(tuple(map(turn, self.cuts)), tuple(map(turn, self.folds)))


@dataclass(frozen=True, slots=True)
class Plan:
    """The arrangement of cards of one size on one paper."""

    paper: tuple[float, float]
    card: tuple[float, float]
    bleed: float
    fold: Fold | None
    blocks: tuple[Block, ...]

    @property
    def count(self) -> int:
        """The number of cells on a full sheet."""
        return sum(block.count for block in self.blocks)

    def cells(self) -> Iterator[Place]:
        for block in self.blocks:
            yield from map(block.cell, range(block.count))

    def front(self, cell: Place) -> Place:
        return self._part(cell, 0, 0, 0)

    def folded_back(self, cell: Place) -> Place:
        """Return the place of the back, on the same side of the paper; when folded, it is upright behind the front."""
        width, height = self.card
        return self._part(cell, width, 0, 0) if self.fold == "beside" else self._part(cell, 0, height, 2)

    def drawn(self, place: Place, cell: Place) -> Place:
        """Return the place including its bleed; there is no bleed at the fold."""
        left = place.x - (self.bleed if _same(place.x, cell.x) else 0)
        top = place.y - (self.bleed if _same(place.y, cell.y) else 0)
        right = place.right + (self.bleed if _same(place.right, cell.right) else 0)
        bottom = place.bottom + (self.bleed if _same(place.bottom, cell.bottom) else 0)
        return Place(left, top, right - left, bottom - top, place.turn)

    def marks(self, used: int) -> Marks:
        """Return the marks for the first `used` cells: ticks at both ends of each cut and fold that touch no card."""
        return marks_of([(self, used)])

    def _part(self, cell: Place, u: float, v: float, turn: int) -> Place:
        """Return the place of a card at (u, v) in the cell, as seen before the cell is turned."""
        width, height = self.card
        if not cell.turn:
            return Place(cell.x + u, cell.y + v, width, height, turn)
        return Place(cell.right - v - height, cell.y + u, height, width, (turn + 1) % 4)

    def fold_line(self, cell: Place) -> Segment:
        front = self.front(cell)
        if (self.fold == "beside") != bool(cell.turn):
            x = front.x if cell.turn else front.right
            return x, cell.y, x, cell.bottom
        return cell.x, front.bottom, cell.right, front.bottom


@dataclass(frozen=True, slots=True)
class Run:
    """A number of cards of one size that are put on paper."""

    card: tuple[float, float]
    count: int
    is_folded: bool


@dataclass(frozen=True, slots=True)
class SheetPart:
    """The part of a run that is on one sheet: `count` cards from number `first`."""

    run: int
    first: int
    count: int
    plan: Plan

    def cells(self) -> Iterator[tuple[int, Place]]:
        """Yield each card's number in its run, and its cell."""
        return zip(range(self.first, self.first + self.count), self.plan.cells(), strict=False)


Sheet = Sequence[SheetPart]


def sheets_of(paper: str, runs: Sequence[Run], bleed: float, *, marks: bool) -> Iterator[Sheet]:
    """Yield the full sheets of each run, then the remaining cards, with several runs on one sheet if they fit.

    CardTooLargeError for a card that doesn't fit on the paper.
    """
    rests: list[SheetPart] = []
    for at, run in enumerate(runs):
        layout = plan(paper, run.card, bleed, marks=marks, folded=run.is_folded)
        full, over = divmod(run.count, layout.count)
        for sheet in range(full):
            yield (SheetPart(at, sheet * layout.count, layout.count, layout),)
        if over:
            rests.append(SheetPart(at, full * layout.count, over, layout))
    shared: Sheet = ()
    for rest in rests:
        found = _together(paper, (*shared, rest), MARK_ROOM if marks else 0.0) if shared else (rest,)
        if found is None:
            yield shared
        shared = found or (rest,)
    if shared:
        yield shared


def _together(paper: str, parts: Sheet, room: float) -> Sheet | None:
    """Return the parts placed below each other on one sheet; None if they don't fit."""
    size = paper_size(paper)
    across, along = (side - 2 * (MARGIN + room) for side in size)
    blocks = []
    for part in parts:
        wide, high = part.plan.card
        cell = {None: (wide, high), "beside": (2 * wide, high), "below": (wide, 2 * high)}[part.plan.fold]
        block = _grid(across, along, cell, part.plan.bleed, turned=False)
        if block is None or part.count > block.count:
            return None
        columns = min(block.columns, part.count)
        blocks.append(replace(block, columns=columns, rows=-(-part.count // columns)))
    if sum(block.outer[1] for block in blocks) + room * (len(blocks) - 1) > along + _SLACK:
        return None
    laid = _laid(size, blocks, room, is_beside=False)
    return tuple(
        replace(part, plan=replace(part.plan, blocks=(block,))) for part, block in zip(parts, laid, strict=True)
    )


def marks_of(used: Iterable[tuple[Plan, int]]) -> Marks:
    """Return the marks of a sheet; `used` are plans, each with the number of its cells that have cards."""
    parts: list[tuple[Plan, _Used]] = []
    for layout, count in used:
        for block in layout.blocks:
            parts.append((layout, _Used(block, min(count, block.count))))
            count -= parts[-1][1].count
    parts = [(layout, part) for layout, part in parts if part.count]
    boxes = [part.box for _layout, part in parts]
    cuts: list[Segment] = []
    folds: list[Segment] = []
    for (layout, part), box in zip(parts, boxes, strict=True):
        cuts += _ticks(box, *part.cuts(), boxes, layout.paper)
        if layout.fold:
            lines = [layout.fold_line(cell) for cell in part.cells]
            upright = {round(x1, 6) for x1, _, x2, _ in lines if _same(x1, x2)}
            level = {round(y1, 6) for _, y1, _, y2 in lines if _same(y1, y2)}
            folds += [*lines, *_ticks(box, sorted(upright), sorted(level), boxes, layout.paper)]
    return Marks(tuple(cuts), tuple(folds))


@lru_cache(maxsize=64)
def plan(paper: str, card: tuple[float, float], bleed: float, *, marks: bool, folded: bool) -> Plan:
    """Return the arrangement that holds the most cards; CardTooLargeError if there is none."""
    size = paper_size(paper)
    width, height = card
    ways: list[tuple[Fold | None, float, float]] = [(None, width, height)]
    if folded:
        ways = [("beside", 2 * width, height), ("below", width, 2 * height)]
    for room in (MARK_ROOM, 0.0) if marks else (0.0,):
        found = [
            Plan(size, card, bleed, fold, blocks)
            for fold, cell_width, cell_height in ways
            for blocks in _arrangements(size, cell_width, cell_height, bleed, room)
        ]
        if found:
            return max(found, key=lambda one: (one.count, -len(one.blocks), -sum(block.turned for block in one.blocks)))
    raise CardTooLargeError(f"no sheet of {paper} holds a card of {width:g} x {height:g} mm")


def _arrangements(
    paper: tuple[float, float], width: float, height: float, bleed: float, room: float
) -> Iterator[tuple[Block, ...]]:
    """Yield all useful arrangements: one grid, or a grid with a turned one below or beside it."""
    across, along = (side - 2 * (MARGIN + room) for side in paper)
    for turned in (False, True):
        cell, other = ((height, width), (width, height)) if turned else ((width, height), (height, width))
        first = _grid(across, along, cell, bleed, turned=turned)
        if first is None:
            continue
        yield _laid(paper, (first,), room, is_beside=False)
        for rows in range(1, first.rows + 1):
            part = replace(first, rows=rows)
            if second := _grid(across, along - part.outer[1] - room, other, bleed, turned=not turned):
                yield _laid(paper, (part, second), room, is_beside=False)
        for columns in range(1, first.columns + 1):
            part = replace(first, columns=columns)
            if second := _grid(across - part.outer[0] - room, along, other, bleed, turned=not turned):
                yield _laid(paper, (part, second), room, is_beside=True)


def _grid(across: float, along: float, cell: tuple[float, float], bleed: float, *, turned: bool) -> Block | None:
    """Return the largest grid of cells that fits into an area, or None; its corner is set later."""
    columns = int((across + _SLACK) // (cell[0] + 2 * bleed))
    rows = int((along + _SLACK) // (cell[1] + 2 * bleed))
    return Block(0, 0, columns, rows, *cell, bleed, turned) if columns > 0 and rows > 0 else None


def _laid(paper: tuple[float, float], blocks: Sequence[Block], room: float, *, is_beside: bool) -> tuple[Block, ...]:
    """Return the blocks centred on the paper, with room for both blocks' marks between them."""
    axis = 0 if is_beside else 1
    length = sum(block.outer[axis] for block in blocks)
    gap = min(2 * (MARK_GAP + MARK_LENGTH), (paper[axis] - 2 * MARGIN - length) / (len(blocks) + 1)) if room else 0.0
    at = (paper[axis] - length - gap * (len(blocks) - 1)) / 2
    placed = []
    for block in blocks:
        middle = (paper[1 - axis] - block.outer[1 - axis]) / 2
        placed.append(replace(block, x=at, y=middle) if is_beside else replace(block, x=middle, y=at))
        at += block.outer[axis] + gap
    return tuple(placed)


@dataclass(frozen=True, slots=True)
class _Used:
    """The part of a block that has cards on this sheet."""

    block: Block
    count: int

    @property
    def cells(self) -> list[Place]:
        return [self.block.cell(at) for at in range(self.count)]

    @property
    def box(self) -> Place:
        """The box around the cards, including their bleed."""
        block = self.block
        columns, rows = min(self.count, block.columns), -(-self.count // block.columns)
        return Place(block.x, block.y, *replace(block, columns=columns, rows=rows).outer)

    def cuts(self) -> tuple[list[float], list[float]]:
        """Return the x of the vertical cuts and the y of the horizontal ones."""
        upright = {round(x, 6) for cell in self.cells for x in (cell.x, cell.right)}
        level = {round(y, 6) for cell in self.cells for y in (cell.y, cell.bottom)}
        return sorted(upright), sorted(level)


def _ticks(
    box: Place, upright: Iterable[float], level: Iterable[float], obstacles: Sequence[Place], paper: tuple[float, float]
) -> Iterator[Segment]:
    """Yield marks that lead outwards from a box, up to the margin or to the cards of other blocks."""
    for x in upright:
        spans = [(other.y, other.bottom) for other in obstacles if other.x - 0.1 < x < other.right + 0.1]
        for start, end in _outward(box.y, box.bottom, spans, paper[1]):
            yield x, start, x, end
    for y in level:
        spans = [(other.x, other.right) for other in obstacles if other.y - 0.1 < y < other.bottom + 0.1]
        for start, end in _outward(box.x, box.right, spans, paper[0]):
            yield start, y, end, y


def _outward(
    low: float, high: float, spans: Sequence[tuple[float, float]], length: float
) -> Iterator[tuple[float, float]]:
    """Yield the marks at both ends of a line through a box that extends from `low` to `high`."""
    start = low - MARK_GAP
    end = max(start - MARK_LENGTH, MARGIN, *(there for _, there in spans if there <= low))
    if start - end >= SHORTEST_MARK - _SLACK:
        yield start, end
    start = high + MARK_GAP
    end = min(start + MARK_LENGTH, length - MARGIN, *(here for here, _ in spans if here >= high))
    if end - start >= SHORTEST_MARK - _SLACK:
        yield start, end


def _same(one: float, other: float) -> bool:
    return abs(one - other) < _SLACK
