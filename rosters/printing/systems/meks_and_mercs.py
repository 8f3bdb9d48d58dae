"""Meks & Mercs on paper: the pocket card and the datasheet of a Mek (ledger 7.1 to 7.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rosters.documents import unknown_slug
from rosters.printing.blocks import (
    Block,
    Box,
    CardContent,
    CardFace,
    Cell,
    Entries,
    Entry,
    Row,
    Strip,
    Table,
    Ticks,
    Track,
)
from rosters.printing.systems.base import SystemPaper
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE
from rosters.systems.meks_and_mercs.catalogue.types import Level, Terrain
from rosters.systems.meks_and_mercs.datasheet import Datasheet, PilotLine, SupportCard, WeaponLine, support_card

MINUS = "\u2212"
NONE = "\u2013"
HOT_BOXES = 3  # printed beyond the heat limit
KILL_BOXES = 10  # what Elite asks for, in kills and in games
LEG_BOXES = 3
BAND_LETTERS = ("S", "M", "L")


class MeksAndMercsPaper(SystemPaper):
    sheet_template = "print/systems/meks-and-mercs/sheet.html"

    def card(self, sheet: Datasheet | SupportCard) -> CardContent:
        if isinstance(sheet, SupportCard):
            return CardContent(front=_support_front(sheet), back=_back(None))
        return CardContent(front=_front(sheet), back=_back(sheet.pilot))

    def support_sheet(self, slug: str, path: str, *, company: str = "") -> SupportCard:
        if slug not in CATALOGUE.support_units:
            raise unknown_slug(path, "support unit", slug, CATALOGUE.support_units)
        return support_card(slug, company)

    def sheet_context(self, sheet: Datasheet) -> Mapping[str, object]:
        return _sheet_context(sheet)


# --- words and numbers ------------------------------------------------------------------------------------------------


def signed(number: int) -> str:
    """`+1`, `−2`, `±0`."""
    return f"+{number}" if number > 0 else f"{MINUS}{-number}" if number else "±0"


def typeset(text: str) -> str:
    """Hyphens in front of figures as minus signs, as print wants them."""
    return "".join(
        MINUS if char == "-" and text[at + 1 : at + 2].isdigit() and not text[at - 1 : at].isalnum() else char
        for at, char in enumerate(text)
    )


def decimal(number: Fraction, digits: int = 2) -> str:
    """A fraction as a short decimal."""
    return f"{float(number):.{digits}f}".rstrip("0").rstrip(".") or "0"


def percent(chance: Fraction) -> str:
    return f"{round(float(chance) * 100)}%"


def or_more(face: int | None) -> str:
    return f"{face}+" if face is not None else NONE


# --- card -------------------------------------------------------------------------------------------------------------


def _front(sheet: Datasheet) -> CardFace:
    pilot = sheet.pilot
    blocks: list[Block] = [
        Strip(cells=_cells(sheet)),
        Track(label="HITS", boxes=_hit_boxes(sheet), note="crit on", is_large=True),
        Track(label="HEAT", boxes=_heat_boxes(sheet)),
        Ticks(items=_state_ticks(sheet)),
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


def _cells(sheet: Datasheet) -> tuple[Cell, ...]:
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


def _hit_boxes(sheet: Datasheet) -> tuple[Box, ...]:
    """Crossed out from the left; below each the critical number of the Hit that crosses it out."""
    lost = sheet.hits - sheet.hits_left
    critical_on = {line.hits_left: or_more(line.face) for line in sheet.criticals}
    return tuple(
        Box(is_marked=at < lost, below=critical_on.get(sheet.hits - at - 1, "out")) for at in range(sheet.hits)
    )


def _heat_boxes(sheet: Datasheet) -> tuple[Box, ...]:
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


def _state_ticks(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
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


def _support_front(sheet: SupportCard) -> CardFace:
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
        blocks.append(Track(label="KILLS", boxes=_count_boxes(0)[: sheet.kill_boxes], is_large=True))
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


def _back_tables() -> tuple[Entries, Table]:
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
        rows=_terrain_rows(tuple(CATALOGUE.terrain.values())),
    )
    return criticals, terrain


def _back(pilot: PilotLine | None) -> CardFace:
    criticals, terrain = _back_tables()
    kills, games = (pilot.kills, pilot.games) if pilot else (0, 0)
    track: list[Block] = [
        Entries(title="Pilot track", note=_level_note(pilot)),
        Track(label="KILLS", boxes=_count_boxes(kills)),
        Track(label="GAMES", boxes=_count_boxes(games)),
        Ticks(items=tuple((f"{line['name']}: {line['text']}", (bool(line["has"]),)) for line in _levels(pilot))),
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


def _terrain_rows(terrain: Sequence[Terrain]) -> tuple[Row, ...]:
    """Terrain with equal effects on one line."""
    names: dict[tuple[int, int, int], list[str]] = {}
    for line in terrain:
        names.setdefault((line.movement, line.to_hit, line.heat_rating), []).append(line.name)
    return tuple(
        Row(name=", ".join(equal), cells=(signed(movement), signed(to_hit), signed(heat) if heat else ""))
        for (movement, to_hit, heat), equal in names.items()
    )


def _count_boxes(count: int) -> tuple[Box, ...]:
    """Ten boxes to go on counting in: the first ten, or those that follow the last full ten."""
    start = (count - 1) // KILL_BOXES * KILL_BOXES if count > KILL_BOXES else 0
    return tuple(
        Box(inside=str(start + number) if start < 990 else "", is_marked=start + number <= count)
        for number in range(1, KILL_BOXES + 1)
    )


def _level_note(pilot: PilotLine | None) -> str:
    return f"{pilot.level_name}, {pilot.kills} kills, {pilot.games} games" if pilot else ""


def _levels(pilot: PilotLine | None) -> tuple[Mapping[str, object], ...]:
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


def _beyond_boxes(count: int) -> str:
    """The count itself, once the boxes do not show it."""
    return str(count) if count > KILL_BOXES else ""


# --- datasheet --------------------------------------------------------------------------------------------------------


LONG_NAME = 24
LONG_SKILLS = 6


def _sheet_context(sheet: Datasheet) -> Mapping[str, object]:
    pilot = sheet.pilot
    criticals, terrain = _back_tables()
    identity = [f"{sheet.size_name} Mek", *([sheet.design_name] if sheet.design_name else [])]
    return {
        "sheet": sheet,
        "kicker": " · ".join(["Meks & Mercs datasheet", *([sheet.company] if sheet.company else [])]),
        "identity": " · ".join(identity),
        "is_long": len(sheet.name) > LONG_NAME,
        "cells": _sheet_cells(sheet),
        "hits": _hit_boxes(sheet),
        "heat": _heat_boxes(sheet),
        "states": (*_state_ticks(sheet), *_carried_heat(sheet)),
        "weapons": tuple(_sheet_weapon(group) for group in weapon_groups(sheet.weapons)),
        "systems": _sheet_systems(sheet),
        "sensors": _sensor_facts(sheet),
        "numbers": _numbers(sheet),
        "pilot_note": _pilot_note(pilot) if pilot else "",
        "skills": tuple(Entry(name=skill.name, text=typeset(skill.effect)) for skill in pilot.skills) if pilot else (),
        "is_long_pilot": pilot is not None and len(pilot.skills) > LONG_SKILLS,
        "no_skills": "No skills." if pilot else "No pilot: fights as a Regular.",
        "kills": _count_boxes(pilot.kills if pilot else 0),
        "games": _count_boxes(pilot.games if pilot else 0),
        "kills_note": _beyond_boxes(pilot.kills if pilot else 0),
        "games_note": _beyond_boxes(pilot.games if pilot else 0),
        "levels": _levels(pilot),
        "criticals": criticals.entries,
        "terrain": terrain.rows,
        "remarks": (
            *(f"{note[:1].upper()}{note[1:]}." for note in sheet.notes),
            *(f"House rule: {rule}." for rule in sheet.house_rules),
        ),
    }


def _sheet_cells(sheet: Datasheet) -> tuple[Cell, ...]:
    pilot = sheet.pilot
    pilot_cell = Cell(label="TO HIT", value=signed(pilot.to_hit if pilot else 0), note="all weapons")
    sensor = Cell(label="SENSORS", value=sheet.sensor.name, note=f"ID at {sheet.sensor.id_reach}")
    return (*_cells(sheet)[:3], pilot_cell, sensor)


def _carried_heat(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    return (("2 heat carried", (sheet.track.carried_heat > 0,)),)


def _sheet_weapon(group: WeaponGroup) -> Mapping[str, object]:
    line = group.line
    bands: tuple[tuple[str, str], ...] = tuple(
        (or_more(number), percent(chance) if number is not None and chance is not None else "")
        for number, chance in zip(line.numbers, line.hit_chances, strict=True)
    )
    special = typeset(line.special)
    if line.kills:
        bands = (("", f"{line.kills} kills"), ("", ""), ("", ""))
    return {
        "name": group.name,
        "ticks": group.lost,
        "is_lost": all(group.lost),
        "bands": bands,
        "dice": line.dice or "",
        "heat": line.heat,
        "family": line.family,
        "special": special,
    }


def _sheet_systems(sheet: Datasheet) -> tuple[Mapping[str, object], ...]:
    effects = {line.slug: typeset(line.effect) for line in sheet.systems}
    names = {line.slug: line.name for line in sheet.systems}
    lost: dict[str, list[bool]] = {}
    for line in sheet.systems:
        lost.setdefault(line.slug, []).append(line.is_lost)
    can_be_lost = {line.slug: line.can_be_lost for line in sheet.systems}
    return tuple(
        {
            "name": f"{len(marks)} × {names[slug]}" if len(marks) > 1 else names[slug],
            "text": effects[slug],
            "ticks": marks if can_be_lost[slug] else (),
            "is_lost": all(marks),
        }
        for slug, marks in lost.items()
    )


def _sensor_facts(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    sensor = sheet.sensor
    where = ", and in the next zone" if sensor.id_adjacent_zones else ""
    masked_target, masked_id = sensor.masked_targeting, sensor.masked_id
    return (
        ("Targets", f"to {sensor.targeting_reach}"),
        ("ID", f"to {sensor.id_reach}{where}"),
        ("Infantry", f"{or_more(sensor.infantry)} on the die; {MINUS}1 at Medium, {MINUS}2 at Long"),
        (
            "Masked units",
            f"target to {masked_target.reach} on {or_more(masked_target.die)}, "
            f"ID to {masked_id.reach} on {or_more(masked_id.die)}",
        ),
    )


def _numbers(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    mounts = {"massive": sheet.massive_mounts, "huge": sheet.huge_mounts, "small": sheet.small_mounts}
    expected = " / ".join(decimal(number) for number in sheet.expected_hits)
    return (
        (
            "Movement, least / mean / most",
            f"{sheet.movement_min} / {decimal(sheet.movement_mean, 1)} / {sheet.movement_max}",
        ),
        ("Save chance", percent(sheet.save_chance)),
        *((f"Save chance, {line.family} family", percent(line.chance)) for line in sheet.better_saves),
        ("Heat if everything fires / limit", f"{sheet.heat_all} / {sheet.heat_limit}"),
        *(
            (("with jump jets", f"{sheet.heat_all_with_jets} / {sheet.heat_limit}"),)
            if sheet.heat_all_with_jets is not None
            else ()
        ),
        ("Hits expected a round, S / M / L, against a 4+ save", expected),
        ("Infantry kills a round at Short", decimal(sheet.infantry_kills, 1)),
        ("Mounts used, massive / huge / small", " · ".join(str(use) for use in mounts.values())),
        ("System slots used", str(sheet.slots)),
    )


def _pilot_note(pilot: PilotLine) -> str:
    return f"{pilot.level_name}: {signed(pilot.movement)} move, {signed(pilot.to_hit)} to hit"
