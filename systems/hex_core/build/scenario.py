"""Scenarios of Hex Core: a mission, and the author's own map if there is one; reading, checks, and the page.

The page has mission, victory, and the map in drawings and words; problems leave gaps in it, never raise errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Annotated

import pydantic

from systems.documents import Document, DocumentError, Name, object_of, parse_document, refuse_unknown, unknown_slug
from systems.hex_core.build.drawing import (
    HEXES,
    LOOKS,
    OPEN,
    Board,
    build_board,
    hex_number,
    plain_starts,
    published_board,
)
from systems.hex_core.catalogue import CATALOGUE, COLUMNS, DEPLOYMENT_ROWS, ROWS, Hex, Mission, Terrain
from systems.hex_core.options import BY_THE_BOOK, HOUSE_RULES
from systems.legality import Check, Problem, pluralize
from systems.scenarios import (
    Bounds,
    ForceLimits,
    MapPatch,
    SideLimits,
    SmallMap,
    describe_forces,
    force_lines,
    limits_wrong,
    map_box,
    map_disc,
)
from systems.spaces.hex_map import HexSheet, Point, centre, draw_sheet
from systems.spaces.hexes import SIDES_OF_HEX, hex_beside, hex_distance, hex_opposite

MAX_BRIEF = 400
MAX_ROUNDS = HOUSE_RULES["rounds"].maximum or 0
OWN_MAP = "own-map"  # terrain slug of a scenario with its own map
MAX_FLOORS = 20
LEVELS = (1, 2)  # possible levels of raised ground, HX-157
OBJECTS = 3
OBJECT_GAP = 6  # HX-D68
MIN_START = max(size.units for size in CATALOGUE.squad_sizes.values())  # minimum hexes in a deployment area
HELD = frozenset({"grey", "tan", "black", "white"})  # ground where every land unit can set up
MAX_HEXES_NAMED = 3  # maximum hexes named in a problem; the others are counted
ZONES: Mapping[str, tuple[range, range, str]] = MappingProxyType(
    {  # columns and rows for objectives, HX-D67, HX-D68
        "domination": (range(6, COLUMNS - 6), range(ROWS), "in columns 6 to 9"),
        "retrieval": (range(COLUMNS), range(5, 8), "in rows 5 to 7"),
    }
)

BOUNDS = Bounds(  # for squads: the largest size's limits
    unit="unit",
    units="units",
    units_most=max(size.units for size in CATALOGUE.squad_sizes.values()),
    points_most=max(size.points for size in CATALOGUE.squad_sizes.values()),
    units_rule="HX-054",
    points_rule="HX-054",
    unsaid="a squad of the size chosen",
)

Count = Annotated[int, pydantic.Field(ge=0, le=9999)]
Floors = Annotated[int, pydantic.Field(ge=1, le=MAX_FLOORS)]
Level = Annotated[int, pydantic.Field(ge=min(LEVELS), le=max(LEVELS))]


class Starts(Document):
    """Both sides' deployment hexes, as columns and rows; empty: the three rows nearest the side's edge."""

    a: tuple[Hex, ...] = ()
    b: tuple[Hex, ...] = ()


class MapSpec(Document):
    """A map. Unlisted hexes are grey, at level 0. Columns and rows count from 0 at the top left."""

    columns: int = COLUMNS
    rows: int = ROWS
    hexes: dict[str, tuple[Hex, ...]] = pydantic.Field(default={}, description="Columns and rows, by colour")
    levels: tuple[tuple[int, int, Level], ...] = pydantic.Field(default=(), description="Column, row, level")
    buildings: tuple[tuple[int, int, Floors], ...] = pydantic.Field(default=(), description="Column, row, floors")
    objectives: tuple[Hex, ...] = pydantic.Field(default=(), description="None: the players place them")
    starts: Starts = Starts()

    @cached_property
    def board(self) -> Board:
        """Return the battle's map."""
        given = tuple(frozenset(map(hex_number, places)) for places in (self.starts.a, self.starts.b))
        plain = plain_starts()
        return build_board(
            "Its own map",
            self.hexes,
            {(column, row): floors for column, row, floors in self.buildings},
            {(column, row): level for column, row, level in self.levels},
            self.objectives,
            (given[0] or plain[0], given[1] or plain[1]),
        )


class ScenarioSpec(Document):
    """A scenario as its author wrote it; it may have problems. Without its own map, one is chosen with the battle."""

    brief: Annotated[str, pydantic.Field(max_length=MAX_BRIEF)] = ""
    mission: str = "elimination"
    map: MapSpec | None = None
    rounds: Count = 0  # maximum Rounds; 0: from the house rules
    forces: ForceLimits = ForceLimits()  # unset limits are those of the squad's size


class ScenarioGiven(Document):
    """A scenario in full, where a document could also name a published one."""

    name: Name
    spec: dict[str, object]


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """Return the spec; raises DocumentError with the path of the first fault."""
    spec = parse_document(ScenarioSpec, object_of(data, path), path)
    refuse_unknown(_describe_position(path, "mission"), "mission", spec.mission, CATALOGUE.missions)
    if spec.map:
        refuse_unreadable(spec.map, _describe_position(path, "map"))
    return spec


def scenario_json(spec: ScenarioSpec) -> dict[str, object]:
    """Return the spec as JSON values, without unset rounds and forces; parsing them gives an equal spec."""
    data: dict[str, object] = spec.model_dump(mode="json", exclude={"rounds", "forces"})
    return data | spec.model_dump(mode="json", include={"rounds", "forces"}, exclude_defaults=True)


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Return name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def read_limits(given: str | Mapping[str, object], side: str | None) -> SideLimits:
    """Return the scenario's limits for a side; none if it is unreadable. HX-054."""
    if isinstance(given, str):
        return SideLimits()
    try:
        return parse_given(given)[1].forces.of(side)
    except DocumentError:
        return SideLimits()


def _describe_position(path: str, field: str) -> str:
    return f"{path}.{field}" if path else field


def refuse_unreadable(spec: MapSpec, path: str) -> None:
    """Raise DocumentError for a map with wrong size, an unknown colour, or a hex off the map or listed twice."""
    for field, size, asked in (("columns", COLUMNS, spec.columns), ("rows", ROWS, spec.rows)):
        if asked != size:
            raise DocumentError(f"{path}.{field}", f"a map has {size} {field}, not {asked} (HX-055)", "HX-055")
    for colour in spec.hexes:
        if colour not in CATALOGUE.terrain:
            error = unknown_slug(f"{path}.hexes", "colour", colour, CATALOGUE.terrain)
            raise DocumentError(error.path, f"{error.reason} (HX-136)", "HX-136")
    coloured = [
        (place, f"hexes.{colour}[{at}]") for colour, places in spec.hexes.items() for at, place in enumerate(places)
    ]
    lists: list[Sequence[tuple[Hex, str]]] = [
        coloured,
        [((column, row), f"levels[{at}]") for at, (column, row, _level) in enumerate(spec.levels)],
        [((column, row), f"buildings[{at}]") for at, (column, row, _floors) in enumerate(spec.buildings)],
        [(place, f"objectives[{at}]") for at, place in enumerate(spec.objectives)],
        [(place, f"starts.a[{at}]") for at, place in enumerate(spec.starts.a)],
        [(place, f"starts.b[{at}]") for at, place in enumerate(spec.starts.b)],
    ]
    for places in lists:
        _refuse_off_or_twice(places, path)


def _refuse_off_or_twice(places: Sequence[tuple[Hex, str]], path: str) -> None:
    seen: set[Hex] = set()
    for place, field in places:
        if hex_number(place) < 0:
            reason = (
                f"{place} is off the map, which has {COLUMNS} columns and {ROWS} rows, both counted from 0 (HX-055)"
            )
            raise DocumentError(f"{path}.{field}", reason, "HX-055")
        if place in seen:
            raise DocumentError(f"{path}.{field}", f"{place} is named twice")
        seen.add(place)


# --- problems ---------------------------------------------------------------------------------------------------------


def check_scenario(spec: ScenarioSpec) -> Check:
    """Return all problems of a scenario.

    HX-054, HX-055, HX-057, HX-059, HX-137, HX-138, HX-148, HX-166, HX-A13.
    """
    figures = (*_rounds(spec), *limits_wrong(spec.forces, BOUNDS))
    if spec.map is None:
        return Check(0, figures)
    board = spec.map.board
    problems = (
        *figures,
        *_uneven(board),
        *_gaps(board),
        *_heights(spec.map, board),
        *_buildings(spec.map, board),
        *_starts(spec.map, board),
        *_objectives(spec.map, board, spec.mission),
    )
    return Check(0, problems, tuple(_warnings(spec.map, spec.mission)))


def _rounds(spec: ScenarioSpec) -> Iterator[Problem]:
    if spec.rounds > MAX_ROUNDS:
        yield Problem("HX-A13", f"A battle lasts 1 to {MAX_ROUNDS} rounds, not {spec.rounds}.", "rounds")


def uneven_hexes(board: Board) -> tuple[int, ...]:
    """Return the hexes that differ from their opposites. HX-057, HX-D03."""

    def lies(at: int, side: int) -> tuple[str, int, int, bool, bool]:
        starts = board.starts
        return (board.colours[at], board.levels[at], board.floors[at], at in starts[side], at in starts[1 - side])

    return tuple(at for at in range(HEXES) if lies(at, 0) != lies(hex_opposite(at, COLUMNS, ROWS), 1))


def _uneven(board: Board) -> Iterator[Problem]:
    uneven = uneven_hexes(board)
    if not uneven:
        return
    pairs = [(at, hex_opposite(at, COLUMNS, ROWS)) for at in uneven if at < hex_opposite(at, COLUMNS, ROWS)]
    descriptions = [
        f"{describe_hex(one)} {_describe_hex(board, one)}, {describe_hex(other)} {_describe_hex(board, other)}"
        for one, other in pairs
    ]
    message = f"The map must look the same turned by 180°: {_join_few(descriptions, '; ')}."
    yield _problem("map-not-symmetric", message, "map")


def _describe_hex(board: Board, at: int) -> str:
    """Describe the contents of a hex in a few words."""
    parts = [CATALOGUE.terrain[board.colours[at]].name.lower()]
    if board.levels[at] > 0:
        parts.append(f"level +{board.levels[at]}")
    if board.floors[at]:
        parts.append(pluralize(board.floors[at], "floor"))
    parts += [f"start of {letter}" for letter, start in zip("AB", board.starts, strict=True) if at in start]
    return " ".join(("is", ", ".join(parts)))


def _gaps(board: Board) -> Iterator[Problem]:
    close = [
        f"{describe_hex(at)} and {describe_hex(other)}"
        for at in range(HEXES)
        for other in _beside(at)
        if at < other and not _may_touch(board.colours[at], board.colours[other])
    ]
    if close:
        message = f"Hexes of different colours need a grey one between them: {_join_few(close, '; ')}."
        yield _problem("terrain-gap", message, "map.hexes")


def _beside(at: int) -> Iterator[int]:
    for direction in range(SIDES_OF_HEX):
        found = hex_beside(at % COLUMNS, at // COLUMNS, direction, COLUMNS, ROWS)
        if found >= 0:
            yield found


def _may_touch(one: str, other: str) -> bool:
    """Return whether two colours may be adjacent. HX-D56."""
    return one == other or OPEN in (one, other) or {one, other} == {"light-blue", "dark-blue"}


def _heights(spec: MapSpec, board: Board) -> Iterator[Problem]:
    for at, (column, row, _level) in enumerate(spec.levels):
        colour = CATALOGUE.terrain[board.colours[hex_number((column, row))]]
        if colour.level:
            message = f"({column}, {row}) is {colour.name.lower()}, which lies on level 0 of the table only."
            yield Problem("HX-138", message, f"map.levels[{at}]")


def _buildings(spec: MapSpec, board: Board) -> Iterator[Problem]:
    for at, (column, row, _floors) in enumerate(spec.buildings):
        colour = CATALOGUE.terrain[board.colours[hex_number((column, row))]]
        if colour.level:
            message = f"The building on ({column}, {row}) is in water; it must stand on land."
            yield Problem("HX-148", message, f"map.buildings[{at}]")


def _starts(spec: MapSpec, board: Board) -> Iterator[Problem]:
    for side, places in (("a", spec.starts.a), ("b", spec.starts.b)):
        for at, place in enumerate(places):
            number = hex_number(place)
            if board.floors[number]:
                yield Problem("HX-068", f"{place} is a building: no unit can stand in it.", f"map.starts.{side}[{at}]")
            elif board.colours[number] == "red":
                yield Problem("HX-141", f"{place} is red: no unit can stand on it.", f"map.starts.{side}[{at}]")
    for side, start in zip("AB", board.starts, strict=True):
        free = [at for at in start if board.colours[at] in HELD and not board.floors[at]]
        if len(free) < MIN_START:
            message = f"Side {side} has {pluralize(len(free), 'hex', 'hexes')} to set up in that hold any unit; it needs {MIN_START}."
            yield Problem("HX-059", message, f"map.starts.{side.lower()}")
    both = sorted(board.starts[0] & board.starts[1])
    if both:
        message = f"Both sides set up in {_join_few([describe_hex(at) for at in both], ', ')}."
        yield Problem("HX-059", message, "map.starts")


def _objectives(spec: MapSpec, board: Board, mission: str) -> Iterator[Problem]:
    places = spec.objectives
    if mission not in ZONES:
        return
    if not places and not has_room(board, mission):
        message = (
            f"There is no room {ZONES[mission][2]} for {OBJECTS} of them, each {OBJECT_GAP} hexes from the others."
        )
        yield _problem("objective-blocks", message, "map")
    if not places:
        return
    if len(places) != OBJECTS:
        message = f"There are {OBJECTS} of them or none, which the players then place; not {len(places)}."
        yield Problem("HX-166", message, "map.objectives")
    columns, rows, where = ZONES[mission]
    for at, (column, row) in enumerate(places):
        field, number = f"map.objectives[{at}]", hex_number((column, row))
        if column not in columns or row not in rows:
            yield _problem("objective-zone", f"({column}, {row}) is not {where}.", field)
        if board.floors[number]:
            yield Problem("HX-166", f"({column}, {row}) is a building.", field)
        elif board.colours[number] == "red":
            yield Problem("HX-166", f"({column}, {row}) is red: no unit can reach it.", field)
        for other in places[:at]:
            if hex_distance(column, row, *other) < OBJECT_GAP:
                message = f"({column}, {row}) is within {OBJECT_GAP - 1} hexes of {other}."
                yield _problem("objective-too-close", message, field)


def has_room(board: Board, mission: str) -> bool:
    """Return True if players have room to place everything that the mission requires. HX-D68."""
    columns, rows, _where = ZONES[mission]
    free = [(at % COLUMNS, at // COLUMNS) for at in range(HEXES) if board.colours[at] != "red" and not board.floors[at]]
    free = [(column, row) for column, row in free if column in columns and row in rows]
    far = [{to for to, place in enumerate(free) if hex_distance(*place, *one) >= OBJECT_GAP} for one in free]
    return any(far[one] & far[other] for one in range(len(free)) for other in far[one])


def _warnings(spec: MapSpec, mission: str) -> Iterator[Problem]:
    if not spec.objectives:
        return
    if mission not in ZONES:
        yield Problem("HX-163", "This mission has no objectives on the map, so these are ignored.", "map.objectives")
        return
    numbers = set(map(hex_number, spec.objectives))
    if any(hex_opposite(at, COLUMNS, ROWS) not in numbers for at in numbers):
        yield Problem("HX-057", "The objectives aren't symmetrical: one side is nearer to them.", "map.objectives")


def describe_hex(at: int, columns: int = COLUMNS) -> str:
    return f"({at % columns}, {at // columns})"


def _join_few(texts: Sequence[str], between: str) -> str:
    rest = len(texts) - MAX_HEXES_NAMED
    return between.join(texts[:MAX_HEXES_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _problem(code: str, message: str, place: str) -> Problem:
    return Problem(CATALOGUE.refusals[code].rule, message, place, code)


SPOT = 30.0  # radius of an objective on a small map


@dataclass(frozen=True, slots=True, kw_only=True)
class MapView:
    """A map on a page."""

    slug: str
    name: str
    line: str
    sheet: HexSheet
    spots: tuple[tuple[Point, str], ...]
    words: tuple[tuple[str, str], ...]  # contents, and the hexes that have them


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSheet:
    """The contents of a scenario's page."""

    brief: str
    mission: Mission
    turn_limit: int
    forces: str
    force_lines: tuple[tuple[str, str], ...]  # for each side with limits
    maps: tuple[MapView, ...]
    colours: tuple[tuple[Terrain, str], ...]  # the maps' colours, each with its style

    @property
    def objective(self) -> str:
        return self.mission.objective

    @property
    def victory(self) -> str:
        return self.mission.victory

    @property
    def victory_rule(self) -> str:
        return self.mission.victory_rule


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """Return the scenario with its own map, or with the maps to choose from."""
    boards = [(slug, found.line, published_board(slug)) for slug, found in CATALOGUE.maps.items()]
    if spec.map:
        boards = [(OWN_MAP, "", spec.map.board)]
    lie = {colour for _slug, _line, board in boards for colour in board.colours}
    return ScenarioSheet(
        brief=spec.brief,
        mission=CATALOGUE.missions[spec.mission],
        turn_limit=spec.rounds or BY_THE_BOOK.rounds,
        forces="squads of one size" if spec.forces == ForceLimits() else describe_forces(spec.forces, BOUNDS),
        force_lines=force_lines(spec.forces, BOUNDS),
        maps=tuple(build_map_view(slug, line, board) for slug, line, board in boards),
        colours=tuple((terrain, LOOKS[terrain.slug]) for terrain in CATALOGUE.terrain.values() if terrain.slug in lie),
    )


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """Return a small map of the first map that isn't empty: coloured hexes, buildings and objectives."""
    view = next((each for each in sheet.maps if len(each.sheet.patches) > 1), sheet.maps[0])
    drawn = view.sheet
    hexes = (MapPatch(f"hex--{each.terrain.look}", each.path) for each in drawn.patches if each.terrain.look != "plain")
    built = (
        map_box("small-map__block", each.at[0] - 22, each.at[1] - 22, 44, 44)
        for each in drawn.heights
        if each.is_building
    )
    spots = (map_disc("small-map__key", x, y, SPOT) for (x, y), _letter in view.spots)
    return SmallMap(
        drawn.width, drawn.height, (map_box("hex--plain", 0, 0, drawn.width, drawn.height), *hexes, *built, *spots)
    )


def build_map_view(slug: str, line: str, board: Board) -> MapView:
    """Return a map, as a drawing and in words."""
    ground = board.ground
    return MapView(
        slug=slug,
        name=board.name,
        line=line,
        sheet=draw_sheet(ground),
        spots=tuple((centre(spot.column, spot.row), spot.letter) for spot in ground.spots),
        words=tuple(map_words(board)),
    )


def map_words(board: Board) -> Iterator[tuple[str, str]]:
    """Describe the map's hexes by columns and rows, except grey ones."""
    for terrain in CATALOGUE.terrain.values():
        places = [at for at, colour in enumerate(board.colours) if colour == terrain.slug != OPEN]
        if places:
            yield terrain.name, _describe_hexes(board, places)
    for level in sorted({level for level in board.levels if level > 0}):
        yield f"Level +{level}", _describe_hexes(board, [at for at, each in enumerate(board.levels) if each == level])
    for floors in sorted(set(board.floors) - {0}):
        places = [at for at, each in enumerate(board.floors) if each == floors]
        yield f"Building, {pluralize(floors, 'floor')}", _describe_hexes(board, places)
    if board.objectives:
        yield "Objectives", _describe_hexes(board, board.objectives)
    for letter, start, plain in zip("AB", board.starts, board.plain_starts, strict=True):
        first = board.rows - DEPLOYMENT_ROWS if letter == "A" else 0
        rows = f"rows {first} to {first + DEPLOYMENT_ROWS - 1}"
        yield f"Side {letter} sets up", rows if start == plain else _describe_hexes(board, sorted(start))


def _describe_hexes(board: Board, places: Sequence[int]) -> str:
    return " ".join(describe_hex(at, board.columns) for at in places)
