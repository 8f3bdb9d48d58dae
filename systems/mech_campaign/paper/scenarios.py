"""A scenario of Mech Campaign on paper: the table, terms of both sides, victory, and tracks to tick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from systems.documents import unknown_slug
from systems.mech_campaign.build.ground import ZONE_IN
from systems.mech_campaign.build.scenario import BY_GOAL, OWN_TABLE, ScenarioSheet
from systems.mech_campaign.build.system import SYSTEM
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import Scenario
from systems.mech_campaign.options import BY_THE_BOOK, Options
from systems.paper.words import pluralize

from .table_map import table_map

TERRAIN = ("rolled", "open", OWN_TABLE)  # the choices of a table
MAX_TURNS = 30  # boxes to tick; a longer game gets a note instead
UNIT_LINES = CATALOGUE.force_limits["size-max"].value  # lines to write a side's force on
SECTORS = range(1, 10)
DEPLOYING = "MC-024"  # this rule names the depth of the zones in published scenarios
STANDING = (DEPLOYING, "MC-025", "MC-026", "MC-027", "MC-028", "MC-065")  # rules that every scenario needs at the table
POINT_BOXES = 24  # three beacons held for eight turns


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
    """Return ranges of sectors in words: `Sectors 1–3, 7–9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "Sectors " + ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _terrain_rows() -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each face of a D6 with the terrain it puts into a sector, by the rows of the roll. MC-022."""
    for face in range(6):
        found = (line.faces[face] for line in CATALOGUE.terrain_rolls.values())
        yield face + 1, tuple(CATALOGUE.terrain[slug].name if slug else "open" for slug in found)


def _scenario_facts(side: str, sheet: ScenarioSheet, options: Options) -> Iterator[tuple[str, str]]:
    cap = sheet.points or options.points_cap
    limits = [f"at most {cap} points"] * bool(cap) + [
        "heavy mechs at most half of the units, rounded up"
    ] * options.heavy_limit
    yield "Force", ", ".join([sheet.forces, "more than half mechs", *limits])
    edge = "bottom" if side == "A" else "top"
    yield "Starts", f"within {sheet.depth} in of the {edge} edge, gun sentries within {sheet.sentry_depth} in"


def _tracks(side: str, scenario: Scenario) -> Iterator[tuple[str, range]]:
    """Yield the boxes to tick during the game: losses, and beacon points or charges if the scenario has them."""
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
