"""Players' own scenarios: map or table, length, points, forces and zones; their form, and how they are played."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.models import Scenario
from systems import battle_rules
from systems.blazing_steel.battle.rules.rounds import score_objectives
from systems.blazing_steel.build import SYSTEM
from systems.blazing_steel.build.scenario import read_limits
from systems.blazing_steel.build.scenario_form import ScenarioForm
from systems.blazing_steel.catalogue import CATALOGUE
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import resolve
from tests.battles.builders import player
from tests.systems.blazing_steel.battle.tables import Table, document, setup, unit

BLOCK = {"x": 20, "y": 24, "radius": 3, "kind": "block"}
WOODS = {"x": 10.5, "y": 3, "radius": 2.25, "kind": "woods"}
RIDGE = {
    "brief": "Up there.",
    "table_in": 60,
    "hill": [30, 24.5],
    "pieces": [BLOCK, WOODS],
    "forces": {"a": {"units_least": 2, "points_most": 40}, "b": {"units_most": 3}},
}
FORD = {"brief": "Nobody crosses.", "map": "city", "rounds": 3, "points": 20, "zone_in": 18}


def own(**spec):
    return {"name": "Over the Ford", "spec": spec}


def form_data(form: ScenarioForm) -> dict[str, str]:
    """Return what a browser sends of the form."""
    fields = {"brief": form.brief, **form.figures}
    fields["map"] = next(each.value for each in form.maps if each.is_chosen)
    for point in form.points:
        fields |= {f"point-{point.number}-x": point.x, f"point-{point.number}-y": point.y}
    for row in form.pieces:
        fields |= {f"{row.field}-kind": row.kind, f"{row.field}-x": row.x, f"{row.field}-y": row.y}
        fields[f"{row.field}-radius"] = row.radius
    fields |= {field.name: field.value for limits in form.forces for field in limits.fields}
    return fields


@pytest.mark.parametrize("spec", [{}, {"brief": "At dawn."}, FORD, RIDGE])
def test_scenario_survives_json_and_form(spec):
    parsed = SYSTEM.parse_scenario(spec)
    assert SYSTEM.scenario_json(parsed) == {"brief": ""} | spec
    assert SYSTEM.parse_scenario(SYSTEM.form_spec(form_data(SYSTEM.scenario_form(parsed)))) == parsed


def figures(most, least=0.0):
    return st.floats(least, most).map(lambda value: round(value, 4)) | st.integers(int(least) + 1, most).map(float)


@st.composite
def table_scenarios(draw: st.DrawFn) -> dict[str, Any]:
    """A scenario on its own table, playable or not."""
    size = draw(st.integers(36, 72))
    place = st.tuples(figures(size), figures(size)).map(list)
    pieces = [
        {"x": x, "y": y, "radius": draw(figures(12, 0.01)), "kind": draw(st.sampled_from(["block", "woods"]))}
        for x, y in draw(st.lists(place, max_size=40))
    ]
    return {
        "table_in": size,
        "zone_in": draw(st.integers(0, 40)),
        "hill": draw(st.none() | place),
        "pieces": pieces,
        "forces": {"a": {"units_most": draw(st.integers(0, 12))}},
    }


@settings(max_examples=25, deadline=None)
@given(table_scenarios())
def test_any_drawn_scenario_survives_form_and_document(data):
    spec = SYSTEM.parse_scenario(data)
    SYSTEM.check_scenario(spec)
    assert SYSTEM.scenario_sheet(spec).drawings
    assert SYSTEM.parse_scenario(SYSTEM.form_spec(form_data(SYSTEM.scenario_form(spec)))) == spec
    assert SYSTEM.parse_scenario(SYSTEM.scenario_json(spec)) == spec


@pytest.mark.rule("BS-014", "BS-046", "BS-185", "BS-193", "BS-194", "BS-C02")
@pytest.mark.parametrize(
    ("spec", "place", "rule", "expected"),
    [
        ({"table_in": 73}, "table_in", "BS-046", "A table is 36 to 72 in each way, not 73."),
        (
            {"table_in": 60, "zone_in": 27},
            "zone_in",
            "BS-193",
            "On a table of 60 in a zone is 4 to 26 in deep, not 27.",
        ),
        ({"map": "open", "pieces": [BLOCK]}, "map", "BS-046", "It has both the open map and its own table"),
        (
            {"pieces": [{**BLOCK, "x": 2.9}]},
            "pieces[0]",
            "BS-046",
            "Piece 1, block, reaches over the table edge. Move it.",
        ),
        ({"pieces": [BLOCK, {**WOODS, "x": 15, "y": 24}]}, "pieces[1]", "BS-046", "Piece 2, woods, overlaps piece 1"),
        (
            {"pieces": [{**BLOCK, "y": 41.5}]},
            "pieces[0]",
            "BS-185",
            "is in a set-up area, 4 in from each edge. Move it.",
        ),
        (
            {"pieces": [BLOCK], "hill": [22, 24]},
            "pieces[0]",
            "BS-194",
            "Piece 1, block, covers the hill’s marker. Move it.",
        ),
        ({"forces": {"b": {"units_most": 11}}}, "forces.b.units_most", "BS-014", "Side B: enter at most 10 Warmechs"),
        (
            {"points": 9, "forces": {"a": {"points_least": 10}}},
            "forces.a.points_least",
            "BS-C02",
            "above the maximum of 9",
        ),
    ],
)
def test_unplayable_table_is_kept_with_problem(spec, place, rule, expected):
    (problem,) = SYSTEM.check_scenario(SYSTEM.parse_scenario(spec)).problems
    assert (problem.place, problem.rule) == (place, rule)
    assert expected in problem.message


@pytest.mark.rule("BS-046", "BS-185", "BS-194")
def test_discs_may_touch_edge_marker_and_each_other():
    pieces = [
        {**BLOCK, "x": 3, "y": 7},
        {**BLOCK, "x": 9, "y": 7},
        {**BLOCK, "x": 45, "y": 41},
        {**BLOCK, "x": 27, "y": 24},
        {**WOODS, "x": 45.75, "y": 2.25},
    ]
    check = SYSTEM.check_scenario(SYSTEM.parse_scenario({"pieces": pieces}))
    assert (check.problems, check.warnings) == ((), ())


@pytest.mark.rule("BS-194")
@pytest.mark.parametrize(
    ("hill", "expected"),
    [
        ([5, 24], []),
        ([24, 20], ["The hill lies nearer to side A’s edge than to side B’s."]),
        ([24, 40], ["The hill lies in side B’s zone."]),
    ],
)
def test_off_centre_hill_gives_warning(hill, expected):
    check = SYSTEM.check_scenario(SYSTEM.parse_scenario({"hill": hill}))
    assert check.legal
    assert [each.message for each in check.warnings] == expected


@pytest.mark.rule("BS-046")
@pytest.mark.parametrize(
    ("spec", "path", "expected"),
    [
        ({"hill": [24, 49]}, "spec.hill", "a hill must be on the table, 0 to 48 in each way, not at (24, 49) (BS-046)"),
        ({"pieces": [{**BLOCK, "x": 50}]}, "spec.pieces[0]", "a piece must be on the table, 0 to 48"),
        ({"pieces": [{**BLOCK, "radius": 13}]}, "spec.pieces[0].radius", "must be 12.0 or less"),
        ({"pieces": [{**BLOCK, "kind": "lava"}]}, "spec.pieces[0].kind", "block"),
        ({"pieces": [{**BLOCK, "is_high": True}]}, "spec.pieces[0].is_high", "unknown field"),
        ({"pieces": [BLOCK] * 41}, "spec.pieces", "40"),
        ({"hill": [24]}, "spec.hill", ""),
        ({"forces": {"c": {}}}, "spec.forces.c", "unknown field"),
        ({"forces": {"a": {"units_most": -1}}}, "spec.forces.a.units_most", "must be 0 or more"),
    ],
)
def test_impossible_table_value_is_refused_at_its_field(spec, path, expected):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.parse_scenario(spec)
    assert refused.value.path.startswith(path)
    assert expected in refused.value.reason


@pytest.mark.parametrize("size", [36, 48, 50, 72])
@pytest.mark.parametrize("lay", ["standard", "open", "city"])
def test_printed_map_fits_table_of_any_size(lay, size):
    fields = {"lay": lay, "table_in": str(size), "map": "city", "force-a-units_most": "8", "force-b-units_most": "8"}
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec(fields))
    entry = CATALOGUE.maps[lay]
    assert (spec.map, spec.has_table, len(spec.pieces)) == ("", True, len(entry.blocks) + len(entry.woods))
    assert SYSTEM.check_scenario(spec).legal
    if lay == "standard" and size == 36:
        first = spec.pieces[0]
        assert (first.x, first.y, first.radius) == (9, 15, 1.5)


def test_half_of_table_can_be_mirrored_or_cleared():
    fields = form_data(
        SYSTEM.scenario_form(SYSTEM.parse_scenario({"pieces": [{**BLOCK, "y": 10}, {**WOODS, "y": 40}]}))
    )
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec(fields | {"lay": "turned-a"}))
    assert [(each.kind, each.x, each.y) for each in spec.pieces] == [("block", 20, 10), ("block", 28, 38)]
    assert SYSTEM.form_spec(fields | {"lay": "bare", "brief": "Any."}) == {"brief": "Any."}


@pytest.mark.rule("BS-046")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"piece-1-x": "61"}, "Piece 1 must be on the table, 0 to 60 in each way, not at x 61 (BS-046)."),
        ({"piece-1-radius": "0"}, "Piece 1 needs a radius above 0 and up to 12 in, not “0”."),
        ({"piece-2-kind": ""}, "Piece 2 has no kind. Choose one or remove the piece."),
        ({"piece-2-y": "nan"}, "Piece 2 has y “nan”, which isn’t a number of inches."),
        ({"point-1-y": ""}, "Hill has no y."),
        ({"rounds": "many"}, "Rounds must be a whole number."),
        ({"force-b-units_most": "1.5"}, "Side B: Warmechs at most must be a whole number."),
    ],
)
def test_unreadable_figure_is_reported_at_its_row_and_kept(change, expected):
    fields = form_data(SYSTEM.scenario_form(SYSTEM.parse_scenario(RIDGE))) | change
    with pytest.raises(DocumentError):
        SYSTEM.form_spec(fields)
    found = SYSTEM.form_unread(fields)
    assert found is not None
    form, check = found
    assert [each.message for each in check.problems] == [expected]
    assert form_data(form).items() >= {name: value for name, value in fields.items() if value}.items()


@pytest.mark.rule("BS-187", "BS-193", "BS-C02")
@pytest.mark.parametrize(
    ("spec", "place"),
    [
        ({"rounds": 13}, "rounds"),
        ({"points": 231}, "points"),
        ({"zone_in": 3}, "zone_in"),
        ({"zone_in": 21}, "zone_in"),
    ],
)
def test_unplayable_scenario_names_its_problem(spec, place):
    assert [problem.place for problem in SYSTEM.check_scenario(SYSTEM.parse_scenario(spec)).problems] == [place]
    with pytest.raises(DocumentError) as refused:
        read_setup(document(scenario=own(**spec)))
    assert refused.value.path == f"scenario.spec.{place}"


@pytest.mark.parametrize("number", ["-1", "many", "9" * 20])
def test_form_with_nonsense_reports_all_problems(number):
    fields = {"map": "<b>", "rounds": number, "points": number, "zone_in": number}
    with pytest.raises(DocumentError, match="rounds: must be a whole number"):
        SYSTEM.form_spec(fields)
    found = SYSTEM.form_unread(fields)
    assert found is not None
    form, check = found
    assert form.drawn.map == ""
    assert [each.message.split()[0] for each in check.problems] == ["Rounds", "Points", "Zones"]


def test_figures_out_of_bounds_are_kept_with_problems():
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec(dict.fromkeys(("rounds", "points", "zone_in", "table_in"), "99999")))
    assert [each.place for each in SYSTEM.check_scenario(spec).problems] == ["rounds", "points", "table_in", "zone_in"]
    assert SYSTEM.scenario_sheet(spec).drawings


def test_an_unknown_map_is_refused():
    with pytest.raises(DocumentError, match=r"spec\.map: unknown map 'citty'; did you mean 'city'"):
        SYSTEM.parse_scenario({"map": "citty"})


def test_scenario_with_map_is_played_only_there():
    rules = battle_rules("blazing-steel")
    assert dict(rules.terrain_choices(own(**FORD))) == {"city": "City"}
    assert rules.match_terrains(own(map="open")) == ("open",)
    with pytest.raises(DocumentError) as refused:
        setup(scenario=own(map="city"), terrain="open")
    assert (refused.value.path, refused.value.reason) == ("terrain", "Over the Ford is played on the city map")


@pytest.mark.rule("BS-187", "BS-C02")
def test_scenario_rounds_and_points_override_house_rules():
    given = setup(["darter"], ["darter"], scenario=own(rounds=2), options={"rounds": 9})
    assert battle_rules("blazing-steel").prepare(given).battle.round_limit == 2
    assert battle_rules("blazing-steel").prepare(setup(scenario=own(), options={"rounds": 9})).battle.round_limit == 9
    with pytest.raises(DocumentError, match="The force is worth 20 points; the limit is 19"):
        setup(["hawker", "hawker"], scenario=own(points=19), options={"points-limit": 40})
    assert battle_rules("blazing-steel").terms(own(**FORD)).sides[0].points == 20


@pytest.mark.rule("BS-193")
@pytest.mark.parametrize(("deep", "scores"), [(12, 0), (16, 1)])
def test_zone_has_depth_of_scenario(deep, scores):
    table = Table([unit("hawker", 24, 34)], [unit("hawker", 4, 47)])
    table.battle.zone = float(deep)
    score_objectives(table.state, [])
    assert table.state.sides[0].zone_points == scores


@pytest.mark.django_db
def test_both_runs_agree_on_scenario_and_table_is_drawn():
    given = setup(["skimmer", "darter"], ["hawker"], scenario=own(map="city", zone_in=20, rounds=4), terrain="city")
    assert tally_with_prints(given, 5, 0, 40) == tally_with_prints(given, 5, 0, 40, compiled=False)
    space = battle_rules("blazing-steel").space
    assert space is not None
    assert space.table(given).depth == 2000
    assert resolve(given, 1).outcome["rounds"] <= 4


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_player_creates_scenario_on_form(client):
    client.force_login(player())
    page = client.get("/scenarios/new/?system=blazing-steel").content.decode()
    assert page.count('class="map steel-map"') == 1
    assert "It has no terrain of its own; you choose the map for each battle." in " ".join(page.split())
    sent = {"system": "blazing-steel", "name": "Over the Ford"} | {key: str(value) for key, value in FORD.items()}
    preview = client.post("/scenarios/preview/", sent).content.decode()
    assert preview.count('class="map steel-map"') == 1
    assert 'height="180" fill="var(--zone-b)"' in preview
    answer = client.post("/scenarios/new/", sent | {"do": "save"})
    row = Scenario.objects.get()
    assert answer.headers["Location"] == f"/scenarios/{row.pk}/"
    assert (row.name, row.spec) == ("Over the Ford", FORD)
    html = " ".join(client.get(f"/scenarios/{row.pk}/").content.decode().split())
    assert "1 to 10 Warmechs a side, 20 points at most" in html
    assert "deployment zone, 18 in deep" in html
    form = " ".join(client.get(f"/battles/new/?system=blazing-steel&scenario=custom-{row.pk}").content.decode().split())
    assert "Nobody crosses. 3 rounds at most." in form


@pytest.mark.django_db
def test_form_shows_problem_and_keeps_input(client):
    client.force_login(player())
    sent = {"system": "blazing-steel", "name": "Too Long", "rounds": "40", "zone_in": "12"}
    assert "A battle lasts 1 to 12 rounds, not 40." in client.post("/scenarios/preview/", sent).content.decode()
    client.post("/scenarios/new/", sent | {"do": "save"})
    assert Scenario.objects.get().spec == {"brief": "", "rounds": 40}


@pytest.mark.rule("BS-C02")
def test_force_without_side_gets_larger_limit():
    uneven = {"name": "Uneven", "spec": {"points": 50, "forces": {"a": {"points_most": 100}}}}
    assert [read_limits(uneven, side).points_most for side in ("attacker", "defender", None)] == [100, 50, 100]
