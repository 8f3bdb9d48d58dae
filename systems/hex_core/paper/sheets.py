"""Pages on paper: datasheet, mission with its map, maps to scale, and the lines of rosters and result slips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.documents import unknown_slug
from systems.hex_core.build import HAND, SYSTEM
from systems.hex_core.build.datasheet import Datasheet, WeaponLine
from systems.hex_core.build.drawing import TERRAIN, Board, Palette, machine_svg, published_board, turn_board
from systems.hex_core.build.legality import PARTS
from systems.hex_core.build.scenario import OWN_MAP, ScenarioSpec, map_words, parse_scenario, scenario_sheet
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import Options, end_of, mission_under, rule_under, terrain_of
from systems.hex_core.paper.cards import AREA_LABELS, LABELS, STATES, SYSTEM_NAME, WEAPON_LINES, cells, is_named
from systems.hex_core.paper.reference import commands_of
from systems.paper.blocks import Cell, RosterLine, RosterPilot, percent, pluralize, slip_words
from systems.paper.hexes import INKS, HexPlan, map_svg, sign_svg
from systems.roster import PilotCard
from systems.scenarios import ForceLimits
from systems.text import format_decimal

BLANK_LINES = 8  # for systems, mods, traits and drones
LONG_NAME = 24
BLANK_DP = (9, 33, 12, 12, 13, 13)  # highest DP of any core type, by area
RECORD = ("Battles", "Kills", "Times lost")
SHEET_PALETTE = Palette(font="'Muster Condensed'")


def sheet_context(sheet: Datasheet) -> Mapping[str, object]:
    design = [sheet.design_name] if is_named(sheet) else []
    return {
        **_shared_context(),
        "name": sheet.name,
        "points": sheet.points,
        "kicker": " · ".join([f"{SYSTEM_NAME} datasheet", *([sheet.company] if sheet.company else [])]),
        "identity": " · ".join(
            [f"Class {sheet.unit_class}", sheet.kind, *design, *([sheet.pilot_label] if sheet.pilot else [])]
        ),
        "is_long": len(sheet.name) > LONG_NAME,
        "cells": cells(sheet),
        "areas": tuple((area.name, area.dp, range(area.dp)) for area in sheet.areas),
        "lines": tuple(_line(line) for line in sheet.lines),
        "shields": tuple((name, hand, dp, range(dp)) for name, hand, dp in sheet.shields),
        "drones": tuple((drone.name, drone.summary, range(drone.dp)) for drone in sheet.drones),
        "options": sheet.options,
        "drawing": machine_svg(sheet.machine, SHEET_PALETTE),
        "chances": tuple(
            (f"EVA {evasion}+" if evasion else "no evasion", percent(chance)) for evasion, chance in sheet.hit_chances
        ),
        "facts": tuple(_sheet_facts(sheet)),
        "record": _record(sheet),
        "commands": commands_of([sheet]),
    }


def blank_sheet_context() -> Mapping[str, object]:
    """Return a blank datasheet for writing on."""
    return {
        **_shared_context(),
        "name": "",
        "points": None,
        "kicker": f"{SYSTEM_NAME} datasheet",
        "identity": "Name, core type, Class and pilot",
        "cells": tuple(Cell(label=label, value="") for label in LABELS),
        "areas": tuple((label, "", range(dp)) for label, dp in zip(AREA_LABELS, BLANK_DP, strict=True)),
        "lines": ({},) * WEAPON_LINES,
        "blank_lines": range(BLANK_LINES),
        "facts": (),
        "record": tuple((name, "") for name in RECORD),
        "commands": tuple(CATALOGUE.commands.values()),
        "is_blank": True,
    }


def _shared_context() -> Mapping[str, object]:
    """Return the parts common to every sheet."""
    return {
        "states": STATES,
        "phases": tuple(CATALOGUE.phases.values()),
    }


def _line(line: WeaponLine) -> dict[str, Any]:
    few, mean, many = line.attacks
    return {
        "place": line.short,
        "name": line.name,
        "is_primary": line.is_primary,
        "code": line.code,
        "figures": (line.damage_label, line.range, line.ap),
        "dp": range(line.dp or 0),
        "attacks": "after Swapping" if line.is_carried else f"{few} / {format_decimal(mean)} / {many}",
        "front": format_decimal(line.front),
        "flank": format_decimal(line.flank),
    }


def _sheet_facts(sheet: Datasheet) -> list[tuple[str, str]]:
    few, mean, many = sheet.ap_range
    parts = " + ".join(f"{PARTS[part]} {points}" for part, points in sheet.cost_parts.items() if points)
    near, some, far = sheet.reach
    facts = [
        ("Cost", f"{parts}; {percent(sheet.share)} of {sheet.points_limit}"),
        ("S.R.M.", f"{sheet.srm_label} of 2/2/2"),
        ("AP", f"{few} to {many}, mean {format_decimal(mean)}"),
        ("Reach", f"{near}; with Press On {some} to {far}"),
    ]
    if sheet.throw_reach:
        facts.append(("Throws", f"{sheet.throw_reach[0]} to {sheet.throw_reach[1]} hexes, 2 × distance − Class"))
    if any(area.armour for area in sheet.areas):
        facts.append(("Armour", ", ".join(f"{area.name} {area.dp_label}" for area in sheet.areas if area.armour)))
    facts += sheet.losses
    if sheet.in_repair:
        facts.append(("In repair", "misses the next battle"))
    return facts


def _record(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    """Return the service record; if it is unknown, empty fields to fill in by pen."""
    service = sheet.service
    numbers = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, numbers, strict=True))


ROSTER_NOTES = "Carries"
MAX_DP = max(sum(base + base // 2 for base in core.dp) for core in CATALOGUE.cores.values())
SLIP_WORDS = slip_words(HAND, hits=MAX_DP, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    carried = [line.name for line in sheet.weapons]
    carried += [name for name, _, _ in sheet.shields]
    carried += [drone.name for drone in sheet.drones]
    return RosterLine(
        name=sheet.name,
        design=", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.size_name))),
        points=sheet.points,
        pilot=roster_pilot(sheet.pilot) if sheet.pilot else None,
        notes=", ".join(carried),
        damage="in repair" if sheet.in_repair else "",
    )


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    return RosterPilot(
        name=pilot.full_name,
        level=CATALOGUE.ranks[pilot.experience].name,
        skills=", ".join(CATALOGUE.traits[slug].name for slug in pilot.skills),
        record=f"{pluralize(pilot.kills, 'kill')}, {pluralize(pilot.games, 'battle')}"
        if pilot.kills or pilot.games
        else "",
    )


HEX_MM = 114.3  # 4.5 in: a level is as high as a hex standing on its side, ledger 2.1
POINTS = 10
ONE_MM, SEVERAL_MM = 137.0, 79.5  # width of a map, about 74 and 43% of the page
DEEP_ONE_MM, DEEP_SEVERAL_MM = 88.0, 57.0  # the same for a deep board: 48 and 31%
SETTING_UP = ("HX-058", "HX-059")
BESIDE_ONE_MAP = (
    "HX-032",
    "HX-061",
    "HX-065",
    "HX-066",
    "HX-076",
    "HX-077",
    "HX-148",
    "HX-149",
)  # rules printed beside a single map, if there is room
ASSASSINATION, SQUADS, MAPS, END = "HX-169", "HX-054", "HX-057", "HX-A14"
OBJECTIVES = {"domination": "HX-166", "retrieval": "HX-165"}
OBJECTS = {"domination": "Objectives", "retrieval": "Objects"}
MISSION_RULES = {"domination": ("HX-167",), "retrieval": ("HX-165",), "assassination": (), "elimination": ()}


def hex_plans(spec: Mapping[str, object], options: Options) -> Sequence[HexPlan]:
    """Return its own map, or the maps that one is chosen from with the battle."""
    return tuple(HexPlan(slug, board.name, board.ground) for slug, board in _boards(parse_scenario(spec), options))


def _boards(spec: ScenarioSpec, options: Options) -> Iterator[tuple[str, Board]]:
    """Yield the same maps, turned as they lie on the table."""
    found = [(OWN_MAP, spec.map.board)] if spec.map else [(slug, published_board(slug)) for slug in CATALOGUE.maps]
    for slug, board in found:
        yield slug, turn_board(board) if options.is_deep else board


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options
) -> Mapping[str, object]:
    spec = parse_scenario(data)
    if terrain and terrain not in CATALOGUE.maps and terrain != OWN_MAP:
        raise unknown_slug("terrain", "map", terrain, CATALOGUE.maps)
    boards = [board for slug, board in _boards(spec, options) if terrain in ("", slug) or spec.map]
    sheet = scenario_sheet(spec)
    one_mm, several_mm = (DEEP_ONE_MM, DEEP_SEVERAL_MM) if options.is_deep else (ONE_MM, SEVERAL_MM)
    standing = (*MISSION_RULES[spec.mission], *(BESIDE_ONE_MAP if len(boards) == 1 else ()))
    lie = {colour for board in boards for colour in board.colours}
    return {
        "name": name,
        "sheet": sheet,
        "rounds": range(1, (spec.rounds or options.rounds) + 1),
        "plans": tuple(
            {
                "name": board.name,
                "drawing": map_svg(
                    board.ground, INKS[theme], f"{board.name}, drawn", one_mm if len(boards) == 1 else several_mm
                ),
                "words": tuple(map_words(board)),
            }
            for board in boards
        ),
        "maps_class": f"{'map-single' if len(boards) == 1 else 'map-grid'}{' deep' if options.is_deep else ''}",
        "terrain": tuple(
            (sign_svg(TERRAIN[line.slug], INKS[theme]), line.name, line.effect)
            for line in terrain_of(options)
            if line.slug in lie
        ),
        "points": range(1, POINTS + 1) if spec.mission in ("domination", "retrieval") else (),
        "victory": mission_under(sheet.mission, options).victory,
        "end": end_of(spec.mission, spec.rounds or options.rounds),
        "end_rule": END,
        "steps": tuple(_scenario_steps(spec, len(boards), options)),
        "rules": tuple(rule_under(SYSTEM.rulebook[each], options) for each in standing),
    }


def _scenario_steps(spec: ScenarioSpec, maps: int, options: Options) -> Iterator[tuple[str, str]]:
    """Yield each step of setting up, with its rule."""
    if spec.forces == ForceLimits():
        size = options.size
        yield f"Squads: at most {size.points} points and {pluralize(size.units, 'unit')} a side.", SQUADS
    else:
        yield "Squads: as said for each side.", SQUADS
    if maps > 1:
        yield "Choose one of these maps.", MAPS
    placed = bool(spec.map and spec.map.objectives)
    mission = mission_under(CATALOGUE.missions[spec.mission], options)
    if spec.mission in OBJECTIVES:
        rule = OBJECTIVES[spec.mission]
        yield (f"{OBJECTS[spec.mission]} lie where the map shows them." if placed else mission.setup), rule
    elif spec.mission == "assassination":
        yield mission.setup, ASSASSINATION
    for each in SETTING_UP:
        rule_of = rule_under(SYSTEM.rulebook[each], options)
        yield f"{rule_of.title}: {rule_of.text[0].lower()}{rule_of.text[1:]}", each
