"""The datasheet of a machine on paper (ledger 7): one page with its numbers, areas and damage tracks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from systems.figures import format_decimal
from systems.hex_core.build.datasheet import Datasheet, WeaponLine
from systems.hex_core.build.drawing import Palette, machine_svg
from systems.hex_core.build.legality import PARTS
from systems.hex_core.catalogue import CATALOGUE
from systems.paper.blocks import Cell
from systems.paper.words import percent

from .blanks import AREA_LABELS, LABELS, WEAPON_LINES
from .cards import STATES, SYSTEM_NAME, cells, is_named
from .reference import commands_of

BLANK_LINES = 8  # for systems, mods, traits and drones
LONG_NAME = 24
BLANK_DP = (9, 33, 12, 12, 13, 13)  # the most DP of any core type, by area
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
        "drones": tuple((drone.name, drone.told, range(drone.dp)) for drone in sheet.drones),
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
    """Return a blank datasheet to write on."""
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
    """Return the parts that are the same on every sheet."""
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
        facts.append(("Armour", ", ".join(f"{area.name} {area.told}" for area in sheet.areas if area.armour)))
    facts += sheet.losses
    if sheet.in_repair:
        facts.append(("In repair", "misses the next battle"))
    return facts


def _record(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    """Return the service record; empty fields to fill in by pen if it is unknown."""
    service = sheet.service
    told = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, told, strict=True))
