"""Pairing: round robin, Swiss and fair draws, with byes, rematches and everybody seated."""

import itertools
import random
from dataclasses import replace

import pytest

from campaigns.pairing import Entrant, pair_fairly, pair_round_robin, pair_swiss


def entrants(scores):
    return [Entrant(id=at, score=score) for at, score in enumerate(scores, start=1)]


def pairs(draw):
    return {frozenset((each.attacker, each.defender)) for each in draw.fixtures if each.defender is not None}


def seated(draw):
    return sorted(
        entrant for each in draw.fixtures for entrant in (each.attacker, each.defender) if entrant is not None
    )


@pytest.mark.parametrize("count", range(2, 13))
def test_round_robin_pairs_all_opponents_once(count):
    field = entrants([0] * count)
    rounds = count - 1 + count % 2
    met = [pair for number in range(1, rounds + 1) for pair in pairs(pair_round_robin(field, number))]
    assert sorted(map(sorted, met)) == [list(pair) for pair in itertools.combinations(range(1, count + 1), 2)]


@pytest.mark.parametrize("count", [3, 5, 8])
def test_round_robin_seats_everybody_each_round(count):
    for number in range(1, 10):
        assert seated(pair_round_robin(entrants([0] * count), number)) == list(range(1, count + 1))


def test_swiss_pairs_equal_scores():
    assert pairs(pair_swiss(entrants([6, 0, 6, 0, 3, 3]), [])) == {frozenset(p) for p in ((1, 3), (2, 4), (5, 6))}


def test_swiss_prefers_a_score_gap_to_a_rematch():
    draw = pair_swiss(entrants([6, 6, 0, 0]), [frozenset((1, 2))])
    assert frozenset((1, 2)) not in pairs(draw)
    assert draw.rematches == ()


def test_swiss_reports_unavoidable_rematches():
    everybody = [frozenset(pair) for pair in itertools.combinations(range(1, 5), 2)]
    draw = pair_swiss(entrants([9, 6, 3, 0]), everybody)
    assert seated(draw) == [1, 2, 3, 4]
    assert len(draw.rematches) == 2


def test_bye_goes_to_the_last_without_one():
    field = [Entrant(id=1, score=6), Entrant(id=2, score=3), Entrant(id=3, score=0, byes=1)]
    rests = [each.attacker for each in pair_swiss(field, []).fixtures if each.defender is None]
    assert rests == [2]


def test_company_that_defended_attacks_next():
    field = [Entrant(id=1, attacks=2), Entrant(id=2, defences=2)]
    (fixture,) = pair_swiss(field, []).fixtures
    assert (fixture.attacker, fixture.defender) == (2, 1)


def test_second_bye_comes_before_a_rematch():
    """Axes have had a bye. If they don't get another, there must be a rematch."""
    field = [Entrant(id=1, score=9, byes=1), Entrant(id=2, score=6), Entrant(id=3, score=3)]
    draw = pair_swiss(field, [frozenset((1, 2)), frozenset((1, 3))])
    assert [each.attacker for each in draw.fixtures if each.defender is None] == [1]
    assert draw.rematches == ()


def test_last_company_gets_the_bye_whatever_other_scores():
    rests = [each.attacker for each in pair_swiss(entrants([15, 1, 0]), []).fixtures if each.defender is None]
    assert rests == [3]


def test_bye_among_equal_scores_goes_to_the_last_place():
    field = [Entrant(id=at, score=3, place=place) for at, place in ((1, 3), (2, 1), (3, 2))]
    assert [each.attacker for each in pair_swiss(field, []).fixtures if each.defender is None] == [1]


@pytest.mark.parametrize("seed", range(20))
def test_swiss_draw_is_the_best_possible(seed):
    tournament(seed)


@pytest.mark.proof
def test_swiss_draws_of_many_tournaments_are_the_best():
    for seed in range(1_000):
        tournament(seed)


def tournament(seed):
    """Play more rounds than there are opponents, and compare each draw with all possible draws."""
    chance = random.Random(seed)
    field = [Entrant(id=at) for at in range(1, chance.randint(2, 9) + 1)]
    met = set()
    for number in range(len(field) + 2):
        draw = pair_swiss(field, met)
        assert seated(draw) == [each.id for each in field]
        by_id = {each.id: each for each in field}
        best = min(price(each, by_id, met) for each in all_draws(list(by_id)))
        assert price([(each.attacker, each.defender) for each in draw.fixtures], by_id, met) == best, (seed, number)
        assert len(draw.rematches) == best[0]
        met |= pairs(draw)
        field = [after(each, draw, chance) for each in field]


def price(draw, by_id, met):
    """Price a draw: rematches, earlier byes of the resting company, its score, squared score gaps, repeated roles."""
    rests = [by_id[one] for one, two in draw if two is None]
    played = [(by_id[one], by_id[two]) for one, two in draw if two is not None]
    return (
        sum(frozenset((one.id, two.id)) in met for one, two in played),
        sum(each.byes for each in rests),
        sum(each.score for each in rests),
        -sum(each.id for each in rests),
        sum((one.score - two.score) ** 2 for one, two in played),
        sum((one.attacks - one.defences) * (two.attacks - two.defences) > 0 for one, two in played),
    )


def all_draws(ids):
    """Yield every way to pair these, with a bye if they are odd."""
    if not ids:
        yield []
        return
    first, *others = ids
    if len(ids) % 2:
        for rest in all_draws(others):
            yield [(first, None), *rest]
    for other in others:
        for rest in all_draws([each for each in others if each != other]):
            yield [(first, other), *rest]


def after(entrant, draw, chance):
    (fixture,) = [each for each in draw.fixtures if entrant.id in (each.attacker, each.defender)]
    attacks = fixture.attacker == entrant.id
    if fixture.defender is None:
        return replace(entrant, score=entrant.score + 3, byes=entrant.byes + 1)
    won = chance.choice((3, 1, 0))
    return replace(
        entrant,
        score=entrant.score + won,
        attacks=entrant.attacks + attacks,
        defences=entrant.defences + (not attacks),
    )


def test_fair_draw_takes_the_evenest_whole_round():
    chances = {(1, 2): 0.9, (2, 1): 0.1, (3, 4): 0.9, (4, 3): 0.2, (1, 3): 0.5, (2, 4): 0.55}
    draw = pair_fairly(entrants([0] * 4), [], {**chances, (1, 4): 0.95, (4, 1): 0.1, (2, 3): 0.99, (3, 2): 0.01})
    assert pairs(draw) == {frozenset((1, 3)), frozenset((2, 4))}


def test_fair_draw_picks_the_evener_attacker():
    (fixture,) = pair_fairly(entrants([0, 0]), [], {(1, 2): 0.8, (2, 1): 0.52}).fixtures
    assert (fixture.attacker, fixture.defender) == (2, 1)
