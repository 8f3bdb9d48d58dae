"""Cards of Meks, support units and support results, and their counters (ledger 2.11, 7.1, 7.2).

Unknown units, which are hidden Meks and decoys, are contacts (MM-082, MM-083).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from systems.artwork import SHAPES, silhouette
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.datasheet import support_card
from systems.meks_and_mercs.build.datasheet_lines import INCLUDED, Datasheet, PilotLine, SupportCard, WeaponLine
from systems.meks_and_mercs.catalogue import CATALOGUE, Level, Support, Terrain
from systems.meks_and_mercs.paper.additions import SUPPORT_TABLES, enemies_cell, with_aids
from systems.paper.blocks import (
    NO_BOXES,
    Block,
    Box,
    CardContent,
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
    count_boxes,
    or_more,
    percent,
    pluralize,
)
from systems.paper.metrics import isolated
from systems.text import MINUS, format_decimal, format_signed

HOT_BOXES = 3  # boxes printed beyond the heat limit
LEG_BOXES = 3
NOTES = "Notes"
WOUNDED = "wounded 5+"
VEHICLE_STATES = (  # MM-D33: crew for pilot, drive for leg
    ("crew wounded 5+", (False,)),
    (f"drive {MINUS}1", (False,) * LEG_BOXES),
    (f"computers {MINUS}1", (False,)),
)
WEAPON_HEADS = ("S", "M", "L", "heat")
WEAPON_CELL_MM = 5.6


def unit_front(sheet: Datasheet, detail: Detail = "brief") -> CardFace:
    blocks: list[Block] = [
        Strip(cells=cells(sheet)),
        Track(label="HITS", boxes=hit_boxes(sheet), note="crit on", is_large=True, says="hits_lost"),
        Track(label="HEAT", boxes=heat_boxes(sheet)),
        Ticks(items=state_ticks(sheet), says={WOUNDED: "wounded"}),
        _weapon_table(sheet, detail),
    ]
    if sheet.systems:
        blocks.append(Entries(title="Systems", entries=_system_entries(sheet, detail)))
    blocks.append(_pilot_block(sheet.pilot, detail))
    kicker = [sheet.size_name]
    if sheet.design_name.casefold() != sheet.name.casefold():
        kicker.append(isolated(sheet.design_name))
    if sheet.company:
        kicker.append(isolated(sheet.company))
    if sheet.printed_points is not None:
        kicker.append(f"printed {pluralize(sheet.printed_points, 'point')}")
    return CardFace(
        title=sheet.name,
        kicker=" · ".join(kicker),
        corner=str(sheet.points),
        corner_label="point" if sheet.points == 1 else "points",
        blocks=tuple(blocks),
        foot="\n".join(_small_print(sheet)) if detail == "full" else _sensor_line(sheet),
        notes=NOTES,
    )


def _pilot_block(pilot: PilotLine | None, detail: Detail) -> Entries:
    if pilot is None:
        return Entries(title="Pilot")  # a line for writing
    return Entries(
        title="Pilot",
        note=f"{isolated(pilot.name)} · {pilot.level_text}",
        entries=tuple(
            Entry(name=skill.name, text=skill.effect if detail == "full" else skill.brief) for skill in pilot.skills
        ),
    )


def _small_print(sheet: Datasheet) -> tuple[str, ...]:
    """Return rarely needed facts: sensors in full, expected Hits, infantry kills."""
    sensor = sheet.sensor
    masked_target, masked_id = sensor.masked_targeting, sensor.masked_id
    expected = " / ".join(format_decimal(number) for number in sheet.expected_hits)
    kills = f"; infantry kills {format_decimal(sheet.infantry_kills)} at Short" if sheet.infantry_kills else ""
    aids = f" {with_aids(sheet)}" if sheet.aids else ""
    return (
        f"{_sensor_line(sheet)} ({MINUS}1 at Medium, {MINUS}2 at Long)",
        f"Masked units: target to {masked_target.reach} on {or_more(masked_target.die)}, "
        f"ID to {masked_id.reach} on {or_more(masked_id.die)}",
        f"Hits a round S / M / L: {expected} against a 4+ save{aids}{kills}",
    )


def cells(sheet: Datasheet) -> tuple[Cell, ...]:
    moves = f"{sheet.movement_min} to {sheet.movement_max}, mean {format_decimal(sheet.movement_mean)}"
    fire = f"all fire {sheet.heat_all}"
    if sheet.heat_all_with_jets is not None:
        fire += f", jets {sheet.heat_all_with_jets}"
    to_hit = sheet.pilot.to_hit if sheet.pilot else 0
    enemies = enemies_cell(sheet)
    return (
        Cell(label="SAVE", value=f"{sheet.armor}+", note=_save_note(sheet)),
        Cell(label="MOVE", value=sheet.card.movement, note=moves),
        Cell(label="HEAT LIMIT", value=str(sheet.heat_limit), note=fire, is_loud=sheet.is_overheating),
        *((Cell(label="TO HIT", value=format_signed(to_hit), note=INCLUDED),) if to_hit else ()),
        *((enemies,) if enemies else ()),
    )


def _save_note(sheet: Datasheet) -> str:
    notes = [percent(sheet.save_chance)]
    notes += [f"{line.family} {percent(line.chance)}" for line in sheet.better_saves]
    return ", ".join(notes)


def hit_boxes(sheet: Datasheet) -> tuple[Box, ...]:
    """Return the boxes for Hits, crossed out from the left.

    The critical number below each box is for the Hit that crosses it out.
    """
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
    """Return the weapons in order of their first slot, at most four to a line."""
    groups: dict[tuple[str, int], list[WeaponLine]] = {}
    seen: dict[str, int] = {}
    for line in lines:
        at = seen.get(line.slug, 0)
        seen[line.slug] = at + 1
        groups.setdefault((line.slug, at // 4), []).append(line)
    return tuple(WeaponGroup(group[0], tuple(line.is_lost for line in group)) for group in groups.values())


def _weapon_table(sheet: Datasheet, detail: Detail) -> Table:
    rows = []
    for group in weapon_groups(sheet.weapons):
        line = group.line
        under: tuple[str, ...] = ()
        if line.kills:
            cells: tuple[str, ...] = ("", "", "", str(line.heat))
            special = f"infantry only, {line.kills} kills{' each' if len(group.lost) > 1 else ''} at Short"
            special += "".join(f"; {part}" for part in line.special.split("; ") if part != "infantry only")
        else:
            cells = (*(or_more(number) for number in line.numbers), str(line.heat))
            special = line.special
            if detail == "full":
                under = tuple("" if chance is None else percent(chance) for chance in line.hit_chances)
        if detail == "full" and not line.kills:
            special = "; ".join(filter(None, (f"{line.family} family", special)))
        rows.append(Row(name=group.name, cells=cells, under=under, ticks=group.lost, detail=special))
    if not rows:
        rows.append(Row(name="no weapons", cells=("", "", "", "")))
    return Table(title="Weapons", heads=WEAPON_HEADS, rows=tuple(rows), cell_mm=WEAPON_CELL_MM)


def _system_entries(sheet: Datasheet, detail: Detail) -> tuple[Entry, ...]:
    """Return the systems, equal ones on one line, with a box for each one that a critical hit can destroy."""
    groups: dict[str, list[bool]] = {}
    for line in sheet.systems:
        groups.setdefault(line.slug, []).append(line.is_lost)
    first = {line.slug: line for line in reversed(sheet.systems)}
    return tuple(
        Entry(
            name=f"{len(lost)} × {first[slug].name}" if len(lost) > 1 else first[slug].name,
            text=first[slug].effect if detail == "full" else first[slug].brief,
            ticks=tuple(lost) if first[slug].can_be_lost else (),
        )
        for slug, lost in groups.items()
    )


def state_ticks(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    track = sheet.track
    boxes = max(LEG_BOXES, track.legs)
    items = [
        (WOUNDED, (track.wounded,)),
        (describe_legs(track.legs), tuple(at < track.legs for at in range(boxes))),
        (f"computers {MINUS}1", (track.computers,)),
        ("dug in", (track.dug_in,)),
    ]
    if sheet.pilot and any(skill.slug == "damage-control" for skill in sheet.pilot.skills):
        items.append(("damage control used", (track.damage_control_used,)))
    return tuple(items)


def describe_legs(legs: int) -> str:
    """Describe the effect of each box of leg damage, and how many are already included in the movement."""
    first = "" if not legs else ", first counted in" if legs == 1 else f", first {legs} counted in"
    return f"legs {MINUS}1{first}"


def _sensor_line(sheet: Datasheet) -> str:
    sensor = sheet.sensor
    reach = f"{sensor.id_reach}, next zone" if sensor.id_adjacent_zones else sensor.id_reach
    return f"{sensor.name} sensors: target {sensor.targeting_reach}, ID {reach}, infantry {or_more(sensor.infantry)}"


def support_front(sheet: SupportCard) -> CardFace:
    kicker = " · ".join(filter(None, ("Support unit", isolated(sheet.company))))
    return CardFace(title=sheet.name, kicker=kicker, blocks=support_blocks(sheet), notes=NOTES)


def support_blocks(sheet: SupportCard) -> tuple[Block, ...]:
    """Return the blocks of a support unit's card below its name."""
    cells = []
    if sheet.armor:
        cells.append(Cell(label="SAVE", value=f"{sheet.armor}+"))
    if sheet.movement:
        cells.append(Cell(label="MOVE", value=sheet.movement))
    blocks: list[Block] = [Strip(cells=tuple(cells))] if cells else []
    if sheet.hits:
        boxes = tuple(Box(below=or_more(sheet.hits - at) if at < sheet.hits - 1 else "out") for at in range(sheet.hits))
        blocks.append(Track(label="HITS", boxes=boxes, note="crit on", is_large=True))
    if sheet.hits > 1:  # a unit with one Hit is destroyed before it can suffer a critical
        blocks.append(Ticks(items=VEHICLE_STATES))
    if sheet.kill_boxes:
        blocks.append(Track(label="KILLS", boxes=count_boxes(0)[: sheet.kill_boxes], is_large=True))
    if sheet.weapons:
        rows = tuple(_support_weapon(slug) for slug in CATALOGUE.support_units[sheet.slug].weapons)
        blocks.append(Table(title="Weapons", heads=WEAPON_HEADS, rows=rows, cell_mm=WEAPON_CELL_MM))
    if sheet.systems:
        entries = tuple(
            Entry(name=CATALOGUE.systems[slug].name, text=CATALOGUE.systems[slug].effect)
            for slug in CATALOGUE.support_units[sheet.slug].systems
        )
        blocks.append(Entries(title="Systems", entries=entries))
    if sheet.notes:
        blocks.append(Entries(title="Rules", entries=tuple(Entry(name="", text=note) for note in sheet.notes)))
    return tuple(blocks)


def _support_weapon(slug: str) -> Row:
    weapon = CATALOGUE.weapons[slug]
    cells = (*(or_more(number) for number in weapon.numbers), NO_BOXES)
    return Row(name=weapon.name, cells=cells, ticks=(False,), detail=weapon.special)


def back_tables() -> tuple[Entries, Table]:
    criticals = Entries(
        title="Critical hit",
        note="1d6",
        entries=tuple(
            Entry(lead=str(line.face), name=line.name, text=line.effect) for line in CATALOGUE.criticals.values()
        ),
    )
    terrain = Table(
        title="Terrain",
        heads=("move", "to hit", "heat limit"),
        cell_mm=9.5,
        rows=terrain_rows(tuple(CATALOGUE.terrain.values())),
    )
    return criticals, terrain


def unit_back(pilot: PilotLine | None, detail: Detail = "brief") -> CardFace:
    kills, games = (pilot.kills, pilot.games) if pilot else (0, 0)
    return _back(
        detail,
        Entries(title="Pilot track", note=_level_note(pilot)),
        Track(label="KILLS", boxes=count_boxes(kills)),
        Track(label="GAMES", boxes=count_boxes(games)),
        Ticks(items=tuple((f"{line['name']}: {line['text']}", (bool(line["has"]),)) for line in levels(pilot))),
    )


def support_back(detail: Detail = "brief") -> CardFace:
    """Return the back of the card for a unit without a pilot."""
    return _back(detail)


def _back(detail: Detail, *blocks: Block) -> CardFace:
    criticals, terrain = back_tables()
    after_a_hit = "Roll 1d6: more than the Hits left is a critical hit"
    rules: tuple[Block, ...] = (Entries(title="After a Hit", note=after_a_hit), criticals, terrain)
    if detail == "full":
        rules = (*rules, _infantry_kills())
    if detail == "terse":
        rules = (replace(criticals, title="After a Hit", note=f"{after_a_hit}, then 1d6"), _terrain_entries())
    return CardFace(title="Quick reference", kicker="Meks & Mercs", blocks=(*rules, *blocks), notes=NOTES)


def _terrain_entries() -> Entries:
    """Return a short terrain table."""
    parts = []
    for row in terrain_rows(tuple(CATALOGUE.terrain.values())):
        movement, to_hit, heat = row.cells
        parts.append(f"{row.name} {movement}/{to_hit}{f', heat limit {heat}' if heat else ''}")
    return Entries(title="Terrain", note="move/to hit", entries=(Entry(name="", text="; ".join(parts)),))


def _infantry_kills() -> Entries:
    entries = []
    for line in CATALOGUE.infantry_kills.values():
        if line.is_total:
            text = "the dice total, modified, is the number of kills"
        else:
            parts = [f"{line.one_from}+ 1 kill"] if line.one_from is not None else []
            parts += [f"{line.two_from}+ 2 kills"] if line.two_from is not None else []
            text = ", ".join(parts) or "none"
        entries.append(Entry(name=line.name, text=text))
    return Entries(title="Kills on infantry", note="each die, modified", entries=tuple(entries))


def terrain_rows(terrain: Sequence[Terrain]) -> tuple[Row, ...]:
    """Return the terrain rows, with equal effects on one line."""
    names: dict[tuple[int, int, int], list[str]] = {}
    for line in terrain:
        names.setdefault((line.movement, line.to_hit, line.heat_rating), []).append(line.name)
    return tuple(
        Row(
            name=", ".join(equal),
            cells=(format_signed(movement), format_signed(to_hit), format_signed(heat) if heat else ""),
        )
        for (movement, to_hit, heat), equal in names.items()
    )


def _level_note(pilot: PilotLine | None) -> str:
    return f"{pilot.level_name}, {pluralize(pilot.kills, 'kill')}, {pluralize(pilot.games, 'game')}" if pilot else ""


def levels(pilot: PilotLine | None) -> tuple[Mapping[str, object], ...]:
    """Return the levels that a pilot can reach, with their conditions and whether they are met."""
    order = list(CATALOGUE.levels)
    reached = order.index(pilot.level) if pilot else 0
    return tuple(
        {"name": level.name, "text": _needs(level), "has": order.index(level.slug) <= reached}
        for level in CATALOGUE.levels.values()
        if level.slug != order[0]
    )


def _needs(level: Level) -> str:
    needs = [pluralize(level.kills, "kill")] if level.kills else []
    needs += [pluralize(level.games, "game")] if level.games else []
    return ", ".join(needs)


def unit_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=SHAPES[silhouette(sheet.size)],
        figure=str(sheet.hits),
        figure_label="Hits",
    )


def support_counter(sheet: SupportCard) -> CounterContent:
    shape = silhouette(sheet.slug)
    return CounterContent(
        name=sheet.name,
        shape=shape,
        code=SHAPES[shape],
        figure=str(sheet.hits or sheet.kill_boxes or ""),
        figure_label="Hits" if sheet.hits else "Kills to remove",
    )


UNIT_RULE = "MM-088"  # the rule of all support vehicles


def result_card(result: Support, company: str, detail: Detail) -> CardContent:
    return CardContent(front=_result_front(result, company), back=_result_back(detail))


def _result_front(result: Support, company: str) -> CardFace:
    rules = SYSTEM.rulebook
    blocks: list[Block] = [
        Entries(title="When", entries=(Entry(name="", text=result.when),)),
        Entries(title="Effect", entries=(Entry(name="", text=result.effect),)),
    ]
    if result.rule != UNIT_RULE:
        blocks.append(Entries(title="In detail", entries=(Entry(name="", text=rules[result.rule].text),)))
    if result.unit:
        unit = support_card(result.unit, company)
        blocks.append(Entries(title="Unit", note=unit.name))
        blocks += support_blocks(unit)
        if unit.hits:
            blocks.append(Entries(title="Support units", entries=(Entry(name="", text=rules[UNIT_RULE].text),)))
    else:
        blocks.append(Ticks(items=(("used", (False,)),)))
    return CardFace(
        title=result.name,
        kicker=" · ".join(filter(None, ("Support", isolated(company)))),
        corner=f"{result.table}{result.face}",
        corner_label="support roll",
        blocks=tuple(blocks),
        notes=NOTES,
    )


def _result_back(detail: Detail) -> CardFace:
    """Return the support tables: the first die picks the table, the second the entry."""
    blocks = tuple(
        Entries(
            title=f"Table {table}",
            note=f"first die {faces}",
            entries=tuple(
                Entry(lead=str(result.face), name=result.name, text=result.effect if detail == "full" else "")
                for result in sorted(CATALOGUE.support.values(), key=lambda result: result.face)
                if result.table == table
            ),
        )
        for table, faces in SUPPORT_TABLES.items()
    )
    return CardFace(title="Support rolls", kicker="Meks & Mercs · two dice", blocks=blocks)
