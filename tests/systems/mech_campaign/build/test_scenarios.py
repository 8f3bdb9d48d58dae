"""Scenarios: the published three and players' own."""

import pytest

from systems.documents import DocumentError
from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.scenario import play_scenario


@pytest.mark.rule("MC-122")
def test_the_three_scenarios_and_their_turn_limits():
    limits = {slug: entry.spec.turn_limit for slug, entry in SYSTEM.scenarios.items()}
    assert limits == {"claim-dispute": 12, "survey-beacons": 8, "sabotage": 8}
    assert all(SYSTEM.check_scenario(entry.spec).legal for entry in SYSTEM.scenarios.values())


@pytest.mark.parametrize("slug", ["claim-dispute", "survey-beacons", "sabotage"])
def test_a_scenario_survives_json_and_its_form(slug):
    spec = SYSTEM.scenarios[slug].spec
    assert SYSTEM.parse_scenario(SYSTEM.scenario_json(spec)) == spec
    form = SYSTEM.scenario_form(spec)
    chosen = next(goal.value for goal in form.goals if goal.is_chosen)
    fields = {"brief": form.brief, "goal": chosen, "turn_limit": str(form.turn_limit)}
    assert SYSTEM.parse_scenario(SYSTEM.form_spec(fields)) == spec


@pytest.mark.rule("MC-122")
@pytest.mark.parametrize(("turns", "legal"), [(0, False), (1, True), (30, True), (31, False)])
def test_a_turn_limit_is_one_to_thirty(turns, legal):
    assert SYSTEM.check_scenario(SYSTEM.parse_scenario({"turn_limit": turns})).legal is legal


def test_ones_own_scenario_is_played_like_the_published_one_with_that_goal():
    played = play_scenario("Short Shift", SYSTEM.parse_scenario({"goal": "beacons", "turn_limit": 5}))
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
    ],
)
def test_a_scenario_that_can_not_be_read_is_refused(spec, path):
    with pytest.raises(DocumentError) as refused:
        SYSTEM.parse_scenario(spec)
    assert refused.value.path == path


@pytest.mark.parametrize("turns", ["", "-1", "many", "9" * 20])
def test_a_form_with_nonsense_makes_a_spec_with_problems(turns):
    spec = SYSTEM.parse_scenario(SYSTEM.form_spec({"goal": "<b>", "turn_limit": turns}))
    assert spec.goal == "claim"
    assert not SYSTEM.check_scenario(spec).legal


def test_the_sheet_says_what_is_fought_for_and_where():
    sheet = SYSTEM.scenario_sheet(SYSTEM.scenarios["sabotage"].spec)
    assert [(spot.name, spot.x, spot.y) for spot in sheet.spots] == [("Drill head", 18, 15)]
    assert "heavy mech, light mech, track of side A within 2 in; D6, 4+; 2 needed" in sheet.special_text
    assert sheet.words[-1] == "Drill head at (18, 21)."
    assert sheet.victory_rule == "MC-125"
    assert len(sheet.mouths) == 4
