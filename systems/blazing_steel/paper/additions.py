"""Extra tables for a Warmech's card, if there is room: numbers of enemies, movement when crippled, armor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.blazing_steel.build.chances import unsaved_chance
from systems.blazing_steel.build.datasheet import Datasheet
from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import SHOOTING_TN
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.figures import format_signed
from systems.paper.blocks import Addition, Entry, Row, Table
from systems.paper.words import NO_BOXES, percent

FORTIFIED = 2  # replaces the reduction by cover. BS-058
FLANKS = (("front", 0), ("side", 1), ("rear", 2))  # with the reduction of armor. BS-161, BS-162
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
    """Return the target numbers of attackers and their changes, with the rules."""
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
    told = []
    for row in shots:
        name, _, _ = row.name.partition(" (")
        told.append(" ".join((name.removeprefix("it is "), *(cell for cell in row.cells if cell != NO_BOXES))))
    melee = sheet.melee
    told.append(f"strikes by their Melee above {melee} / {melee} / below: 6 / 5 / 4")
    told.append(f"it dodges on {' '.join(dodge.cells)} or less")
    return Entry(name="Enemies to hit", text="; ".join(told))


def moves_table(sheet: Datasheet, options: Options = BY_THE_BOOK) -> Table:
    """Return movement and dodge by the number of Locomotion results that apply. BS-155, BS-160."""
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
    """Return only the crippled values; the card already shows the others."""
    _, one, both = moves_table(sheet, options).rows
    told = [f"{one.name}: {_way(one)}"]
    told.append(f"both: {both.detail.partition(' (')[0] or _way(both)}")
    return Entry(name="Move", text="; ".join(told))


def _way(row: Row) -> str:
    move, sprint, jump, dodge = row.cells
    return f"move {move}, sprint {sprint}, jump {jump}, dodge {dodge}"


def armor_table(sheet: Datasheet) -> Table:
    """Return the highest damage die that the armor stops, by the side of the attack. BS-151, BS-154, BS-161, BS-162."""
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
    told = ", ".join(f"{head} {armor} ({chance})" for head, armor, chance in sides)
    alone, _, _ = row.detail.partition(" (")
    return Entry(name="Armor", text=f"{row.name}: {told}; {alone}")
