"""The extra table of a unit's card, if there is room: the numbers that enemies need to hit it."""

from __future__ import annotations

from collections.abc import Iterator

from systems.mech_campaign.build.chances import needed_number
from systems.mech_campaign.build.datasheet import Datasheet
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import UnitKind
from systems.paper.blocks import Addition, Entry, Row, Table
from systems.paper.words import NO_BOXES, or_more

SHOOTERS = ("heavy-mech", "drone", "gun-sentry")  # one kind for each number: mechs and tracks hit alike
HEADS = ("mech, track", "drone", "sentry")
CELL_MM = 11.0


def additions(sheet: Datasheet) -> tuple[Addition, ...]:
    return (Addition(block=enemies_table(sheet), brief=_enemies_brief(sheet)),)


def enemies_table(sheet: Datasheet) -> Table:
    """Return the numbers that enemies need, by their kind and the situation. MC-073 to MC-079."""
    return Table(
        title="Enemies to hit", heads=HEADS, rows=tuple(_rows(CATALOGUE.unit_kinds[sheet.size])), cell_mm=CELL_MM
    )


def _enemies_brief(sheet: Datasheet) -> Entry:
    """Return the same in one entry: one figure per situation for mechs and tracks, drones, sentries, or one if all are equal."""
    told = []
    for row in _rows(CATALOGUE.unit_kinds[sheet.size]):
        different = dict.fromkeys(row.cells)
        name, _, _ = row.name.partition(" (")
        told.append(f"{name} {' / '.join(row.cells if len(different) > 1 else different)}")
    return Entry(name="Enemies to hit", text=f"{', '.join(told)} (mech and track / drone / sentry)")


def _rows(target: UnitKind) -> Iterator[Row]:
    shooters = [CATALOGUE.unit_kinds[slug] for slug in SHOOTERS]
    yield Row(name="in the open", cells=tuple(or_more(needed_number(each)) for each in shooters))
    if not target.is_air:  # never in cover, and no enemy is on higher ground than it: MC-078, MC-079
        yield Row(
            name="in cover (MC-078)", cells=tuple(or_more(needed_number(each, in_cover=True)) for each in shooters)
        )
        heights = (NO_BOXES if each.is_air else or_more(needed_number(each, from_height=True)) for each in shooters)
        yield Row(name="from higher ground (MC-079)", cells=tuple(heights))
    yield Row(
        name="locked by another (MC-075)",
        cells=tuple(or_more(needed_number(each, is_locked=True)) for each in shooters),
    )
