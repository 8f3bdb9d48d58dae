"""The pocket card of a unit: the numbers in front, costs, markers and resolve on the back."""

from __future__ import annotations

from rosters.printing.blocks import Block, Box, CardFace, Cell, Entries, Entry, Row, Strip, Table, Ticks, Track
from rosters.systems.mech_campaign.catalogue import CATALOGUE
from rosters.systems.mech_campaign.catalogue.types import DAMAGE_THAT_STAYS
from rosters.systems.mech_campaign.chances import FACES, retreat_chance
from rosters.systems.mech_campaign.datasheet import Datasheet


def front(sheet: Datasheet) -> CardFace:
    kicker = [sheet.size_name]
    if sheet.design_name.casefold() not in (sheet.name.casefold(), sheet.size_name.casefold()):
        kicker.append(sheet.design_name)
    if sheet.company:
        kicker.append(sheet.company)
    entries = [Entry(name="Rules", text=sheet.line)]
    if words(sheet):
        entries.append(Entry(name="Can", text=words(sheet)))
    if sheet.base_vehicle:
        entries.append(Entry(name="Base vehicle", text=sheet.base_vehicle))
    if sheet.armament:
        entries.append(Entry(name="Armament", text=sheet.armament))
    blocks: list[Block] = [
        Strip(cells=cells(sheet)),
        Track(label="DMG", boxes=damage_boxes(sheet), is_large=True),
        Ticks(items=marker_ticks(sheet)),
        hit_table(sheet),
        Entries(title="Unit", entries=tuple(entries)),
    ]
    if sheet.is_piloted:
        pilot = sheet.pilot
        blocks.append(Entries(title="Pilot", note=f"{pilot.name} · {pilot.rank_name}" if pilot else ""))
    return CardFace(
        title=sheet.name,
        kicker=" · ".join(kicker),
        corner=str(sheet.points),
        corner_label="points",
        blocks=tuple(blocks),
        foot=f"Actions cost {sheet.costs}",
    )


def back() -> CardFace:
    """The same for every unit."""
    return CardFace(title="Turn", kicker="Mech Campaign", blocks=(_actions(), _markers(), _resolve()))


def words(sheet: Datasheet) -> str:
    """What the unit may do beside moving and firing."""
    able = (("lock", sheet.can_lock), ("repair", sheet.can_repair), ("take special actions", sheet.can_special))
    return ", ".join(name for name, can in able if can)


def cells(sheet: Datasheet) -> tuple[Cell, ...]:
    return (
        Cell(label="MOVE", value=sheet.move),
        Cell(label="FIRE", value=sheet.fire, note="front 180°"),
        Cell(label="TO HIT", value=f"{sheet.to_hit[0].number}+", note=f"{float(sheet.to_hit[0].chance):.0%}"),
    )


def damage_boxes(sheet: Datasheet) -> tuple[Box, ...]:
    """The first stays whatever is repaired, the last is the end."""
    notes = {DAMAGE_THAT_STAYS - 1: "stays", sheet.hits - 1: "out"}
    return tuple(Box(is_marked=at < sheet.damage, below=notes.get(at, "")) for at in range(sheet.hits))


def marker_ticks(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    return (
        ("suppressed", (False,) * sheet.suppression_boxes),
        ("locked", (False,) * sheet.lock_boxes),
    )


def hit_table(sheet: Datasheet) -> Table:
    rows = tuple(Row(name=hit.name, cells=(f"{hit.number}+", f"{float(hit.chance):.0%}")) for hit in sheet.to_hit)
    return Table(title="To hit", heads=("D6", "chance"), rows=rows, cell_mm=9.0)


def _actions() -> Table:
    rows = [Row(name=action.name, detail=action.effect) for action in CATALOGUE.actions.values()]
    return Table(title="Actions", heads=(), rows=tuple(rows))


def _markers() -> Entries:
    entries = tuple(Entry(name=marker.name, text=marker.effect) for marker in CATALOGUE.markers.values())
    return Entries(title="Markers", entries=entries)


def _resolve() -> Entries:
    """At which faces a force retreats, loss by loss."""
    faces = {lost: retreat_chance(lost) * len(FACES) for lost in range(1, 6)}
    text = "; ".join(f"{lost}: {'1' if worst == 1 else f'1 to {worst}'}" for lost, worst in faces.items() if worst)
    return Entries(title="Resolve", entries=(Entry(name="Retreats at loss", text=f"{text} on the D6."),))
