"""Pages on paper: datasheet, scenario, and the lines of rosters and result slips, one per unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from systems.documents import unknown_slug
from systems.mech_campaign.build import HAND, SYSTEM
from systems.mech_campaign.build.datasheet import COSTS_TEXT, Datasheet
from systems.mech_campaign.build.drawing import table_map
from systems.mech_campaign.build.scenario import BY_GOAL, OWN_TABLE, ZONE_IN, ScenarioSheet
from systems.mech_campaign.catalogue import CATALOGUE, DAMAGE_TO_ELIMINATE, Scenario
from systems.mech_campaign.options import BY_THE_BOOK, Options
from systems.mech_campaign.paper.cards import (
    ACTIVATED,
    SITUATIONS,
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
from systems.mech_campaign.paper.reference import MAX_LOSSES, resolve_lines
from systems.paper.blocks import Cell, RosterLine, RosterPilot, or_more, percent, pluralize, slip_words
from systems.roster import PilotCard
from systems.text import format_decimal

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
    """Return a blank datasheet for writing on."""
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
    """Return the parts common to every sheet with these house rules."""
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
        (f"Expected damage for {_points(points)}", format_decimal(expected))
        for points, expected in sheet.expected_damage
    )
    return (*reach, *damage)


def _points(count: int) -> str:
    return f"{count} point{'s' if count > 1 else ''}"


def _record(sheet: Datasheet) -> tuple[tuple[str, str], ...]:
    """Return the service record; if it is unknown, empty fields to fill in by pen."""
    service = sheet.service
    numbers = (service.games, service.kills, service.times_lost) if service else (None, None, None)
    return tuple((name, "" if number is None else str(number)) for name, number in zip(RECORD, numbers, strict=True))


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


ROSTER_NOTES = "Armament and base vehicle"
SLIP_WORDS = slip_words(HAND, hits=DAMAGE_TO_ELIMINATE, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    pilot = sheet.pilot
    return RosterLine(
        name=sheet.name,
        design=_design(sheet),
        points=sheet.points,
        pilot=RosterPilot(name=pilot.name, level=pilot.rank_name, record=_roster_record(pilot.kills, pilot.games))
        if pilot
        else None,
        notes="; ".join(filter(None, (sheet.armament, sheet.base_vehicle and f"base vehicle {sheet.base_vehicle}"))),
        damage=_damage(sheet),
    )


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    rank = CATALOGUE.ranks[pilot.experience].name
    return RosterPilot(name=pilot.full_name, level=rank, record=_roster_record(pilot.kills, pilot.games))


def _design(sheet: Datasheet) -> str:
    return ", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.size_name)))


def _roster_record(kills: int, games: int) -> str:
    """Return eliminations and battles; empty if there are none."""
    return f"{pluralize(kills, 'elimination')}, {pluralize(games, 'battle')}" if kills or games else ""


def _damage(sheet: Datasheet) -> str:
    parts = [f"{sheet.damage} of {sheet.hits} damage"] if sheet.damage else []
    return "; ".join([*parts, *(["in the workshop"] if sheet.in_workshop else [])])


TERRAIN = ("rolled", "open", OWN_TABLE)  # the choices of terrain for a table
MAX_TURNS = 30  # boxes to tick; a longer game gets a note instead
UNIT_LINES = CATALOGUE.force_limits["size-max"].value  # lines for writing down a side's force
SECTORS = range(1, 10)
DEPLOYING = "MC-024"  # the rule with the depth of zones in published scenarios
STANDING = (DEPLOYING, "MC-025", "MC-026", "MC-027", "MC-028", "MC-065")  # rules that every scenario needs at the table
POINT_BOXES = 24  # three beacons for eight turns


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options = BY_THE_BOOK
) -> Mapping[str, object]:
    if terrain and terrain not in TERRAIN:
        raise unknown_slug("terrain", "terrain", terrain, TERRAIN)
    spec = SYSTEM.parse_scenario(data, "spec")
    sheet = SYSTEM.scenario_sheet(spec)
    played = BY_GOAL[spec.goal]
    return {
        "name": name,
        "sheet": sheet,
        "map": table_map(sheet, theme),
        "is_open": terrain == "open",
        "is_drawn": bool(sheet.pieces),
        "terrain_heads": tuple(_sectors(line.sectors) for line in CATALOGUE.terrain_rolls.values()),
        "terrain_rows": tuple(_terrain_rows()),
        "terrain": tuple(
            (line.name, f"{line.radius_h / 100:g} in", line.effect)
            for line in CATALOGUE.terrain.values()
            if line.radius_h
        ),
        "sectors": SECTORS,
        "turns": range(1, min(sheet.turn_limit, MAX_TURNS) + 1),
        "sides": [
            {
                "name": side,
                "facts": tuple(_scenario_facts(side, sheet, options)),
                "lines": range(UNIT_LINES),
                "tracks": tuple(tracks),
            }
            for side, tracks in (("A", _tracks("A", played)), ("B", _tracks("B", played)))
        ],
        "rules": [SYSTEM.rulebook[rule] for rule in STANDING if rule != DEPLOYING or sheet.depth == ZONE_IN],
        "notes": tuple(_scenario_notes(sheet)),
        "problems": [problem.message for problem in SYSTEM.check_scenario(spec).problems],
    }


def _sectors(numbers: Sequence[int]) -> str:
    """Return ranges of sectors as text: `Sectors 1–3, 7–9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "Sectors " + ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _terrain_rows() -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each D6 face with the terrain it puts in a sector, by row of the roll. MC-022."""
    for face in range(6):
        found = (line.faces[face] for line in CATALOGUE.terrain_rolls.values())
        yield face + 1, tuple(CATALOGUE.terrain[slug].name if slug else "open" for slug in found)


def _scenario_facts(side: str, sheet: ScenarioSheet, options: Options) -> Iterator[tuple[str, str]]:
    cap = sheet.points or options.points_cap
    limits = [f"at most {pluralize(cap, 'point')}"] * bool(cap) + [
        "heavy mechs at most half of the units, rounded up"
    ] * options.heavy_limit
    yield "Force", ", ".join([sheet.forces, "more than half mechs", *limits])
    edge = "bottom" if side == "A" else "top"
    yield "Starts", f"within {sheet.depth} in of the {edge} edge, gun sentries within {sheet.sentry_depth} in"


def _tracks(side: str, scenario: Scenario) -> Iterator[tuple[str, range]]:
    """Yield the boxes to tick during the game: losses, and the scenario's beacon points or charges."""
    yield "Lost", range(1, UNIT_LINES + 1)
    special = CATALOGUE.special_actions.get(scenario.special)
    if special is None:
        return
    if special.needed > 1:
        if special.side in (None, side):
            yield "Charges", range(1, special.needed + 1)
    else:
        yield "Beacon points", range(1, POINT_BOXES + 1)


def _scenario_notes(sheet: ScenarioSheet) -> Iterator[str]:
    if sheet.turn_limit > MAX_TURNS:
        yield f"The game ends after {pluralize(sheet.turn_limit, 'game turn')}."
