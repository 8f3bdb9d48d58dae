"""The skirmish on paper: the chosen table to scale, deployment, victory, and tracks to tick."""

from __future__ import annotations

from collections.abc import Mapping

from systems.blazing_steel.build.scenario import (
    BOUNDS,
    OWN_TABLE,
    ScenarioSpec,
    items_with,
    parse_scenario,
    scenario_sheet,
    scenario_table,
)
from systems.blazing_steel.build.system import SYSTEM
from systems.blazing_steel.build.table_map import MapPalette, describe_map, draw_map
from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.documents import unknown_slug
from systems.force_limits import describe_side

from .house_rules import items_of, points_of, rule_under

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
        "map_told": describe_map(table),
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
