"""What a side can give up of its task as a handicap, by game: harder terms of a scenario that can still be played."""

import pytest

from systems import BATTLES, battle_rules, season_rules
from systems.mech_campaign.build.scenario import check_scenario as check_mission
from systems.mech_campaign.build.scenario import parse_scenario as read_mission
from systems.meks_and_mercs.build.scenario import parse_scenario, scenario_json
from systems.meks_and_mercs.build.scenario_check import check_scenario
from systems.meks_and_mercs.season import name_and_spec
from systems.season import OBJECTIVE

MEKS, MECH = "meks-and-mercs", "mech-campaign"


@pytest.mark.parametrize("system", list(BATTLES))
def test_only_some_games_offer_harder_tasks(system):
    scenarios = battle_rules(system).scenarios
    offered = [each for slug in scenarios for side in (0, 1) for each in season_rules(system).concessions(slug, side)]
    assert bool(offered) == (OBJECTIVE in season_rules(system).gives_up)


def describe_concessions(system, scenario, side):
    return [each.task for each in season_rules(system).concessions(scenario, side)]


@pytest.mark.rule("MM-091")
def test_meks_and_mercs_changes_turn_limit_per_side():
    assert describe_concessions(MEKS, "buying-time", 0) == [
        "has 1 turn fewer, 5 in all",
        "has 2 turns fewer, 4 in all",
        "has 3 turns fewer, 3 in all",
    ]
    assert describe_concessions(MEKS, "buying-time", 1)[0] == "has to last 1 turn more, 7 in all"
    for slug in ("opening-shots", "hot-gates", "buying-time", "breach", "citadel"):
        for side in (0, 1):
            limits = []
            for each in season_rules(MEKS).concessions(slug, side):
                spec = parse_scenario(each.scenario["spec"])
                limits.append(spec.turn_limit)
                assert check_scenario(spec).legal
                assert spec.model_copy(update={"turn_limit": 0}) == name_and_spec(slug)[1].model_copy(
                    update={"turn_limit": 0}
                )
            assert limits == sorted(limits, reverse=not side)
            assert limits


@pytest.mark.rule("MM-098")
def test_citadel_limit_leaves_time_for_all_arrivals():
    assert describe_concessions(MEKS, "citadel", 0) == ["has 1 turn fewer, 5 in all", "has 2 turns fewer, 4 in all"]


@pytest.mark.rule("MM-096")
def test_last_standing_scenario_has_no_concessions():
    assert (
        describe_concessions(MEKS, "head-to-head", 0)
        == describe_concessions(MEKS, "head-to-head", 1)
        == describe_concessions(MEKS, "zone-battle", 0)
        == []
    )


def test_own_scenario_has_concessions_too():
    name, spec = "Own", name_and_spec("hot-gates")[1].model_copy(update={"turn_limit": 4})
    own = {"name": name, "spec": scenario_json(spec)}
    assert describe_concessions(MEKS, own, 0) == ["has 1 turn fewer, 3 in all", "has 2 turns fewer, 2 in all"]


@pytest.mark.rule("MC-122", "MC-125")
def test_sabotage_changes_turn_limit_per_side():
    assert describe_concessions(MECH, "sabotage", 0)[:2] == [
        "has 1 turn fewer, 7 in all",
        "has 2 turns fewer, 6 in all",
    ]
    assert describe_concessions(MECH, "sabotage", 1)[0] == "has to last 1 turn more, 9 in all"
    last = season_rules(MECH).concessions("sabotage", 0)[-1]
    assert read_mission(last.scenario["spec"]).turn_limit == 4


@pytest.mark.rule("MC-124")
@pytest.mark.parametrize(("side", "heights"), [(0, [20, 22, 24]), (1, [16, 14, 12])])
def test_beacons_move_nearer_to_other_side(side, heights):
    found = [read_mission(each.scenario["spec"]) for each in season_rules(MECH).concessions("survey-beacons", side)]
    assert [[y for _, y in spec.places] for spec in found] == [[y] * 3 for y in heights]
    assert all(check_mission(spec).legal for spec in found)


@pytest.mark.rule("MC-123")
def test_claim_dispute_has_no_concessions():
    assert describe_concessions(MECH, "claim-dispute", 0) == describe_concessions(MECH, "claim-dispute", 1) == []
