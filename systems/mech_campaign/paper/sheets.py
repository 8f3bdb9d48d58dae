"""The datasheet of a unit on paper (ledger 7.1): one page with all its numbers."""

from __future__ import annotations

from collections.abc import Mapping

from systems.figures import format_decimal
from systems.mech_campaign.build.datasheet import COSTS_TEXT, Datasheet
from systems.mech_campaign.options import BY_THE_BOOK, Options
from systems.paper.blocks import Cell
from systems.paper.words import or_more, percent

from .blanks import SITUATIONS
from .cards import (
    ACTIVATED,
    SYSTEM_NAME,
    abilities,
    action_track,
    actions,
    cells,
    damage_boxes,
    is_named,
    marker_ticks,
    markers,
    modifier_table,
)
from .reference import MAX_LOSSES, resolve_lines

LONG_NAME = 24
COSTS = Cell(label="ACTIONS", value=COSTS_TEXT, note="action points")
BLANK_LABELS = ("KIND", "MOVE", "FIRE", "TO HIT")
BLANK_FACTS = ("Rules", "Can", "Base vehicle", "Armament")
BLANK_NUMBERS = ("Reach for 1 point", "Reach for 3 points", "Reach for 7 points")
RECORD = ("Battles", "Eliminations", "Times lost")


def sheet_context(sheet: Datasheet, options: Options = BY_THE_BOOK) -> Mapping[str, object]:
    design = [sheet.design_name] if is_named(sheet) else []
    pilot = sheet.pilot
    return {
        **_shared_context(options),
        "name": sheet.name,
        "points": sheet.points,
        "kicker": " · ".join([f"{SYSTEM_NAME} datasheet", *([sheet.company] if sheet.company else [])]),
        "identity": " · ".join([sheet.size_name, *design]),
        "is_long": len(sheet.name) > LONG_NAME,
        "cells": (*cells(sheet), COSTS),
        "damage": damage_boxes(sheet.damage),
        "facts": tuple(_facts(sheet)),
        "hits": tuple((hit.name, or_more(hit.number), percent(hit.chance)) for hit in sheet.to_hit),
        "numbers": _numbers(sheet),
        "record": _record(sheet),
        "has_pilot": sheet.is_piloted,
        "pilot_name": pilot.name if pilot else "",
        "pilot_note": _pilot_note(sheet),
        "pilot_record": _pilot_record(sheet),
    }


def blank_context(options: Options = BY_THE_BOOK) -> Mapping[str, object]:
    """Return a blank datasheet to write on."""
    return {
        **_shared_context(options),
        "name": "",
        "points": None,
        "kicker": f"{SYSTEM_NAME} datasheet",
        "identity": "Name, kind and design",
        "cells": (*(Cell(label=label, value="") for label in BLANK_LABELS), COSTS),
        "damage": damage_boxes(),
        "facts": tuple((name, "") for name in BLANK_FACTS),
        "hits": tuple((name, "", "") for name in SITUATIONS),
        "numbers": tuple((name, "") for name in BLANK_NUMBERS),
        "record": tuple((name, "") for name in RECORD),
        "has_pilot": True,
        "pilot_note": "name, rank and experience",
        "is_blank": True,
    }


def _shared_context(options: Options) -> Mapping[str, object]:
    """Return the parts that are the same on every sheet under these house rules."""
    return {
        "action_boxes": action_track().boxes,
        "turn": (ACTIVATED,),
        "markers": marker_ticks(),
        "actions": actions("full", options).entries,
        "marker_rules": markers("full").entries,
        "modifiers": modifier_table().rows,
        "resolve": resolve_lines(MAX_LOSSES, options.resolve_bonus),
    }


def _facts(sheet: Datasheet) -> list[tuple[str, str]]:
    facts = [("Rules", sheet.line), ("Can", abilities(sheet) or "move and fire only")]
    if sheet.base_vehicle:
        facts.append(("Base vehicle", f"{sheet.base_vehicle}, off the table: no unit, and never lost"))
    if sheet.armament:
        facts.append(("Armament", sheet.armament))
    if sheet.in_workshop:
        facts.append(("Workshop", "starts with 1 damage"))
    return facts


def _numbers(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    reach = tuple((f"Reach for {_points(points)}", far) for points, far in sheet.reach)
    damage = tuple(
        (f"Expected damage for {_points(points)}", format_decimal(expected)) for points, expected in sheet.expected_damage
    )
    return (*reach, *damage)


def _points(count: int) -> str:
    return f"{count} point{'s' if count > 1 else ''}"


def _record(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    """Return the service record; empty fields to fill in by pen if it is unknown."""
    service = sheet.service
    told = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, told, strict=True))


def _pilot_note(sheet: Datasheet) -> str:
    pilot = sheet.pilot
    if pilot is None:
        return ""
    return pilot.rank_name + (f", {pilot.experience} experience" if pilot.experience is not None else "")


def _pilot_record(sheet: Datasheet) -> str:
    pilot = sheet.pilot
    if pilot is None or not (pilot.games or pilot.kills):
        return ""
    return f"Battles {pilot.games}, eliminations {pilot.kills}"
