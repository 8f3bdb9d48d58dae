"""The three published scenarios and players' own."""

import random

import pytest

from systems.documents import DocumentError
from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.legality import can_field
from systems.mech_campaign.build.scenario import BY_GOAL, MIN_POINTS, PieceFields, ScenarioSpec, playable_scenario
from systems.mech_campaign.catalogue import CATALOGUE
from systems.scenarios import mirror_half


@pytest.mark.rule("MC-122")
def test_published_scenarios_have_their_turn_limits():
    limits = {slug: entry.spec.turn_limit for slug, entry in SYSTEM.scenarios.items()}
    assert limits == {"claim-dispute": 12, "survey-beacons": 8, "sabotage": 8}
    assert all(SYSTEM.check_scenario(entry.spec).legal for entry in SYSTEM.scenarios.values())


def form_data(form) -> dict[str, str]:
    """Return what a browser sends of a form."""
    fields = {"brief": form.brief, "goal": next(goal.value for goal in form.goals if goal.is_chosen), **form.figures}
    for row in form.points:
        fields |= {f"point-{row.number}-x": row.x, f"point-{row.number}-y": row.y}
    for row in form.pieces:
        fields |= {f"{row.field}-kind": row.kind, f"{row.field}-x": row.x, f"{row.field}-y": row.y}
    return fields


@pytest.mark.parametrize("slug", ["claim-dispute", "survey-beacons", "sabotage"])
def test_scenario_survives_json_and_form(slug):
    spec = SYSTEM.scenarios[slug].spec
    assert SYSTEM.parse_scenario(SYSTEM.scenario_json(spec)) == spec
    assert set(SYSTEM.scenario_json(spec)) == {"brief", "goal", "turn_limit"}  # as it has always been stored
    assert SYSTEM.parse_scenario(SYSTEM.form_spec(form_data(SYSTEM.scenario_form(spec)))) == spec


def legal_scenario(seed: int) -> ScenarioSpec:
    """Return a scenario without problems; pieces are placed at random until legal."""
    dice = random.Random(seed)
    goal = dice.choice(["claim", "beacons", "drill"])
    size = dice.randint(36, 72)
    spec = ScenarioSpec.model_validate(
        {
            "brief": dice.choice(["", "Nobody crosses."]),
            "goal": goal,
            "turn_limit": dice.randint(1, 30),
            "table_in": size,
            "zone_in": dice.randint(2, (size - 4) // 4),
            "force_points": dice.choice([0, 45]),
            "places": [
                (dice.randint(0, 4 * size) / 4, size / 3 + dice.random() * size / 3)
                for _ in BY_GOAL[goal].places_h
                if seed % 2
            ],
        }
    )
    for _throw in range(40):
        piece = PieceFields(
            kind=dice.choice(["rubble", "hill", "works"]), x=dice.random() * size, y=dice.randint(0, 2 * size) / 2
        )
        more = spec.model_copy(update={"pieces": [*spec.pieces, piece]})
        if SYSTEM.check_scenario(more).legal and len(more.pieces) <= 20:
            spec = more
    return spec


@pytest.mark.parametrize("seed", range(20))
def test_any_legal_scenario_survives_json_form_and_page(seed):
    spec = legal_scenario(seed)
    assert SYSTEM.check_scenario(spec).legal
    assert spec.pieces
    assert SYSTEM.parse_scenario(SYSTEM.scenario_json(spec)) == spec
    assert SYSTEM.parse_scenario(SYSTEM.form_spec(form_data(SYSTEM.scenario_form(spec)))) == spec
    sheet = SYSTEM.scenario_sheet(spec)
    assert len(sheet.spots) == len(BY_GOAL[spec.goal].places_h)
    assert len(SYSTEM.scenario_map(sheet).patches) == 2 + len(spec.pieces) + 4 + len(sheet.spots)


HILL = {"kind": "hill", "x": 18, "y": 18}


@pytest.mark.parametrize(
    ("spec", "rule", "place"),
    [
        ({"table_in": 35}, "MC-020", "table_in"),
        ({"table_in": 73}, "MC-020", "table_in"),
        ({"zone_in": 9}, "MC-024", "zone_in"),
        ({"zone_in": 1}, "MC-024", "zone_in"),
        ({"force_points": 1000}, "MC-005", "force_points"),
        ({"force_points": MIN_POINTS - 1}, "MC-005", "force_points"),
        ({"goal": "beacons", "places": [[6, 18]]}, "MC-124", "places"),
        ({"goal": "claim", "places": [[6, 18]]}, "MC-123", "places"),
        ({"goal": "drill", "pieces": [{"kind": "works", "x": 18, "y": 20}]}, "MC-052", "pieces"),
        (
            {"goal": "drill", "places": [[18, 18]], "pieces": [{"kind": "works", "x": 18, "y": 19.5}]},
            "MC-052",
            "places[0]",
        ),
        ({"pieces": [{"kind": "hill", "x": 3.49, "y": 18}]}, "MC-022", "pieces[0]"),
        ({"pieces": [HILL, {"kind": "rubble", "x": 24.49, "y": 18}]}, "MC-022", "pieces[1]"),
        ({"pieces": [{"kind": "rubble", "x": 12, "y": 9.01}]}, "MC-023", "pieces[0]"),
        ({"pieces": [{"kind": "works", "x": 18, "y": 13.99}]}, "MC-024", "pieces[0]"),
        ({"pieces": [{"kind": "works", "x": 18, "y": 22.01}]}, "MC-024", "pieces[0]"),
    ],
)
def test_unplayable_table_names_its_rule(spec, rule, place):
    problems = SYSTEM.check_scenario(SYSTEM.parse_scenario(spec)).problems
    assert [(problem.rule, problem.place) for problem in problems] == [(rule, place)]


@pytest.mark.rule("MC-022", "MC-023", "MC-024")
@pytest.mark.parametrize(
    "pieces",
    [
        [{"kind": "hill", "x": 3.5, "y": 18}],
        [HILL, {"kind": "rubble", "x": 24.5, "y": 18}],
        [{"kind": "rubble", "x": 12, "y": 9}],
        [{"kind": "works", "x": 18, "y": 14}, {"kind": "works", "x": 18, "y": 22}],
    ],
)
def test_pieces_may_touch_each_other_edge_mouth_and_zone(pieces):
    assert SYSTEM.check_scenario(SYSTEM.parse_scenario({"pieces": pieces})).legal


def test_half_of_table_can_be_mirrored_or_cleared():
    fields = {"piece-1-kind": "hill", "piece-1-x": "10", "piece-1-y": "5", "piece-2-kind": "works"}
    fields |= {"piece-2-x": "18", "piece-2-y": "21", "table_in": "36", "turn_limit": "8"}
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec({**fields, "lay": "turned-a"}))
    assert [(each.kind, each.x, each.y) for each in spec.pieces] == [("hill", 10, 5), ("hill", 26, 31)]
    assert "pieces" not in SYSTEM.form_spec({**fields, "lay": "bare"})


def test_points_of_the_other_half_give_way_to_a_copy():
    _, spots = mirror_half((), [(10, 5), (18, 18), (30, 34)], 36, side=0)
    assert spots == [(18, 18), (10, 5), (26, 31)]
    _, spots = mirror_half((), [(10, 5), (18, 18), (30, 34)], 36, side=1)
    assert spots == [(18, 18), (30, 34), (6, 2)]


def test_empty_row_uses_printed_place():
    fields = {"goal": "beacons", "turn_limit": "8", "table_in": "72", "point-2-x": "40", "point-2-y": "30"}
    assert SYSTEM.form_spec(fields)["places"] == [[12, 36], [40, 30], [60, 36]]
    assert "places" not in SYSTEM.form_spec({**fields, "goal": "drill"})
    assert SYSTEM.scenario_sheet(SYSTEM.parse_scenario({"goal": "drill", "table_in": 72})).spots[0].y == 30


@pytest.mark.rule("MC-122")
@pytest.mark.parametrize(("turns", "legal"), [(0, False), (1, True), (30, True), (31, False)])
def test_turn_limit_is_one_to_thirty(turns, legal):
    assert SYSTEM.check_scenario(SYSTEM.parse_scenario({"turn_limit": turns})).legal is legal


def test_own_scenario_plays_like_published_one_of_its_goal():
    played = playable_scenario("Short Shift", SYSTEM.parse_scenario({"goal": "beacons", "turn_limit": 5}))
    assert (played.slug, played.name, played.turn_limit) == ("own", "Short Shift", 5)
    assert (played.special, len(played.places_h)) == ("claim-beacon", 3)


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({"goal": "peace"}, "spec.goal"),
        ({"turn_limit": "8"}, "spec.turn_limit"),
        ({"zones": []}, "spec.zones"),
        ({"brief": "x" * 401}, "spec.brief"),
        ("sabotage", "spec"),
        ({"pieces": [{"kind": "lake", "x": 1, "y": 1}]}, "spec.pieces[0].kind"),
        ({"pieces": [{"kind": "hill", "x": 36.5, "y": 1}]}, "spec.pieces[0]"),
        ({"goal": "drill", "places": [[1, -1]]}, "spec.places[0]"),
        ({"pieces": [{"kind": "hill", "x": 1, "y": 1}] * 21}, "spec.pieces"),
    ],
)
def test_unreadable_scenario_is_refused(spec, path):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.parse_scenario(spec)
    assert refused.value.path == path


def test_form_with_nonsense_gives_spec_with_problems():
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec({"goal": "<b>", "turn_limit": "", "table_in": "9" * 11}))
    assert spec.goal == "claim"
    assert [problem.rule for problem in SYSTEM.check_scenario(spec).problems] == ["MC-122", "MC-020"]


@pytest.mark.parametrize("turns", ["-1", "many", "9" * 20])
def test_bad_figure_is_reported_at_its_field(turns):
    fields = {"goal": "drill", "turn_limit": turns, "piece-1-kind": "hill", "piece-1-x": "99", "piece-1-y": "1"}
    with pytest.raises(DocumentError, match="turn limit: must be a whole number"):
        SYSTEM.form_spec(fields)
    form, check = SYSTEM.form_unread(fields)
    assert form.errors == {"turn_limit": "Turn limit must be a whole number."}
    assert form.figures["turn_limit"] == turns[:12]
    assert form.pieces[0].error == "must be on the table, 0 to 36 in each way, not at x 99 (MC-020)"
    assert len(check.problems) == 2


def test_scenario_sheet_shows_goal_and_places():
    sheet = SYSTEM.scenario_sheet(SYSTEM.scenarios["sabotage"].spec)
    assert [(spot.name, spot.x, spot.y) for spot in sheet.spots] == [("Drill head", 18, 15)]
    assert "a heavy mech, a light mech or a track of side A within 2 in rolls 4+ on a D6" in sheet.special_text
    assert sheet.words[-1] == "Drill head at (18, 21)."
    assert sheet.victory_rule == "MC-125"
    assert len(sheet.mouths) == 4


@pytest.mark.rule("MC-002", "MC-003", "MC-005")
def test_minimum_points_are_needed_for_a_force():
    every = [slug for slug in CATALOGUE.unit_kinds for _ in range(4)]
    assert can_field(every, MIN_POINTS)
    assert not can_field(every, MIN_POINTS - 1)
