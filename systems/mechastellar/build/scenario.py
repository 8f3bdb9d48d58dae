"""The Versus mission, and players' versions with their own name, story and table. ST-021, ST-360."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Annotated, Any, Literal

import pydantic

from systems.documents import Document, DocumentError, Name, object_of, parse_document
from systems.legality import Check, Problem, join_words
from systems.mechastellar.build.drawing import Table, TablePiece, describe_map, draw_map
from systems.mechastellar.catalogue import CATALOGUE, TABLE_IN, ControlPoint, Piece, Score, TableMap, TerrainKind
from systems.mechastellar.options import HOUSE_RULES
from systems.scenarios import Place, PlacedFields, SmallMap, map_diamond, map_disc, small_table

VERSUS = CATALOGUE.scenarios["versus"]
OWN_TABLE = "own-table"  # terrain slug of a scenario with its own table
MAX_BRIEF = 400
MAX_PIECES = 40
MAX_RADIUS = 12
MAX_ROUNDS = 12
MIN_TABLE, MAX_TABLE = 36, 72  # inches each way
MAX_POINTS = HOUSE_RULES["points-limit"].maximum or 0  # per force
EVEN_TOLERANCE_IN = 0.1  # maximum difference of distances that still counts as equal
STYLES: Mapping[str, str] = {  # styles of pieces on small maps
    "low": "small-map__hill",
    "high": "small-map__hill",
    "tall": "small-map__block",
    "wreck": "small-map__block",
    "forest": "small-map__woods",
    "deep-water": "small-map__water",
}
POINTS = CATALOGUE.limits["points"].most
Count = Annotated[int, pydantic.Field(ge=0, le=999_999)]
StandingKind = Literal["low", "tall", "forest", "high", "deep-water", "wreck"]


class PieceFields(PlacedFields):
    """A disc of terrain; its features belong to the advanced rules."""

    radius: Annotated[float, pydantic.Field(gt=0, le=MAX_RADIUS, strict=False, allow_inf_nan=False)]
    kind: StandingKind
    is_destructible: bool = False
    is_high: bool = False  # units can stand on top. ST-080
    has_roof: bool = False  # stops indirect fire. ST-097


class ScenarioSpec(Document):
    """The Versus mission as its author wrote it; it may have problems.

    If it has no table of its own, the battle's map is used.
    """

    brief: Annotated[str, pydantic.Field(max_length=MAX_BRIEF)] = ""
    rounds: Count = 0  # 0: from the mission
    force_points: Count = 0  # maximum points of a side; 0: from the house rules
    table_in: Count = TABLE_IN  # length of each side
    stellar: bool = False  # a battlefield in space, where cannons can't fire indirectly. ST-099
    points: list[tuple[Place, Place]] = []  # control points, in the order that breaks ties
    pieces: Annotated[list[PieceFields], pydantic.Field(max_length=MAX_PIECES)] = []

    @property
    def has_table(self) -> bool:
        """Whether it has its own table."""
        return bool(self.points or self.pieces) or self.table_in != TABLE_IN

    @property
    def size(self) -> int:
        """The size of its table, within the allowed sizes."""
        return min(max(self.table_in, MIN_TABLE), MAX_TABLE)


class ScenarioGiven(Document):
    """A scenario in full, where a document could also name a published one."""

    name: Name
    spec: dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSheet:
    """The contents of a scenario's page."""

    brief: str
    objective: str
    victory: str
    victory_rule: str
    turn_limit: int  # rounds
    forces: str
    points: int  # maximum points of a side; 0: no limit by the scenario
    scores: tuple[Score, ...]
    terrain: tuple[TerrainKind, ...]
    tables: tuple[Table, ...]

    @property
    def drawings(self) -> tuple[tuple[Table, str, str], ...]:
        """Each table as drawn for the screen, and in words."""
        return tuple((table, draw_map(table), describe_map(table)) for table in self.tables)


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """Return the spec; raises DocumentError."""
    spec = parse_document(ScenarioSpec, object_of(data, path), path)
    for at, (x, y) in enumerate(spec.points):
        _refuse_off_table(x, y, spec.size, f"{path}.points[{at}]", "control point")
    for at, piece in enumerate(spec.pieces):
        _refuse_off_table(piece.x, piece.y, spec.size, f"{path}.pieces[{at}]", "piece")
    return spec


def _refuse_off_table(x: float, y: float, size: int, path: str, what: str) -> None:
    if not (0 <= x <= size and 0 <= y <= size):
        place = f"({x:g}, {y:g})"
        reason = f"a {what} must be on the table, 0 to {size} in each way, not at {place} (ST-021)"
        raise DocumentError(path, reason, "ST-021")


def scenario_json(spec: ScenarioSpec) -> dict[str, Any]:
    """Return the spec as JSON values; parsing them gives an equal spec."""
    return spec.model_dump(mode="json", exclude_defaults=True)


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Return name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def check_scenario(spec: ScenarioSpec) -> Check:
    """Return all problems of a scenario, and warnings if the book advises against it. ST-013, ST-360 to ST-362, ST-370."""
    return Check(0, tuple(_problems(spec)), tuple(_warnings(spec)))


def _problems(spec: ScenarioSpec) -> Iterator[Problem]:
    if spec.rounds > MAX_ROUNDS:
        yield Problem("ST-370", f"A battle lasts 1 to {MAX_ROUNDS} Rounds, not {spec.rounds}.", "rounds")
    if spec.force_points > MAX_POINTS:
        message = f"Enter a points limit of at most {MAX_POINTS}, not {spec.force_points}."
        yield Problem("ST-013", message, "force_points")
    if spec.table_in != spec.size:
        message = f"A table is {MIN_TABLE} to {MAX_TABLE} in each way, not {spec.table_in}."
        yield Problem("ST-020", message, "table_in")
    if spec.points and len(spec.points) != POINTS:
        yield Problem("ST-360", f"Versus has {POINTS} control points, not {len(spec.points)}.", "points")


def _warnings(spec: ScenarioSpec) -> Iterator[Problem]:
    if len(spec.points) == POINTS and not are_paired(spec.points, spec.size):
        message = "By the book the first control point is in the centre and the others are in pairs at equal distance."
        yield Problem("ST-361", message, "points")
    table = scenario_table(spec, VERSUS.terrain)
    for at, piece in enumerate(spec.pieces):
        hidden = [
            str(number)
            for number, point in enumerate(table.points, start=1)
            if CATALOGUE.terrain[piece.kind].gives_cover and dist(point, (piece.x, piece.y)) < piece.radius
        ]
        if hidden:
            message = f"Piece {at + 1} gives Cover on control point {join_words(hidden)}; by the book none lies there."
            yield Problem("ST-362", message, f"pieces[{at}]")
    advanced = dict.fromkeys(name for piece in spec.pieces for name in _advanced(piece))
    if advanced:
        message = f"Only for battles with the house rule Rules: advanced: {join_words(list(advanced))}."
        yield Problem("ST-029", message, "pieces")


def are_paired(points: Sequence[tuple[float, float]], size: int) -> bool:
    """Return whether the first point is at the table's centre and the others form pairs equally far from it. ST-361."""
    centre = (size / 2, size / 2)
    far = sorted(dist(centre, point) for point in points[1:])
    pairs = zip(far[::2], far[1::2], strict=False)
    return dist(centre, points[0]) <= EVEN_TOLERANCE_IN and all(
        abs(one - other) <= EVEN_TOLERANCE_IN for one, other in pairs
    )


def _advanced(piece: PieceFields) -> Iterator[str]:
    """Yield the names of a piece's features from the advanced rules."""
    kind = CATALOGUE.terrain[piece.kind]
    if kind.tier == "advanced":
        yield kind.name
    if piece.is_high:
        yield CATALOGUE.terrain["high"].name
    if piece.has_roof:
        yield CATALOGUE.terrain["overhead"].name


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """Return a small map of its first table: pieces and control points."""
    table = sheet.tables[0]
    pieces = (map_disc(STYLES[each.kind], each.x, table.size - each.y, each.radius) for each in table.pieces)
    points = (map_diamond("small-map__key", x, table.size - y, 2) for x, y in table.points)
    return small_table(table.size, table.depth, (*pieces, *points))


def map_table(table: TableMap, size: int = TABLE_IN) -> Table:
    """Return a map from the catalogue as a table, scaled to its size."""
    points = (CATALOGUE.control_points[slug] for slug in table.points)
    pieces = (CATALOGUE.pieces[slug] for slug in table.pieces)
    return Table(
        name=table.name,
        points=tuple(_place(each, size) for each in points),
        pieces=tuple(_piece(each, size) for each in pieces),
        size=size,
    )


def _place(thing: ControlPoint | Piece, size: int) -> tuple[float, float]:
    return thing.x * size / TABLE_IN, thing.y * size / TABLE_IN


def _piece(piece: Piece, size: int) -> TablePiece:
    x, y = _place(piece, size)
    return TablePiece(
        slug=piece.slug,
        x=x,
        y=y,
        radius=piece.radius,
        kind=piece.kind,
        is_destructible=piece.is_destructible,
    )


def scenario_table(spec: ScenarioSpec, terrain: str) -> Table:
    """Return the table of a scenario: its author's own, or the chosen map.

    A table without control points of its own has the map's.
    """
    printed = map_table(CATALOGUE.maps[VERSUS.terrain if terrain == OWN_TABLE else terrain], spec.size)
    own = tuple(
        TablePiece(slug=f"{each.kind}-{at}", **each.model_dump()) for at, each in enumerate(spec.pieces, start=1)
    )
    if not spec.has_table:
        return replace(printed, stellar=spec.stellar)
    points = tuple(spec.points) or printed.points
    return Table(name="As drawn", points=points, pieces=own, size=spec.size, stellar=spec.stellar)


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """Return the data for a scenario's page; problems leave gaps, never raise errors."""
    force = CATALOGUE.limits["force"]
    rounds = spec.rounds or VERSUS.rounds
    return ScenarioSheet(
        brief=spec.brief,
        objective=VERSUS.objective,
        victory=VERSUS.victory.replace(f"Round {VERSUS.rounds}", f"Round {rounds}"),
        victory_rule=VERSUS.victory_rule,
        turn_limit=rounds,
        forces=f"{force.least} to {force.most} units",
        points=spec.force_points,
        scores=tuple(CATALOGUE.scores.values()),
        terrain=tuple(CATALOGUE.terrain.values()),
        tables=tuple(scenario_table(spec, each) for each in ((OWN_TABLE,) if spec.has_table else CATALOGUE.maps)),
    )
