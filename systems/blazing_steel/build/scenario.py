"""Scenarios of Blazing Steel: the published skirmish and players' own (ledger 2.14, 2.17).

A player's own scenario uses a map or its own table, with its own length, zones and forces. House rules and the battle
decide everything that it leaves open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import dist
from typing import Annotated, Any, Literal

import pydantic

from systems.blazing_steel.build.drawing import HILL_IN, Table, describe_map, draw_map, map_table
from systems.blazing_steel.catalogue import CATALOGUE, TABLE_IN, ZONE_IN, ScenarioItem, TerrainKind
from systems.blazing_steel.options import HOUSE_RULES
from systems.documents import Document, DocumentError, Name, object_of, parse_document, refuse_unknown
from systems.legality import Check, Problem
from systems.scenarios import (
    Bounds,
    ForceLimits,
    Place,
    PlacedFields,
    SideLimits,
    SmallMap,
    describe_forces,
    force_lines,
    limits_wrong,
    map_diamond,
    map_disc,
    small_table,
)

SKIRMISH = CATALOGUE.scenarios["skirmish"]
OWN_TABLE = "own-table"  # terrain slug of a scenario with its own table
MAX_BRIEF = 400
MAX_ROUNDS = HOUSE_RULES["rounds"].maximum or 0
MAX_POINTS = HOUSE_RULES["points-limit"].maximum or 0
MIN_ZONE = 4  # room for the largest base
MIN_TABLE, MAX_TABLE = 36, 72  # inches each way
MAX_PIECES = 40
MAX_RADIUS = 12
BASE_IN = max(base.across_in for base in CATALOGUE.bases.values())  # depth along each edge that must be free for set-up
EVEN_TOLERANCE_IN = 0.1  # maximum difference of distances that still counts as equal
TINY = 1e-9
ON_TABLE = "BS-046"
BOUNDS = Bounds(
    unit="Warmech",
    units="Warmechs",
    units_most=CATALOGUE.limits["force-max"].value,
    points_most=MAX_POINTS,
    units_rule="BS-014",
    points_rule="BS-C02",
)

Count = Annotated[int, pydantic.Field(ge=0, le=9999)]
PieceKind = Literal["block", "woods"]


class PieceFields(PlacedFields):
    """A disc of terrain."""

    radius: Annotated[float, pydantic.Field(gt=0, le=MAX_RADIUS, strict=False, allow_inf_nan=False)]
    kind: PieceKind


class ScenarioSpec(Document):
    """A skirmish as its author wrote it; it may have problems.

    Without pieces, hill and size it is played on a printed map.
    """

    brief: Annotated[str, pydantic.Field(max_length=MAX_BRIEF)] = ""
    map: str = ""  # slug; empty: chosen with the battle
    rounds: Count = 0  # 0: from the house rules
    points: Count = 0  # per side; 0: from the house rules
    zone_in: Count = ZONE_IN  # depth of the zones that score points
    table_in: Count = TABLE_IN  # length of each side
    hill: tuple[Place, Place] | None = None  # place of its marker; None: in the middle
    pieces: Annotated[list[PieceFields], pydantic.Field(max_length=MAX_PIECES)] = []
    forces: ForceLimits = ForceLimits()

    @property
    def has_table(self) -> bool:
        """Whether it has its own table."""
        return bool(self.pieces) or self.hill is not None or self.table_in != TABLE_IN

    @property
    def size(self) -> int:
        """The size of its table, within the allowed sizes."""
        return min(max(self.table_in, MIN_TABLE), MAX_TABLE)

    @property
    def depth(self) -> int:
        """The depth of its zones, within the allowed depths."""
        return min(max(self.zone_in, MIN_ZONE), max_zone_depth(self.size))

    @property
    def marker(self) -> tuple[float, float]:
        """The place of the hill's marker."""
        return self.hill or (self.size / 2, self.size / 2)

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables on which it can be played."""
        if self.has_table:
            return (own_table(self),)
        slugs = (self.map,) if self.map else tuple(CATALOGUE.maps)
        return tuple(map_table(CATALOGUE.maps[slug]) for slug in slugs)


def max_zone_depth(size: int) -> int:
    """Return the maximum depth of zones on a table of this size that doesn't reach a hill in its middle."""
    return size // 2 - HILL_IN


def max_units_in_line(size: int) -> int:
    """Return how many of the largest bases fit side by side along the edge of a table of this size. BS-185."""
    return size // BASE_IN - 1


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
    force_lines: tuple[tuple[str, str], ...]  # for each side with limits
    points: int  # maximum points of a side; 0: no limit by the scenario
    zone_in: int
    depth: int  # depth of the zones in the drawing
    items: tuple[ScenarioItem, ...]
    tables: tuple[Table, ...]
    terrain: tuple[TerrainKind, ...]

    @property
    def drawings(self) -> tuple[tuple[Table, str, str], ...]:
        """Each table as drawn for the screen, and in words."""
        return tuple((table, draw_map(table, zone_in=self.depth), describe_map(table)) for table in self.tables)


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """Return a small map of its first table: hill, blocks and woods."""
    table = sheet.tables[0]
    looks = (("small-map__hill", table.hills), ("small-map__woods", table.woods), ("small-map__block", table.blocks))
    discs = [map_disc(look, x, table.size - y, radius) for look, found in looks for x, y, radius in found]
    if table.slug == OWN_TABLE:
        discs.append(map_diamond("small-map__key", table.marker[0], table.size - table.marker[1], 2))
    return small_table(table.size, sheet.depth, discs)


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """Return the spec; raises DocumentError."""
    spec = parse_document(ScenarioSpec, object_of(data, path), path)
    if spec.map:
        refuse_unknown(f"{path}.map", "map", spec.map, CATALOGUE.maps)
    if spec.hill is not None:
        _refuse_off_table(*spec.hill, spec.size, f"{path}.hill", "hill")
    for at, piece in enumerate(spec.pieces):
        _refuse_off_table(piece.x, piece.y, spec.size, f"{path}.pieces[{at}]", "piece")
    return spec


def _refuse_off_table(x: float, y: float, size: int, path: str, what: str) -> None:
    if not (0 <= x <= size and 0 <= y <= size):
        reason = f"a {what} must be on the table, 0 to {size} in each way, not at ({x:g}, {y:g}) ({ON_TABLE})"
        raise DocumentError(path, reason, ON_TABLE)


def scenario_json(spec: ScenarioSpec) -> dict[str, Any]:
    """Return the spec as JSON values, without unset fields; parsing them gives an equal spec."""
    return {"brief": spec.brief, **spec.model_dump(mode="json", exclude_defaults=True)}


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Return name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def read_spec(given: str | Mapping[str, object]) -> ScenarioSpec:
    """Return the spec of a set-up's scenario; a slug names the published one."""
    return ScenarioSpec(brief=SKIRMISH.brief) if isinstance(given, str) else parse_given(given)[1]


def read_limits(given: str | Mapping[str, object], side: str | None) -> SideLimits:
    """Return a side's limits in the scenario, including the points for both sides; none if it is unreadable."""
    try:
        spec = read_spec(given)
    except DocumentError:
        return SideLimits()
    a, b = (
        each if each.points_most else each.model_copy(update={"points_most": spec.points}) for each in spec.forces.sides
    )
    return ForceLimits(a=a, b=b).of(side)


def scenario_table(spec: ScenarioSpec, terrain: str) -> Table:
    """Return the table of a scenario: its author's own, or the chosen map."""
    if not spec.has_table:
        slug = terrain if terrain in CATALOGUE.maps else spec.map or SKIRMISH.terrain
        return map_table(CATALOGUE.maps[slug])
    return own_table(spec)


def own_table(spec: ScenarioSpec) -> Table:
    """Return the table drawn by the author; only the hill if there are no pieces."""
    lie = {
        kind: tuple((each.x, each.y, each.radius) for each in spec.pieces if each.kind == kind)
        for kind in ("block", "woods")
    }
    return Table(
        slug=OWN_TABLE,
        name="As drawn",
        size=spec.size,
        marker=spec.marker,
        blocks=lie["block"],
        woods=lie["woods"],
    )


# --- problems ---------------------------------------------------------------------------------------------------------


def check_scenario(spec: ScenarioSpec) -> Check:
    """Return all problems of a scenario, and warnings if uneven. BS-014, BS-046, BS-185, BS-187, BS-193, BS-194, BS-C02."""
    problems = (
        *_figure_problems(spec),
        *limits_wrong(spec.forces, BOUNDS),
        *_room_problems(spec),
        *_piece_problems(spec),
    )
    return Check(0, problems, tuple(_warnings(spec)))


def _figure_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    if spec.rounds > MAX_ROUNDS:
        yield Problem("BS-187", f"A battle lasts 1 to {MAX_ROUNDS} rounds, not {spec.rounds}.", "rounds")
    if spec.points > MAX_POINTS:
        message = f"Enter a points limit of at most {MAX_POINTS}, the most ten Warmechs can cost, not {spec.points}."
        yield Problem("BS-C02", message, "points")
    if spec.table_in != spec.size:
        message = f"A table is {MIN_TABLE} to {MAX_TABLE} in each way, not {spec.table_in}."
        yield Problem(ON_TABLE, message, "table_in")
    if spec.zone_in != spec.depth:
        where = "" if spec.size == TABLE_IN else f"On a table of {spec.size} in a"
        message = f"{where or 'A'} zone is {MIN_ZONE} to {max_zone_depth(spec.size)} in deep, not {spec.zone_in}."
        yield Problem("BS-193", message, "zone_in")
    if spec.map and spec.has_table:
        name = CATALOGUE.maps[spec.map].name.lower()
        message = f"It has both the {name} map and its own table. Remove one of them."
        yield Problem(ON_TABLE, message, "map")
    for letter, side in zip("ab", spec.forces.sides, strict=True):
        if spec.points and not side.points_most and side.points_least > spec.points:
            message = f"Side {letter.upper()}: the minimum of {side.points_least} points is above the maximum of {spec.points}."
            yield Problem("BS-C02", message, f"forces.{letter}.points_least")


def _room_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    """Yield a problem for each side without enough room for its Warmechs along its edge. BS-185."""
    room = max_units_in_line(spec.size)
    for letter, side in zip("ab", spec.forces.sides, strict=True):
        if (side.units_most or BOUNDS.units_most) > room:
            message = (
                f"Side {letter.upper()} may bring {side.units_most or BOUNDS.units_most} Warmechs, but the edge of a table "
                f"of {spec.size} in has room for {room}: allow it {room} at most."
            )
            yield Problem("BS-185", message, f"forces.{letter}.units_most")


def _piece_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    size = spec.size
    for at, piece in enumerate(spec.pieces):
        place, name = f"pieces[{at}]", f"Piece {at + 1}, {CATALOGUE.terrain[piece.kind].name.lower()},"
        spot, radius = (piece.x, piece.y), piece.radius
        if not all(radius - TINY <= along <= size - radius + TINY for along in spot):
            yield Problem(ON_TABLE, f"{name} reaches over the table edge. Move it.", place)
        for other_at, other in enumerate(spec.pieces[:at], start=1):
            if dist(spot, (other.x, other.y)) < radius + other.radius - TINY:
                yield Problem(ON_TABLE, f"{name} overlaps piece {other_at}. Move one of them.", place)
        if piece.kind != "block":
            continue
        if not BASE_IN + radius - TINY <= piece.y <= size - BASE_IN - radius + TINY:
            message = f"{name} is in a set-up area, {BASE_IN} in from each edge. Move it."
            yield Problem("BS-185", message, place)
        if dist(spot, spec.marker) < radius - TINY:
            yield Problem("BS-194", f"{name} covers the hill’s marker. Move it.", place)


def _warnings(spec: ScenarioSpec) -> Iterator[Problem]:
    _x, y = spec.marker
    if abs(y - spec.size / 2) <= EVEN_TOLERANCE_IN:
        return
    near, other, deep = ("A", "B", y) if y < spec.size / 2 else ("B", "A", spec.size - y)
    where = f"nearer to side {near}’s edge than to side {other}’s"
    yield Problem("BS-194", f"The hill lies {f'in side {near}’s zone' if deep <= spec.depth else where}.", "hill")


def items_with(spec: ScenarioSpec, items: Iterable[ScenarioItem]) -> tuple[ScenarioItem, ...]:
    """Return the items that score points, with that scenario's zones. BS-193."""
    return tuple(
        replace(each, text=each.text.replace(f"{ZONE_IN} in deep", f"{spec.zone_in} in deep")) for each in items
    )


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """Return the data for a scenario's page; problems leave gaps, never raise errors."""
    return ScenarioSheet(
        brief=spec.brief,
        objective=SKIRMISH.objective,
        victory=SKIRMISH.victory,
        victory_rule=SKIRMISH.victory_rule,
        turn_limit=spec.rounds or SKIRMISH.rounds,
        forces=describe_forces(spec.forces, BOUNDS),
        force_lines=force_lines(spec.forces, BOUNDS, spec.points),
        points=spec.points,
        zone_in=spec.zone_in,
        depth=spec.depth,
        items=items_with(spec, CATALOGUE.scenario_items.values()),
        tables=spec.tables,
        terrain=tuple(CATALOGUE.terrain.values()),
    )
