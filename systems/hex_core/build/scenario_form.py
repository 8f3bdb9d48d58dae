"""The form of a scenario: a map to paint with a brush, and the same map as a document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from systems.documents import DocumentError, parse_document
from systems.hex_core.build.drawing import HEXES, LOOKS, Board, plain_starts, published_board
from systems.hex_core.catalogue import CATALOGUE, COLUMNS, ROWS, Mission
from systems.legality import Check, Problem
from systems.scenarios import WHOLE_NUMBER, LimitRow, limit_rows, parse_whole_number, sent_limits, sent_rows
from systems.spaces.hex_map import HexSheet, Point, centre, draw_sheet, face
from systems.spaces.hexes import hex_opposite

from .scenario import (
    BOUNDS,
    LEVELS,
    MAX_BRIEF,
    MAX_FLOORS,
    MAX_ROUNDS,
    MapSpec,
    ScenarioSpec,
    refuse_unreadable,
    uneven_hexes,
)

PLAIN_FLOORS = 5
HALVES = {"mirror-a": "Copy side A’s half", "mirror-b": "Copy side B’s half"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Brush:
    value: str
    label: str
    look: str = ""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorCell:
    """A hex of the map in the editor."""

    number: int
    at: Point
    classes: str
    sign: str  # fill of its pattern
    word: str  # floors, or level
    spot: str  # number of the objective

    @property
    def transform(self) -> str:
        return f"translate({self.at[0]:g} {self.at[1]:g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    brief: str
    brief_most: int
    missions: tuple[tuple[Mission, bool], ...]
    rounds: str
    forces: tuple[LimitRow, ...]
    map_text: str
    sheet: HexSheet
    face: str  # path of a hex centred at 0, 0
    cells: tuple[EditorCell, ...]
    grounds: tuple[Brush, ...]
    marks: tuple[Brush, ...]
    floors: int
    floors_most: int
    layouts: tuple[tuple[str, str], ...]  # layouts for the map: value and label
    columns: int
    rows: int
    rounds_most: int = MAX_ROUNDS
    rounds_error: str = ""
    is_map_unread: bool = False


def scenario_form(spec: ScenarioSpec, brush: str = "") -> ScenarioForm:
    """Return the form for that spec; `brush` is the selected map tool."""
    brush = brush or "green"
    board = (spec.map or MapSpec()).board
    x, y = centre(0, 0)
    grounds = [Brush(value=slug, label=terrain.name, look=LOOKS[slug]) for slug, terrain in CATALOGUE.terrain.items()]
    marks = [
        *(Brush(value=f"level-{level}", label=f"Level +{level}") for level in LEVELS),
        Brush(value="building", label="Building"),
        Brush(value="objective", label="Objective"),
        Brush(value="start-a", label="A sets up"),
        Brush(value="start-b", label="B sets up"),
        Brush(value="clear", label="Clear"),
    ]
    return ScenarioForm(
        brief=spec.brief,
        brief_most=MAX_BRIEF,
        missions=tuple((mission, mission.slug == spec.mission) for mission in CATALOGUE.missions.values()),
        rounds=str(spec.rounds or ""),
        forces=limit_rows(spec.forces, BOUNDS),
        map_text=map_text(spec.map) if spec.map else "",
        sheet=draw_sheet(board.ground),
        face=face(0, 0).replace(f"M{x - 40:g},{y:g}", "M-40,0", 1),
        cells=tuple(editor_cells(board)),
        grounds=tuple(replace(each, is_chosen=each.value == brush) for each in grounds),
        marks=tuple(replace(each, is_chosen=each.value == brush) for each in marks),
        floors=PLAIN_FLOORS,
        floors_most=MAX_FLOORS,
        layouts=(*((found.slug, found.name) for found in CATALOGUE.maps.values()), *HALVES.items()),
        columns=COLUMNS,
        rows=ROWS,
    )


def editor_cells(board: Board) -> Iterator[EditorCell]:
    uneven = set(uneven_hexes(board))
    for number in range(HEXES):
        classes = ["cell", f"hex--{LOOKS[board.colours[number]]}"]
        classes += [f"is-start-{letter}" for letter, start in zip("ab", board.starts, strict=True) if number in start]
        classes += ["has-building"] if board.floors[number] else []
        classes += ["is-uneven"] if number in uneven else []
        look, level = LOOKS[board.colours[number]], board.levels[number]
        raised = f"+{level}" if level > 0 else ""
        yield EditorCell(
            number=number,
            at=centre(number % COLUMNS, number // COLUMNS),
            classes=" ".join(classes),
            sign="none" if look == "plain" else f"url(#hex-{look})",
            word=f"{board.floors[number] or ''} {raised}".strip(),
            spot=str(board.objectives.index(number) + 1) if number in board.objectives else "",
        )


def map_text(spec: MapSpec) -> str:
    """Return a map's document, one line per list, without empty lists."""
    data = spec.model_dump(mode="json")
    lines = []
    hexes = [f"    {json.dumps(colour)}: {json.dumps(places)}" for colour, places in data["hexes"].items() if places]
    if hexes:
        lines.append('  "hexes": {\n' + ",\n".join(hexes) + "\n  }")
    lines += [f'  "{key}": {json.dumps(data[key])}' for key in ("levels", "buildings", "objectives") if data[key]]
    starts = {side: places for side, places in data["starts"].items() if places}
    lines += [f'  "starts": {json.dumps(starts)}'] if starts else []
    return "{\n" + ",\n".join(lines) + "\n}" if lines else "{}"


def form_spec(fields: Mapping[str, str]) -> dict[str, object]:
    """Return the fields' spec as JSON values; raises DocumentError for an unreadable figure or map document."""
    if not fields:
        return {"map": {}}
    spec: dict[str, Any] = {"brief": fields.get("brief", ""), "mission": fields.get("mission", "elimination")}
    if rounds := _rounds(fields):
        spec["rounds"] = rounds
    if forces := sent_limits(fields, BOUNDS).model_dump(mode="json", exclude_defaults=True):
        spec["forces"] = forces
    given, lay = submitted_map(fields), fields.get("lay", "")
    if lay in CATALOGUE.maps:
        given = map_spec(published_board(lay))
    elif lay in HALVES and given:
        given = map_spec(with_half_mirrored(given.board, side=int(lay == "mirror-b")))
    if given:
        spec["map"] = given.model_dump(mode="json", exclude_defaults=True)
    return spec


def _rounds(fields: Mapping[str, str]) -> int:
    number = parse_whole_number(fields.get("rounds", ""))
    if number is None:
        raise DocumentError("rounds", WHOLE_NUMBER)
    return min(number, 9999)


def submitted_map(fields: Mapping[str, str]) -> MapSpec | None:
    """Return the submitted map document, or None. Raises DocumentError."""
    text = fields.get("map", "").strip()
    given = parse_document(MapSpec, text, "map") if text else None
    if given:
        refuse_unreadable(given, "map")
    return given


def form_unread(fields: Mapping[str, str], brush: str = "") -> tuple[ScenarioForm, Check]:
    """Return the form as submitted, each error at its field, and all errors as problems."""
    problems: list[Problem] = []
    given, is_map_unread = None, False
    rounds_error = WHOLE_NUMBER if parse_whole_number(fields.get("rounds", "")) is None else ""
    if rounds_error:
        problems.append(Problem("", f"Rounds {rounds_error}.", "rounds"))
    try:
        given = submitted_map(fields)
    except DocumentError as error:
        is_map_unread = True
        problems.append(Problem("", f"{error.path.capitalize()}: {error.reason}.", error.path))
    forces = sent_rows(fields, BOUNDS)
    problems += [Problem("", f"{error}.", "forces") for row in forces for error in row.errors]
    mission = fields.get("mission", "")
    spec = ScenarioSpec(mission=mission if mission in CATALOGUE.missions else "elimination", map=given or MapSpec())
    form = replace(
        scenario_form(spec, brush),
        brief=fields.get("brief", ""),
        rounds=fields.get("rounds", "")[:12],
        rounds_error=rounds_error,
        forces=forces,
        map_text=fields.get("map", ""),
        is_map_unread=is_map_unread,
    )
    return form, Check(0, tuple(problems))


def with_half_mirrored(board: Board, side: int) -> Board:
    """Return the map with the other half replaced by a rotated copy of this side's half; objectives stay."""
    half = HEXES // 2

    def source(at: int) -> int:
        is_own = at >= half if side == 0 else at < half
        return at if is_own else hex_opposite(at, COLUMNS, ROWS)

    own = board.starts[side]
    other = frozenset(hex_opposite(at, COLUMNS, ROWS) for at in own)
    return replace(
        board,
        colours=tuple(board.colours[source(at)] for at in range(HEXES)),
        levels=tuple(board.levels[source(at)] for at in range(HEXES)),
        floors=tuple(board.floors[source(at)] for at in range(HEXES)),
        starts=(own, other) if side == 0 else (other, own),
    )


def map_spec(board: Board) -> MapSpec:
    """Return a map's document."""

    def places(numbers: list[int] | tuple[int, ...]) -> list[list[int]]:
        return [[at % COLUMNS, at // COLUMNS] for at in numbers]

    hexes = {
        slug: places([at for at, colour in enumerate(board.colours) if colour == slug])
        for slug in CATALOGUE.terrain
        if slug != "grey" and slug in board.colours
    }
    starts = {
        letter: places(sorted(start))
        for letter, start, plain in zip("ab", board.starts, plain_starts(), strict=True)
        if start != plain
    }
    data = {
        "hexes": hexes,
        "levels": [[at % COLUMNS, at // COLUMNS, level] for at, level in enumerate(board.levels) if level > 0],
        "buildings": [[at % COLUMNS, at // COLUMNS, floors] for at, floors in enumerate(board.floors) if floors],
        "objectives": places(board.objectives),
        "starts": starts,
    }
    return parse_document(MapSpec, data, "map")
