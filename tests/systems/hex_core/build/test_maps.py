"""Own maps: errors refused at once, problems reported, and the form that paints them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import roster_rules
from systems.documents import DocumentError
from systems.hex_core.build.drawing import HEXES, published_board
from systems.hex_core.build.scenario import ScenarioSpec, uneven_hexes
from systems.hex_core.build.scenario_form import form_spec, map_spec, map_text
from systems.hex_core.catalogue import CATALOGUE, COLUMNS, ROWS

RULES = roster_rules("hex-core")


def own(mission: str = "elimination", **given: object) -> dict[str, object]:
    return {"mission": mission, "map": given}


def turned(*places: tuple[int, ...]) -> list[list[int]]:
    """Return the hexes and their opposites, with their further values."""
    return [list(place) for place in places] + [[15 - c, 12 - r, *more] for c, r, *more in places]


def refused(spec: object) -> tuple[str, str]:
    with pytest.raises(DocumentError) as error:
        RULES.parse_scenario(spec)
    return error.value.path, error.value.reason


def problems(spec: dict[str, object]) -> list[tuple[str, str, str]]:
    check = RULES.check_scenario(RULES.parse_scenario(spec))
    return [(problem.code, problem.place, problem.rule) for problem in check.problems]


@pytest.mark.rule("HX-055")
def test_map_of_another_size_is_refused():
    path, reason = refused(own(columns=40, rows=40))
    assert (path, reason) == ("spec.map.columns", "a map has 16 columns, not 40 (HX-055)")
    path, reason = refused(own(columns=16, rows=40))
    assert (path, reason) == ("spec.map.rows", "a map has 13 rows, not 40 (HX-055)")


@pytest.mark.parametrize(
    ("given", "path", "reason"),
    [
        ({"hexes": {"pink": [[1, 1]]}}, "hexes", "unknown colour 'pink' (HX-136)"),
        ({"hexes": {"gren": []}}, "hexes", "unknown colour 'gren'; did you mean 'green'? (HX-136)"),
        ({"hexes": {"green": [[1, 1], [16, 0]]}}, "hexes.green[1]", "(16, 0) is off the map"),
        ({"objectives": [[0, 13]]}, "objectives[0]", "(0, 13) is off the map"),
        ({"starts": {"b": [[-1, 0]]}}, "starts.b[0]", "(-1, 0) is off the map"),
        ({"hexes": {"green": [[1, 1]], "red": [[1, 1]]}}, "hexes.red[0]", "(1, 1) is named twice"),
        ({"buildings": [[1, 1, 5], [1, 1, 6]]}, "buildings[1]", "(1, 1) is named twice"),
        ({"buildings": [[1, 1, 0]]}, "buildings[0][2]", "must be 1 or more"),
        ({"buildings": [[1, 1, 21]]}, "buildings[0][2]", "must be 20 or less"),
        ({"levels": [[1, 1, 3]]}, "levels[0][2]", "must be 2 or less"),
        ({"swamps": []}, "swamps", "unknown field"),
    ],
)
def test_unreadable_map_is_refused_with_its_field(given, path, reason):
    found, reasons = refused(own(**given))
    assert found == f"spec.map.{path}"
    assert reasons.startswith(reason)


@pytest.mark.rule("HX-163")
def test_an_unknown_mission_is_refused():
    assert refused({"mission": "parade"})[0] == "spec.mission"


@pytest.mark.rule("HX-057")
@pytest.mark.parametrize("slug", CATALOGUE.maps)
def test_published_map_is_legal_as_own_map(slug):
    spec = ScenarioSpec(map=map_spec(published_board(slug)))
    assert RULES.check_scenario(spec).legal
    assert spec.map.board.colours == published_board(slug).colours


@pytest.mark.rule("HX-057")
@pytest.mark.parametrize(
    "given",
    [
        {"hexes": {"green": [[3, 4]]}},
        {"levels": [[3, 4, 1]]},
        {"buildings": [[3, 4, 5]]},
        {"buildings": [[3, 4, 5], [12, 8, 6]]},
        {"starts": {"a": turned((3, 12))[:1] + [[4, 12], [5, 12]]}},
    ],
)
def test_asymmetric_map_is_a_problem(given):
    assert ("map-not-symmetric", "map", "HX-057") in problems(own(**given))


def test_asymmetric_hexes_are_named():
    spec = RULES.parse_scenario(own(hexes={"green": [[3, 4]]}))
    [problem] = RULES.check_scenario(spec).problems
    assert problem.message == "The map must look the same turned by 180°: (3, 4) is green, (12, 8) is grey."
    assert uneven_hexes(spec.map.board) == (4 * COLUMNS + 3, 8 * COLUMNS + 12)


@pytest.mark.rule("HX-137")
def test_different_colours_need_grey_hex_between():
    close = {"hexes": {"green": turned((3, 4)), "tan": turned((3, 5))}}
    assert problems(own(**close)) == [("terrain-gap", "map.hexes", "HX-137")]
    apart = {"hexes": {"green": turned((3, 4)), "tan": turned((3, 6))}}
    assert problems(own(**apart)) == []
    assert problems(own(hexes={"light-blue": turned((3, 4)), "dark-blue": turned((3, 5))})) == []


@pytest.mark.rule("HX-138")
def test_water_cannot_be_raised():
    spec = own(hexes={"light-blue": turned((3, 4))}, levels=turned((3, 4, 1)))
    assert problems(spec) == [("", f"map.levels[{at}]", "HX-138") for at in range(2)]


@pytest.mark.rule("HX-148")
@pytest.mark.parametrize("colour", CATALOGUE.terrain)
def test_building_cannot_stand_on_water(colour):
    spec = own(hexes={colour: turned((3, 4))}, buildings=turned((3, 4, 5)))
    refused = [("", f"map.buildings[{at}]", "HX-148") for at in range(2)]
    assert problems(spec) == (refused if CATALOGUE.terrain[colour].level else [])


@pytest.mark.rule("HX-148", "HX-151")
def test_building_on_raised_ground_is_higher():
    spec = RULES.parse_scenario(own(levels=turned((3, 4, 2)), buildings=turned((3, 4, 5), (5, 6, 5))))
    assert RULES.check_scenario(spec).problems == ()
    board = spec.map.board
    assert [board.cell(at).top for at in (4 * COLUMNS + 3, 6 * COLUMNS + 5)] == [3, 1]


@pytest.mark.rule("HX-068")
def test_unit_cannot_set_up_in_building():
    a = [[column, 12] for column in range(2, 11)]
    b = [[15 - column, 0] for column in range(2, 11)]
    spec = own(buildings=turned((3, 12, 5)), starts={"a": a, "b": b})
    assert problems(spec) == [("", "map.starts.a[1]", "HX-068"), ("", "map.starts.b[1]", "HX-068")]
    spec = own(hexes={"red": turned((3, 12))}, starts={"a": a, "b": b})
    assert problems(spec) == [("", "map.starts.a[1]", "HX-141"), ("", "map.starts.b[1]", "HX-141")]


@pytest.mark.rule("HX-059")
def test_sides_set_up_apart_with_enough_hexes():
    both = {"a": [[7, 6], [7, 5], [3, 12]], "b": [[8, 6], [7, 6], [8, 7]]}
    found = problems(own(starts=both))
    assert ("", "map.starts", "HX-059") in found
    few = own(starts={"a": [[column, 12] for column in range(7)], "b": [[15 - column, 0] for column in range(7)]})
    assert problems(few) == [("", "map.starts.a", "HX-059"), ("", "map.starts.b", "HX-059")]
    wet = own(hexes={"light-blue": turned(*((column, row) for column in range(16) for row in (10, 11, 12)))})
    assert problems(wet) == [("", "map.starts.a", "HX-059"), ("", "map.starts.b", "HX-059")]


@pytest.mark.rule("HX-166")
def test_objectives_need_distance_and_mission_zone():
    spec = own("domination", objectives=[[7, 12], [7, 7], [5, 0]])
    assert problems(spec) == [
        ("objective-too-close", "map.objectives[1]", "HX-166"),
        ("objective-zone", "map.objectives[2]", "HX-166"),
    ]
    assert problems(own("domination", objectives=[[7, 12], [7, 6], [7, 0]])) == []
    assert problems(own("domination", objectives=[[7, 12]])) == [("", "map.objectives", "HX-166")]
    assert problems(own("retrieval", objectives=[[0, 6], [7, 6], [14, 6]])) == []
    assert problems(own("retrieval", objectives=[[0, 6], [7, 6], [14, 4]]))[0][0] == "objective-zone"
    blocked = own("domination", objectives=[[7, 12], [7, 6], [7, 0]], buildings=turned((7, 6, 5)))
    assert problems(blocked) == [("", "map.objectives[1]", "HX-166")]


@pytest.mark.rule("HX-166")
def test_mission_needs_room_for_three_objectives():
    ends = [[column, row] for column in range(6, 10) for row in (0, 1, 11, 12)]
    assert problems(own("domination", hexes={"red": ends})) == [("objective-blocks", "map", "HX-166")]
    assert problems(own("elimination", hexes={"red": ends})) == []


def test_three_objectives_give_a_warning():
    check = RULES.check_scenario(RULES.parse_scenario(own("domination", objectives=[[7, 12], [7, 6], [7, 0]])))
    assert [warning.place for warning in check.warnings] == ["map.objectives"]


places = st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, ROWS - 1))


@given(
    colours=st.dictionaries(places, st.sampled_from(list(CATALOGUE.terrain)), max_size=30),
    buildings=st.dictionaries(places, st.integers(1, 20), max_size=6),
    levels=st.dictionaries(places, st.integers(1, 2), max_size=6),
    side=st.sampled_from(["mirror-a", "mirror-b"]),
)
def test_any_map_can_be_read_checked_and_mirrored(colours, buildings, levels, side):
    hexes: dict[str, list[list[int]]] = {}
    for place, colour in colours.items():
        hexes.setdefault(colour, []).append(list(place))
    given = {
        "hexes": hexes,
        "buildings": [[*place, floors] for place, floors in buildings.items()],
        "levels": [[*place, level] for place, level in levels.items()],
    }
    spec = RULES.parse_scenario(own(**given))
    assert RULES.parse_scenario(RULES.scenario_json(spec)) == spec
    RULES.check_scenario(spec)
    assert RULES.parse_scenario(form_spec({"map": map_text(spec.map)})).map.board == spec.map.board
    even = RULES.parse_scenario(form_spec({"map": json.dumps(given), "lay": side})).map
    assert uneven_hexes(even.board) == ()
    half = range(HEXES // 2, HEXES) if side == "mirror-a" else range(HEXES // 2)
    assert all(even.board.colours[at] == spec.map.board.colours[at] for at in half)


def test_unchanged_form_gives_same_scenario():
    spec = RULES.parse_scenario(
        own(
            "domination",
            hexes={"green": turned((3, 4))},
            levels=turned((5, 5, 2)),
            buildings=turned((7, 4, 9)),
            objectives=[[7, 12], [7, 6], [7, 0]],
            starts={"a": [[1, 12], [2, 12]], "b": [[14, 0], [13, 0]]},
        )
    )
    form = RULES.scenario_form(spec)
    fields = {"brief": form.brief, "mission": "domination", "map": form.map_text}
    assert RULES.parse_scenario(RULES.form_spec(fields)) == spec


def test_form_without_map_leaves_map_open():
    assert RULES.parse_scenario(RULES.form_spec({"mission": "elimination", "map": " "})).map is None


def test_form_can_start_from_published_map():
    spec = RULES.parse_scenario(RULES.form_spec({"map": "", "lay": "coast"}))
    assert spec.map.board.colours == published_board("coast").colours
