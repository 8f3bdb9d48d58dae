"""Blocks of numbers and boxes: strips of large numbers, tracks of boxes to cross out, boxes with names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rosters.card_layout.page import FINE_PT, MIN_BOX_MM, SMALLEST_PT, CardPage, Measure, Piece, Tone
from systems.paper.blocks import Box, Cell, Strip, Ticks, Track
from systems.paper.metrics import fit_size, width_mm, wrap

CLOSE_GAP = 0.8  # mm between large boxes if there are many
ROUNDING_MM = 1e-6
HOT_GAP = 0.7  # mm before the hot boxes, which are not safe
LABEL, NOTE = FINE_PT, SMALLEST_PT
TICK_GAP = 1.1  # mm between the boxes in front of a line and its text


# --- strips -----------------------------------------------------------------------------------------------------------


def strip_pieces(m: Measure, strip: Strip) -> Iterator[Piece]:
    """Yield the strip's rows: one, or several if the cells at their smallest width are too wide for one."""
    rows: list[list[Cell]] = [[]]
    used = 0.0
    for cell in strip.cells:
        least = _least_width(m, cell)
        if rows[-1] and used + least > m.width:
            rows.append([])
            used = 0.0
        rows[-1].append(cell)
        used += least
    for row in rows:
        if row:
            yield _strip_row(m, row)


def _strip_row(m: Measure, cells: Sequence[Cell]) -> Piece:
    label, note = m.fine(LABEL), m.fine(NOTE)
    label_leading, note_leading = m.leading(label), m.leading(note)
    widths = _widths(m, cells)
    inset, gap = m.mm(1.3), m.mm(0.5)
    inners = [width - (inset if at else 0.0) - gap for at, width in enumerate(widths)]
    notes = [wrap(cell.note, "text", note, inner) for cell, inner in zip(cells, inners, strict=True)]
    value_leading = m.leading(m.pt(14), 1.02)
    note_lines = max(len(lines) for lines in notes) if any(cell.note or not cell.value for cell in cells) else 0
    height = label_leading + value_leading + note_leading * note_lines + m.mm(1.1)
    sizes = tuple(m.pt(size) for size in (14, 12, 10, 8.5))

    def draw(page: CardPage, y: float) -> None:
        x = m.left
        for at, (cell, width, inner, lines) in enumerate(zip(cells, widths, inners, notes, strict=True)):
            if at:
                page.line(x, y + m.mm(0.4), x, y + height - m.mm(1.0))
            left, top = x + (inset if at else 0.0), y + m.mm(0.2)
            page.text(left, top, inner, (cell.label,), label, label_leading, tone="soft")
            size, _ = fit_size(cell.value, "head", sizes, inner)
            tone: Tone = "signal" if cell.is_loud else "ink"
            page.text(
                left, top + label_leading - m.mm(0.25), inner, (cell.value,), size, value_leading, "head", tone=tone
            )
            page.text(
                left, top + label_leading + value_leading - m.mm(0.45), inner, lines, note, note_leading, tone="soft"
            )
            x += width
        page.line(m.left, y + height - m.mm(0.35), m.right, y + height - m.mm(0.35))

    return Piece(height, draw, lambda: "; ".join(map(_describe_cell, cells)))


def _widths(m: Measure, cells: Sequence[Cell]) -> list[float]:
    """Return the widths of the cells in mm: their preferred widths, with the spare room shared equally.

    If there is too little room, cells are narrower, so that their notes need several lines.
    """
    least = [_least_width(m, cell) for cell in cells]
    preferred = [
        max(low, m.mm(2.0) + width_mm(cell.note, "text", m.fine(NOTE))) for low, cell in zip(least, cells, strict=True)
    ]
    spare = m.width - sum(preferred)
    if spare >= 0:
        return [width + spare / len(preferred) for width in preferred]
    share = (m.width - sum(least)) / (sum(preferred) - sum(least))
    return [low + (width - low) * share for low, width in zip(least, preferred, strict=True)]


def _least_width(m: Measure, cell: Cell) -> float:
    words = max((width_mm(word, "text", m.fine(NOTE)) for word in cell.note.split()), default=0.0)
    label = width_mm(cell.label, "text", m.fine(LABEL))
    return min(m.mm(2.0) + max(label, words, width_mm(cell.value, "head", m.pt(10))), m.width)


def _describe_cell(cell: Cell) -> str:
    return f"{cell.label}: {cell.value}" + (f" ({cell.note})" if cell.note else "")


# --- tracks -----------------------------------------------------------------------------------------------------------


def track_piece(m: Measure, track: Track) -> Piece:
    label_size, fine = m.pt(8), m.fine(FINE_PT)
    below_leading = m.leading(fine)
    label_width = max(
        m.mm(9.5),
        *(
            width + m.mm(1.0)
            for width in (width_mm(track.label, "head", label_size), width_mm(track.note, "text", fine))
        ),
    )
    side = m.box(4.5 if track.is_large else 3.3)
    gap = m.mm(1.5) if track.is_large else 0.0
    room = m.width - label_width - m.mm(HOT_GAP)
    if (
        track.is_large and len(track.boxes) * (side + gap) - gap > room
    ):  # smaller gaps and boxes, so that they fit on one line
        gap = m.mm(CLOSE_GAP)
        side = max(MIN_BOX_MM, min(side, (room + gap) / len(track.boxes) - gap - ROUNDING_MM))
    per_row = max(1, min(len(track.boxes), int((room + gap) // (side + gap))))
    rows = [track.boxes[at : at + per_row] for at in range(0, len(track.boxes), per_row)] or [()]
    has_below = any(box.below for box in track.boxes)
    row_height = side + (below_leading + m.mm(0.6) if has_below else m.mm(0.3))
    height = row_height * len(rows) + m.mm(0.5)

    def draw(page: CardPage, y: float) -> None:
        leading = m.leading(label_size)
        top = y + m.mm(0.5)
        page.text(m.left, top + (side - leading) / 2, label_width, (track.label,), label_size, leading, "head")
        if has_below and track.note:
            page.text(m.left, top + side, label_width, (track.note,), fine, below_leading, tone="soft")
        for number, boxes in enumerate(rows):
            _boxes(m, page, m.left + label_width, top + number * row_height, boxes, side, gap)

    return Piece(height, draw, lambda: _describe_track(track))


def _boxes(m: Measure, page: CardPage, x: float, y: float, boxes: Sequence[Box], side: float, gap: float) -> None:
    size = m.fine(FINE_PT)
    leading = m.leading(size)
    pitch = side + gap
    for is_hot in (False, True):
        row = [box for box in boxes if box.is_hot == is_hot]
        if is_hot:
            x += m.mm(HOT_GAP)
        for at, box in enumerate(row):
            page.box(x + at * pitch, y, side, is_marked=box.is_marked, is_hot=is_hot)
        inside = ["" if box.is_marked else box.inside for box in row]
        page.columns(x - gap / 2, y + (side - leading) / 2, pitch, inside, size, leading, tone="soft")
        page.columns(x - gap / 2, y + side, pitch, [box.below for box in row], size, leading, tone="soft")
        x += pitch * len(row)


def _describe_track(track: Track) -> str:
    text = f"{track.label}: {_describe_boxes([box.is_marked for box in track.boxes])}"
    for is_hot, words in ((False, ""), (True, ", not safe")):
        inside = [box.inside for box in track.boxes if box.inside and box.is_hot == is_hot]
        text += f"{words} {' '.join(inside)}" if inside else ""
    below = [box.below for box in track.boxes if box.below]
    return text + (f"; {track.note} {', '.join(below)}" if below else "")


def _describe_boxes(marks: Sequence[bool]) -> str:
    crossed = sum(marks)
    return f"{len(marks)} box{'' if len(marks) == 1 else 'es'}" + (f", {crossed} crossed out" if crossed else "")


# --- boxes with names -------------------------------------------------------------------------------------------------


def ticks_width(m: Measure, count: int, side: float) -> float:
    """Return the width in mm of `count` boxes in front of text."""
    return count * side + m.mm(TICK_GAP) if count else 0.0


def draw_ticks(m: Measure, page: CardPage, x: float, y: float, ticks: Sequence[bool], side: float) -> float:
    """Draw the boxes in front of a line; return the x of its text."""
    for at, is_marked in enumerate(ticks):
        page.box(x + at * side, y, side, is_marked=is_marked)
    return x + ticks_width(m, len(ticks), side)


def describe_ticks(ticks: Sequence[bool]) -> str:
    """Return a description of the boxes in front of a line for screen readers; it follows the line's text."""
    return f" [{_describe_boxes(ticks)}]" if ticks else ""


def tick_pieces(m: Measure, block: Ticks) -> Iterator[Piece]:
    size = m.pt(6.6)
    side = m.box(2.2)
    gap = m.mm(1.9)
    rows: list[list[tuple[float, tuple[str, ...], str, tuple[bool, ...]]]] = [[]]
    x = 0.0
    for label, ticks in block.items:
        boxes = ticks_width(m, len(ticks), side)
        width = boxes + width_mm(label, "text", size)
        lines: tuple[str, ...] = (label,)
        if width > m.width:
            lines = wrap(label, "text", size, m.width - boxes)
        if rows[-1] and x + width > m.width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, lines, label, ticks))
        x += width + gap
    for row in rows:
        if row:
            yield _tick_row(m, row, size, side)


def _tick_row(
    m: Measure, row: list[tuple[float, tuple[str, ...], str, tuple[bool, ...]]], size: float, side: float
) -> Piece:
    leading = m.leading(size, 1.2)
    drop = max(0.0, (side - leading) / 2)

    def draw(page: CardPage, y: float) -> None:
        top = y + m.mm(0.5) + drop
        for offset, lines, _, ticks in row:
            x = draw_ticks(m, page, m.left + offset, top + (leading - side) / 2, ticks, side)
            width = max(width_mm(line, "text", size) for line in lines) + m.mm(0.4)
            page.text(x, top, width, lines, size, leading)

    height = max(leading * max(len(lines) for _, lines, _, _ in row) + drop, side) + m.mm(0.6)
    return Piece(height, draw, lambda: "; ".join(f"{label}{describe_ticks(ticks)}" for _, _, label, ticks in row))
