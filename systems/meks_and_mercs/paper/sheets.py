"""The datasheet of a Mek (ledger 7.3): a page with all of its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from systems.figures import MINUS, format_decimal, format_signed
from systems.meks_and_mercs.build.datasheet import INCLUDED, Datasheet
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.paper.blocks import Box, Cell, Entry
from systems.paper.words import beyond_boxes, count_boxes, or_more, percent

from .additions import enemies_cell, with_aids
from .cards import LEG_BOXES, WeaponGroup, back_tables, cells, heat_boxes, hit_boxes, levels, state_ticks, weapon_groups

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
    """Return a datasheet to write on, with room for the largest Mek."""
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
