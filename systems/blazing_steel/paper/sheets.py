"""The datasheet of a Warmech on paper (ledger 7): one page with all its numbers, tracks and arcs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from systems.blazing_steel.build.datasheet import HEAT_WEIGHTS, UNCOUNTED, Datasheet, MountedLine
from systems.blazing_steel.build.drawing import Palette, machine_svg
from systems.blazing_steel.build.spec import WEAPON_SLOTS
from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.catalogue.types import DODGE_DICE
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.figures import format_decimal, format_signed
from systems.paper.blocks import Cell

from .blanks import DRIVES, KINDS, LABELS, MAX_SHOTS
from .cards import STATES, SYSTEM_NAME, cells, is_named, state_ticks
from .house_rules import actions_of, cripples_of
from .rosters import MAX_STRUCTURE

LONG_NAME = 24
RECORD = ("Battles", "Kills", "Times lost")
SHEET_PALETTE = Palette(font="'Muster Condensed'")


def sheet_context(sheet: Datasheet, options: Options = BY_THE_BOOK) -> Mapping[str, object]:
    design = [sheet.design_name] if is_named(sheet) else []
    return {
        **_shared_context(options),
        "name": sheet.name,
        "points": sheet.points,
        "points_told": sheet.points_told,
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
    """Return a blank datasheet to write on."""
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
    """Return the parts that are the same on every sheet under these house rules."""
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
    """Return each trait of its weapons, once."""
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
    """Return the service record; empty fields to fill in by pen if it is unknown."""
    service = sheet.service
    told = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, told, strict=True))
