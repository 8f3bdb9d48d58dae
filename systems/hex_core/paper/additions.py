"""Extra tables for a machine's card, if there is room: its evasion, and its numbers after the loss of areas."""

from __future__ import annotations

from fractions import Fraction

from systems.figures import format_signed
from systems.hex_core.build.chances import FACES, faces_that_evade
from systems.hex_core.build.datasheet import Datasheet
from systems.hex_core.catalogue import CATALOGUE
from systems.paper.blocks import Addition, Entry, Row, Table
from systems.paper.words import NO_BOXES, percent

LEG_PENALTY = 2  # on ASL and EVA. HX-113
HEAD_PENALTY = 2  # on ACC. HX-110
EVADE_CELL_MM, STATE_CELL_MM = 11.0, 8.4


def list_additions(sheet: Datasheet) -> tuple[Addition, ...]:
    """Return the additions, the most useful first."""
    return (
        Addition(block=evasion_table(sheet), brief=_evasion_brief(sheet)),
        Addition(block=state_table(sheet)),  # has no brief form, as the foot of the card has its contents
    )


def evasion_table(sheet: Datasheet) -> Table:
    """Return the numbers its die needs to evade, by level, and what prevents it. HX-086, HX-087, HX-156 to HX-161."""
    leg, flank = _leg_lost(sheet), _flank_damage(sheet)
    rows = _evasions(sheet)
    rows.append(Row(name="no evasion", detail="of an 8 to hit, or kneeling, prone, down, held (HX-006, HX-086)"))
    rows.append(
        Row(
            name="damage",
            detail=f"{flank} more from its Flank (HX-077); in blue hexes kinetic damage halved first (HX-091, HX-146)",
        )
    )
    return Table(title="Enemies to hit: it evades", heads=("whole", leg), rows=tuple(rows), cell_mm=EVADE_CELL_MM)


def _leg_lost(sheet: Datasheet) -> str:
    return "wing lost" if sheet.is_vehicle else "leg lost"


def _flank_damage(sheet: Datasheet) -> int:
    return 1 if any(each.name == CATALOGUE.traits["wary"].name for each in sheet.traits) else 2


def _evasions(sheet: Datasheet) -> list[Row]:
    levels: dict[int, list[int]] = {}
    for each in CATALOGUE.elevations.values():
        levels.setdefault(each.evasion, []).append(each.level)
    return [_evasion(sheet, bonus, found) for bonus, found in sorted(levels.items())]


def _evasion_brief(sheet: Datasheet) -> Entry:
    told = (f"{row.name} on {' / '.join(row.cells)}" for row in _evasions(sheet))
    return Entry(
        name=f"It evades, whole / {_leg_lost(sheet)}",
        text=f"{'; '.join(told)}; never an 8, and never while it kneels, lies, is down or is held; "
        f"{_flank_damage(sheet)} more damage from its Flank",
    )


def _evasion(sheet: Datasheet, bonus: int, levels: list[int]) -> Row:
    """Return the number on the D8 at these levels, whole and without a leg; the levels' bonus counts on the die."""
    numbers = [max(1, sheet.evasion - bonus), max(1, sheet.evasion + LEG_PENALTY - bonus)]
    return Row(
        name=f"level {', '.join(_level(level) for level in levels)}",
        cells=tuple(f"{number}+" if number <= FACES else NO_BOXES for number in numbers),
        under=tuple(percent(Fraction(faces_that_evade(number), FACES)) for number in numbers),
    )


def _level(level: int) -> str:
    return format_signed(level) if level else "0"


def state_table(sheet: Datasheet) -> Table:
    """Return movement and numbers after the loss of areas. HX-109 to HX-114."""
    leg, legs = ("outer wing lost", "both outer wings") if sheet.is_vehicle else ("leg lost", "both legs lost")
    head = "tail lost" if sheet.is_vehicle else "head lost"
    accuracy = sheet.accuracy if sheet.ironside else sheet.accuracy + HEAD_PENALTY
    assault, evasion = sheet.assault + LEG_PENALTY, sheet.evasion + LEG_PENALTY
    states = (
        ("whole", sheet.movement, sheet.accuracy, sheet.assault, sheet.evasion),
        (f"{head} (HX-110)", sheet.movement, accuracy, sheet.assault, sheet.evasion),
        (f"{leg} (HX-113)", max(1, sheet.movement - 1), sheet.accuracy, assault, evasion),
        (f"{legs} (HX-114)", 1, sheet.accuracy, assault, evasion),
    )
    rows = tuple(
        Row(name=name, cells=(str(movement), *(f"{number}+" for number in numbers)))
        for name, movement, *numbers in states
    )
    return Table(title="By state", heads=("SM", "ACC", "ASL", "EVA"), rows=rows, cell_mm=STATE_CELL_MM)
