"""Additions to a unit's card, if there is room: its average defence in each state."""

from __future__ import annotations

from collections.abc import Iterator

from systems.figures import format_decimal
from systems.mechastellar.build.chances import Pool, mean
from systems.mechastellar.build.datasheet import Datasheet, Defence
from systems.paper.blocks import Addition, Entry, Row, Table

COVER = 2  # ST-340
ADDITION_CELL_MM = 10.0


def list_additions(sheet: Datasheet) -> tuple[Addition, ...]:
    return (Addition(block=defence_table(sheet), brief=_defence_brief(sheet)),)


def defence_table(sheet: Datasheet) -> Table:
    """Return the mean DEF against Shooting and in Melee by situation, and attackers' bonuses. ST-114, ST-180 to ST-182."""
    return Table(title="Enemies to hit: mean DEF", heads=("evade", "melee"), rows=tuple(_rows(sheet)), cell_mm=ADDITION_CELL_MM)


def _defence_brief(sheet: Datasheet) -> Entry:
    """Return each situation without its rules, evading and in melee."""
    told = []
    for row, more in zip(_rows(sheet), ("", "", " and 2 Hits more", " and 2 Hits more"), strict=True):
        name, _, _ = row.name.partition(":")[0].partition(" (")
        told.append(f"{name} {' / '.join(row.cells)}{more}")
    return Entry(name="Mean DEF, evade / melee", text="; ".join(told))


def _rows(sheet: Datasheet) -> Iterator[Row]:
    guard = max(sheet.shield, sheet.barrier)
    cover = max(guard, COVER)
    yield Row(name="in the open", cells=_means(sheet, guard, guard))
    note = "" if cover > guard else "its own guard is as good"
    yield Row(name="in Cover (ST-340, ST-182)", cells=_means(sheet, cover, guard), detail=note)
    yield Row(
        name="from behind: Blindside (ST-301)",
        cells=_means(sheet, sheet.barrier, sheet.barrier),
        detail="no Shield, Cover or Support; attacks have 2 Hits more (ST-300)",
    )
    yield Row(
        name="shut down (ST-305)",
        cells=tuple(str(max(0, each.flat + sheet.shield)) for each in (sheet.evade, sheet.melee)),
        detail="no dice, no Barrier; attacks have 2 Hits more (ST-304)",
    )


def _means(sheet: Datasheet, evading: int, fighting: int) -> tuple[str, str]:
    return _mean(sheet.evade, evading), _mean(sheet.melee, fighting)


def _mean(defence: Defence, guard: int) -> str:
    """Return the mean with this guard, to one digit, as elsewhere on the card."""
    pool = Pool(
        dice=defence.drawn,
        flat=defence.flat + guard,
        success=defence.success,
        rerolls_ones=defence.rerolls_ones,
    )
    return format_decimal(mean(pool), 1)
