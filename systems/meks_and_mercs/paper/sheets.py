"""Pages on paper: datasheet, scenario, and the lines of rosters and result slips, one per unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from systems.documents import unknown_slug
from systems.legality import join_words
from systems.meks_and_mercs.build import HAND, SYSTEM
from systems.meks_and_mercs.build.datasheet_lines import INCLUDED, Datasheet, SupportCard
from systems.meks_and_mercs.build.drawing import short_effect, zone_map
from systems.meks_and_mercs.build.scenario import RANDOM_TERRAIN, WITH_EXITS, ScenarioSpec
from systems.meks_and_mercs.build.scenario_sheet import ScenarioSheet, SideView
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.options import BY_THE_BOOK, Options
from systems.meks_and_mercs.paper.additions import SUPPORT_TABLES, enemies_cell, with_aids
from systems.meks_and_mercs.paper.cards import (
    LEG_BOXES,
    WeaponGroup,
    back_tables,
    cells,
    heat_boxes,
    hit_boxes,
    levels,
    state_ticks,
    weapon_groups,
)
from systems.paper.blocks import (
    NO_BOXES,
    Box,
    Cell,
    Entry,
    RosterLine,
    RosterPilot,
    beyond_boxes,
    count_boxes,
    or_more,
    percent,
    pluralize,
    slip_words,
)
from systems.roster import PilotCard
from systems.text import MINUS, format_decimal, format_signed

LONG_NAME = 24
LONG_SKILLS = 6
BLANK_STATES = (
    ("wounded 5+", (False,)),
    (f"legs {MINUS}1", (False,) * LEG_BOXES),
    (f"computers {MINUS}1", (False,)),
    ("dug in", (False,)),
    ("damage control used", (False,)),
    ("2 heat carried", (False,)),
)
BLANK_WEAPONS, BLANK_SYSTEMS, BLANK_SKILLS, BLANK_HEAT = 9, 4, 5, 11


def sheet_context(sheet: Datasheet) -> Mapping[str, object]:
    pilot = sheet.pilot
    criticals, terrain = back_tables()
    identity = [f"{sheet.size_name} Mek", *([sheet.design_name] if sheet.design_name else [])]
    return {
        "name": sheet.name,
        "points": sheet.points,
        "printed_points": sheet.printed_points,
        "sensor_name": sheet.sensor.name,
        "pilot_name": pilot.name if pilot else "",
        "kicker": " · ".join(["Meks & Mercs datasheet", *([sheet.company] if sheet.company else [])]),
        "identity": " · ".join(identity),
        "is_long": len(sheet.name) > LONG_NAME,
        "cells": _sheet_cells(sheet),
        "hits": hit_boxes(sheet),
        "hits_note": _hits_note(sheet),
        "heat": heat_boxes(sheet),
        "states": (*state_ticks(sheet), *_carried_heat(sheet)),
        "weapons": tuple(_sheet_weapon(group) for group in weapon_groups(sheet.weapons)),
        "systems": _sheet_systems(sheet),
        "sensors": _sensor_facts(sheet),
        "numbers": _numbers(sheet),
        "pilot_note": pilot.level_text if pilot else "",
        "skills": tuple(Entry(name=skill.name, text=skill.effect) for skill in pilot.skills) if pilot else (),
        "is_long_pilot": pilot is not None and len(pilot.skills) > LONG_SKILLS,
        "no_skills": "No skills." if pilot else "No pilot: fights as a Regular.",
        "kills": count_boxes(pilot.kills if pilot else 0),
        "games": count_boxes(pilot.games if pilot else 0),
        "kills_note": beyond_boxes(pilot.kills if pilot else 0),
        "games_note": beyond_boxes(pilot.games if pilot else 0),
        "levels": levels(pilot),
        "criticals": criticals.entries,
        "terrain": terrain.rows,
        "remarks": (
            *(f"{note[:1].upper()}{note[1:]}." for note in sheet.notes),
            *(f"House rule: {rule}." for rule in sheet.house_rules),
        ),
    }


def _sheet_cells(sheet: Datasheet) -> tuple[Cell, ...]:
    pilot = sheet.pilot
    pilot_cell = Cell(label="TO HIT", value=format_signed(pilot.to_hit if pilot else 0), note=INCLUDED)
    sensor = Cell(label="SENSORS", value=sheet.sensor.name, note=f"ID at {sheet.sensor.id_reach}")
    enemies = enemies_cell(sheet)
    return (*cells(sheet)[:3], pilot_cell, *([enemies] if enemies else []), sensor)


def blank_context() -> Mapping[str, object]:
    """Return a blank datasheet, with room for the largest Mek."""
    criticals, terrain = back_tables()
    hits = max(frame.hits for frame in CATALOGUE.chassis.values())
    weapon = {
        "name": "",
        "ticks": (False,),
        "bands": (("", ""),) * 3,
        "dice": "",
        "heat": "",
        "family": "",
        "special": "",
    }
    labels = ("SAVE", "MOVE", "HEAT LIMIT", "TO HIT", "SENSORS")
    return {
        "name": "",
        "points": None,
        "kicker": "Meks & Mercs datasheet",
        "identity": "Name, size and design",
        "cells": tuple(Cell(label=label, value="") for label in labels),
        "hits": (Box(),) * hits,
        "hits_note": "strike out what the Mek does not have",
        "heat": tuple(Box(inside=str(number)) for number in range(1, BLANK_HEAT + 1)),
        "states": BLANK_STATES,
        "weapons": (weapon,) * BLANK_WEAPONS,
        "systems": ({"name": "", "text": "", "ticks": (False,)},) * BLANK_SYSTEMS,
        "sensors": (("Targets", ""), ("ID", ""), ("Infantry", ""), ("Masked units", "")),
        "pilot_note": "name and level",
        "skills": (Entry(name=""),) * BLANK_SKILLS,
        "kills": count_boxes(0),
        "games": count_boxes(0),
        "levels": tuple({**level, "has": False} for level in levels(None)),
        "criticals": criticals.entries,
        "terrain": terrain.rows,
    }


def _hits_note(sheet: Datasheet) -> str:
    left = f"{sheet.hits_left} of {sheet.hits} left; " if sheet.hits_left < sheet.hits else ""
    return f"{left}critical hit on the number in the box crossed out"


def _carried_heat(sheet: Datasheet) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    return (("2 heat carried", (sheet.track.carried_heat > 0,)),)


def _sheet_weapon(group: WeaponGroup) -> Mapping[str, object]:
    line = group.line
    bands: tuple[tuple[str, str], ...] = tuple(
        (or_more(number), percent(chance) if number is not None and chance is not None else "")
        for number, chance in zip(line.numbers, line.hit_chances, strict=True)
    )
    special = line.special
    if line.kills:
        bands = (("", f"{line.kills} kills{' each' if len(group.lost) > 1 else ''}"), ("", ""), ("", ""))
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
    effects = {line.slug: line.effect for line in sheet.systems}
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
    expected = " / ".join(format_decimal(number) for number in sheet.expected_hits)
    aids = f", {with_aids(sheet)}" if sheet.aids else ""
    return (
        (
            "Movement, least / mean / most",
            f"{sheet.movement_min} / {format_decimal(sheet.movement_mean)} / {sheet.movement_max}",
        ),
        ("Save chance", percent(sheet.save_chance)),
        *((f"Save chance, {line.family} family", percent(line.chance)) for line in sheet.better_saves),
        ("Heat if everything fires / limit", f"{sheet.heat_all} / {sheet.heat_limit}"),
        *(
            (("with jump jets", f"{sheet.heat_all_with_jets} / {sheet.heat_limit}"),)
            if sheet.heat_all_with_jets is not None
            else ()
        ),
        (f"Hits expected a round, S / M / L, against a 4+ save{aids}", expected),
        ("Infantry kills a round at Short", format_decimal(sheet.infantry_kills)),
        ("Mounts used, massive / huge / small", " · ".join(str(use) for use in mounts.values())),
        ("System slots used", str(sheet.slots)),
    )


SLIP_WORDS = slip_words(HAND, hits=max(frame.hits for frame in CATALOGUE.chassis.values()))


def roster_line(sheet: Datasheet | SupportCard) -> RosterLine:
    if isinstance(sheet, SupportCard):
        return RosterLine(name=sheet.name, design="support unit")
    pilot = sheet.pilot
    return RosterLine(
        name=sheet.name,
        design=_design(sheet),
        points=sheet.points,
        pilot=RosterPilot(
            name=pilot.name,
            level=pilot.level_name,
            skills=_skills(skill.name for skill in pilot.skills),
            record=_pilot_record(pilot.kills, pilot.games),
        )
        if pilot
        else None,
        notes=(_skills(skill.name for skill in pilot.skills) or NO_BOXES) if pilot else "",
        damage=_damage(sheet),
    )


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    return RosterPilot(
        name=pilot.full_name,
        level=CATALOGUE.levels[pilot.experience].name,
        skills=_skills(CATALOGUE.skills[slug].name for slug in pilot.skills),
        record=_pilot_record(pilot.kills, pilot.games),
    )


def _design(sheet: Datasheet) -> str:
    named = sheet.design_name.casefold() != sheet.name.casefold()
    return ", ".join(filter(None, (sheet.design_name if named else "", sheet.size_name)))


def _skills(names: Iterable[str]) -> str:
    return ", ".join(names)


def _pilot_record(kills: int, games: int) -> str:
    """Return kills and games; empty if there are none."""
    if not kills and not games:
        return ""
    return f"{pluralize(kills, 'kill')}, {pluralize(games, 'game')}"


def _damage(sheet: Datasheet) -> str:
    track = sheet.track
    parts = []
    if sheet.hits_left < sheet.hits:
        parts.append(f"{sheet.hits_left} of {sheet.hits} Hits left")
    lost = [line.name for line in sheet.weapons if line.is_lost]
    lost += [line.name for line in sheet.systems if line.is_lost]
    if lost:
        parts.append(f"{_with_counts(lost)} lost")
    if track.legs:
        parts.append(f"legs {MINUS}{track.legs}")
    conditions = ((track.wounded, "pilot wounded"), (track.computers, "computers"), (track.dug_in, "dug in"))
    parts += [word for holds, word in conditions if holds]
    return "; ".join(parts)


def _with_counts(names: Sequence[str]) -> str:
    counts = {name: names.count(name) for name in names}
    return join_words([f"{count} × {name}" if count > 1 else name for name, count in counts.items()])


PRINTED = "printed"  # the scenario's own terrain
DEFAULT_TERRAIN = "plain"  # the terrain if the scenario prints none
MAX_TURNS = 30  # boxes to tick; later turns have none
UNIT_LINES = 8  # for writing down a side's force
COMMON_RULES = ("MM-012", "MM-013", "MM-017", "MM-091")  # rules that every scenario needs at the table


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options = BY_THE_BOOK
) -> Mapping[str, object]:
    is_rolled = options.random_terrain
    spec = _with_terrain(SYSTEM.parse_scenario(data, "spec"), terrain, is_rolled=is_rolled)
    sheet = SYSTEM.scenario_sheet(spec)
    edge = spec.objective.exit_edge if spec.objective.kind in WITH_EXITS else None
    return {
        "name": name,
        "sheet": sheet,
        "map": zone_map(sheet.zones, edge, theme),
        "zones": [
            {
                "number": zone.number,
                "terrain": zone.terrain_name,
                "effect": short_effect(zone),
                "marks": "; ".join(mark.text for mark in zone.marks),
            }
            for zone in sheet.zones
        ],
        "sides": [
            {"view": side, "facts": tuple(_scenario_facts(side, options)), "lines": range(UNIT_LINES)}
            for side in sheet.sides
        ],
        "turns": range(1, min(sheet.turn_limit, MAX_TURNS) + 1),
        "rules": [SYSTEM.rulebook[rule] for rule in COMMON_RULES],
        "support": tuple(_support_tables()) if any(side.support_rolls for side in sheet.sides) else (),
        "notes": tuple(_scenario_notes(sheet, is_rolled=is_rolled)),
        "problems": [problem.message for problem in SYSTEM.check_scenario(spec).problems],
    }


def _with_terrain(spec: ScenarioSpec, terrain: str, *, is_rolled: bool) -> ScenarioSpec:
    """Return the scenario with the terrain chosen at the table, if the scenario leaves it open. MM-D72."""
    if not terrain or (terrain == PRINTED and is_rolled):
        return spec
    terrain = DEFAULT_TERRAIN if terrain == PRINTED else terrain
    if terrain not in CATALOGUE.terrain:
        raise unknown_slug("terrain", "terrain", terrain, [PRINTED, *CATALOGUE.terrain])
    return spec if spec.terrain else spec.model_copy(update={"terrain": (terrain,) * 9})


def _scenario_facts(side: SideView, options: Options) -> Iterator[tuple[str, str]]:
    yield "Points", str(side.points)
    yield "Meks", side.force or "free choice"
    if side.pilots:
        yield "Free pilots", side.pilots
    else:
        yield "Pilots", describe_hiring(options)
    yield "Support rolls", str(side.support_rolls)
    for at, line in enumerate(side.setup):
        yield ("Set-up" if at == 0 else "", line)
    if not side.setup:
        yield "Set-up", "nowhere yet"
    if side.extra:
        yield "Also", side.extra


def describe_hiring(options: Options) -> str:
    """Describe the cost of new pilots in a scenario that prints none. MM-010, MM-011, MM-S07."""
    hired = CATALOGUE.levels["regular"]
    whence = {
        "fresh-build": "of these points",
        "standing-company": "from the bank",
    }.get(options.season_mode, "of these points (standing companies: from the bank)")
    return f"a new Green is free; each new {hired.name} costs {hired.hire_points} {whence}"


def _support_tables() -> Iterator[tuple[str, str]]:
    """Yield the first die's faces, and the result for each face of the second. MM-014."""
    for table, faces in SUPPORT_TABLES.items():
        results = sorted(
            (each for each in CATALOGUE.support.values() if each.table == table), key=lambda each: each.face
        )
        yield faces, ", ".join(f"{each.face} {each.name}" for each in results)


def _scenario_notes(sheet: ScenarioSheet, *, is_rolled: bool) -> Iterator[str]:
    if sheet.has_open_terrain:
        faces = ", ".join(f"{faces} {CATALOGUE.terrain[slug].name}" for slug, faces in RANDOM_TERRAIN)
        start = (
            "Roll"
            if is_rolled
            else "The scenario prints no terrain: all zones are Plain, unless you choose others or roll"
        )
        yield f"{start} a die for each zone, 1 to 9, before set-up: {faces}. Write it into the table."
    if sheet.turn_limit > MAX_TURNS:
        yield f"The game ends after turn {sheet.turn_limit}."
