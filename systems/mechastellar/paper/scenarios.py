"""Versus on paper: the chosen table to scale, deployment, scoring, and tracks to tick."""

from __future__ import annotations

from collections.abc import Mapping

from systems.documents import unknown_slug
from systems.figures import format_signed
from systems.mechastellar.build.house_rules import rule_under, scores_of
from systems.mechastellar.build.scenario import OWN_TABLE, VERSUS, parse_scenario, scenario_sheet, scenario_table
from systems.mechastellar.build.system import SYSTEM
from systems.mechastellar.build.table_map import MapPalette, describe_map, draw_map
from systems.mechastellar.build.tables import Table
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.options import BY_THE_BOOK, Options

SETTING_UP = ("ST-022",)
BY_TURNS = ("ST-024", "ST-025", "ST-026")
STANDING = ("ST-027", "ST-028", "ST-240", "ST-363", "ST-366", "ST-367")  # rules that every battle needs at the table
UNIT_LINES = CATALOGUE.limits["force"].most
VP_BOXES = 20
MOMENTUM = range(11)
FONT = "'Muster Condensed'"
MAP_PALETTES = {
    "colour": MapPalette("#20231a", "#55574a", "#a8370b", "#e3e8d3", "#d6e0e8", "#7f7a66", "#ffffff", "#efe3c4", "#c9dbe6"),
    "grey": MapPalette("#1c1c1c", "#505050", "#1c1c1c", "#e4e4e4", "#efefef", "#6a6a6a", "#ffffff", "#f2f2f2", "#dcdcdc"),
    "ink-saver": MapPalette("#000000", "#000000", "#000000", "none", "none", "none", "#000000", "none", "none"),
}  # fmt: skip


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options = BY_THE_BOOK
) -> Mapping[str, object]:
    if terrain and terrain not in CATALOGUE.maps and terrain != OWN_TABLE:
        raise unknown_slug("terrain", "terrain", terrain, CATALOGUE.maps)
    spec = parse_scenario(data)
    sheet = scenario_sheet(spec)
    table = scenario_table(spec, terrain or VERSUS.terrain)
    kinds = {piece.kind for piece in table.pieces}
    standing = ("ST-029", *(BY_TURNS if options.deploys_by_turns else SETTING_UP), *STANDING)
    return {
        "name": name,
        "sheet": sheet,
        "map": draw_map(table, MAP_PALETTES[theme], FONT),
        "map_name": table.name,
        "map_told": describe_map(table),
        "rounds": range(1, sheet.turn_limit + 1),
        "scores": tuple((each, "" if each.points is None else format_signed(each.points)) for each in scores_of(options)),
        "terrain": tuple((each.name, each.effect) for each in sheet.terrain if each.slug in kinds),
        "points": range(1, len(table.points) + 1),
        "sides": tuple(
            {"name": side, "facts": tuple(_scenario_facts(side, table, sheet.points or options.points_limit))}
            for side in ("A", "B")
        ),
        "lines": range(UNIT_LINES),
        "momentum": MOMENTUM,
        "vp": range(1, VP_BOXES + 1),
        "rules": tuple(rule_under(SYSTEM.rulebook[each], options) for each in standing),
    }


def _scenario_facts(side: str, table: Table, points: int) -> list[tuple[str, str]]:
    south, north = f"0 to {table.depth:g}", f"{table.size - table.depth:g} to {table.size}"
    edge, zone = ("south", south) if side == "A" else ("north", north)
    force = scenario_forces()
    if points:
        force += f", at most {points} points"
    return [("Force", force), ("Edge", f"{edge}; deploys within {zone} in")]


def scenario_forces() -> str:
    limit = CATALOGUE.limits["force"]
    return f"{limit.least} to {limit.most} units"
