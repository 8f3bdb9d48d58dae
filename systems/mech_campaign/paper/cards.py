"""The pocket card of a unit: its numbers on the front; costs, markers and resolve on the back (ledger 7)."""

from __future__ import annotations

from collections.abc import Sequence

from systems.figures import format_decimal, format_signed
from systems.legality import join_words
from systems.mech_campaign.build.chances import FACES, retreat_chance
from systems.mech_campaign.build.datasheet import COSTS, LOCK_BOXES, SUPPRESSION_BOXES, Datasheet
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import (
    DAMAGE_THAT_STAYS,
    DAMAGE_TO_ELIMINATE,
    SHOOTING_RANGE_H,
    Action,
    Marker,
    UnitKind,
)
from systems.mech_campaign.options import BY_THE_BOOK, Options
from systems.paper.blocks import Block, Box, CardFace, Cell, Detail, Entries, Entry, Row, Strip, Table, Ticks, Track
from systems.paper.metrics import isolated
from systems.paper.words import or_more, percent

from .house_rules import actions_by_house_rules

SYSTEM_NAME = "Mech Campaign"
NOTES = "Notes"
MARKER_WORDS = ("suppressed", "locked")
ACTIVATED = ("activated", (False,))
RULER_IN = (4, SHOOTING_RANGE_H // 100)  # a ground move and the distance that stops it, MC-047, MC-049; a shot, MC-070


def unit_front(sheet: Datasheet, detail: Detail = "brief") -> CardFace:
    blocks: list[Block] = [
        Strip(cells=cells(sheet)),
        Track(label="DAMAGE", boxes=damage_boxes(sheet.damage), is_large=True, says="hits_lost"),
        action_track(),
        Ticks(items=(ACTIVATED, *marker_ticks())),
        hit_table(sheet),
        Entries(title="Unit", entries=_entries(sheet)),
    ]
    if detail == "full":
        blocks.append(numbers_table(sheet))
    if sheet.is_piloted:
        pilot = sheet.pilot
        blocks.append(Entries(title="Pilot", note=f"{isolated(pilot.name)} · {pilot.rank_name}" if pilot else ""))
    return CardFace(
        title=sheet.name,
        kicker=_kicker(sheet),
        corner=str(sheet.points),
        corner_label="points",
        blocks=tuple(blocks),
        notes=NOTES,
        ruler_in=RULER_IN,
    )


def _kicker(sheet: Datasheet) -> str:
    kicker = [sheet.size_name]
    if is_named(sheet):
        kicker.append(isolated(sheet.design_name))
    if sheet.company:
        kicker.append(isolated(sheet.company))
    return " · ".join(kicker)


def is_named(sheet: Datasheet) -> bool:
    """Return whether the name of its design adds anything to the unit's name and its kind."""
    return sheet.design_name.casefold() not in (sheet.name.casefold(), sheet.size_name.casefold())


def _entries(sheet: Datasheet) -> tuple[Entry, ...]:
    entries = [Entry(name="Rules", text=sheet.line)]
    if can := abilities(sheet):
        entries.append(Entry(name="Can", text=can))
    if sheet.base_vehicle:
        entries.append(Entry(name="Base vehicle", text=isolated(sheet.base_vehicle)))
    if sheet.armament:
        entries.append(Entry(name="Armament", text=isolated(sheet.armament)))
    if sheet.in_workshop:
        entries.append(Entry(name="Workshop", text="starts with 1 damage"))
    return tuple(entries)


def abilities(sheet: Datasheet) -> str:
    """Return the actions of the unit besides moving and firing."""
    able = (("lock", sheet.can_lock), ("repair", sheet.can_repair), ("take special actions", sheet.can_special))
    return ", ".join(name for name, can in able if can)


def cells(sheet: Datasheet) -> tuple[Cell, ...]:
    hit = sheet.to_hit[0]
    return (
        Cell(label="MOVE", value=sheet.move, note="a turn"),
        Cell(label="FIRE", value=sheet.fire, note="front 180°"),
        Cell(label="TO HIT", value=or_more(hit.number), note=percent(hit.chance)),
    )


def damage_boxes(damage: int = 0) -> tuple[Box, ...]:
    """Return the damage boxes: the first can't be repaired, the last eliminates the unit."""
    notes = {DAMAGE_THAT_STAYS - 1: "stays", DAMAGE_TO_ELIMINATE - 1: "out"}
    return tuple(Box(is_marked=at < damage, below=notes.get(at, "")) for at in range(DAMAGE_TO_ELIMINATE))


def action_track() -> Track:
    """Return a box for each action of an activation, with its cost. MC-037."""
    return Track(label="ACTIONS", boxes=tuple(Box(inside=str(cost)) for cost in COSTS))


def marker_ticks() -> tuple[tuple[str, tuple[bool, ...]], ...]:
    counts = (SUPPRESSION_BOXES, LOCK_BOXES)
    return tuple((word, (False,) * count) for word, count in zip(MARKER_WORDS, counts, strict=True))


def hit_table(sheet: Datasheet) -> Table:
    rows = tuple(Row(name=hit.name, cells=(or_more(hit.number), percent(hit.chance))) for hit in sheet.to_hit)
    return Table(title="To hit", heads=("D6", "chance"), rows=rows, cell_mm=9.0)


def numbers_table(sheet: Datasheet) -> Table:
    """Return the table of reach and expected damage by action points."""
    damage = dict(sheet.expected_damage)
    rows = tuple(
        Row(
            name=f"{points} point{'s' if points > 1 else ''}",
            cells=(reach, format_decimal(damage[points]) if points in damage else ""),
        )
        for points, reach in sheet.reach
    )
    return Table(title="For action points", heads=("reach", "damage"), rows=rows, cell_mm=17.0)


def unit_back(detail: Detail = "brief", options: Options = BY_THE_BOOK) -> CardFace:
    """Return the back, which is the same for every unit under these house rules."""
    modifiers = (modifier_table(),) if detail == "full" else ()
    return CardFace(
        title="Turn",
        kicker=f"{SYSTEM_NAME} · action points: own units + D6",
        blocks=(actions(detail, options), markers(detail), *modifiers, resolve(options)),
        notes=NOTES,
    )


def actions(detail: Detail = "brief", options: Options = BY_THE_BOOK) -> Entries:
    """Return the actions; with full detail also the kinds of units that can take them."""
    kinds = [*CATALOGUE.unit_kinds.values()]
    entries = tuple(
        Entry(name=action.name, text=describe_action(action, kinds) if detail == "full" else action.effect)
        for action in actions_by_house_rules(options)
    )
    return Entries(title="Actions", entries=entries)


def can_take(slug: str, kind: UnitKind) -> bool:
    """Return whether a unit of that kind can ever take the action."""
    able = {"move": kind.can_move, "lock": kind.can_lock, "repair": kind.can_repair, "special": kind.can_special}
    return able.get(slug, True)


def describe_action(action: Action, kinds: Sequence[UnitKind]) -> str:
    """Describe an action, and which of these kinds of units can take it if not all can."""
    able = [f"{kind.name.lower()}s" for kind in kinds if can_take(action.slug, kind)]
    if len(able) == len(kinds):
        return action.effect
    who = join_words(able)
    return f"{action.effect} {who[:1].upper()}{who[1:]} only."


def markers(detail: Detail = "brief") -> Entries:
    entries = tuple(
        Entry(name=marker.name, text=describe_marker(marker) if detail == "full" else marker.effect)
        for marker in CATALOGUE.markers.values()
    )
    return Entries(title="Markers", entries=entries)


def describe_marker(marker: Marker) -> str:
    """Describe the effect of a marker, and its removal."""
    return f"{marker.effect} Removed: {marker.removed[:1].lower()}{marker.removed[1:]}"


def modifier_table() -> Table:
    rows = tuple(Row(name=line.name, cells=(format_signed(line.to_hit),)) for line in CATALOGUE.modifiers.values())
    return Table(title="To hit: 4+ on a D6", heads=("die",), rows=rows, cell_mm=9.0)


def resolve(options: Options = BY_THE_BOOK) -> Entries:
    """Return the faces at which a force retreats, for each loss."""
    bonus = options.resolve_bonus
    told = "; ".join(f"{lost}: {faces}" for lost, faces in retreats(DAMAGE_TO_ELIMINATE + 1, bonus) if faces)
    return Entries(title="Resolve", entries=(Entry(name="Retreats at loss", text=f"{told} on the D6."),))


def retreats(losses: int, bonus: int) -> tuple[tuple[int, str], ...]:
    """Return each loss up to `losses`, and the faces at which the force then retreats; empty: none. MC-101, MC-102."""
    worst = {lost: int(retreat_chance(lost, bonus) * len(FACES)) for lost in range(1, losses + 1)}
    return tuple((lost, "" if not face else "1" if face == 1 else f"1–{face}") for lost, face in worst.items())
