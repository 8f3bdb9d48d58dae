"""The form of a scenario: figures, rows for the hill, terrain and forces, and a drawing of the table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from systems.blazing_steel.build.drawing import RIM, SIDE, Table, describe_contents, describe_map, draw_map, map_table
from systems.blazing_steel.catalogue import CATALOGUE, HILL_WITHIN_IN, TABLE_IN, ZONE_IN
from systems.documents import DocumentError
from systems.legality import Check, Problem
from systems.scenarios import (
    BARE_LAYOUT,
    FIGURE_PATTERN,
    HALVES,
    REMOVED_KIND,
    WHOLE_NUMBER,
    Brush,
    ForceLimits,
    LimitRow,
    PointRow,
    brushes,
    format_figure,
    limit_rows,
    mirror_half,
    parse_whole_number,
    piece_numbers,
    place_error,
    point_rows,
    sent_figure,
    sent_limits,
    sent_points,
    sent_rows,
    sent_sentence,
)

from .scenario import (
    BASE_IN,
    BOUNDS,
    MAX_BRIEF,
    MAX_PIECES,
    MAX_POINTS,
    MAX_RADIUS,
    MAX_ROUNDS,
    MAX_TABLE,
    MIN_TABLE,
    MIN_ZONE,
    ON_TABLE,
    PieceFields,
    PieceKind,
    ScenarioSpec,
    max_zone_depth,
    own_table,
    scenario_json,
)

SPARE_ROWS = 3
MAX_COUNT = 9999
PLAIN_RADIUS = "2"
POINT = "Hill"
KINDS: Mapping[str, str] = {slug: CATALOGUE.terrain[slug].name for slug in get_args(PieceKind)}
LAYOUTS = (*((slug, entry.name) for slug, entry in CATALOGUE.maps.items()), *HALVES.items(), (BARE_LAYOUT, "Nothing"))
FIGURE_LABELS: Mapping[str, str] = {
    "rounds": "rounds",
    "points": "points a side",
    "table_in": "table",
    "zone_in": "zones",
}
EMPTY_VALUES: Mapping[str, int] = {
    "table_in": TABLE_IN,
    "zone_in": ZONE_IN,
}  # values of empty fields, where not 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRow:
    """The row for a piece of terrain, as typed."""

    number: int
    kind: str = ""
    x: str = ""
    y: str = ""
    radius: str = PLAIN_RADIUS
    error: str = ""

    @property
    def is_empty(self) -> bool:
        return self.kind == REMOVED_KIND or (not self.kind and not self.x and not self.y)

    @property
    def field(self) -> str:
        """Return the prefix of its field names."""
        return f"piece-{self.number}"

    @property
    def kinds(self) -> tuple[tuple[str, str, bool], ...]:
        """The kinds to choose from: slug, words, whether chosen."""
        choices = {"": "nothing", **KINDS, REMOVED_KIND: "remove it"}
        return tuple((slug, words, slug == self.kind) for slug, words in choices.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class MapChoice:
    value: str
    label: str
    detail: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    """The fields of a scenario; numbers that aren't set are empty."""

    brief: str
    figures: Mapping[str, str]
    maps: tuple[MapChoice, ...]
    points: tuple[PointRow, ...]
    pieces: tuple[PieceRow, ...]
    forces: tuple[LimitRow, ...]
    drawn: ScenarioSpec
    brushes: tuple[Brush, ...]
    errors: Mapping[str, str] = field(default_factory=dict)  # by the name of a figure
    brief_most: int = MAX_BRIEF
    rounds_most: int = MAX_ROUNDS
    points_most: int = MAX_POINTS
    pieces_most: int = MAX_PIECES
    radius_most: int = MAX_RADIUS
    table_least: int = MIN_TABLE
    table_most: int = MAX_TABLE
    zone_least: int = MIN_ZONE
    zone_most: int = max_zone_depth(MAX_TABLE)
    within_in: int = HILL_WITHIN_IN
    base_in: int = BASE_IN
    rim: float = RIM / (SIDE + 2 * RIM)  # margin, as a share of the drawing's width
    layouts: tuple[tuple[str, str], ...] = LAYOUTS
    point: str = POINT
    blank: PieceRow = PieceRow(number=0)

    @property
    def table(self) -> Table:
        """The table to draw on: its own, unless the spec names a printed map."""
        is_printed = self.drawn.map and not self.drawn.has_table
        return self.drawn.tables[0] if is_printed else own_table(self.drawn)

    @property
    def drawing(self) -> str:
        return draw_map(self.table, zone_in=self.drawn.depth)

    @property
    def words(self) -> str:
        return describe_map(self.table)

    @property
    def printed(self) -> str:
        """The hill's place in the drawing as JSON, even if its row is empty."""
        return json.dumps([list(self.table.marker)])


def scenario_form(spec: ScenarioSpec, brush: str = "") -> ScenarioForm:
    """Return the form for that spec; `brush` is the selected drawing tool."""
    return ScenarioForm(
        brief=spec.brief,
        figures={
            "rounds": str(spec.rounds or ""),
            "points": str(spec.points or ""),
            "table_in": str(spec.table_in),
            "zone_in": str(spec.zone_in),
        },
        maps=map_choices(spec.map),
        points=point_rows([spec.hill] if spec.hill else [], 1),
        pieces=with_spare_rows(piece_row(at, each) for at, each in enumerate(spec.pieces, start=1)),
        forces=limit_rows(spec.forces, BOUNDS),
        drawn=spec,
        brushes=brushes(KINDS, POINT, brush),
    )


def map_choices(chosen: str) -> tuple[MapChoice, ...]:
    later = "The table below if you change it. Otherwise you choose the map for each battle."
    printed = (
        MapChoice(value=slug, label=entry.name, detail=describe_contents(map_table(entry)), is_chosen=slug == chosen)
        for slug, entry in CATALOGUE.maps.items()
    )
    return (MapChoice(value="", label="None", detail=later, is_chosen=not chosen), *printed)


def piece_row(number: int, piece: PieceFields) -> PieceRow:
    return PieceRow(
        number=number,
        kind=piece.kind,
        x=format_figure(piece.x),
        y=format_figure(piece.y),
        radius=format_figure(piece.radius),
    )


def with_spare_rows(rows: Iterable[PieceRow]) -> tuple[PieceRow, ...]:
    """Return the rows, followed by a few empty ones."""
    filled = tuple(rows)
    last = max((row.number for row in filled), default=0)
    return (*filled, *(PieceRow(number=at) for at in range(last + 1, min(last + SPARE_ROWS, MAX_PIECES) + 1)))


# --- submitted data ---------------------------------------------------------------------------------------------------


def form_spec(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the spec that the fields make, as JSON values; raises DocumentError for the first figure that can't be read."""
    if not fields:
        return scenario_json(ScenarioSpec())
    spec = _read_head(fields, sent_limits(fields, BOUNDS))
    lay = fields.get("lay", "")
    if lay in CATALOGUE.maps:
        return scenario_json(with_map_layout(spec, lay))
    if lay == BARE_LAYOUT:
        return scenario_json(spec)
    points, rows = sent_points(fields, 1, spec.size, ON_TABLE), submitted_pieces(fields, spec.size)
    for name, error in (
        *(("hill", row.error) for row in points),
        *((f"piece {row.number}", row.error) for row in rows),
    ):
        if error:
            raise DocumentError(name, error)
    pieces = [_piece(row) for row in rows]
    if lay in HALVES:
        pieces, _none = mirror_half(pieces, [], spec.size, side=list(HALVES).index(lay))
    if len(pieces) > MAX_PIECES:
        raise DocumentError("pieces", f"a table has {MAX_PIECES} at most, not {len(pieces)}")
    return scenario_json(_with_pieces(spec, pieces, points))


def with_map_layout(spec: ScenarioSpec, slug: str) -> ScenarioSpec:
    """Return the scenario with a printed map's pieces on its own table, scaled to the table's size."""
    table, part = map_table(CATALOGUE.maps[slug]), spec.size / TABLE_IN
    pieces = [
        PieceFields.model_validate(
            {"kind": kind, "x": round(x * part, 2), "y": round(y * part, 2), "radius": round(radius * part, 2)}
        )
        for kind, discs in (("block", table.blocks), ("woods", table.woods))
        for x, y, radius in discs
    ]
    hill = None if pieces else (spec.size / 2, spec.size / 2)  # without pieces, only a hill makes the table its own
    return spec.model_copy(update={"map": "", "pieces": pieces, "hill": hill})


def _read_head(fields: Mapping[str, str], forces: ForceLimits) -> ScenarioSpec:
    chosen = fields.get("map", "")
    return ScenarioSpec.model_validate(
        {
            "brief": sent_sentence(fields, "brief", MAX_BRIEF),
            "map": chosen if chosen in CATALOGUE.maps else "",
            "forces": forces,
            **{name: _read_figure(fields, name) for name in FIGURE_LABELS},
        }
    )


def _read_figure(fields: Mapping[str, str], name: str) -> int:
    number = parse_whole_number(fields.get(name, ""))
    if number is None:
        raise DocumentError(FIGURE_LABELS[name], WHOLE_NUMBER)
    return min(number, MAX_COUNT) if fields.get(name, "").strip() else EMPTY_VALUES.get(name, 0)


def _with_pieces(spec: ScenarioSpec, pieces: Sequence[PieceFields], points: Sequence[PointRow]) -> ScenarioSpec:
    hills = [(float(row.x), float(row.y)) for row in points if not row.is_empty and not row.error]
    return spec.model_copy(update={"pieces": list(pieces), "hill": hills[0] if hills else None})


def form_unread(fields: Mapping[str, str], brush: str = "") -> tuple[ScenarioForm, Check]:
    """Return the form as submitted, each error at its field, and all errors as problems."""
    errors = {name: WHOLE_NUMBER for name in FIGURE_LABELS if parse_whole_number(fields.get(name, "")) is None}
    spec = _read_head({**fields, **dict.fromkeys(errors, "")}, ForceLimits())
    points, rows = sent_points(fields, 1, spec.size, ON_TABLE), submitted_pieces(fields, spec.size)
    forces = sent_rows(fields, BOUNDS)
    labelled_errors = [
        *((FIGURE_LABELS[name].capitalize(), reason) for name, reason in errors.items()),
        *((POINT, row.error) for row in points),
        *((f"Piece {row.number}", row.error) for row in rows),
    ]
    problems = [Problem("", f"{what} {reason}.") for what, reason in labelled_errors if reason]
    problems += [Problem("", f"{error}.") for row in forces for error in row.errors]
    drawn = [_piece(row) for row in rows if not row.error]
    if len(drawn) > MAX_PIECES:
        problems.append(Problem("", f"A table has {MAX_PIECES} pieces at most, not {len(drawn)}."))
    form = ScenarioForm(
        brief=spec.brief,
        figures={name: fields.get(name, "")[:12] for name in FIGURE_LABELS},
        maps=map_choices(spec.map),
        points=points,
        pieces=with_spare_rows(rows),
        forces=forces,
        drawn=_with_pieces(spec, drawn, points),
        brushes=brushes(KINDS, POINT, brush),
        errors={name: f"{FIGURE_LABELS[name].capitalize()} {reason}." for name, reason in errors.items()},
    )
    return form, Check(0, tuple(problems))


def submitted_pieces(fields: Mapping[str, str], size: int) -> tuple[PieceRow, ...]:
    """Return the submitted rows of pieces by number, without empty ones."""
    rows = (
        PieceRow(
            number=at,
            kind=fields[f"piece-{at}-kind"],
            x=sent_figure(fields, f"piece-{at}-x"),
            y=sent_figure(fields, f"piece-{at}-y"),
            radius=sent_figure(fields, f"piece-{at}-radius"),
        )
        for at in piece_numbers(fields)
    )
    return tuple(replace(row, error=_piece_error(row, size)) for row in rows if not row.is_empty)


def _piece_error(row: PieceRow, size: int) -> str:
    if row.kind not in KINDS:
        return "has no kind. Choose one or remove the piece"
    if not row.x and not row.y:
        return "has no position"
    if wrong := place_error(row.x, row.y, size, ON_TABLE):
        return wrong
    if not FIGURE_PATTERN.fullmatch(row.radius) or not 0 < float(row.radius) <= MAX_RADIUS:
        return f"needs a radius above 0 and up to {MAX_RADIUS} in, not “{row.radius}”"
    return ""


def _piece(row: PieceRow) -> PieceFields:
    return PieceFields.model_validate(
        {"x": float(row.x), "y": float(row.y), "radius": float(row.radius), "kind": row.kind}
    )
