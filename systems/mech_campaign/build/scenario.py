"""Scenarios: reading, checks, sheets; and their tables: size, zones, tunnel mouths, fixed terrain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import pydantic

from systems.documents import Document, DocumentError, Name, object_of, parse_document
from systems.legality import Check, Problem, pluralize
from systems.mech_campaign.catalogue import CATALOGUE, Goal, Place, Scenario, SpecialAction
from systems.mech_campaign.options import HOUSE_RULES
from systems.scenarios import MapPatch, PlacedFields, SmallMap, map_diamond, map_disc, small_table
from systems.scenarios import Place as TablePlace
from systems.text import with_article

TABLE_IN = 36  # MC-020
ZONE_IN = 6  # depth, MC-024
SENTRIES = 2  # how many times deeper gun sentries' zones are
IN_H = 100
DiscKind = Literal["rubble", "hill", "works"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPiece:
    """A disc of terrain; lengths in hundredths of an inch."""

    kind: DiscKind
    x_h: int
    y_h: int

    @property
    def radius_h(self) -> int:
        return CATALOGUE.terrain[self.kind].radius_h


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A scenario's table; lengths in hundredths of an inch. MC-020 to MC-024."""

    size_h: int = TABLE_IN * IN_H  # length of each side
    zone_h: int = ZONE_IN * IN_H
    pieces: tuple[DrawnPiece, ...] = ()  # empty: terrain is rolled, or the ground is open

    @property
    def mouths_h(self) -> tuple[Place, ...]:
        """The tunnel mouths, at corners of sectors, in the order in which side A sees them. MC-023, ledger 6.7."""
        near = self.size_h // 3
        far = self.size_h - near
        return (near, far), (far, far), (near, near), (far, near)


BY_THE_BOOK = Ground()


OWN_SLUG = "own"  # slug of scenarios that aren't published
OWN_TABLE = "own-table"  # terrain slug of a scenario with its own table
MAX_TURNS = 30
MAX_BRIEF = 400
MIN_TABLE, MAX_TABLE = TABLE_IN, 72  # inches each way
MIN_ZONE = 2
APART_IN = 4  # minimum distance between the two sides' gun sentry zones, MC-049
MIN_POINTS = 28  # MC-002, MC-003: three light mechs and a gun sentry
MAX_POINTS = HOUSE_RULES["points-cap"].maximum or 0  # per force
MAX_PIECES = 20
SPOT_NAMES: Mapping[str, str] = {"beacons": "Beacon", "drill": "Drill head"}
STYLES: Mapping[str, str] = {"rubble": "small-map__woods", "hill": "small-map__hill", "works": "small-map__block"}
ALWAYS_INCLUDED = ("brief", "goal", "turn_limit")

Count = Annotated[int, pydantic.Field(ge=0, le=9999)]
BY_GOAL: Mapping[str, Scenario] = {scenario.goal: scenario for scenario in CATALOGUE.scenarios.values()}


class PieceFields(PlacedFields):
    """A disc of terrain; its kind determines its width."""

    kind: DiscKind

    @property
    def drawn(self) -> DrawnPiece:
        return DrawnPiece(kind=self.kind, x_h=to_hundredths(self.x), y_h=to_hundredths(self.y))


class ScenarioSpec(Document):
    """A scenario as its author wrote it; it may have problems.

    Without pieces its terrain is rolled, or the table is open.
    """

    brief: Annotated[str, pydantic.Field(max_length=MAX_BRIEF)] = ""
    goal: Goal = "claim"
    turn_limit: Count = 12
    table_in: Count = TABLE_IN  # length of each side
    zone_in: Count = ZONE_IN  # depth; twice that for gun sentries
    force_points: Count = 0  # maximum points of a side; 0: from the house rules
    places: Annotated[
        list[tuple[TablePlace, TablePlace]], pydantic.Field(max_length=9)
    ] = []  # objectives; empty: as printed
    pieces: Annotated[list[PieceFields], pydantic.Field(max_length=MAX_PIECES)] = []

    @property
    def size(self) -> int:
        """The size of its table, within the allowed sizes."""
        return min(max(self.table_in, MIN_TABLE), MAX_TABLE)

    @property
    def depth(self) -> int:
        """The depth of the ground units' zone, within the allowed depths."""
        return min(max(self.zone_in, MIN_ZONE), max_zone_depth(self.size))


def max_zone_depth(size: int) -> int:
    """Return the maximum zone depth on a table of this size that keeps the two sides' gun sentries apart."""
    return (size - APART_IN) // (2 * SENTRIES)


def to_hundredths(inches: float) -> int:
    """Return a length in hundredths of an inch."""
    return round(inches * IN_H)


class ScenarioGiven(Document):
    """A scenario in full, where a document could also name a published one."""

    name: Name
    spec: dict[str, object]


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """Return the spec; raises DocumentError with the path of the first fault."""
    spec = parse_document(ScenarioSpec, object_of(data, path), path)
    for at, (x, y) in enumerate(spec.places):
        _refuse_off_table(x, y, spec.size, f"{path}.places[{at}]", "place")
    for at, piece in enumerate(spec.pieces):
        _refuse_off_table(piece.x, piece.y, spec.size, f"{path}.pieces[{at}]", "piece")
    return spec


def _refuse_off_table(x: float, y: float, size: int, path: str, what: str) -> None:
    if not (0 <= x <= size and 0 <= y <= size):
        reason = f"a {what} must be on the table, 0 to {size} in each way, not at ({x:g}, {y:g}) (MC-020)"
        raise DocumentError(path, reason, "MC-020")


def scenario_json(spec: ScenarioSpec) -> dict[str, object]:
    """Return the spec as JSON values; parsing them gives an equal spec."""
    data: dict[str, object] = spec.model_dump(mode="json")
    plain = ScenarioSpec().model_dump(mode="json")
    return {name: value for name, value in data.items() if name in ALWAYS_INCLUDED or value != plain[name]}


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Return name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def playable_scenario(name: str, spec: ScenarioSpec) -> Scenario:
    """Return the scenario to play: the published one with this goal, changed by the spec.

    The spec gives name, brief, turn limit and places.
    """
    return replace(
        BY_GOAL[spec.goal],
        slug=OWN_SLUG,
        name=name,
        brief=spec.brief,
        turn_limit=spec.turn_limit,
        places_h=tuple((to_hundredths(x), to_hundredths(y)) for x, y in objective_places(spec)),
    )


def objective_places(spec: ScenarioSpec) -> tuple[tuple[float, float], ...]:
    """Return the objectives' places: the author's, or the printed ones scaled to the table's size."""
    return tuple(spec.places) or printed_places(spec.goal, spec.size)


def printed_places(goal: str, size: int) -> tuple[tuple[float, float], ...]:
    """Return the places in the published scenario with that goal, scaled to a table of this size."""
    return tuple((x / IN_H * size / TABLE_IN, y / IN_H * size / TABLE_IN) for x, y in BY_GOAL[goal].places_h)


def build_ground(spec: ScenarioSpec) -> Ground:
    """Return the table of the scenario."""
    return Ground(
        size_h=spec.size * IN_H,
        zone_h=spec.depth * IN_H,
        pieces=tuple(piece.drawn for piece in spec.pieces),
    )


def published_spec(scenario: Scenario) -> ScenarioSpec:
    """Return a spec that plays the same as a published scenario."""
    return ScenarioSpec(brief=scenario.brief, goal=scenario.goal, turn_limit=scenario.turn_limit)


def check_scenario(spec: ScenarioSpec) -> Check:
    """Return all problems of a scenario. MC-005, MC-020 to MC-024, MC-052, MC-122."""
    return Check(0, (*_figure_problems(spec), *_place_problems(spec), *_piece_problems(spec)))


def _figure_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    if not 1 <= spec.turn_limit <= MAX_TURNS:
        yield Problem("MC-122", f"The turn limit must be 1 to {MAX_TURNS}, not {spec.turn_limit}.", "turn_limit")
    if spec.table_in != spec.size:
        message = f"A table is {MIN_TABLE} to {MAX_TABLE} in each way, not {spec.table_in}."
        yield Problem("MC-020", message, "table_in")
    if spec.zone_in != spec.depth:
        message = f"On a table of {spec.size} in a zone is {MIN_ZONE} to {max_zone_depth(spec.size)} in deep, not {spec.zone_in}."
        yield Problem("MC-024", message, "zone_in")
    if spec.force_points and not MIN_POINTS <= spec.force_points <= MAX_POINTS:
        message = f"Enter a points limit from {MIN_POINTS} to {MAX_POINTS}, not {spec.force_points}."
        yield Problem("MC-005", message, "force_points")


def _place_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    printed = BY_GOAL[spec.goal]
    if spec.places and len(spec.places) != len(printed.places_h):
        message = f"{printed.objective} needs {pluralize(len(printed.places_h), 'place')}, not {len(spec.places)}."
        yield Problem(printed.victory_rule, message, "places")
    for at, place in enumerate(objective_places(spec), start=1):
        inside = [
            str(number)
            for number, piece in enumerate(spec.pieces, start=1)
            if piece.kind == "works"
            and is_nearer(_place_to_hundredths(place), _place_to_hundredths((piece.x, piece.y)), piece.drawn.radius_h)
        ]
        if inside:
            message = f"The objective {_describe_position(place)} is inside piece {inside[0]}, which no ground unit can enter."
            yield Problem("MC-052", message, f"places[{at - 1}]" if spec.places else "pieces")


def _piece_problems(spec: ScenarioSpec) -> Iterator[Problem]:
    ground = build_ground(spec)
    for at, piece in enumerate(ground.pieces):
        place, name = f"pieces[{at}]", f"Piece {at + 1}, {CATALOGUE.terrain[piece.kind].name.lower()},"
        spot, radius = (piece.x_h, piece.y_h), piece.radius_h
        if not all(radius <= along <= ground.size_h - radius for along in spot):
            yield Problem(
                "MC-022", f"{name} reaches over the table edge: it is {2 * radius / IN_H:g} in wide. Move it.", place
            )
        for other_at, other in enumerate(ground.pieces[:at], start=1):
            if is_nearer(spot, (other.x_h, other.y_h), radius + other.radius_h):
                yield Problem("MC-022", f"{name} overlaps piece {other_at}. Move one of them.", place)
        if any(is_nearer(spot, mouth, radius) for mouth in ground.mouths_h):
            yield Problem("MC-023", f"{name} covers a tunnel mouth. Move it.", place)
        deep = SENTRIES * ground.zone_h
        if piece.kind == "works" and not deep + radius <= piece.y_h <= ground.size_h - deep - radius:
            message = f"{name} lies in a zone where units set up, {deep / IN_H:g} in from each edge with gun sentries."
            yield Problem("MC-024", message, place)


def is_nearer(one: Place, other: Place, reach: int) -> bool:
    """Return whether two points are less than `reach` apart. A disc's edge counts as outside."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 < reach**2


def _place_to_hundredths(place: tuple[float, float]) -> Place:
    return to_hundredths(place[0]), to_hundredths(place[1])


def _describe_position(place: tuple[float, float]) -> str:
    return f"at ({place[0]:g}, {place[1]:g})"


# --- the page ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place on the table, for drawings: inches from the top left, with side B's edge at the top."""

    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc(Spot):
    """A piece of terrain, for drawings."""

    kind: DiscKind
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLines:
    """The lines and places in a drawing of a table."""

    view: str
    sectors: str
    sentries: str
    zone_a: int  # y of its upper edge
    middle: str
    b_at: str  # y of side B's letter
    a_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSheet:
    brief: str
    objective: str
    victory: str
    victory_rule: str
    turn_limit: int
    forces: str
    first: str
    special: SpecialAction | None
    special_text: str
    spots: tuple[Spot, ...]
    mouths: tuple[Spot, ...]
    size: int = TABLE_IN
    depth: int = ZONE_IN
    points: int = 0  # maximum points of a side; 0: no limit by the scenario
    pieces: tuple[Disc, ...] = ()  # empty: terrain is rolled

    @property
    def sentry_depth(self) -> int:
        return SENTRIES * self.depth

    @property
    def words(self) -> tuple[str, ...]:
        """The drawing described in sentences."""
        lines = [
            f"The table is {self.size} by {self.size} in; side A's edge is at the bottom.",
            f"Each side starts within {self.depth} in of its edge, gun sentries within {self.sentry_depth} in.",
            f"Tunnel mouths {self._describe(self.mouths)}: inches from the left, then from side A's edge.",
        ]
        kinds = dict.fromkeys(piece.kind for piece in self.pieces)
        for kind in kinds:
            discs = [piece for piece in self.pieces if piece.kind == kind]
            spots = [Spot(x=disc.x, y=disc.y, name=disc.name) for disc in discs]
            lines.append(f"{discs[0].name} ({kind[0].upper()}), {discs[0].radius:g} in, {self._describe(spots)}.")
        return (*lines, *(f"{spot.name} {self._describe((spot,))}." for spot in self.spots))

    @property
    def svg(self) -> TableLines:
        """The lines of the drawing."""
        third = self.size / 3
        return TableLines(
            view=f"-0.5 -0.5 {self.size + 1} {self.size + 1}",
            sectors=f"M{third:g} 0V{self.size}M{2 * third:g} 0V{self.size}",
            sentries=f"M0 {self.sentry_depth}H{self.size}M0 {self.size - self.sentry_depth}H{self.size}",
            zone_a=self.size - self.depth,
            middle=f"{self.size / 2:g}",
            b_at=f"{self.depth / 2 + 0.8:g}",
            a_at=f"{self.size - self.depth / 2 + 0.8:g}",
        )

    def _describe(self, spots: Iterable[Spot]) -> str:
        return "at " + ", ".join(f"({spot.x:g}, {self.size - spot.y:g})" for spot in spots)


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """Return a small map of the table with tunnel mouths, terrain and objectives."""
    mouths = (
        MapPatch("small-map__block", f"M{each.x - 1:g},{each.y + 0.8:g}v-1a1,1 0 0 1 2,0v1z") for each in sheet.mouths
    )
    pieces = (map_disc(STYLES[each.kind], each.x, each.y, each.radius) for each in sheet.pieces)
    spots = (map_diamond("small-map__key", each.x, each.y, 2) for each in sheet.spots)
    return small_table(sheet.size, sheet.depth, (*pieces, *mouths, *spots))


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """Return the data for a scenario's page; problems leave gaps, never raise errors."""
    scenario = BY_GOAL[spec.goal]
    special = CATALOGUE.special_actions[scenario.special] if scenario.special else None
    limits = CATALOGUE.force_limits
    places, ground = objective_places(spec), build_ground(spec)
    name = SPOT_NAMES.get(scenario.goal, "Place")
    return ScenarioSheet(
        brief=spec.brief,
        objective=scenario.objective,
        victory=scenario.victory,
        victory_rule=scenario.victory_rule,
        turn_limit=spec.turn_limit,
        forces=f"{limits['size-min'].value} to {limits['size-max'].value} units",
        first="side A" if scenario.first else "the side that rolls higher on one D6 each",
        special=special,
        special_text=_special_text(special) if special else "none",
        spots=tuple(
            Spot(x=x, y=spec.size - y, name=f"{name} {number}" if len(places) > 1 else name)
            for number, (x, y) in enumerate(places, 1)
        ),
        mouths=tuple(
            Spot(x=x / IN_H, y=spec.size - y / IN_H, name="Tunnel mouth")
            for x, y in sorted(ground.mouths_h, key=lambda at: (at[1], at[0]))
        ),
        size=spec.size,
        depth=spec.depth,
        points=spec.force_points,
        pieces=tuple(
            Disc(
                x=each.x,
                y=spec.size - each.y,
                name=CATALOGUE.terrain[each.kind].name,
                kind=each.kind,
                radius=each.drawn.radius_h / IN_H,
            )
            for each in spec.pieces
        ),
    )


def _special_text(special: SpecialAction) -> str:
    *others, last = (with_article(CATALOGUE.unit_kinds[slug].name.lower()) for slug in special.who)
    who = f"{', '.join(others)} or {last}" if others else last
    side = f" of side {special.side}" if special.side else ""
    roll = f"rolls {special.number}+ on a D6" if special.number else "needs no roll"
    return f"{special.name}: {who}{side} within {special.within_h / 100:g} in {roll}. {special.effect}"
