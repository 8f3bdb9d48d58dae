"""The pocket card of a Mek or a support unit (ledger 7.1, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rosters.printing.blocks import Block, Box, CardFace, Cell, Entries, Entry, Row, Strip, Table, Ticks, Track
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE
from rosters.systems.meks_and_mercs.catalogue.types import Level, Terrain
from rosters.systems.meks_and_mercs.datasheet import Datasheet, PilotLine, SupportCard, WeaponLine

from .words import MINUS, decimal, or_more, percent, signed, typeset

HOT_BOXES = 3  # printed beyond the heat limit
KILL_BOXES = 10  # what Elite asks for, in kills and in games
LEG_BOXES = 3


def unit_front(sheet: Datasheet) -> CardFace:
    pilot = sheet.pilot
    blocks: list[Block] = [
        Strip(cells=cells(sheet)),
        Track(label="HITS", boxes=hit_boxes(sheet), note="crit on", is_large=True),
        Track(label="HEAT", boxes=heat_boxes(sheet)),
        Ticks(items=state_ticks(sheet)),
        _weapon_table(sheet),
    ]
    if sheet.systems:
        blocks.append(Entries(title="Systems", entries=_system_entries(sheet)))
    if pilot:
        level = [pilot.level_name, *([f"{signed(pilot.movement)} move"] if pilot.movement else [])]
        if pilot.to_hit:
            level.append(f"{signed(pilot.to_hit)} to hit")
        blocks.append(
            Entries(
                title="Pilot",
                note=f"{pilot.name} · {', '.join(level)}",
                entries=tuple(Entry(name=skill.name, text=typeset(skill.effect)) for skill in pilot.skills),
            )
        )
    else:
        blocks.append(Entries(title="Pilot"))  # a rule to write on
    kicker = [sheet.size_name]
    if sheet.design_name.casefold() != sheet.name.casefold():
        kicker.append(sheet.design_name)
    if sheet.company:
        kicker.append(sheet.company)
    return CardFace(
        title=sheet.name,
        kicker=" · ".join(kicker),
        corner=str(sheet.points),
        corner_label="point" if sheet.points == 1 else "points",
        blocks=tuple(blocks),
        foot=_sensor_line(sheet),
    )


def cells(sheet: Datasheet) -> tuple[Cell, ...]:
    moves = f"{sheet.movement_min} to {sheet.movement_max}, mean {decimal(sheet.movement_mean, 1)}"
    fire = f"all fire {sheet.heat_all}"
    if sheet.heat_all_with_jets is not None:
        fire += f", jets {sheet.heat_all_with_jets}"
    to_hit = sheet.pilot.to_hit if sheet.pilot else 0
    return (
        Cell(label="SAVE", value=f"{sheet.armor}+", note=_save_note(sheet)),
        Cell(label="MOVE", value=typeset(sheet.card.movement), note=moves),
        Cell(label="HEAT LIMIT", value=str(sheet.heat_limit), note=fire, is_loud=sheet.is_overheating),
        *((Cell(label="TO HIT", value=signed(to_hit), note="pilot"),) if to_hit else ()),
    )


def _save_note(sheet: Datasheet) -> str:
    notes = [percent(sheet.save_chance)]
    notes += [f"{line.family} {percent(line.chance)}" for line in sheet.better_saves]
    return ", ".join(notes)


def hit_boxes(sheet: Datasheet) -> tuple[Box, ...]:
    """Crossed out from the left; below each the critical number of the Hit that crosses it out."""
    lost = sheet.hits - sheet.hits_left
    critical_on = {line.hits_left: or_more(line.face) for line in sheet.criticals}
    return tuple(
        Box(is_marked=at < lost, below=critical_on.get(sheet.hits - at - 1, "out")) for at in range(sheet.hits)
    )


def heat_boxes(sheet: Datasheet) -> tuple[Box, ...]:
    safe = tuple(
        Box(inside=str(number), is_marked=number <= sheet.track.carried_heat)
        for number in range(1, sheet.heat_limit + 1)
    )
    return safe + tuple(Box(inside=f"+{over}", is_hot=True) for over in range(1, HOT_BOXES + 1))


@dataclass(frozen=True, slots=True)
class WeaponGroup:
    """Equal weapons of one Mek, printed on one line with a box each."""

    line: WeaponLine
    lost: tuple[bool, ...]

    @property
    def name(self) -> str:
        count = len(self.lost)
        return f"{count} × {self.line.name}" if count > 1 else self.line.name


def weapon_groups(lines: Sequence[WeaponLine]) -> tuple[WeaponGroup, ...]:
    """Weapons in order of their first slot, at most four to a line."""
    groups: dict[tuple[str, int], list[WeaponLine]] = {}
    seen: dict[str, int] = {}
    for line in lines:
        at = seen.get(line.slug, 0)
        seen[line.slug] = at + 1
        groups.setdefault((line.slug, at // 4), []).append(line)
    return tuple(WeaponGroup(group[0], tuple(line.is_lost for line in group)) for group in groups.values())


def _weapon_table(sheet: Datasheet) -> Table:
    rows = []
    for group in weapon_groups(sheet.weapons):
        line = group.line
        cells: tuple[str, ...]
        if line.kills:
            cells = ("", "", "", str(line.heat))
            detail = f"infantry only, {line.kills} kills at Short"
            detail += "".join(f"; {part}" for part in line.special.split("; ") if part != "infantry only")
        else:
            cells = (*(or_more(number) for number in line.numbers), str(line.heat))
            detail = line.special
        rows.append(Row(name=group.name, cells=cells, ticks=group.lost, detail=typeset(detail)))
    if not rows:
        rows.append(Row(name="no weapons", cells=("", "", "", "")))
    return Table(title="Weapons", heads=("S", "M", "L", "heat"), rows=tuple(rows), cell_mm=5.6)


def _system_entries(sheet: Datasheet) -> tuple[Entry, ...]:
    """Equal systems on one line; a box for each that a critical hit can take."""
    groups: dict[str, list[bool]] = {}
    for line in sheet.systems:
        groups.setdefault(line.slug, []).append(line.is_lost)
    first = {line.slug: line for line in reversed(sheet.systems)}
    return tuple(
        Entry(
            name=f"{len(lost)} × {first[slug].name}" if len(lost) > 1 else first[slug].name,
            text=typeset(first[slug].brief),
            ticks=tuple(lost) if first[slug].can_be_lost else (),
        )
        for slug, lost in groups.items()
    )


def state_ticks(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    track = sheet.track
    boxes = max(LEG_BOXES, track.legs)
    items = [
        ("wounded 5+", (track.wounded,)),
        (f"legs {MINUS}1", tuple(at < track.legs for at in range(boxes))),
        (f"computers {MINUS}1", (track.computers,)),
        ("dug in", (track.dug_in,)),
    ]
    if sheet.pilot and any(skill.slug == "damage-control" for skill in sheet.pilot.skills):
        items.append(("damage control used", (track.damage_control_used,)))
    return tuple(items)


def _sensor_line(sheet: Datasheet) -> str:
    sensor = sheet.sensor
    reach = f"{sensor.id_reach}, next zone" if sensor.id_adjacent_zones else sensor.id_reach
    return f"{sensor.name} sensors: target {sensor.targeting_reach}, ID {reach}, infantry {or_more(sensor.infantry)}"


def support_front(sheet: SupportCard) -> CardFace:
    cells = []
    if sheet.armor:
        cells.append(Cell(label="SAVE", value=f"{sheet.armor}+"))
    if sheet.movement:
        cells.append(Cell(label="MOVE", value=sheet.movement))
    blocks: list[Block] = [Strip(cells=tuple(cells))] if cells else []
    if sheet.hits:
        boxes = tuple(Box(below=or_more(sheet.hits - at) if at < sheet.hits - 1 else "out") for at in range(sheet.hits))
        blocks.append(Track(label="HITS", boxes=boxes, note="crit on", is_large=True))
    if sheet.kill_boxes:
        blocks.append(Track(label="KILLS", boxes=count_boxes(0)[: sheet.kill_boxes], is_large=True))
    for title, lines in (("Weapons", sheet.weapons), ("Systems", sheet.systems)):
        if lines:
            blocks.append(
                Entries(title=title, entries=tuple(Entry(name=typeset(line), ticks=(False,)) for line in lines))
            )
    if sheet.notes:
        blocks.append(Entries(title="Notes", entries=tuple(Entry(name="", text=typeset(note)) for note in sheet.notes)))
    return CardFace(
        title=sheet.name, kicker=" · ".join(filter(None, ("Support unit", sheet.company))), blocks=tuple(blocks)
    )


def back_tables() -> tuple[Entries, Table]:
    criticals = Entries(
        title="Critical hit",
        note="1d6",
        entries=tuple(
            Entry(lead=str(line.face), name=line.name, text=typeset(line.effect))
            for line in CATALOGUE.criticals.values()
        ),
    )
    terrain = Table(
        title="Terrain",
        heads=("move", "to hit", "heat limit"),
        cell_mm=9.5,
        rows=terrain_rows(tuple(CATALOGUE.terrain.values())),
    )
    return criticals, terrain


def back(pilot: PilotLine | None) -> CardFace:
    criticals, terrain = back_tables()
    kills, games = (pilot.kills, pilot.games) if pilot else (0, 0)
    track: list[Block] = [
        Entries(title="Pilot track", note=_level_note(pilot)),
        Track(label="KILLS", boxes=count_boxes(kills)),
        Track(label="GAMES", boxes=count_boxes(games)),
        Ticks(items=tuple((f"{line['name']}: {line['text']}", (bool(line["has"]),)) for line in levels(pilot))),
    ]
    return CardFace(
        title="Quick reference",
        kicker="Meks & Mercs",
        blocks=(
            Entries(title="After a Hit", note="1d6 above the Hits left is a critical hit"),
            criticals,
            terrain,
            *track,
        ),
    )


def terrain_rows(terrain: Sequence[Terrain]) -> tuple[Row, ...]:
    """Terrain with equal effects on one line."""
    names: dict[tuple[int, int, int], list[str]] = {}
    for line in terrain:
        names.setdefault((line.movement, line.to_hit, line.heat_rating), []).append(line.name)
    return tuple(
        Row(name=", ".join(equal), cells=(signed(movement), signed(to_hit), signed(heat) if heat else ""))
        for (movement, to_hit, heat), equal in names.items()
    )


def count_boxes(count: int) -> tuple[Box, ...]:
    """Ten boxes to go on counting in: the first ten, or those that follow the last full ten."""
    start = (count - 1) // KILL_BOXES * KILL_BOXES if count > KILL_BOXES else 0
    return tuple(
        Box(inside=str(start + number) if start < 990 else "", is_marked=start + number <= count)
        for number in range(1, KILL_BOXES + 1)
    )


def _level_note(pilot: PilotLine | None) -> str:
    return f"{pilot.level_name}, {pilot.kills} kills, {pilot.games} games" if pilot else ""


def levels(pilot: PilotLine | None) -> tuple[Mapping[str, object], ...]:
    """The levels a pilot can rise to, what each asks for, and whether he has it."""
    order = list(CATALOGUE.levels)
    reached = order.index(pilot.level) if pilot else 0
    return tuple(
        {"name": level.name, "text": _needs(level), "has": order.index(level.slug) <= reached}
        for level in CATALOGUE.levels.values()
        if level.slug != order[0]
    )


def _needs(level: Level) -> str:
    needs = [f"{level.kills} kills"] if level.kills else []
    needs += [f"{level.games} game{'s' if level.games > 1 else ''}"] if level.games else []
    return ", ".join(needs)


def beyond_boxes(count: int) -> str:
    """The count itself, once the boxes do not show it."""
    return str(count) if count > KILL_BOXES else ""
