"""Pages on paper: datasheet, blank card, scenario, and the lines of rosters and result slips, one per Warmech."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from systems.blazing_steel.build import HAND, SYSTEM
from systems.blazing_steel.build.datasheet import HEAT_WEIGHTS, UNCOUNTED, Datasheet, MountedLine
from systems.blazing_steel.build.drawing import MapPalette, Palette, describe_map, draw_map, machine_svg
from systems.blazing_steel.build.scenario import (
    BOUNDS,
    OWN_TABLE,
    ScenarioSpec,
    items_with,
    parse_scenario,
    scenario_sheet,
    scenario_table,
)
from systems.blazing_steel.build.spec import SLOTS, WEAPON_SLOTS
from systems.blazing_steel.catalogue import CATALOGUE, DODGE_DICE
from systems.blazing_steel.options import BY_THE_BOOK, Options, actions_of, cripples_of, items_of, points_of, rule_under
from systems.blazing_steel.paper.cards import (
    STATES,
    STRUCTURE,
    SYSTEM_NAME,
    WEAPON_HEADS,
    cells,
    cripple_ticks,
    empty_boxes,
    heat_track,
    is_named,
    state_ticks,
    unit_back,
)
from systems.documents import unknown_slug
from systems.paper.blocks import Block, CardContent, CardFace, Cell, Lines, RosterLine, Strip, Ticks, Track, slip_words
from systems.scenarios import describe_side
from systems.text import format_decimal, format_signed

ROSTER_NOTES = "Carries"
MAX_STRUCTURE = max(chassis.structure for chassis in CATALOGUE.chassis.values())
SLIP_WORDS = slip_words(HAND, hits=MAX_STRUCTURE, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    carried = [line.name for line in sheet.lines]
    if sheet.peripheral:
        carried.append(sheet.peripheral_label)
    return RosterLine(
        name=sheet.name,
        design=", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.kind))),
        points=sheet.points,
        notes=", ".join(carried),
        damage="in repair" if sheet.in_repair else "",
    )


LABELS = ("MOVE", "SPRINT", "JUMP", "DODGE", "MELEE", "ARMOR")
KINDS = tuple(chassis.name for chassis in CATALOGUE.chassis.values())
DRIVES = tuple(drive.name for drive in CATALOGUE.locomotion.values())
MAX_SHOTS = 3


def blank_unit_card(options: Options = BY_THE_BOOK) -> CardContent:
    blocks: tuple[Block, ...] = (
        Ticks(items=tuple((name, (False,)) for name in (*KINDS, *DRIVES))),
        Strip(cells=tuple(Cell(label=label, value="") for label in LABELS)),
        Track(label=STRUCTURE, boxes=empty_boxes(MAX_STRUCTURE), is_large=True),
        Lines(title="Weapons", heads=WEAPON_HEADS, cell_mm=6.2, count=len(WEAPON_SLOTS), leads=WEAPON_SLOTS, ticks=1),
        Ticks(items=tuple((f"{slot} shots", (False,) * MAX_SHOTS) for slot in WEAPON_SLOTS)),
        Lines(title="Peripheral", count=1, leads=SLOTS[-1:], ticks=1),
        heat_track(),
        Ticks(items=(("dodge dice", (False,) * DODGE_DICE), *((name, (False,)) for name in STATES))),
        cripple_ticks(),
    )
    front = CardFace(title="", kicker="Name of the Warmech", corner_label="points", blocks=blocks, notes="Notes")
    return CardContent(front=front, back=unit_back(options=options))


LONG_NAME = 24
RECORD = ("Battles", "Kills", "Times lost")
SHEET_PALETTE = Palette(font="'Muster Condensed'")


def sheet_context(sheet: Datasheet, options: Options = BY_THE_BOOK) -> Mapping[str, object]:
    design = [sheet.design_name] if is_named(sheet) else []
    return {
        **_shared_context(options),
        "name": sheet.name,
        "points": sheet.points,
        "points_sum": sheet.points_sum,
        "kicker": " · ".join([f"{SYSTEM_NAME} datasheet", *([sheet.company] if sheet.company else [])]),
        "identity": " · ".join([sheet.kind, *design]),
        "is_long": len(sheet.name) > LONG_NAME,
        "cells": cells(sheet),
        "structure": range(1, sheet.structure + 1),
        "dodge_dice": range(sheet.dodge_dice),
        "states": state_ticks(sheet),
        "drawing": machine_svg(sheet.machine, SHEET_PALETTE),
        "lines": tuple(_line(line) for line in sheet.lines),
        "strike": sheet.strike,
        "empty": ", ".join(sheet.empty),
        "peripheral": sheet.peripheral_label,
        "peripheral_text": sheet.peripheral.effect if sheet.peripheral else "",
        "facts": tuple(_sheet_facts(sheet)),
        "traits": _traits(sheet),
        "record": _record(sheet),
    }


def blank_sheet_context(options: Options = BY_THE_BOOK) -> Mapping[str, object]:
    """Return a blank datasheet for writing on."""
    return {
        **_shared_context(options),
        "name": "",
        "points": None,
        "kicker": f"{SYSTEM_NAME} datasheet",
        "identity": "Name, chassis and design",
        "cells": tuple(Cell(label=label, value="") for label in LABELS),
        "structure": range(1, MAX_STRUCTURE + 1),
        "dodge_dice": range(DODGE_DICE),
        "states": tuple((name, (False,)) for name in (*STATES, "fortified")),
        "lines": tuple({"slot": slot, "ammo": range(MAX_SHOTS)} for slot in WEAPON_SLOTS),
        "choices": (*KINDS, *DRIVES),
        "facts": (),
        "record": tuple((name, "") for name in RECORD),
        "is_blank": True,
    }


def _shared_context(options: Options) -> Mapping[str, object]:
    """Return the parts common to every sheet with these house rules."""
    return {
        "heat": tuple(enumerate(HEAT_WEIGHTS, start=1)),
        "cripples": cripples_of(options),
        "actions": tuple(action for action in actions_of(options) if not action.is_special),
        "modifiers": tuple(
            (line.name, "their Impact" if line.reduction is None else format_signed(-line.reduction))
            for line in CATALOGUE.shot_modifiers.values()
        ),
        "strike_numbers": tuple((line.name, line.tn) for line in CATALOGUE.strike_numbers.values()),
        "flanks": tuple((line.name, format_signed(line.armor)) for line in CATALOGUE.flanks.values()),
    }


def _line(line: MountedLine) -> dict[str, Any]:
    return {
        "slot": line.slot,
        "place": line.place,
        "name": line.name,
        "is_melee": line.is_melee,
        "mount": line.mount,
        "figures": line.figures[:-1],
        "ammo": range(line.ammo) if line.ammo is not None else None,
        "ammo_text": UNCOUNTED,
        "traits": line.trait_names,
        "expected": tuple((number, format_decimal(hits)) for number, hits in line.expected),
    }


def _traits(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    """Return each trait of its weapons once."""
    found = dict.fromkeys(slug for line in sheet.guns for slug in line.traits)
    return tuple((CATALOGUE.traits[slug].name, CATALOGUE.traits[slug].effect) for slug in found)


def _sheet_facts(sheet: Datasheet) -> list[tuple[str, str]]:
    turns = ", ".join(f"{name} {degrees}°" for name, degrees in sheet.turns)
    facts = [(sheet.locomotion_name, sheet.locomotion_effect)] if sheet.locomotion_name else []
    facts += [
        ("Turns", f"{turns}, to either side, at the end"),
        ("Base", f'{sheet.base_in}" across'),
        ("Heat sinks", "improved: ones just rolled are taken away" if sheet.has_improved_sinks else "normal"),
    ]
    if sheet.empty:
        facts.append(("Free", ", ".join(sheet.empty)))
    if sheet.in_repair:
        facts.append(("In repair", "misses the next battle"))
    return facts


def _record(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    """Return the service record; if it is unknown, empty fields to fill in by pen."""
    service = sheet.service
    numbers = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, numbers, strict=True))


STANDING = ("BS-028", "BS-185", "BS-186", "BS-195", "BS-196", "BS-197")  # rules that every battle needs at the table
UNIT_LINES = CATALOGUE.limits["force-max"].value
POINT_BOXES = 15
FONT = "'Muster Condensed'"
MAP_PALETTES = {
    "colour": MapPalette("#20231a", "#55574a", "#a8370b", "#e3e8d3", "#d6e0e8", "#7f7a66", "#ffffff", "#c3cfa4", "#efe3c4"),
    "grey": MapPalette("#1c1c1c", "#505050", "#1c1c1c", "#e4e4e4", "#efefef", "#6a6a6a", "#ffffff", "#d2d2d2", "#f2f2f2"),
    "ink-saver": MapPalette("#000000", "#000000", "#000000", "none", "none", "none", "#000000", "none", "none"),
}  # fmt: skip


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options = BY_THE_BOOK
) -> Mapping[str, object]:
    if terrain and terrain not in CATALOGUE.maps and terrain != OWN_TABLE:
        raise unknown_slug("terrain", "terrain", terrain, CATALOGUE.maps)
    spec = parse_scenario(data)
    sheet = scenario_sheet(spec)
    table = scenario_table(spec, terrain)
    return {
        "name": name,
        "sheet": sheet,
        "map": draw_map(table, MAP_PALETTES[theme], FONT, spec.depth),
        "map_name": table.name,
        "map_description": describe_map(table),
        "rounds": range(1, (spec.rounds or options.rounds) + 1),
        "items": tuple((each, points_of(each)) for each in items_with(spec, items_of(options))),
        "terrain": tuple((line.name, line.effect) for line in CATALOGUE.terrain.values()),
        "sides": tuple({"name": side, "facts": tuple(_scenario_facts(side, spec, options))} for side in ("A", "B")),
        "lines": range(UNIT_LINES),
        "points": range(1, POINT_BOXES + 1),
        "rules": tuple(rule_under(SYSTEM.rulebook[each], options) for each in STANDING),
    }


def _scenario_facts(side: str, spec: ScenarioSpec, options: Options) -> list[tuple[str, str]]:
    size = spec.size
    edge, zone = ("south", f"0 to {spec.zone_in}") if side == "A" else ("north", f"{size - spec.zone_in} to {size}")
    force = describe_side(spec.forces.sides["AB".index(side)], BOUNDS, spec.points or options.points_limit)
    return [("Force", force), ("Edge", f"{edge}; its zone is {zone} in")]
