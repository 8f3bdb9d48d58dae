"""A scenario's page: mission, victory, and the map in drawings and words; problems leave gaps, never raise errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from systems.force_limits import ForceLimits, describe_forces, force_lines
from systems.hex_core.catalogue import CATALOGUE, DEPLOYMENT_ROWS, Mission, Terrain
from systems.hex_core.options import BY_THE_BOOK
from systems.scenario_form import MapPatch, SmallMap, map_box, map_disc
from systems.spaces.hex_map import HexSheet, Point, centre, draw_sheet

from .board import LOOKS, OPEN, Board, published_board
from .scenario import BOUNDS, OWN_MAP, ScenarioSpec, describe_hex

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
        yield f"Building, {floors} floors", _describe_hexes(board, places)
    if board.objectives:
        yield "Objectives", _describe_hexes(board, board.objectives)
    for letter, start, plain in zip("AB", board.starts, board.plain_starts, strict=True):
        first = board.rows - DEPLOYMENT_ROWS if letter == "A" else 0
        rows = f"rows {first} to {first + DEPLOYMENT_ROWS - 1}"
        yield f"Side {letter} sets up", rows if start == plain else _describe_hexes(board, sorted(start))


def _describe_hexes(board: Board, places: Sequence[int]) -> str:
    return " ".join(describe_hex(at, board.columns) for at in places)
