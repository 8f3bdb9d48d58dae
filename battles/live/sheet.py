"""The cells that can be marked at a table. Uses no database and no request.

A unit's cells are the boxes of its card and its game's questions about its fate. The game's own cells are round, step,
initiative, winner and support. Nothing here depends on a particular game: cards come from its paper, fates from its
`asks`, steps from its battles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from battles.paper import NAMELESS_PILOT, units_of_setup
from battles.selectors.records import UnitRow, sides_of
from rosters.paper.documents import UnitDocument, drawing_of, paper_of, sheet_of
from systems import battle_rules
from systems.artwork import Drawing
from systems.paper.blocks import Block, Box, CardFace, Entries, Strip, Table, Ticks, Track
from systems.report_fields import (
    FATE_IS_ROLLED,
    MAX_ROUNDS,
    CountField,
    FateField,
    FieldAnswer,
    HandTerms,
    PilotFateField,
    one_of,
)
from systems.setups import SIDE_LETTERS, Setup, once_a_setup, setup_hash
from systems.shots import BoxNames, Marks

Value = int | str
ROUND, STEP, INITIATIVE, WINNER = "table.round", "table.step", "table.initiative", "table.winner"
WINNERS = ("attacker", "defender", "draw")
MAX_BOXES = 14  # boxes of a row that are drawn, each as large as a thumb; longer rows show a number
MANY_BOXES = (6, 9)  # boxes that fit into one row of a phone if they are narrower than a thumb
STEPS_OF_MANY = (1, 5)
STEPS_OF_HUNDREDS = (50, 500)
MAX_BY_ONES, MAX_BY_FIVES = 99, 500  # largest counts with steps of one, and of five
LONGEST_SHORT = 3  # letters of a heading that stays in capitals
CONTACT = "Contact"
CONTACT_TOLD = "This side has a hidden unit. You see its sheet once its note is revealed."
HITS_LOST = "hits_lost"
DESTROYED = "destroyed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One thing that can be marked. `start` is its value before anybody marks it."""

    id: str
    label: str
    kind: Literal["boxes", "count", "choice"]
    start: Value = 0
    most: int = 1  # of boxes and counts
    boxes: tuple[Box, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()  # value and words; the empty one comes first
    field: str = ""  # the field of the unit's fate that it fills in
    is_large: bool = False
    steps: tuple[int, ...] = (1,)  # for a count: the amounts that a press changes it by
    note: str = ""

    @property
    def look(self) -> str:
        """The kind of boxes, for the style sheet."""
        is_many = MANY_BOXES[0] <= self.most <= MANY_BOXES[1]
        return " ".join(
            name for name, is_so in (("live-boxes--large", self.is_large), ("live-boxes--many", is_many)) if is_so
        )

    @property
    def is_tick(self) -> bool:
        """Whether the cell is either set or not."""
        return self.kind == "boxes" and self.most == 1

    def takes(self, value: object) -> bool:
        """Return whether the cell can have this value."""
        if self.kind == "choice":
            return isinstance(value, str) and value in dict(self.choices)
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= self.most

    def objection(self, value: object) -> str:
        """Return why the cell can't have this value, in the words of a report; empty if it can."""
        if self.takes(value):
            return ""
        if self.kind == "choice":
            return f"{one_of([known for known, _ in self.choices if known])}, or nothing"
        number = value if isinstance(value, int) else ""
        return CountField(name=self.field, label=self.label, most=self.most).objection(number)

    def read(self, text: str) -> Value:
        """Return the value that a form has sent; raises ValueError if the cell can't have it."""
        number = text.isascii() and text.isdigit() and len(text) < 9
        value: Value = int(text) if number and self.kind != "choice" else text
        if not self.takes(value):
            raise ValueError(text)
        return value

    def in_words(self, value: Value) -> str:
        """Return the value as worded in the log."""
        if self.kind == "choice":
            return dict(self.choices).get(str(value), "") or "nothing"
        if self.is_tick:
            return "yes" if value else "no"
        return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a unit's sheet: its text, and the cell in it that can be marked, if any."""

    name: str
    lead: str = ""
    figures: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    detail: str = ""
    cell: Cell | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPart:
    """A part of a unit's sheet, as on its card."""

    kind: Literal["figures", "marks", "lines"]
    title: str = ""
    note: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    is_pilot: bool = False  # a set-up doesn't name the pilot

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(row.cell for row in self.rows if row.cell)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableUnit:
    """A unit at the table. `line` is None for units that support brings; reports don't ask about them."""

    key: str
    side: int
    name: str
    kicker: str
    points: str
    parts: tuple[SheetPart, ...]
    fate: tuple[Cell, ...]  # the questions about its fate that its card has no box for
    foot: str = ""
    line: UnitRow | None = None
    ends: tuple[str, ...] = ()  # fields of its fate that mean that it is lost
    drawing: Drawing | None = None
    is_contact: bool = False  # hidden: only its presence is shown
    cells_of: str = ""  # for a contact: the secret key of the unit, which its cells begin with

    def as_contact(self, number: int) -> TableUnit:
        """Return the unit as the other side sees it while it is hidden: as the nth contact of its side."""
        return replace(
            self,
            key=f"{SIDE_LETTERS[self.side]}-contact-{number}",
            cells_of=self.key,
            name=CONTACT,
            kicker="hidden",
            points="",
            parts=(),
            fate=(),
            foot=CONTACT_TOLD,
            drawing=None,
            is_contact=True,
        )

    def cells(self) -> Iterator[Cell]:
        for part in self.parts:
            yield from part.cells
        yield from self.fate

    @property
    def of_hits(self) -> tuple[Cell, ...]:
        """The cells that count the unit's lost hits."""
        return tuple(cell for cell in self.cells() if cell.field == HITS_LOST)

    @property
    def answers(self) -> dict[str, Cell]:
        """The other cells that fill in the unit's fate, by field."""
        return {cell.field: cell for cell in self.cells() if cell.field and cell.field != HITS_LOST}

    def lost(self, values: Mapping[str, Value]) -> int:
        """Return how many hits the unit has lost in total."""
        return sum(int(values.get(cell.id, cell.start)) for cell in self.of_hits)

    def fate_of(self, values: Mapping[str, Value]) -> dict[str, FieldAnswer]:
        """Return the unit's fate, as in a report."""
        fate: dict[str, FieldAnswer] = {}
        for name, cell in self.answers.items():
            value = values.get(cell.id, cell.start)
            fate[name] = bool(value) if cell.is_tick else value
        if self.line is None:
            return {}
        if self.of_hits:
            before = 0 if fate.get("mended") else sum(int(cell.start) for cell in self.of_hits)
            fate[HITS_LOST] = lost = max(0, self.lost(values) - before)
            whole = self.line.max_hits if fate.get("mended") else self.line.hits
            if lost >= whole > 0:
                fate[HITS_LOST], fate[DESTROYED] = whole, True
        if any(fate.get(name) for name in self.ends):
            fate[DESTROYED] = True
        return {name: answer for name, answer in fate.items() if answer}

    def marks(self, values: Mapping[str, Value]) -> Marks:
        """Return the marks on the unit's card, for the rules of its game."""
        found = ((cell, values.get(cell.id, cell.start)) for part in self.parts for cell in part.cells)
        return Marks({cell.id.removeprefix(f"{self.key}."): value for cell, value in found if isinstance(value, int)})

    def is_out(self, values: Mapping[str, Value]) -> bool:
        """Return whether the unit is out of the fight."""
        fate = self.fate_of(values)
        if self.line is None:
            whole = sum(cell.most for cell in self.of_hits)
            return bool(whole) and self.lost(values) >= whole
        return DESTROYED in fate or "withdrew" in fate


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSheet:
    """Everything that can be marked at one table."""

    setup: Setup
    hash: str  # of the set-up
    sides: tuple[str, str]
    round_word: str  # what the game is counted in: "round", "turn"
    steps: tuple[tuple[str, str], ...]
    table_units: tuple[TableUnit, ...]
    table: tuple[Cell, ...]
    support: tuple[tuple[Cell, ...], tuple[Cell, ...]]
    terms: HandTerms
    cells: Mapping[str, Cell]  # all of them by id

    def of_side(self, side: int) -> tuple[TableUnit, ...]:
        return tuple(table_unit for table_unit in self.table_units if table_unit.side == side)

    def table_unit_of(self, cell: str) -> TableUnit | None:
        """Return the cell's unit; None for cells of the game itself."""
        return next(
            (
                table_unit
                for table_unit in self.table_units
                if cell.startswith(f"{table_unit.cells_of or table_unit.key}.")
            ),
            None,
        )

    def veiled(self, hidden: Collection[str]) -> TableSheet:
        """Return the sheet for a reader who can't see these units.

        Contacts come last on their side, so that their position doesn't identify them. Reports are made from the
        complete sheet.
        """
        if not hidden:
            return self
        table_units: list[TableUnit] = []
        for side in (0, 1):
            contacts = [table_unit for table_unit in self.of_side(side) if table_unit.key in hidden]
            table_units += [table_unit for table_unit in self.of_side(side) if table_unit.key not in hidden]
            table_units += [table_unit.as_contact(number) for number, table_unit in enumerate(contacts, start=1)]
        return replace(self, table_units=tuple(table_units))

    def start(self) -> dict[str, Value]:
        return {cell.id: cell.start for cell in self.cells.values()}

    def report(self, values: Mapping[str, Value]) -> dict[str, object]:
        """Return the marks as a report/1 document; it has no winner until one is marked."""
        named = {table_unit.key: table_unit.fate_of(values) for table_unit in self.table_units if table_unit.line}
        used = {
            place: [slug for cell in cells if (slug := _used(cell, values.get(cell.id, cell.start)))]
            for place, cells in zip(WINNERS, self.support, strict=False)
        }
        return {
            "muster": "report/1",
            "winner": values[WINNER],
            "rounds": values[ROUND],
            "units": {key: fate for key, fate in named.items() if fate},
            "support": used,
        }


def _used(cell: Cell, value: Value) -> str:
    """Return the slug of the support that the cell marks as used; empty if none is marked."""
    if cell.kind == "choice":
        return str(value)
    return cell.note if value else ""


@once_a_setup
def table_sheet(setup: Setup) -> TableSheet:
    """Return the sheet of a set-up. Raises DocumentError for a game without cards."""
    system = battle_rules(setup.system)
    lines = {unit.key: unit for side in sides_of(setup) for unit in side.units}
    names = system.unit_names(setup)
    table_units, documents = [], iter(units_of_setup(setup))
    brought = system.support_units(setup)
    for at, side in enumerate(setup.sides):
        asked = system.hand.asked(side.support)
        for unit in side.units:
            table_units.append(_table_unit(next(documents), unit.key, at, names[unit.key], lines[unit.key], asked))
        for number, (_of, slug) in enumerate([each for each in brought if each[0] == at], start=1):
            document = next(documents)
            table_units.append(_table_unit(document, f"{SIDE_LETTERS[at]}-{slug}-{number}", at, "", None, {}))
    steps = tuple((slug, system.step_title(slug)) for slug in system.table_steps(setup))
    sides = (setup.sides[0].name, setup.sides[1].name)
    game = tuple(_game_cells(steps, sides, system.round_word(setup.scenario)))
    support = (_support(setup, 0), _support(setup, 1))
    cells = [*game, *support[0], *support[1], *(cell for table_unit in table_units for cell in table_unit.cells())]
    return TableSheet(
        setup=setup,
        hash=setup_hash(setup),
        sides=sides,
        round_word=system.round_word(setup.scenario),
        steps=steps,
        table_units=tuple(table_units),
        table=game,
        support=support,
        terms=system.hand,
        cells={cell.id: cell for cell in cells},
    )


def _game_cells(steps: Sequence[tuple[str, str]], sides: Sequence[str], round_word: str) -> Iterator[Cell]:
    yield Cell(id=ROUND, label=round_word.capitalize(), kind="count", start=1, most=MAX_ROUNDS)
    yield Cell(id=STEP, label="Step", kind="choice", start="", choices=(("", "not begun"), *steps))
    first = tuple(zip(SIDE_LETTERS, sides, strict=True))
    yield Cell(id=INITIATIVE, label="Initiative", kind="choice", start="", choices=(("", "nobody yet"), *first))
    won = ((WINNERS[0], sides[0]), (WINNERS[1], sides[1]), (WINNERS[2], "Draw"))
    yield Cell(id=WINNER, label="Winner", kind="choice", start="", choices=(("", "not decided"), *won))


def _support(setup: Setup, side: int) -> tuple[Cell, ...]:
    """Return a cell for each support result of the side: whether it was used, or what a roll at the table gave."""
    results = battle_rules(setup.system).support_results
    names = {slug: result.name for slug, result in results.items()}
    cells = []
    for at, slug in enumerate(setup.sides[side].support):
        name = f"support.{SIDE_LETTERS[side]}{at + 1}"
        if slug == FATE_IS_ROLLED:
            choices = (("", "not used"), *names.items())
            cells.append(Cell(id=name, label="By the support roll", kind="choice", start="", choices=choices))
        elif slug in names:
            cells.append(Cell(id=name, label=names[slug], kind="boxes", note=slug, boxes=(Box(),)))
    return tuple(cells)


# --- units ------------------------------------------------------------------------------------------------------------


def _table_unit(
    document: UnitDocument, key: str, side: int, name: str, line: UnitRow | None, asked: Mapping[str, FateField]
) -> TableUnit:
    paper = paper_of(document.system, "system", document.options)
    face = paper.card(sheet_of(document), "full").front
    parts = tuple(_parts(face, key, line))
    card_fields = {row.cell.field for part in parts for row in part.rows if row.cell and row.cell.field}
    fate = tuple(_fate(key, each, line) for each in asked.values() if each.name not in card_fields)
    kicker = " · ".join(
        part.removeprefix(f"{NAMELESS_PILOT}, ") for part in face.kicker.split(" · ") if part != document.company
    )
    return TableUnit(
        key=key,
        side=side,
        name=name or face.title,
        kicker=kicker,
        points=" ".join(filter(None, (face.corner, face.corner_label))),
        parts=parts,
        fate=fate,
        foot=face.foot,
        line=line,
        ends=line.terms.ends if line else (),
        drawing=drawing_of(document),
    )


def _fate(key: str, each: FateField, line: UnitRow | None) -> Cell:
    name, label = f"{key}.fate-{each.name}", each.label[:1].upper() + each.label[1:]
    if isinstance(each, PilotFateField):
        choices = (("", each.open_as), *each.fates)
        return Cell(id=name, label=label, kind="choice", start="", choices=choices, field=each.name)
    if isinstance(each, CountField):
        most = line.max_hits if line and each.name == HITS_LOST else each.most
        pace = (1,) if most <= MAX_BY_ONES else STEPS_OF_MANY if most <= MAX_BY_FIVES else STEPS_OF_HUNDREDS
        return Cell(id=name, label=label, kind="count", most=most, steps=pace, field=each.name)
    return Cell(id=name, label=label, kind="boxes", boxes=(Box(),), field=each.name)


class _Ids:
    """IDs for the cells of one unit."""

    def __init__(self, key: str) -> None:
        self.key, self.names = key, BoxNames()

    def of(self, *words: str) -> str:
        return f"{self.key}.{self.names.of(*words)}"


def _parts(face: CardFace, key: str, line: UnitRow | None) -> Iterator[SheetPart]:
    """Yield the parts of the card's front, with its boxes replaced by cells."""
    ids = _Ids(key)
    for block in face.blocks:
        part = _part(block, ids, line)
        if part is not None and (part.rows or part.note):
            yield part


def _part(block: Block, ids: _Ids, line: UnitRow | None) -> SheetPart | None:
    if isinstance(block, Strip):
        figures = tuple(Row(name=cell.label, figures=(cell.value,), detail=cell.note) for cell in block.cells)
        return SheetPart(kind="figures", rows=figures)
    if isinstance(block, Track):
        return SheetPart(kind="marks", rows=tuple(_track(block, ids, line)))
    if isinstance(block, Ticks):
        rows = (
            Row(name=name, cell=_ticks(ids.of(name), name, ticks, block.says.get(name, "")))
            for name, ticks in block.items
            if ticks
        )
        return SheetPart(kind="marks", rows=tuple(rows))
    if isinstance(block, Table):
        return SheetPart(kind="lines", title=block.title, heads=block.heads, rows=tuple(_table(block, ids)))
    if isinstance(block, Entries):
        rows = (
            Row(
                name=entry.name,
                lead=entry.lead,
                detail=entry.text,
                cell=_ticks(ids.of(block.title, entry.name), entry.name, entry.ticks) if entry.ticks else None,
            )
            for entry in block.entries
        )
        note = block.note.removeprefix(f"{NAMELESS_PILOT} · ")
        is_pilot = note != block.note
        return SheetPart(kind="lines", title=block.title, note=note, rows=tuple(rows), is_pilot=is_pilot)
    return None


def _track(block: Track, ids: _Ids, line: UnitRow | None) -> Iterator[Row]:
    """Yield the track's row; a row for each box if its boxes can be crossed out in any order."""
    word, _, side = block.label.partition(" ")
    of_a_side = len(side) == 1  # such as "LEG L"
    label = block.label
    if label.isupper() and len(label) > LONGEST_SHORT:
        label = f"{word.capitalize()} {side}" if of_a_side else label.capitalize()
    if block.is_each:
        for box in block.boxes:
            name = f"{label} {box.inside}"
            yield Row(name=name, cell=_boxed(ids.of(name), name, (replace(box, inside=""),)))
        return
    cell = _boxed(ids.of(label if of_a_side else word), label, block.boxes, field=block.says, is_large=block.is_large)
    if block.worth > 1 and line:  # a box stands for several hits
        lost = line.max_hits - line.hits
        label = line.terms.fields[block.says][:1].upper() + line.terms.fields[block.says][1:]
        pace = STEPS_OF_HUNDREDS
        cell = replace(cell, label=label, kind="count", start=lost, most=line.max_hits, steps=pace, boxes=())
    yield Row(name=label, cell=cell, detail=block.note)


def _boxed(name: str, label: str, boxes: tuple[Box, ...], *, field: str = "", is_large: bool = False) -> Cell:
    """Return a cell for boxes that are crossed out from the left; a count if there are more than MAX_BOXES."""
    start = sum(box.is_marked for box in boxes)
    if len(boxes) > MAX_BOXES:
        many = STEPS_OF_MANY
        return Cell(id=name, label=label, kind="count", start=start, most=len(boxes), field=field, steps=many)
    return Cell(
        id=name, label=label, kind="boxes", start=start, most=len(boxes), boxes=boxes, field=field, is_large=is_large
    )


def _ticks(name: str, label: str, ticks: Iterable[bool], field: str = "") -> Cell:
    return _boxed(name, label, tuple(Box(is_marked=tick) for tick in ticks), field=field)


def _table(block: Table, ids: _Ids) -> Iterator[Row]:
    for row in block.rows:
        yield Row(
            name=row.name,
            lead=row.lead,
            figures=row.cells,
            under=row.under,
            detail=row.detail,
            cell=_ticks(ids.of(block.title, row.lead, row.name), row.name, row.ticks) if row.ticks else None,
        )
