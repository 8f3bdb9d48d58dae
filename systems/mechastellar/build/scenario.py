"""Mission Versus, as players may also give it a name, a story and a table of their own. ST-021, ST-360."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pydantic

from systems.documents import Document, DocumentError, Name, object_of, parse_document
from systems.legality import Check
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import DEPLOY_IN, TABLE_IN, ControlPoint, Piece, Score, TableMap, TerrainKind
from systems.paper.small_map import SmallMap, diamond, disc, small_table

from .table_map import draw_map, map_told
from .tables import Table, TablePiece

VERSUS = CATALOGUE.scenarios["versus"]
BRIEF_MOST = 400
MOST_PIECES = 40
LOOKS: Mapping[str, str] = {  # of pieces on a small map
    "low": "small-map__hill",
    "high": "small-map__hill",
    "tall": "small-map__block",
    "wreck": "small-map__block",
    "forest": "small-map__woods",
    "deep-water": "small-map__water",
}
POINTS = CATALOGUE.limits["points"].most
Place = Annotated[float, pydantic.Field(ge=-1000, le=1000, strict=False, allow_inf_nan=False)]
StandingKind = Literal["low", "tall", "forest", "high", "deep-water", "wreck"]


class PieceFields(Document):
    """A disc of terrain; its marks are of the advanced rules."""

    x: Place
    y: Place
    radius: Annotated[float, pydantic.Field(gt=0, le=12, strict=False, allow_inf_nan=False)]
    kind: StandingKind
    is_destructible: bool = False
    is_high: bool = False  # its top can be stood on. ST-080
    has_roof: bool = False  # stops indirect fire. ST-097


class ScenarioSpec(Document):
    """Versus as its author tells it. Without points and pieces the battle's own map is played on."""

    brief: Annotated[str, pydantic.Field(max_length=BRIEF_MOST)] = ""
    points: list[tuple[Place, Place]] = []  # of control, in the order that breaks ties
    pieces: Annotated[list[PieceFields], pydantic.Field(max_length=MOST_PIECES)] = []


class ScenarioGiven(Document):
    """A scenario where a document could also name a published one."""

    name: Name
    spec: dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSheet:
    """What the page of a scenario shows."""

    brief: str
    objective: str
    victory: str
    victory_rule: str
    turn_limit: int  # rounds
    forces: str
    scores: tuple[Score, ...]
    terrain: tuple[TerrainKind, ...]
    tables: tuple[Table, ...]

    @property
    def drawings(self) -> tuple[tuple[Table, str, str], ...]:
        """Each table, drawn for the screen and in words."""
        return tuple((table, draw_map(table), map_told(table)) for table in self.tables)


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """The spec; raises DocumentError."""
    spec = parse_document(ScenarioSpec, object_of(data, path), path)
    if spec.points and len(spec.points) != POINTS:
        reason = f"Versus has {POINTS} control points, not {len(spec.points)} (ST-360)"
        raise DocumentError(f"{path}.points", reason, "ST-360")
    for at, (x, y) in enumerate(spec.points):
        _refuse_off_table(x, y, f"{path}.points[{at}]", "control point")
    for at, piece in enumerate(spec.pieces):
        _refuse_off_table(piece.x, piece.y, f"{path}.pieces[{at}]", "piece")
    return spec


def _refuse_off_table(x: float, y: float, path: str, what: str) -> None:
    if not (0 <= x <= TABLE_IN and 0 <= y <= TABLE_IN):
        place = f"({x:g}, {y:g})"
        reason = f"a {what} lies on the table, 0 to {TABLE_IN} in each way, not at {place} (ST-021)"
        raise DocumentError(path, reason, "ST-021")


def scenario_json(spec: ScenarioSpec) -> dict[str, Any]:
    """The spec as JSON values; parsing them gives an equal spec."""
    return spec.model_dump(mode="json", exclude_defaults=True)


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def check_scenario(spec: ScenarioSpec) -> Check:
    """Nothing that can be read has a problem."""
    return Check(0)


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """The first of its tables: pieces and control points."""
    table = sheet.tables[0]
    pieces = (disc(LOOKS[each.kind], each.x, TABLE_IN - each.y, each.radius) for each in table.pieces)
    points = (diamond("small-map__key", x, TABLE_IN - y, 2) for x, y in table.points)
    return small_table(TABLE_IN, DEPLOY_IN, (*pieces, *points))


def map_table(table: TableMap) -> Table:
    """A map of the catalogue as a table."""
    points = (CATALOGUE.control_points[slug] for slug in table.points)
    pieces = (CATALOGUE.pieces[slug] for slug in table.pieces)
    return Table(name=table.name, points=tuple(_at(each) for each in points), pieces=tuple(map(_piece, pieces)))


def _at(point: ControlPoint) -> tuple[float, float]:
    return point.x, point.y


def _piece(piece: Piece) -> TablePiece:
    return TablePiece(
        slug=piece.slug,
        x=piece.x,
        y=piece.y,
        radius=piece.radius,
        kind=piece.kind,
        is_destructible=piece.is_destructible,
    )


def scenario_table(spec: ScenarioSpec, terrain: str) -> Table:
    """The table that a scenario is played on: what its author placed, and else what lies on the map chosen."""
    printed = map_table(CATALOGUE.maps[terrain])
    own = tuple(
        TablePiece(slug=f"{each.kind}-{at}", **each.model_dump()) for at, each in enumerate(spec.pieces, start=1)
    )
    if not spec.points and not own:
        return printed
    return Table(name="As drawn", points=tuple(spec.points) or printed.points, pieces=own)


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    force = CATALOGUE.limits["force"]
    has_own = bool(spec.points or spec.pieces)
    maps = CATALOGUE.maps.values()
    return ScenarioSheet(
        brief=spec.brief,
        objective=VERSUS.objective,
        victory=VERSUS.victory,
        victory_rule=VERSUS.victory_rule,
        turn_limit=VERSUS.rounds,
        forces=f"{force.least} to {force.most} units",
        scores=tuple(CATALOGUE.scores.values()),
        terrain=tuple(CATALOGUE.terrain.values()),
        tables=(scenario_table(spec, VERSUS.terrain),) if has_own else tuple(map_table(each) for each in maps),
    )
