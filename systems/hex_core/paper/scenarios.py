"""A mission on paper: the map drawn, what wins, how to set up, and tracks to tick; and the maps that are printed to scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from systems.documents import unknown_slug
from systems.force_limits import ForceLimits
from systems.hex_core.build.board import TERRAIN, published_board
from systems.hex_core.build.scenario import OWN_MAP, ScenarioSpec, parse_scenario
from systems.hex_core.build.scenario_sheet import map_words, scenario_sheet
from systems.hex_core.build.system import SYSTEM
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import Options
from systems.paper.hexes import INKS, HexPlan, map_svg, sign_svg
from systems.paper.words import counted

from .house_rules import end_of, mission_under, rule_under, terrain_of

HEX_MM = 114.3  # 4.5 in: a hex stood on its side is a level high, ledger 2.1
POINTS = 10
ONE_MM, SEVERAL_MM = 137.0, 79.5  # how broad a map is drawn, about: 74 and 43 % of the page
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
)  # which leaves room for them
ASSASSINATION, SQUADS, MAPS, END = "HX-169", "HX-054", "HX-057", "HX-A14"
OBJECTIVES = {"domination": "HX-166", "retrieval": "HX-165"}
OBJECTS = {"domination": "Objectives", "retrieval": "Objects"}
MISSION_RULES = {"domination": ("HX-167",), "retrieval": ("HX-165",), "assassination": (), "elimination": ()}


def hex_plans(spec: Mapping[str, object]) -> Sequence[HexPlan]:
    """Its own map, or those of which one is chosen with the battle."""
    return tuple(_plans(parse_scenario(spec)))


def _plans(spec: ScenarioSpec) -> Iterator[HexPlan]:
    if spec.map:
        yield HexPlan(OWN_MAP, spec.map.board.name, spec.map.board.ground)
        return
    for slug in CATALOGUE.maps:
        board = published_board(slug)
        yield HexPlan(slug, board.name, board.ground)


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options
) -> Mapping[str, object]:
    spec = parse_scenario(data)
    if terrain and terrain not in CATALOGUE.maps and terrain != OWN_MAP:
        raise unknown_slug("terrain", "map", terrain, CATALOGUE.maps)
    plans = [plan for plan in _plans(spec) if terrain in ("", plan.slug) or spec.map]
    sheet = scenario_sheet(spec)
    boards = [spec.map.board if spec.map else published_board(plan.slug) for plan in plans]
    standing = (*MISSION_RULES[spec.mission], *(BESIDE_ONE_MAP if len(plans) == 1 else ()))
    lie = {colour for board in boards for colour in board.colours}
    return {
        "name": name,
        "sheet": sheet,
        "rounds": range(1, (spec.rounds or options.rounds) + 1),
        "plans": tuple(
            {
                "name": plan.name,
                "drawing": map_svg(
                    plan.ground, INKS[theme], f"{plan.name}, drawn", ONE_MM if len(plans) == 1 else SEVERAL_MM
                ),
                "words": tuple(map_words(board)),
            }
            for plan, board in zip(plans, boards, strict=True)
        ),
        "terrain": tuple(
            (sign_svg(TERRAIN[line.slug], INKS[theme]), line.name, line.effect)
            for line in terrain_of(options)
            if line.slug in lie
        ),
        "points": range(1, POINTS + 1) if spec.mission in ("domination", "retrieval") else (),
        "victory": mission_under(sheet.mission, options).victory,
        "end": end_of(spec.mission, spec.rounds or options.rounds),
        "end_rule": END,
        "steps": tuple(_steps(spec, len(plans), options)),
        "rules": tuple(rule_under(SYSTEM.rulebook[each], options) for each in standing),
    }


def _steps(spec: ScenarioSpec, maps: int, options: Options) -> Iterator[tuple[str, str]]:
    """Setting up: each step, and its rule."""
    if spec.forces == ForceLimits():
        size = options.size
        yield f"Squads: at most {size.points} points and {counted(size.units, 'unit')} a side.", SQUADS
    else:
        yield "Squads: as said for each side.", SQUADS
    if maps > 1:
        yield "Choose one of these maps.", MAPS
    placed = bool(spec.map and spec.map.objectives)
    mission = CATALOGUE.missions[spec.mission]
    if spec.mission in OBJECTIVES:
        rule = OBJECTIVES[spec.mission]
        yield (f"{OBJECTS[spec.mission]} lie where the map shows them." if placed else mission.setup), rule
    elif spec.mission == "assassination":
        yield mission.setup, ASSASSINATION
    for each in SETTING_UP:
        rule_of = rule_under(SYSTEM.rulebook[each], options)
        yield f"{rule_of.title}: {rule_of.text[0].lower()}{rule_of.text[1:]}", each
