"""The form of a scenario: its figures, rows for objectives and terrain, and a drawing of the table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from systems.documents import DocumentError
from systems.legality import Check, Problem
from systems.mech_campaign.build.scenario import IN_H, TABLE_IN, ZONE_IN, DiscKind
from systems.mech_campaign.catalogue import CATALOGUE
from systems.scenarios import (
    BARE_LAYOUT,
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
    BY_GOAL,
    MAX_BRIEF,
    MAX_PIECES,
    MAX_POINTS,
    MAX_TABLE,
    MAX_TURNS,
    MIN_TABLE,
    MIN_ZONE,
    PieceFields,
    ScenarioSheet,
    ScenarioSpec,
    max_zone_depth,
    printed_places,
    scenario_json,
    scenario_sheet,
)

SPARE_ROWS = 3
POINT = "Place"
POINT_ROWS = max(len(scenario.places_h) for scenario in BY_GOAL.values())
ON_TABLE = "MC-020"
RIM = 0.5  # margin around the table in a drawing, in inches
KINDS: Mapping[str, str] = {slug: CATALOGUE.terrain[slug].name for slug in get_args(DiscKind)}
RADII: Mapping[str, float] = {slug: CATALOGUE.terrain[slug].radius_h / IN_H for slug in KINDS}
LAYOUTS = (*HALVES.items(), (BARE_LAYOUT, "Nothing: it is rolled"))
FIGURE_LABELS: Mapping[str, str] = {
    "turn_limit": "turn limit",
    "force_points": "points a side",
    "table_in": "table",
    "zone_in": "zone",
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
    error: str = ""

    @property
    def is_empty(self) -> bool:
        return self.kind == REMOVED_KIND or (not self.kind and not self.x and not self.y)

    @property
    def field(self) -> str:
        """The prefix of its field names."""
        return f"piece-{self.number}"

    @property
    def kinds(self) -> tuple[tuple[str, str, bool], ...]:
        """The kinds to choose from: slug, words, whether chosen."""
        choices = {"": "nothing", **KINDS, REMOVED_KIND: "remove it"}
        return tuple((slug, words, slug == self.kind) for slug, words in choices.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChoice:
    value: str
    label: str
    detail: str
    places: int
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    """The fields of a scenario."""

    brief: str
    goals: tuple[GoalChoice, ...]
    figures: Mapping[str, str]
    points: tuple[PointRow, ...]
    pieces: tuple[PieceRow, ...]
    drawn: ScenarioSheet
    brushes: tuple[Brush, ...]
    errors: Mapping[str, str] = field(default_factory=dict)  # by the name of a figure
    brief_most: int = MAX_BRIEF
    turns_most: int = MAX_TURNS
    force_points_most: int = MAX_POINTS
    pieces_most: int = MAX_PIECES
    table_least: int = MIN_TABLE
    table_most: int = MAX_TABLE
    zone_least: int = MIN_ZONE
    zone_most: int = max_zone_depth(MAX_TABLE)
    layouts: tuple[tuple[str, str], ...] = LAYOUTS
    point: str = POINT
    radii: str = json.dumps(RADII)
    blank: PieceRow = PieceRow(number=0)

    @property
    def sizes(self) -> tuple[tuple[str, str], ...]:
        """The radius of each kind of piece."""
        return tuple((KINDS[slug], format_figure(radius)) for slug, radius in RADII.items())

    @property
    def printed(self) -> str:
        """The objectives as drawn, as JSON; empty rows are drawn as printed."""
        return json.dumps([[spot.x, self.drawn.size - spot.y] for spot in self.drawn.spots])

    @property
    def rim(self) -> float:
        """The margin around the table, as a share of the drawing's width."""
        return RIM / (self.drawn.size + 2 * RIM)


def scenario_form(spec: ScenarioSpec, brush: str = "") -> ScenarioForm:
    """Return the form for that spec; `brush` is the selected drawing tool."""
    return ScenarioForm(
        brief=spec.brief,
        goals=goal_choices(spec.goal),
        figures={
            "turn_limit": str(spec.turn_limit),
            "force_points": str(spec.force_points or ""),
            "table_in": str(spec.table_in),
            "zone_in": str(spec.zone_in),
        },
        points=point_rows(spec.places, POINT_ROWS),
        pieces=with_spare_rows(piece_row(at, each) for at, each in enumerate(spec.pieces, start=1)),
        drawn=scenario_sheet(spec),
        brushes=brushes(KINDS, POINT, brush),
    )


def goal_choices(chosen: str) -> tuple[GoalChoice, ...]:
    return tuple(
        GoalChoice(
            value=scenario.goal,
            label=scenario.objective,
            detail=scenario.victory,
            places=len(scenario.places_h),
            is_chosen=scenario.goal == chosen,
        )
        for scenario in CATALOGUE.scenarios.values()
    )


def piece_row(number: int, piece: PieceFields) -> PieceRow:
    return PieceRow(number=number, kind=piece.kind, x=format_figure(piece.x), y=format_figure(piece.y))


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
    spec = _read_head(fields)
    points, rows = sent_points(fields, POINT_ROWS, spec.size, ON_TABLE), submitted_pieces(fields, spec.size)
    labelled_errors = [
        *((f"place {row.number}", row.error) for row in points),
        *((f"piece {row.number}", row.error) for row in rows),
    ]
    for row_name, error in labelled_errors:
        if error:
            raise DocumentError(row_name, error)
    lay = fields.get("lay", "")
    if lay == BARE_LAYOUT:
        rows = ()
    pieces, places = [_piece(row) for row in rows], submitted_places(points, spec)
    if lay in HALVES:
        pieces, _none = mirror_half(pieces, [], spec.size, side=list(HALVES).index(lay))
    if len(pieces) > MAX_PIECES:
        raise DocumentError("pieces", f"a table has {MAX_PIECES} at most, not {len(pieces)}")
    return scenario_json(_with_pieces(spec, pieces, places))


def _read_head(fields: Mapping[str, str]) -> ScenarioSpec:
    goal = fields.get("goal", "")
    return ScenarioSpec.model_validate(
        {
            "brief": sent_sentence(fields, "brief", MAX_BRIEF),
            "goal": goal if goal in BY_GOAL else "claim",
            **{name: _read_figure(fields, name) for name in FIGURE_LABELS},
        }
    )


def _read_figure(fields: Mapping[str, str], name: str) -> int:
    number = parse_whole_number(fields.get(name, ""))
    if number is None:
        raise DocumentError(FIGURE_LABELS[name], WHOLE_NUMBER)
    return min(number, 9999) or EMPTY_VALUES.get(name, 0)


def _with_pieces(
    spec: ScenarioSpec, pieces: Sequence[PieceFields], places: Sequence[tuple[float, float]]
) -> ScenarioSpec:
    return spec.model_copy(update={"pieces": list(pieces), "places": list(places)})


def submitted_places(points: Sequence[PointRow], spec: ScenarioSpec) -> list[tuple[float, float]]:
    """Return the rows' places, one for each that the goal has; empty rows are as printed. Empty if all rows are."""
    printed = printed_places(spec.goal, spec.size)
    rows = points[: len(printed)]
    if all(row.is_empty or row.error for row in rows):
        return []
    return [
        place if row.is_empty or row.error else (float(row.x), float(row.y))
        for row, place in zip(rows, printed, strict=True)
    ]


def form_unread(fields: Mapping[str, str], brush: str = "") -> tuple[ScenarioForm, Check]:
    """Return the form as submitted, each error at its field, and all errors as problems."""
    errors = {name: WHOLE_NUMBER for name in FIGURE_LABELS if parse_whole_number(fields.get(name, "")) is None}
    spec = _read_head({**fields, **dict.fromkeys(errors, "")})
    points, rows = sent_points(fields, POINT_ROWS, spec.size, ON_TABLE), submitted_pieces(fields, spec.size)
    labelled_errors = [
        *((FIGURE_LABELS[name].capitalize(), reason) for name, reason in errors.items()),
        *((f"Place {row.number}", row.error) for row in points),
        *((f"Piece {row.number}", row.error) for row in rows),
    ]
    problems = [Problem("", f"{what} {reason}.") for what, reason in labelled_errors if reason]
    drawn = [_piece(row) for row in rows if not row.error]
    if len(drawn) > MAX_PIECES:
        problems.append(Problem("", f"A table has {MAX_PIECES} pieces at most, not {len(drawn)}."))
    form = ScenarioForm(
        brief=spec.brief,
        goals=goal_choices(spec.goal),
        figures={name: fields.get(name, "")[:12] for name in FIGURE_LABELS},
        points=points,
        pieces=with_spare_rows(rows),
        drawn=scenario_sheet(_with_pieces(spec, drawn, submitted_places(points, spec))),
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
        )
        for at in piece_numbers(fields)
    )
    return tuple(replace(row, error=_piece_error(row, size)) for row in rows if not row.is_empty)


def _piece_error(row: PieceRow, size: int) -> str:
    if row.kind not in KINDS:
        return "has no kind. Choose one or remove the piece"
    if not row.x and not row.y:
        return "has no position"
    return place_error(row.x, row.y, size, ON_TABLE)


def _piece(row: PieceRow) -> PieceFields:
    return PieceFields.model_validate({"x": float(row.x), "y": float(row.y), "kind": row.kind})
