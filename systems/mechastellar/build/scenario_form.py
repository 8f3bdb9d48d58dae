"""The form of a scenario: rows of figures for control points and pieces, and a drawing of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from systems.documents import DocumentError
from systems.legality import Check, Problem
from systems.mechastellar.build.drawing import MAP_SIDE, RIM, Table, TablePiece, describe_map, draw_map
from systems.mechastellar.catalogue import CAPTURE_IN, CATALOGUE, TABLE_IN
from systems.scenarios import (
    BARE_LAYOUT,
    FIGURE_PATTERN,
    HALVES,
    REMOVED_KIND,
    WHOLE_NUMBER,
    Brush,
    PointRow,
    brushes,
    format_figure,
    mirror_half,
    parse_whole_number,
    piece_numbers,
    place_error,
    point_rows,
    sent_figure,
    sent_points,
    sent_sentence,
)

from .scenario import (
    MAX_BRIEF,
    MAX_PIECES,
    MAX_POINTS,
    MAX_RADIUS,
    MAX_ROUNDS,
    MAX_TABLE,
    MIN_TABLE,
    OWN_TABLE,
    POINTS,
    VERSUS,
    PieceFields,
    ScenarioSpec,
    StandingKind,
    map_table,
    scenario_json,
    scenario_table,
)

SPARE_ROWS = 3
PLAIN_RADIUS = "2"
POINT = "Control point"
ON_TABLE = "ST-021"
KINDS: Mapping[str, str] = {slug: CATALOGUE.terrain[slug].name for slug in get_args(StandingKind)}
LAYOUTS = (*((slug, table.name) for slug, table in CATALOGUE.maps.items()), *HALVES.items(), (BARE_LAYOUT, "Nothing"))
FIGURE_LABELS: Mapping[str, str] = {"rounds": "rounds", "force_points": "points a side", "table_in": "table"}
EMPTY_VALUES: Mapping[str, int] = {"table_in": TABLE_IN}  # values of empty fields, where not 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceRow:
    """The row for a piece of terrain, as typed."""

    number: int
    kind: str = ""
    x: str = ""
    y: str = ""
    radius: str = PLAIN_RADIUS
    is_destructible: bool = False
    is_high: bool = False
    has_roof: bool = False
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
class ScenarioForm:
    """The fields of a scenario; numbers that aren't set are empty."""

    brief: str
    rounds: str
    force_points: str
    table_in: str
    stellar: bool
    points: tuple[PointRow, ...]
    pieces: tuple[PieceRow, ...]
    table: Table
    brushes: tuple[Brush, ...]
    has_table: bool
    rounds_error: str = ""
    force_points_error: str = ""
    table_in_error: str = ""
    brief_most: int = MAX_BRIEF
    rounds_most: int = MAX_ROUNDS
    rounds_plain: int = VERSUS.rounds
    force_points_most: int = MAX_POINTS
    pieces_most: int = MAX_PIECES
    radius_most: int = MAX_RADIUS
    table_least: int = MIN_TABLE
    table_most: int = MAX_TABLE
    capture_in: int = CAPTURE_IN
    rim: float = RIM / (MAP_SIDE + 2 * RIM)  # margin, as a share of the drawing's width
    layouts: tuple[tuple[str, str], ...] = LAYOUTS
    point: str = POINT
    blank: PieceRow = PieceRow(number=0)

    @property
    def drawing(self) -> str:
        return draw_map(self.table)

    @property
    def words(self) -> str:
        return describe_map(self.table)


def scenario_form(spec: ScenarioSpec, brush: str = "") -> ScenarioForm:
    """Return the form for that spec; `brush` is the selected drawing tool."""
    return ScenarioForm(
        brief=spec.brief,
        rounds=str(spec.rounds or ""),
        force_points=str(spec.force_points or ""),
        table_in=str(spec.table_in),
        stellar=spec.stellar,
        points=point_rows(spec.points, POINTS),
        pieces=with_spare_rows(piece_row(at, each) for at, each in enumerate(spec.pieces, start=1)),
        table=scenario_table(spec, OWN_TABLE),
        brushes=brushes(KINDS, POINT, brush),
        has_table=spec.has_table,
    )


def piece_row(number: int, piece: PieceFields | TablePiece) -> PieceRow:
    return PieceRow(
        number=number,
        kind=piece.kind,
        x=format_figure(piece.x),
        y=format_figure(piece.y),
        radius=format_figure(piece.radius),
        is_destructible=piece.is_destructible,
        is_high=piece.is_high,
        has_roof=piece.has_roof,
    )


def with_spare_rows(rows: Iterator[PieceRow]) -> tuple[PieceRow, ...]:
    """Return the rows, followed by a few empty ones."""
    filled = tuple(rows)
    last = max((row.number for row in filled), default=0)
    return (*filled, *(PieceRow(number=at) for at in range(last + 1, min(last + SPARE_ROWS, MAX_PIECES) + 1)))


# --- submitted data ---------------------------------------------------------------------------------------------------


def form_spec(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the spec that the fields make, as JSON values; raises DocumentError for the first figure that can't be read."""
    if not fields:
        return scenario_json(ScenarioSpec(points=list(map_table(CATALOGUE.maps["open"]).points)))
    lay = fields.get("lay", "")
    spec = ScenarioSpec(
        brief=sent_sentence(fields, "brief", MAX_BRIEF),
        rounds=_read_figure(fields, "rounds"),
        force_points=_read_figure(fields, "force_points"),
        table_in=_read_figure(fields, "table_in"),
        stellar="stellar" in fields,
    )
    if lay == BARE_LAYOUT:
        return scenario_json(spec)
    if lay in CATALOGUE.maps:
        table = map_table(CATALOGUE.maps[lay], spec.size)
        return scenario_json(_with_pieces(spec, [_fields_of(each) for each in table.pieces], table.points))
    points, rows = sent_points(fields, POINTS, spec.size, ON_TABLE), submitted_pieces(fields, spec.size)
    labelled_errors = [
        *((f"point {row.number}", row.error) for row in points),
        *((f"piece {row.number}", row.error) for row in rows),
    ]
    for row_name, error in labelled_errors:
        if error:
            raise DocumentError(row_name, error)
    pieces = [_piece(row) for row in rows]
    spots = [(float(row.x), float(row.y)) for row in points if not row.is_empty]
    if lay in HALVES:
        pieces, spots = mirror_half(pieces, spots, spec.size, side=list(HALVES).index(lay))
    if len(pieces) > MAX_PIECES:
        raise DocumentError("pieces", f"a table has {MAX_PIECES} at most, not {len(pieces)}")
    return scenario_json(_with_pieces(spec, pieces, spots))


def _read_figure(fields: Mapping[str, str], name: str) -> int:
    number = parse_whole_number(fields.get(name, ""))
    if number is None:
        raise DocumentError(FIGURE_LABELS[name], WHOLE_NUMBER)
    return number if fields.get(name, "").strip() else EMPTY_VALUES.get(name, 0)


def _with_pieces(
    spec: ScenarioSpec, pieces: Sequence[PieceFields], points: Sequence[tuple[float, float]]
) -> ScenarioSpec:
    return spec.model_copy(update={"pieces": list(pieces), "points": list(points)})


def form_unread(fields: Mapping[str, str], brush: str = "") -> tuple[ScenarioForm, Check]:
    """Return the form as submitted, each error at its field, and all errors as problems."""
    size = ScenarioSpec(table_in=parse_whole_number(fields.get("table_in", "")) or TABLE_IN).size
    points, rows = sent_points(fields, POINTS, size, ON_TABLE), submitted_pieces(fields, size)
    errors = {
        name: "" if parse_whole_number(fields.get(name, "")) is not None else WHOLE_NUMBER for name in FIGURE_LABELS
    }
    labelled_errors = [
        *((words.capitalize(), errors[name]) for name, words in FIGURE_LABELS.items()),
        *((f"Control point {row.number}", row.error) for row in points),
        *((f"Piece {row.number}", row.error) for row in rows),
    ]
    problems = [Problem("", f"{what} {reason}.") for what, reason in labelled_errors if reason]
    drawn = [_piece(row) for row in rows if not row.error]
    if len(drawn) > MAX_PIECES:
        problems.append(Problem("", f"A table has {MAX_PIECES} pieces at most, not {len(drawn)}."))
    form = ScenarioForm(
        brief=sent_sentence(fields, "brief", MAX_BRIEF),
        rounds=fields.get("rounds", "")[:12],
        force_points=fields.get("force_points", "")[:12],
        table_in=fields.get("table_in", "")[:12],
        stellar="stellar" in fields,
        points=points,
        pieces=with_spare_rows(iter(rows)),
        table=Table(
            name="As drawn",
            points=tuple((float(row.x), float(row.y)) for row in points if not row.is_empty and not row.error),
            pieces=tuple(
                TablePiece(slug=f"{each.kind}-{at}", **each.model_dump()) for at, each in enumerate(drawn, start=1)
            ),
            size=size,
            stellar="stellar" in fields,
        ),
        brushes=brushes(KINDS, POINT, brush),
        has_table=True,
        rounds_error=errors["rounds"],
        force_points_error=errors["force_points"],
        table_in_error=errors["table_in"],
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
            is_destructible=f"piece-{at}-breaks" in fields,
            is_high=f"piece-{at}-top" in fields,
            has_roof=f"piece-{at}-roof" in fields,
        )
        for at in piece_numbers(fields)
    )
    return tuple(replace(row, error=_piece_error(row, size)) for row in rows if not row.is_empty)


def _piece_error(row: PieceRow, size: int) -> str:
    if row.is_empty:
        return ""
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
        {
            "x": float(row.x),
            "y": float(row.y),
            "radius": float(row.radius),
            "kind": row.kind,
            "is_destructible": row.is_destructible,
            "is_high": row.is_high,
            "has_roof": row.has_roof,
        }
    )


def _fields_of(piece: TablePiece) -> PieceFields:
    return _piece(piece_row(0, piece))
