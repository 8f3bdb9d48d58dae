"""Blocks of text: headings, tables, named lines of text, and ruled lines to write on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from rosters.card_layout.number_blocks import describe_ticks, draw_ticks, ticks_width
from rosters.card_layout.page import FINE_PT, CardPage, Measure, Piece, Tone
from systems.paper.blocks import Entries, Entry, Lines, Row, Table
from systems.paper.metrics import capitals, fit_size, width_mm, wrap

TICK_MM = 2.1  # side of a box in front of a line
LEAD_MM = 3.2  # width of a die face in front of a line
NAMED_PT, WORDS_PT = 7.2, 6.5  # type of an entry's name and of its text
NAME_GAP_MM = 1.2  # between name and text
LINE_MM = 5.0  # between ruled lines, enough for handwriting
MAX_LINES = 12


def title_piece(
    m: Measure,
    title: str,
    note: str = "",
    heads: Sequence[str] = (),
    cell: float = 7.0,
    *,
    is_alone: bool = False,
) -> Piece:
    """Return the heading of a block, above a rule.

    If it stands alone, it has no rule; or if it has no note either, a line to write on.
    """
    size = m.pt(7.6)
    leading = m.leading(size)
    gap = m.mm(1.6)
    room = m.width - cell * len(heads)
    title_width = width_mm(capitals(title), "head", size)
    beside = room - title_width - gap
    note_size, note_lines = fit_size(note, "text", (m.pt(7.2), m.pt(6.6)), beside)
    note_leading = m.leading(note_size)
    is_below = len(note_lines) > 1
    if is_below:
        note_lines = wrap(note, "text", note_size, room)
    above = m.mm(0.9 if note or not is_alone else 2.2)
    height = above + leading + (note_leading * len(note_lines) if is_below else 0.0) + m.mm(0.2)

    def draw(page: CardPage, y: float) -> None:
        top = y + above
        page.text(m.left, top, title_width + m.mm(0.3), (capitals(title),), size, leading, "head")
        if note and is_below:
            page.text(m.left, top + leading, room, note_lines, note_size, note_leading)
        elif note:
            page.text(m.left + title_width + gap, top, beside, note_lines, note_size, leading)
        head_size = m.fine(FINE_PT)
        page.columns(
            m.right - cell * len(heads), top + m.mm(0.2), cell, heads, head_size, leading - m.mm(0.2), tone="soft"
        )
        if not is_alone:
            page.line(m.left, y + height - m.mm(0.1), m.right, y + height - m.mm(0.1))
        elif not note:
            page.line(m.left + title_width + gap, y + height - m.mm(0.1), m.right, y + height - m.mm(0.1))

    def describe() -> str:
        return ": ".join(filter(None, (title, note)))

    return Piece(height, draw, describe, keeps_with_next=not is_alone)


# --- tables -----------------------------------------------------------------------------------------------------------


def table_pieces(m: Measure, table: Table) -> Iterator[Piece]:
    heading = title_piece(m, table.title, heads=table.heads, cell=m.mm(table.cell_mm))
    yield heading
    for row in table.rows:
        yield _row(m, row, table, heading)


def _row(m: Measure, row: Row, table: Table, heading: Piece) -> Piece:
    size, small, fine = m.pt(7.6), m.pt(6.2), m.fine(FINE_PT)
    leading, small_leading, fine_leading = m.leading(size, 1.14), m.leading(small, 1.12), m.leading(fine, 1.12)
    start, drop = _start(m, row), _drop(m, row, leading)
    cell = m.mm(table.cell_mm)
    cells_width = cell * len(table.heads)
    room = m.width - start - cells_width
    has_under = any(row.under)
    names = wrap(row.name, "text", size, room)
    details_width = room if has_under else m.width - start
    details = wrap(row.detail, "text", small, details_width) if row.detail else ()
    beside = width_mm(row.name, "text", size) + m.mm(NAME_GAP_MM)
    is_beside = m.is_crowded and bool(details) and beside + width_mm(row.detail, "text", small) <= room
    if is_beside:
        details = ()
    is_struck = bool(row.ticks) and all(row.ticks)
    tone: Tone = "soft" if is_struck else "ink"
    words = leading * len(names) + small_leading * len(details)
    height = max(words + drop, leading + 2 * drop, leading + drop + (fine_leading if has_under else 0.0)) + m.mm(0.55)

    def draw(page: CardPage, y: float) -> None:
        top = y + m.mm(0.2) + drop
        left = m.left + start
        _lead_in(m, page, top, row, size, leading)
        page.text(left, top, room, names, size, leading, tone=tone)
        if is_beside:
            page.text(left + beside, top, room - beside, (row.detail,), small, leading, tone="soft")
        page.columns(m.right - cells_width, top, cell, row.cells, size, leading, "head", tone)
        page.columns(m.right - cells_width, top + leading, cell, row.under, fine, fine_leading, tone="soft")
        page.text(left, top + leading * len(names), details_width, details, small, small_leading, tone="soft")
        if is_struck:
            end = left + max(width_mm(name, "text", size) for name in names)
            page.line(left, top + leading * 0.56, end, top + leading * 0.56, "mark")
        page.line(m.left, y + height, m.right, y + height, "faint")

    return Piece(height, draw, lambda: _describe_row(row, table), heading)


def _describe_row(row: Row, table: Table) -> str:
    name = f"{row.lead} {row.name}" if row.lead else row.name
    cells = [
        f"{head} {value}" + (f" ({small})" if small else "")
        for head, value, small in zip_longest(table.heads, row.cells, row.under, fillvalue="")
        if value
    ]
    text = f"{name}: {', '.join(cells)}" if cells else name
    text += f"; {row.detail}" if row.detail else ""
    return text + describe_ticks(row.ticks) + (", lost" if row.ticks and all(row.ticks) else "")


def _start(m: Measure, line: Row | Entry) -> float:
    """Return the indent in mm of a line's text, after its boxes and its lead."""
    return ticks_width(m, len(line.ticks), m.box(TICK_MM)) + (m.mm(LEAD_MM) if line.lead else 0.0)


def _drop(m: Measure, line: Row | Entry, leading: float) -> float:
    """Return the space in mm above a line's text, so that boxes that are higher than the text stay inside the line."""
    return max(0.0, (m.box(TICK_MM) - leading) / 2) if line.ticks else 0.0


def _lead_in(m: Measure, page: CardPage, top: float, line: Row | Entry, size: float, leading: float) -> None:
    """Draw the boxes and the lead in front of a line."""
    side = m.box(TICK_MM)
    x = draw_ticks(m, page, m.left, top + (leading - side) / 2, line.ticks, side)
    if line.lead:
        page.text(x, top, m.mm(LEAD_MM - 0.2), (line.lead,), size, leading, "head")


# --- named lines of text ----------------------------------------------------------------------------------------------


def entry_pieces(m: Measure, block: Entries) -> Iterator[Piece]:
    heading = title_piece(m, block.title, block.note, is_alone=not block.entries)
    yield heading
    entries = [_entry(m, entry, heading) for entry in block.entries]
    at = 0
    while at < len(entries):
        pair = block.entries[at : at + 2]
        if m.is_crowded and len(pair) == 2 and all(_is_half(m, each) for each in pair):
            yield _side_by_side(m, pair, heading)
            at += 2
        else:
            yield entries[at]
            at += 1


def _is_half(m: Measure, entry: Entry) -> bool:
    """Return whether the entry fits on one line of half the width."""
    words = width_mm(entry.name, "head", m.pt(NAMED_PT)) + (m.mm(NAME_GAP_MM) if entry.name else 0.0)
    return _start(m, entry) + words + width_mm(entry.text, "text", m.pt(WORDS_PT)) <= m.half.width


def _side_by_side(m: Measure, pair: Sequence[Entry], heading: Piece) -> Piece:
    """Return a piece with two short entries on one line."""
    left, right = _entry(m.half, pair[0], heading), _entry(m.other_half, pair[1], heading)

    def draw(page: CardPage, y: float) -> None:
        left.draw(page, y)
        right.draw(page, y)

    return Piece(max(left.height, right.height), draw, lambda: f"{left.describe()}\n{right.describe()}", heading)


def _entry(m: Measure, entry: Entry, heading: Piece) -> Piece:
    size, small = m.pt(NAMED_PT), m.pt(WORDS_PT)
    leading = m.leading(size, 1.14)
    gap = m.mm(NAME_GAP_MM) if entry.name else 0.0
    start, drop = _start(m, entry), _drop(m, entry, leading)
    room = m.width - start
    name_width = width_mm(entry.name, "head", size)
    beside = room - name_width - gap
    is_struck = bool(entry.ticks) and all(entry.ticks)
    tone: Tone = "soft" if is_struck else "ink"
    names: tuple[str, ...] = (entry.name,)
    rest: tuple[str, ...] = ()
    first = ""
    if name_width > room:
        names = wrap(entry.name, "head", size, room)
        rest = wrap(entry.text, "text", small, room) if entry.text else ()
    elif entry.text:
        first, rest = _run_in(entry.text, small, beside, room)
    height = max(leading * (len(names) + len(rest)) + drop, leading + 2 * drop) + m.mm(0.35)

    def draw(page: CardPage, y: float) -> None:
        top = y + m.mm(0.2) + drop
        left = m.left + start
        _lead_in(m, page, top, entry, size, leading)
        page.text(left, top, min(name_width + m.mm(0.4), room), names, size, leading, "head", tone=tone)
        if first:
            page.text(left + name_width + gap, top, beside, (first,), small, leading, tone=tone)
        page.text(left, top + leading * len(names), room, rest, small, leading, tone=tone)
        if is_struck:
            page.line(left, top + leading * 0.56, left + min(name_width, room), top + leading * 0.56, "mark")

    def describe() -> str:
        name = f"{entry.lead} {entry.name}".strip()
        words = ": ".join(filter(None, (name, entry.text)))
        return words + describe_ticks(entry.ticks) + (", lost" if is_struck else "")

    return Piece(height, draw, describe, heading)


def _run_in(text: str, size: float, beside: float, room: float) -> tuple[str, tuple[str, ...]]:
    """Return the text's first line, which stands beside the name, and the lines below it."""
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


# --- lines to write on ------------------------------------------------------------------------------------------------


def line_pieces(m: Measure, block: Lines) -> Iterator[Piece]:
    """Yield the heading and the ruled lines of the block."""
    cell = m.mm(block.cell_mm)
    heading = title_piece(m, block.title, heads=block.heads, cell=cell)
    text = f"{block.title}: {', '.join(block.heads)}" if block.heads else block.title
    yield replace(heading, describe=lambda: text)
    for at in range(block.count):
        yield _ruled(m, block, block.leads[at] if at < len(block.leads) else "")


def fill_pieces(m: Measure, title: str, room: float) -> list[Piece]:
    """Return ruled lines for notes that fill `room` mm, up to MAX_LINES; empty if there is too little room."""
    block = Lines(title=title)
    heading = title_piece(m, title)
    line = _ruled(m, block, "")
    count = min(int((room - heading.height) // line.height), MAX_LINES)
    return [heading, *([line] * count)] if count >= 1 else []


def _ruled(m: Measure, block: Lines, lead: str) -> Piece:
    side = m.box(TICK_MM)
    height = max(m.mm(LINE_MM), 4.4)
    size = m.pt(7.6)
    leading = m.leading(size, 1.14)
    cell = m.mm(block.cell_mm)

    def draw(page: CardPage, y: float) -> None:
        top = y + height - leading - m.mm(0.4)
        x = draw_ticks(m, page, m.left, top + (leading - side) / 2, (False,) * block.ticks, side)
        if lead:
            page.text(x, top, width_mm(lead, "head", size) + m.mm(0.3), (lead,), size, leading, "head")
        page.line(m.left, y + height, m.right, y + height, "faint")
        for at in range(len(block.heads)):
            column = m.right - cell * (at + 1)
            page.line(column, y + m.mm(1.2), column, y + height, "faint")

    return Piece(height, draw, lambda: lead)
