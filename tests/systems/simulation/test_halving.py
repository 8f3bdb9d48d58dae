"""Successive halving: find the best of many candidates by playing the better ones more."""

import random

import pytest

from systems.simulation.summary import MIN_BATTLES, Climb, Plan, Rung, plan_of, surely_better


def run_search(plan: Plan, chances: list[float], *, seed: int = 1) -> Climb:
    """Run a search among candidates with these win chances, each block with its own dice."""
    climb = Climb(plan)
    while climb.blocks_done < plan.blocks:
        block = climb.block(climb.blocks_done)
        dice = random.Random(f"{seed} {block.candidate} {block.number}")
        won = sum(dice.random() < chances[block.candidate] for _ in range(plan.battles))
        climb.add((won, plan.battles - won, 0))
    return climb


def test_rung_keeps_better_third_at_equal_cost():
    assert Plan(81, 100).rungs == (Rung(81, 1), Rung(27, 3), Rung(9, 9), Rung(4, 20))
    assert Plan(81, 100).runs == 100 * (81 + 81 + 81 + 80)
    assert Plan(5, 100).rungs == (Rung(5, 1), Rung(4, 1))
    assert Plan(3, 100).rungs == (Rung(3, 1),)
    assert Plan(1, 100).rungs == (Rung(1, 1),)


def test_plan_plays_every_candidate_a_minimum():
    assert plan_of(81, 32_300).runs == 32_300
    assert plan_of(120, 100).battles == MIN_BATTLES


@pytest.mark.parametrize("fights", [1, 7, 18, 40])
def test_plan_stays_within_budget_above_minimum(fights):
    for asked in (20, 3_000, 40_000):
        plan = plan_of(60, asked, fights)
        least = max(MIN_BATTLES, fights) * plan.blocks
        assert plan.battles % fights == 0
        assert asked - fights * plan.blocks < plan.runs <= max(asked, least)


def test_best_candidate_comes_first_and_plays_most():
    chances = [0.2 + each / 100 for each in range(40)]
    order = run_search(plan_of(40, 40_000), chances).order()
    assert order[0].candidate in (38, 39)
    assert {placed.candidate for placed in order} == set(range(40))
    assert min(each.battles for each in order[:4]) > max(each.battles for each in order[4:])
    assert [placed.rung for placed in order] == sorted((placed.rung for placed in order), reverse=True)


def test_search_resumed_from_json_gives_same_order():
    plan, chances = plan_of(12, 3_000), [each / 12 for each in range(12)]
    whole = run_search(plan, chances)
    body: dict[str, object] = {}
    while (climb := Climb.from_json(plan, body)).blocks_done < plan.blocks:
        block = climb.block(climb.blocks_done)
        dice = random.Random(f"1 {block.candidate} {block.number}")
        won = sum(dice.random() < chances[block.candidate] for _ in range(plan.battles))
        climb.add((won, plan.battles - won, 0))
        body = climb.to_json()
    assert Climb.from_json(plan, body).order() == whole.order()


def test_next_rung_opens_after_previous_is_simulated():
    climb = Climb(Plan(9, 10))
    assert climb.open_blocks == 9
    with pytest.raises(IndexError):
        climb.block(9)
    for _ in range(9):
        climb.add((5, 5, 0))
    assert climb.open_blocks == 9 + Plan(9, 10).rungs[1].size
    assert climb.block(9).number == 1  # the first block of a candidate was in the first rung
    assert climb.fields[1] == [0, 1, 2, 3]  # on equal results the earlier candidate goes on


def test_draws_count_half_and_equal_candidates_are_even():
    climb = Climb(Plan(2, 100))
    climb.add((50, 50, 0))
    climb.add((0, 0, 100))
    one, other = climb.order()
    assert one.mean == other.mean == 0.5
    assert surely_better(one, other) == 0.5
    far = Climb(Plan(2, 1_000))
    far.add((600, 400, 0))
    far.add((400, 600, 0))
    assert surely_better(*far.order()) > 0.999
