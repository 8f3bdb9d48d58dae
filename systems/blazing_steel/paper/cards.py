"""A Warmech's cards: pocket card, blank card, extra tables, and full-size counter. Ledger 2.12, 2.15."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from systems.artwork import silhouette
from systems.blazing_steel.build.datasheet import Datasheet, MountedLine, unsaved_chance
from systems.blazing_steel.catalogue import CATALOGUE, HEAT_FACES, SHOOTING_TN, Action, ShotModifier
from systems.blazing_steel.options import BY_THE_BOOK, Options, actions_of, cripples_of
from systems.paper.blocks import (
    NO_BOXES,
    Addition,
    Block,
    Box,
    CardFace,
    Cell,
    CounterContent,
    Detail,
    Entries,
    Entry,
    Row,
    Strip,
    Table,
    Ticks,
    Track,
    percent,
)
from systems.paper.metrics import isolated
from systems.text import format_decimal, format_signed

SYSTEM_NAME = "Blazing Steel"
NOTES = "Notes"
WEAPON_HEADS = ("range", "ROF", "imp", "dmg", "AP")
STATES = ("cooling", "overheated", "sitting out")
STRUCTURE, DODGE, HEAT = "STRUCTURE", "DODGE DICE", "HEAT"
ONCE_PER_ROUND = "once-per-round"


def unit_front(sheet: Datasheet, detail: Detail = "brief") -> CardFace:
    blocks: list[Block] = [
        Strip(cells=cells(sheet, detail)),
        Track(label=STRUCTURE, boxes=empty_boxes(sheet.structure), is_large=True, says="hits_lost"),
        weapon_table(sheet),
        heat_track(),
        Ticks(items=(*ammo_ticks(sheet), ("dodge dice", (False,) * sheet.dodge_dice), *state_ticks(sheet))),
        cripple_ticks(),
    ]
    if detail == "full":
        blocks.append(hits_table(sheet))
    return CardFace(
        title=sheet.name,
        kicker=kicker(sheet),
        corner=str(sheet.points),
        corner_label="points",
        blocks=tuple(blocks),
        foot=footnote(sheet, detail),
        notes=NOTES,
    )


def kicker(sheet: Datasheet) -> str:
    parts = [sheet.kind]
    if is_named(sheet):
        parts.append(isolated(sheet.design_name))
    if sheet.company:
        parts.append(isolated(sheet.company))
    return " · ".join(parts)


def is_named(sheet: Datasheet) -> bool:
    """Return whether the design's name adds anything to the unit's name and chassis."""
    return sheet.design_name.casefold() not in (sheet.name.casefold(), sheet.size_name.casefold())


def cells(sheet: Datasheet, detail: Detail = "full") -> tuple[Cell, ...]:
    in_all = f'{sheet.sprint_total_in}" in all' if detail == "full" else ""
    return (
        Cell(label="MOVE", value=f'{sheet.move_in}"'),
        Cell(label="SPRINT", value=f'+{sheet.sprint_in}"', note=in_all),
        Cell(label="JUMP", value=f'{sheet.jump_in}"'),
        Cell(label="DODGE", value=str(sheet.dodge)),
        Cell(label="MELEE", value=str(sheet.melee)),
        Cell(label="ARMOR", value=str(sheet.armor)),
    )


def empty_boxes(count: int) -> tuple[Box, ...]:
    return (Box(),) * count


def heat_track() -> Track:
    """Return one box per value, with its weight below, because no two dice of the same value stay. BS-102, BS-105."""
    return Track(
        label=HEAT,
        boxes=tuple(Box(inside=str(face), below=str(2 ** (face - 1))) for face in range(1, HEAT_FACES + 1)),
        note="each die counts as printed below it; 64 overheats",
        is_each=True,
    )


def state_ticks(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    """Return the states that can apply to it during a round."""
    names = [*STATES]
    if sheet.can_fortify:
        names.append("fortified")
    if sheet.peripheral and sheet.peripheral.kind == ONCE_PER_ROUND:
        names.append(f"{sheet.peripheral.name.lower()} used")
    return tuple((name, (False,)) for name in names)


def cripple_ticks() -> Ticks:
    return Ticks(items=tuple((f"{each.face} {each.name}", (False,)) for each in CATALOGUE.cripples.values()))


def ammo_ticks(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    """Return a box for each counted shot of a weapon, including the magazine's. BS-012, BS-113."""
    return tuple((f"{line.slot} shots", (False,) * line.ammo) for line in sheet.guns if line.ammo is not None)


def weapon_table(sheet: Datasheet) -> Table:
    """Return each weapon with a box to strike it out, then the strike, then the peripheral."""
    rows = [*(_weapon_row(line) for line in sheet.lines), strike_row(sheet)]
    if sheet.peripheral:
        rows.append(Row(name=sheet.peripheral_label, lead="p1", ticks=(False,), detail=sheet.peripheral.effect))
    return Table(title="Weapons", heads=WEAPON_HEADS, rows=tuple(rows), cell_mm=6.2)


def _weapon_row(line: MountedLine) -> Row:
    if line.is_melee:
        return Row(name=line.name, lead=line.slot, ticks=(False,), cells=(NO_BOXES,) * len(WEAPON_HEADS))
    numbers = (f'{line.range_in}"', str(line.rof), str(line.impact), str(line.damage), str(line.ap))
    detail = " · ".join([line.mount, *([line.trait_names] if line.traits else [])])
    return Row(name=line.name, lead=line.slot, ticks=(False,), cells=numbers, detail=detail)


def strike_row(sheet: Datasheet) -> Row:
    strike = sheet.strike
    return Row(name="Strike", cells=(NO_BOXES, str(strike.dice), NO_BOXES, str(strike.damage), str(strike.ap)))


def hits_table(sheet: Datasheet) -> Table:
    """Return the expected hits of each weapon's unanswered attack."""
    numbers = [number for number, _ in sheet.guns[0].expected] if sheet.guns else []
    return Table(
        title="Mean hits, unanswered",
        heads=tuple(f"TN {number}" for number in numbers),
        rows=tuple(
            Row(name=line.name, lead=line.slot, cells=tuple(format_decimal(hits) for _, hits in line.expected))
            for line in sheet.guns
        ),
        cell_mm=9.0,
    )


def footnote(sheet: Datasheet, detail: Detail = "brief") -> str:
    turns = " / ".join(f"{degrees}°" for _, degrees in sheet.turns)
    sinks = "improved" if sheet.has_improved_sinks else "normal"
    text = f'Turns {turns} · base {sheet.base_in}" · {sinks} heat sinks'
    return f"{text}\n{sheet.locomotion_effect}" if detail == "full" and sheet.locomotion_effect else text


def unit_back(detail: Detail = "brief", options: Options = BY_THE_BOOK) -> CardFace:
    """Return the back, which is the same for all Warmechs with these house rules."""
    return CardFace(
        title="Turn",
        kicker=f"{SYSTEM_NAME} · dice equal to or below the number",
        blocks=tuple(_full_back(options) if detail == "full" else _brief_back(options, detail)),
        notes=NOTES,
    )


def _brief_back(options: Options, detail: Detail) -> Iterator[Block]:
    actions = [action for action in actions_of(options) if not action.is_special]
    heats = sorted({action.heat for action in actions})
    entries = (Entry(name=f"{heat} heat" if heat else "No heat", text=_names(actions, heat)) for heat in heats)
    yield Entries(title="Actions, two a turn", entries=tuple(entries))
    shots = (f"{line.name} {_change(line)}" for line in CATALOGUE.shot_modifiers.values())
    yield Entries(title=f"Shooting: {SHOOTING_TN} or less", entries=(Entry(name="", text="; ".join(shots)),))
    strikes = (f"{line.name} {line.tn}" for line in CATALOGUE.strike_numbers.values())
    yield Entries(title="Striking", entries=(Entry(name="", text="; ".join(strikes)),))
    yield _cripples_of_both(options) if detail == "terse" else cripples(options)


def _names(actions: Sequence[Action], heat: int) -> str:
    return ", ".join(action.name for action in actions if action.heat == heat)


def _full_back(options: Options) -> Iterator[Block]:
    rows = (
        Row(name=action.name, cells=(str(action.heat) if action.heat else NO_BOXES,), detail=action.effect)
        for action in actions_of(options)
    )
    yield Table(title="Actions, two a turn", heads=("heat",), rows=tuple(rows), cell_mm=9.0)
    yield shot_table()
    yield cripples(options)


def shot_table() -> Table:
    rows = tuple(Row(name=line.name, cells=(_change(line),)) for line in CATALOGUE.shot_modifiers.values())
    return Table(title=f"Shooting: {SHOOTING_TN}", heads=("number",), rows=rows, cell_mm=11.0)


def _change(line: ShotModifier) -> str:
    """Return the change of the target number."""
    return "−n" if line.reduction is None else format_signed(-line.reduction)


def cripples(options: Options = BY_THE_BOOK) -> Entries:
    entries = tuple(Entry(lead=str(each.face), name=each.name, text=each.effect) for each in cripples_of(options))
    return Entries(title="Doubles cripple", entries=entries)


def _cripples_of_both(options: Options) -> Entries:
    """Return the crippling results; those that are equal left and right share a line: "3, 4 Locomotion (R, L)"."""
    found: dict[tuple[str, str], dict[str, str]] = {}  # (name, text) -> faces, each with its side
    for each in cripples_of(options):
        name, _, mark = each.name.rstrip(")").partition(" (")
        text = each.effect
        for side in ("right", "left"):
            text = text.replace(f"the {side} arm", "that arm").replace(f"the {side}", "that side")
        found.setdefault((name, text), {})[str(each.face)] = mark
    entries = []
    for (name, text), sides in found.items():
        marks = ", ".join(filter(None, sides.values()))
        entries.append(Entry(name=f"{', '.join(sides)} {name}{f' ({marks})' if marks else ''}", text=text))
    return Entries(title="Doubles cripple", entries=tuple(entries))


MM_PER_INCH = 25.4
ARC_LINES = tuple(sorted({line for arc in CATALOGUE.arcs.values() for line in (arc.least, arc.most)}))


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=sheet.weight,
        figure=str(sheet.structure),
        figure_label="Structure",
        unknown="",
        base_mm=sheet.base_in * MM_PER_INCH,
        arcs=ARC_LINES,
    )


FORTIFIED = 2  # replaces the reduction for cover. BS-058
FLANKS = (("front", 0), ("side", 1), ("rear", 2))  # with their reductions of armor. BS-161, BS-162
CRIPPLED_ARMOR = 1  # BS-154
NUMBER_CELL_MM, WAY_CELL_MM, ARMOR_CELL_MM = 10.0, 8.6, 9.4


def list_additions(sheet: Datasheet, options: Options = BY_THE_BOOK) -> tuple[Addition, ...]:
    """Return the additions, the most useful first."""
    return (
        Addition(block=enemies_table(sheet), brief=_enemies_brief(sheet)),
        Addition(block=moves_table(sheet, options), brief=_moves_brief(sheet, options)),
        Addition(block=armor_table(sheet), brief=_armor_brief(sheet)),
    )


def enemies_table(sheet: Datasheet) -> Table:
    """Return the target numbers for attackers and what changes them, with the rules."""
    return Table(
        title="Enemies to hit",
        heads=("number",),
        rows=tuple(_enemies(sheet)),
        cell_mm=NUMBER_CELL_MM,
    )


def _enemies(sheet: Datasheet) -> Iterator[Row]:
    yield Row(name="shooting, in the open (BS-120)", cells=(str(SHOOTING_TN),))
    cover = CATALOGUE.shot_modifiers["tn-cover"].reduction
    yield Row(name="it is in cover (BS-122)", cells=(format_signed(-(cover or 0)),))
    if sheet.can_fortify:
        yield Row(name="in cover and fortified (BS-058)", cells=(format_signed(-FORTIFIED),))
    worn = sheet.peripheral.slug if sheet.peripheral else ""
    if worn == "optical-camo":
        camo = CATALOGUE.shot_modifiers["tn-camo"].reduction
        yield Row(name="it has no heat die (BS-176)", cells=(format_signed(-(camo or 0)),))
    if worn == "smoke-canisters":
        yield Row(name="smoke: effective dice again (BS-175)", cells=(NO_BOXES,))
    impacts = {line.impact: line.name for line in reversed(sheet.guns) if line.impact}
    for impact, name in sorted(impacts.items()):
        yield Row(name=f"it fires {name} at them (BS-123)", cells=(format_signed(-impact),))
    melee = sheet.melee
    yield Row(
        name="striking, by their Melee (BS-136)",
        detail=f"above {melee}: 6; {melee}: 5; below {melee}: 4",
    )
    chance = percent(Fraction(min(sheet.dodge, 6), 6))
    yield Row(name=f"its dodge dice, {chance} each (BS-140)", cells=(str(sheet.dodge),))


def _enemies_brief(sheet: Datasheet) -> Entry:
    *shots, _, dodge = _enemies(sheet)
    parts = []
    for row in shots:
        name, _, _ = row.name.partition(" (")
        parts.append(" ".join((name.removeprefix("it is "), *(cell for cell in row.cells if cell != NO_BOXES))))
    melee = sheet.melee
    parts.append(f"strikes by their Melee above {melee} / {melee} / below: 6 / 5 / 4")
    parts.append(f"it dodges on {' '.join(dodge.cells)} or less")
    return Entry(name="Enemies to hit", text="; ".join(parts))


def moves_table(sheet: Datasheet, options: Options = BY_THE_BOOK) -> Table:
    """Return movement and dodge by how many Locomotion results apply. BS-155, BS-160."""
    rows = []
    for count, name in enumerate(("whole", "one Locomotion result", "both")):
        move = sheet.move_in >> count  # halved by each result, rounded down
        dodge = max(0, sheet.dodge - count)
        cells = (f'{move}"', f'to {move + sheet.sprint_in}"', f'{sheet.jump_in}"', str(dodge))
        detail = "45° less to its side; the Sprint's and the Jump's own inches stay (BS-155)" if count == 1 else ""
        if count > 1 and sheet.locomotion == "bipedal":
            cells = ('0"', 'to 0"', '0"', NO_BOXES) if options.biped_stands else (NO_BOXES,) * 4
            detail = "stands where it is (BS-160)" if options.biped_stands else "out of action (BS-160)"
        rows.append(Row(name=name, cells=cells, detail=detail))
    return Table(title="Move", heads=("move", "sprint", "jump", "dodge"), rows=tuple(rows), cell_mm=WAY_CELL_MM)


def _moves_brief(sheet: Datasheet, options: Options) -> Entry:
    """Return only the crippled values; the card already has the others."""
    _, one, both = moves_table(sheet, options).rows
    parts = [f"{one.name}: {_way(one)}"]
    parts.append(f"both: {both.detail.partition(' (')[0] or _way(both)}")
    return Entry(name="Move", text="; ".join(parts))


def _way(row: Row) -> str:
    move, sprint, jump, dodge = row.cells
    return f"move {move}, sprint {sprint}, jump {jump}, dodge {dodge}"


def armor_table(sheet: Datasheet) -> Table:
    """Return the highest damage die that the armor stops, by side attacked. BS-151, BS-154, BS-161, BS-162."""
    armors = [*(max(1, sheet.armor - less) for _, less in FLANKS), CRIPPLED_ARMOR]
    row = Row(
        name="stops dice up to",
        cells=tuple(map(str, armors)),
        under=tuple(percent(1 - unsaved_chance(armor - 1, armor)) for armor in armors),
        detail=f"AP as high or higher: a 1 alone, {percent(1 - unsaved_chance(armors[0], armors[0]))} (BS-151, BS-161, BS-162)",
    )
    heads = (*(name for name, _ in FLANKS), "crippled")
    return Table(title="Armor", heads=heads, rows=(row,), cell_mm=ARMOR_CELL_MM)


def _armor_brief(sheet: Datasheet) -> Entry:
    table = armor_table(sheet)
    (row,) = table.rows
    sides = zip(table.heads, row.cells, row.under, strict=True)
    chances = ", ".join(f"{head} {armor} ({chance})" for head, armor, chance in sides)
    alone, _, _ = row.detail.partition(" (")
    return Entry(name="Armor", text=f"{row.name}: {chances}; {alone}")
