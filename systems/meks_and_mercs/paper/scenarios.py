"""A scenario of Meks & Mercs on paper: map, terms of both sides, victory, and a track to tick the turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from systems.documents import unknown_slug
from systems.meks_and_mercs.build.scenario import RANDOM_TERRAIN, WITH_EXITS, ScenarioSpec
from systems.meks_and_mercs.build.scenario_sheet import ScenarioSheet, SideView
from systems.meks_and_mercs.build.system import SYSTEM
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.options import BY_THE_BOOK, Options

from .rules import SUPPORT_TABLES
from .zone_map import short_effect, zone_map

PRINTED = "printed"  # the terrain that the scenario itself has
DEFAULT_TERRAIN = "plain"  # the terrain if the scenario prints none
MAX_TURNS = 30  # boxes to tick; later turns have none
UNIT_LINES = 8  # to write a side's force on
COMMON_RULES = ("MM-012", "MM-013", "MM-017", "MM-091")  # rules that every scenario needs at the table


def scenario_context(
    name: str, data: Mapping[str, object], terrain: str, theme: str, options: Options = BY_THE_BOOK
) -> Mapping[str, object]:
    is_rolled = options.random_terrain
    spec = _with_terrain(SYSTEM.parse_scenario(data, "spec"), terrain, is_rolled=is_rolled)
    sheet = SYSTEM.scenario_sheet(spec)
    edge = spec.objective.exit_edge if spec.objective.kind in WITH_EXITS else None
    return {
        "name": name,
        "sheet": sheet,
        "map": zone_map(sheet.zones, edge, theme),
        "zones": [
            {
                "number": zone.number,
                "terrain": zone.terrain_name,
                "effect": short_effect(zone),
                "marks": "; ".join(mark.text for mark in zone.marks),
            }
            for zone in sheet.zones
        ],
        "sides": [
            {"view": side, "facts": tuple(_scenario_facts(side, options)), "lines": range(UNIT_LINES)} for side in sheet.sides
        ],
        "turns": range(1, min(sheet.turn_limit, MAX_TURNS) + 1),
        "rules": [SYSTEM.rulebook[rule] for rule in COMMON_RULES],
        "support": tuple(_support_tables()) if any(side.support_rolls for side in sheet.sides) else (),
        "notes": tuple(_scenario_notes(sheet, is_rolled=is_rolled)),
        "problems": [problem.message for problem in SYSTEM.check_scenario(spec).problems],
    }


def _with_terrain(spec: ScenarioSpec, terrain: str, *, is_rolled: bool) -> ScenarioSpec:
    """Return the scenario on the terrain that the table has chosen, where the scenario leaves that open. MM-D72."""
    if not terrain or (terrain == PRINTED and is_rolled):
        return spec
    terrain = DEFAULT_TERRAIN if terrain == PRINTED else terrain
    if terrain not in CATALOGUE.terrain:
        raise unknown_slug("terrain", "terrain", terrain, [PRINTED, *CATALOGUE.terrain])
    return spec if spec.terrain else spec.model_copy(update={"terrain": (terrain,) * 9})


def _scenario_facts(side: SideView, options: Options) -> Iterator[tuple[str, str]]:
    yield "Points", str(side.points)
    yield "Meks", side.force or "free choice"
    if side.pilots:
        yield "Free pilots", side.pilots
    else:
        yield "Pilots", describe_hiring(options)
    yield "Support rolls", str(side.support_rolls)
    for at, line in enumerate(side.setup):
        yield ("Set-up" if at == 0 else "", line)
    if not side.setup:
        yield "Set-up", "nowhere yet"
    if side.extra:
        yield "Also", side.extra


def describe_hiring(options: Options) -> str:
    """Describe the cost of new pilots in a scenario that prints none. MM-010, MM-011, MM-S07."""
    hired = CATALOGUE.levels["regular"]
    whence = {
        "fresh-build": "of these points",
        "standing-company": "from the bank",
    }.get(options.season_mode, "of these points (standing companies: from the bank)")
    return f"a new Green is free; each new {hired.name} costs {hired.hire_points} {whence}"


def _support_tables() -> Iterator[tuple[str, str]]:
    """Yield the faces of the first die, and the result of each face of the second. MM-014."""
    for table, faces in SUPPORT_TABLES.items():
        results = sorted(
            (each for each in CATALOGUE.support.values() if each.table == table), key=lambda each: each.face
        )
        yield faces, ", ".join(f"{each.face} {each.name}" for each in results)


def _scenario_notes(sheet: ScenarioSheet, *, is_rolled: bool) -> Iterator[str]:
    if sheet.has_open_terrain:
        faces = ", ".join(f"{faces} {CATALOGUE.terrain[slug].name}" for slug, faces in RANDOM_TERRAIN)
        start = (
            "Roll"
            if is_rolled
            else "The scenario prints no terrain: all zones are Plain, unless you choose others or roll"
        )
        yield f"{start} a die for each zone, 1 to 9, before set-up: {faces}. Write it into the table."
    if sheet.turn_limit > MAX_TURNS:
        yield f"The game ends after turn {sheet.turn_limit}."
