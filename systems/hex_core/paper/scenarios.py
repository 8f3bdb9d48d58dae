"""A mission on paper: the map drawn, victory, set-up, and tracks to tick; and the maps printed to scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from systems.documents import unknown_slug
from systems.force_limits import ForceLimits
from systems.hex_core.build.board import TERRAIN, Board, published_board, turn_board
from systems.hex_core.build.scenario import OWN_MAP, ScenarioSpec, parse_scenario
from systems.hex_core.build.scenario_sheet import map_words, scenario_sheet
from systems.hex_core.build.system import SYSTEM
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import Options
from systems.paper.hexes import INKS, HexPlan, map_svg, sign_svg
from systems.paper.words import pluralize

from .house_rules import end_of, mission_under, rule_under, terrain_of

HEX_MM = 114.3  # 4.5 in: a level is the height of a hex standing on its side, ledger 2.1
POINTS = 10
ONE_MM, SEVERAL_MM = 137.0, 79.5  # width of a map, about 74 and 43 % of the page
DEEP_ONE_MM, DEEP_SEVERAL_MM = 88.0, 57.0  # the same for a deep board: 48 and 31 %
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
)  # rules printed beside a single map, where there is room
ASSASSINATION, SQUADS, MAPS, END = "HX-169", "HX-054", "HX-057", "HX-A14"
OBJECTIVES = {"domination": "HX-166", "retrieval": "HX-165"}
OBJECTS = {"domination": "Objectives", "retrieval": "Objects"}
MISSION_RULES = {"domination": ("HX-167",), "retrieval": ("HX-165",), "assassination": (), "elimination": ()}


def hex_plans(spec: Mapping[str, object], options: Options) -> Sequence[HexPlan]:
    """Return its own map, or those of which one is chosen with the battle."""
    return tuple(HexPlan(slug, board.name, board.ground) for slug, board in _boards(parse_scenario(spec), options))


def _boards(spec: ScenarioSpec, options: Options) -> Iterator[tuple[str, Board]]:
    """Yield the same maps as they lie on the table."""
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
        "plates": f"{'plate' if len(boards) == 1 else 'plates'}{' deep' if options.is_deep else ''}",
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
    """Yield each step of setting up, and its rule."""
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
