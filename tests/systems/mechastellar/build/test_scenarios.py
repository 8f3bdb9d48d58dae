"""Players' own scenarios and their form: figures in, a spec out, and errors at their fields."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.documents import DocumentError
from systems.mechastellar.build import SYSTEM
from systems.mechastellar.build.drawing import describe_map
from systems.mechastellar.build.scenario_form import HALVES, KINDS, ScenarioForm
from systems.mechastellar.catalogue import CATALOGUE

FIVE = [[24, 24], [12, 16], [36, 16], [12, 32], [36, 32]]
PIECE = {"piece-1-kind": "low", "piece-1-x": "8", "piece-1-y": "9.5", "piece-1-radius": "2"}


def form_data(form: ScenarioForm) -> dict[str, str]:
    """Return what a browser sends of that form."""
    fields = {"brief": form.brief, "rounds": form.rounds, "force_points": form.force_points, "table_in": form.table_in}
    if form.stellar:
        fields["stellar"] = "on"
    for row in form.points:
        fields |= {f"point-{row.number}-x": row.x, f"point-{row.number}-y": row.y}
    for piece in form.pieces:
        figures = {"kind": piece.kind, "x": piece.x, "y": piece.y, "radius": piece.radius}
        ticks = {"breaks": piece.is_destructible, "top": piece.is_high, "roof": piece.has_roof}
        fields |= {f"{piece.field}-{name}": value for name, value in figures.items()}
        fields |= {f"{piece.field}-{name}": "on" for name, is_on in ticks.items() if is_on}
    return fields


def through_the_form(spec: Any) -> Any:
    return SYSTEM.parse_scenario(SYSTEM.form_spec(form_data(SYSTEM.scenario_form(spec))))


@pytest.mark.parametrize("slug", list(SYSTEM.scenarios))
def test_published_scenario_survives_form(slug):
    spec = SYSTEM.scenarios[slug].spec
    assert through_the_form(spec) == spec
    assert SYSTEM.scenario_form(through_the_form(spec)) == SYSTEM.scenario_form(spec)


def figures(most: float, least: float = 0) -> st.SearchStrategy[float]:
    return st.floats(least, most) | st.integers(int(least) + 1, int(most)).map(float)


@st.composite
def specs(draw: st.DrawFn) -> dict[str, Any]:
    """Any playable scenario."""
    size = draw(st.just(48) | st.integers(36, 72))
    place = st.tuples(figures(size), figures(size))
    pieces = [
        {
            "x": x,
            "y": y,
            "radius": draw(figures(12, 0.01)),
            "kind": draw(st.sampled_from(list(KINDS))),
            "is_destructible": draw(st.booleans()),
            "is_high": draw(st.booleans()),
            "has_roof": draw(st.booleans()),
        }
        for x, y in draw(st.lists(place, max_size=40))
    ]
    return {
        "brief": " ".join(draw(st.text("abc xyz", max_size=40)).split()),
        "rounds": draw(st.integers(0, 12)),
        "force_points": draw(st.integers(0, 100_000)),
        "table_in": size,
        "stellar": draw(st.booleans()),
        "points": draw(st.just([]) | st.lists(place.map(list), min_size=5, max_size=5)),
        "pieces": pieces,
    }


@settings(max_examples=25, deadline=None)
@given(specs())
def test_any_legal_scenario_survives_form_and_document(data):
    spec = SYSTEM.parse_scenario(data)
    assert SYSTEM.check_scenario(spec).legal
    assert through_the_form(spec) == spec
    assert SYSTEM.parse_scenario(SYSTEM.scenario_json(spec)) == spec
    assert SYSTEM.scenario_form(through_the_form(spec)) == SYSTEM.scenario_form(spec)


@pytest.mark.rule("ST-099")
@pytest.mark.parametrize("terrain", ["own-table", "standard", "open"])
def test_battlefield_in_space_is_named_on_every_table(terrain):
    data = {"stellar": True, **({"points": FIVE} if terrain == "own-table" else {})}
    tables = SYSTEM.scenario_sheet(SYSTEM.parse_scenario(data)).tables
    assert all("A battlefield in space" in describe_map(table) for table in tables)
    assert not any("space" in describe_map(table) for table in SYSTEM.scenario_sheet(SYSTEM.parse_scenario({})).tables)


def test_new_form_has_five_points_and_bare_table():
    assert SYSTEM.form_spec({}) == {"points": FIVE}
    form = SYSTEM.scenario_form(SYSTEM.parse_scenario(SYSTEM.form_spec({})))
    assert (len(form.points), [row.kind for row in form.pieces]) == (5, [""] * 3)


def test_full_table_has_no_spare_row():
    piece = {"x": 4, "y": 4, "radius": 1, "kind": "low"}
    form = SYSTEM.scenario_form(SYSTEM.parse_scenario({"pieces": [piece] * 40}))
    assert len(form.pieces) == 40
    fields = form_data(form) | {
        f"piece-41-{name}": value for name, value in {"kind": "low", "x": "1", "y": "1", "radius": "1"}.items()
    }
    with pytest.raises(DocumentError, match="pieces: a table has 40 at most, not 41"):
        SYSTEM.form_spec(fields)
    _form, check = SYSTEM.form_unread(fields)
    assert [each.message for each in check.problems] == ["A table has 40 pieces at most, not 41."]


@pytest.mark.rule("ST-021")
@pytest.mark.parametrize(
    ("change", "row", "expected"),
    [
        ({"piece-1-x": "49"}, "piece-1", "must be on the table, 0 to 48 in each way, not at x 49 (ST-021)"),
        ({"piece-1-y": "-1"}, "piece-1", "must be on the table, 0 to 48 in each way, not at y -1 (ST-021)"),
        ({"piece-1-x": "here"}, "piece-1", "has x “here”, which isn’t a number of inches"),
        ({"piece-1-x": "nan"}, "piece-1", "has x “nan”, which isn’t a number of inches"),
        ({"piece-1-x": "٣"}, "piece-1", "has x “٣”, which isn’t a number of inches"),
        ({"piece-1-x": "", "piece-1-y": ""}, "piece-1", "has no position"),
        ({"piece-1-y": ""}, "piece-1", "has no y"),
        ({"piece-1-radius": "13"}, "piece-1", "needs a radius above 0 and up to 12 in, not “13”"),
        ({"piece-1-radius": ""}, "piece-1", "needs a radius above 0 and up to 12 in, not “”"),
        ({"piece-1-kind": ""}, "piece-1", "has no kind. Choose one or remove the piece"),
        ({"piece-1-kind": "lava"}, "piece-1", "has no kind. Choose one or remove the piece"),
        ({"point-2-x": "12"}, "point-2", "has no y"),
        (
            {"piece-1-x": "37", "table_in": "36"},
            "piece-1",
            "must be on the table, 0 to 36 in each way, not at x 37 (ST-021)",
        ),
        (
            {"point-2-x": "12", "point-2-y": "48.5"},
            "point-2",
            "must be on the table, 0 to 48 in each way, not at y 48.5 (ST-021)",
        ),
    ],
)
def test_unreadable_figure_is_reported_at_its_row_and_kept(change, row, expected):
    fields = PIECE | change
    with pytest.raises(DocumentError) as refused:
        SYSTEM.form_spec(fields)
    assert (refused.value.path, refused.value.reason) == (row.replace("-", " "), expected)
    form, check = SYSTEM.form_unread(fields)
    errors = {f"piece-{each.number}": each.error for each in form.pieces} | {
        f"point-{each.number}": each.error for each in form.points
    }
    assert {name: error for name, error in errors.items() if error} == {row: expected}
    assert [each.message.endswith(f" {expected}.") for each in check.problems] == [True]
    assert form_data(form).items() >= {name: value for name, value in fields.items() if value}.items()


def test_all_form_errors_are_reported_at_once():
    form, check = SYSTEM.form_unread(
        PIECE | {"piece-1-x": "a", "point-5-y": "3", "rounds": "many", "force_points": "1.5"}
    )
    assert [each.message.split()[0] for each in check.problems] == ["Rounds", "Points", "Control", "Piece"]
    assert (form.rounds, form.rounds_error, form.force_points_error) == (
        "many",
        "must be a whole number",
        "must be a whole number",
    )


def test_removed_or_empty_row_makes_no_piece():
    fields = PIECE | {
        "piece-1-y": "9,5",
        "piece-2-kind": "gone",
        "piece-2-x": "x",
        "piece-3-kind": "",
        "piece-3-radius": "2",
    }
    (piece,) = SYSTEM.parse_scenario(SYSTEM.form_spec(fields)).pieces
    assert (piece.kind, piece.x, piece.y) == ("low", 8, 9.5)


@pytest.mark.rule("ST-013", "ST-020", "ST-360", "ST-370")
@pytest.mark.parametrize(
    ("spec", "place", "rule"),
    [
        ({"rounds": 13}, "rounds", "ST-370"),
        ({"force_points": 100_001}, "force_points", "ST-013"),
        ({"table_in": 35}, "table_in", "ST-020"),
        ({"table_in": 73}, "table_in", "ST-020"),
        ({"points": FIVE[:4]}, "points", "ST-360"),
        ({"points": [*FIVE, [1, 1]]}, "points", "ST-360"),
    ],
)
def test_scenario_is_kept_with_its_problems(spec, place, rule):
    parsed = SYSTEM.parse_scenario(spec)
    assert [(each.place, each.rule) for each in SYSTEM.check_scenario(parsed).problems] == [(place, rule)]
    assert SYSTEM.scenario_sheet(parsed).drawings


@pytest.mark.rule("ST-361", "ST-362", "ST-029")
def test_discouraged_layout_gives_warning():
    def advice(**spec: Any) -> list[str]:
        check = SYSTEM.check_scenario(SYSTEM.parse_scenario(spec))
        assert check.legal
        return [each.rule for each in check.warnings]

    assert advice(points=FIVE) == []
    plus = [[24, 24], [10, 24], [38, 24], [24, 4], [24, 44]]  # two pairs, each at one distance
    assert advice(points=plus) == []
    assert advice(points=[[24, 23], *FIVE[1:]]) == ["ST-361"]
    assert advice(points=[*FIVE[:4], [40, 40]]) == ["ST-361"]
    assert advice(points=FIVE, pieces=[{"x": 13, "y": 16, "radius": 2, "kind": "low"}]) == ["ST-362"]
    assert advice(points=FIVE, pieces=[{"x": 14, "y": 16, "radius": 2, "kind": "low"}]) == []
    assert advice(points=FIVE, pieces=[{"x": 12, "y": 16, "radius": 2, "kind": "deep-water"}]) == ["ST-029"]
    assert advice(pieces=[{"x": 20, "y": 4, "radius": 2, "kind": "low", "has_roof": True}]) == ["ST-029"]


@pytest.mark.parametrize("lay", ["standard", "open"])
def test_printed_table_can_be_laid_out(lay):
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec(PIECE | {"lay": lay, "rounds": "7", "piece-1-x": "?"}))
    table = CATALOGUE.maps[lay]
    assert (spec.rounds, len(spec.points), len(spec.pieces)) == (7, 5, len(table.pieces))
    assert SYSTEM.form_spec(PIECE | {"lay": "bare", "brief": "Any."}) == {"brief": "Any."}


def test_printed_table_scales_with_table_size():
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec({"lay": "standard", "table_in": "72"}))
    assert spec.points == [(36, 36), (18, 24), (54, 24), (18, 48), (54, 48)]
    assert (spec.pieces[0].x, spec.pieces[0].y, spec.pieces[0].radius) == (25.5, 36, 3)
    assert SYSTEM.check_scenario(spec).warnings == ()


@pytest.mark.parametrize("lay", list(HALVES))
def test_half_of_table_can_be_mirrored(lay):
    own, other = ("10", "38") if lay == "turned-a" else ("38", "10")
    fields = {"lay": lay}
    for number, (x, y) in enumerate([("24", "24"), ("12", own), ("5", other)], start=1):
        fields |= {f"point-{number}-x": x, f"point-{number}-y": y}
        fields |= {f"piece-{number}-kind": "tall", f"piece-{number}-x": x, f"piece-{number}-y": y}
        fields |= {f"piece-{number}-radius": "3"}
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec(fields))
    there = [(24.0, 24.0), (12.0, float(own)), (36.0, float(other))]
    assert [(each.x, each.y) for each in spec.pieces] == there
    assert spec.points == there


def test_mirroring_too_many_pieces_is_refused():
    fields = {"lay": "turned-a"}
    for number in range(1, 22):
        figures_ = {"kind": "low", "x": "4", "y": "4", "radius": "1"}
        fields |= {f"piece-{number}-{name}": value for name, value in figures_.items()}
    with pytest.raises(DocumentError, match="not 42"):
        SYSTEM.form_spec(fields)
