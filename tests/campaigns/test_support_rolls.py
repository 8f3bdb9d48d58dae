"""Support rolls of a match, made on its provably fair dice when the lists are revealed."""

import pytest

from battles.services.dice import dice_use
from campaigns.army_lists.services import lists_reveal
from systems import roster_rules
from systems.engine.dice import SeededDice, roll
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db


@pytest.mark.rule("MM-014")
def test_each_side_rolls_as_its_scenario_says():
    scenarios = [{"value": "hot-gates", "name": "At the Hot Gates"}]
    campaign = a_campaign(scenarios=scenarios)
    sides = [an_enrolment(campaign, a_mustered_company()) for _ in range(2)]
    match = a_match(
        a_round(campaign), *sides, scenario="hot-gates", scenario_name="At the Hot Gates", terrain="printed"
    )
    match = lists_reveal(match=match)
    rolls = list(match.support_rolls.all())
    assert [(made.side, made.number) for made in rolls] == [(0, 1), (1, 1), (1, 2), (1, 3)]
    dice = SeededDice(dice_use(dice=match.dice, purpose="support"))
    assert [made.faces for made in rolls] == [[roll(dice, 6), roll(dice, 6)] for _ in rolls]
    assert [side["support"] for side in match.setup["sides"]] == [
        [made.result for made in rolls if made.side == side] for side in (0, 1)
    ]


@pytest.mark.rule("MM-014")
def test_table_die_and_entry_die_give_the_result():
    from systems import battle_rules
    from systems.engine.dice import ScriptedDice

    system = battle_rules("meks-and-mercs")
    made = [system.roll_support(ScriptedDice(faces)).slug for faces in ((1, 1), (2, 3), (3, 1), (6, 6))]
    results = list(system.support_results.values())
    by_place = {(result.table, at % 6 + 1): result.slug for at, result in enumerate(results)}
    assert made == [by_place["A", 1], by_place["A", 3], by_place["B", 1], by_place["C", 6]]


@pytest.mark.rule("MM-014")
def test_custom_scenario_gives_its_own_rolls():
    rules = roster_rules("meks-and-mercs")
    own = {"name": "The ford", "spec": rules.scenario_json(rules.scenarios["hot-gates"].spec)}
    campaign = a_campaign(scenarios=[{"value": own, "name": "The ford"}])
    sides = [an_enrolment(campaign, a_mustered_company()) for _ in range(2)]
    match = a_match(a_round(campaign), *sides, scenario=own, scenario_name="The ford", terrain="printed")
    match = lists_reveal(match=match)
    assert [(made.side, made.number) for made in match.support_rolls.all()] == [(0, 1), (1, 1), (1, 2), (1, 3)]


def test_zone_battle_has_no_support_rolls():
    match = lists_reveal(match=a_match())
    assert not match.support_rolls.exists()
