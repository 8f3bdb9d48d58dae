"""Who meets whom: everybody once, nobody twice, and no draw leaves anybody out."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.pairing import Entrant, fair, round_robin, swiss


def entrants(scores):
    return [Entrant(id=at, score=score) for at, score in enumerate(scores, start=1)]


def pairs(draw):
    return {frozenset((each.attacker, each.defender)) for each in draw.fixtures if each.defender is not None}


def seated(draw):
    return sorted(
        entrant for each in draw.fixtures for entrant in (each.attacker, each.defender) if entrant is not None
    )


@pytest.mark.parametrize("count", range(2, 13))
def test_round_robin_lets_everybody_meet_everybody_once(count):
    field = entrants([0] * count)
    rounds = count - 1 + count % 2
    met = [pair for number in range(1, rounds + 1) for pair in pairs(round_robin(field, number))]
    assert sorted(map(sorted, met)) == [list(pair) for pair in itertools.combinations(range(1, count + 1), 2)]


@pytest.mark.parametrize("count", [3, 5, 8])
def test_round_robin_seats_everybody_each_round(count):
    for number in range(1, 10):
        assert seated(round_robin(entrants([0] * count), number)) == list(range(1, count + 1))


def test_swiss_pairs_like_with_like():
    assert pairs(swiss(entrants([6, 0, 6, 0, 3, 3]), [])) == {frozenset(p) for p in ((1, 3), (2, 4), (5, 6))}


def test_swiss_rather_bridges_scores_than_repeats_a_match():
    draw = swiss(entrants([6, 6, 0, 0]), [frozenset((1, 2))])
    assert frozenset((1, 2)) not in pairs(draw)
    assert draw.rematches == ()


def test_swiss_repeats_only_what_it_must_and_says_so():
    everybody = [frozenset(pair) for pair in itertools.combinations(range(1, 5), 2)]
    draw = swiss(entrants([9, 6, 3, 0]), everybody)
    assert seated(draw) == [1, 2, 3, 4]
    assert len(draw.rematches) == 2


def test_the_bye_goes_to_the_last_who_had_none():
    field = [Entrant(id=1, score=6), Entrant(id=2, score=3), Entrant(id=3, score=0, byes=1)]
    rests = [each.attacker for each in swiss(field, []).fixtures if each.defender is None]
    assert rests == [2]


def test_who_has_defended_attacks():
    field = [Entrant(id=1, attacks=2), Entrant(id=2, defences=2)]
    (fixture,) = swiss(field, []).fixtures
    assert (fixture.attacker, fixture.defender) == (2, 1)


@given(
    scores=st.lists(st.sampled_from([0, 1, 3, 4, 6, 9]), min_size=2, max_size=11),
    rounds=st.integers(1, 6),
)
@settings(max_examples=40, deadline=None)
def test_swiss_never_repeats_while_a_round_without_is_possible(scores, rounds):
    """Everybody is seated once; whoever repeats had no other way, as a search through all draws says."""
    field, met = entrants(scores), set()
    for _ in range(min(rounds, 3)):
        draw = swiss(field, met)
        assert seated(draw) == sorted(each.id for each in field)
        if draw.rematches and len(field) <= 8:
            assert not possible([each.id for each in field], met)
        met |= pairs(draw)


def possible(ids, met):
    """Whether these can be paired off without a rematch, one resting if they are odd."""
    if len(ids) < 2:
        return True
    first, *others = ids
    if len(ids) % 2 and possible(others, met):
        return True
    return any(
        frozenset((first, other)) not in met and possible([each for each in others if each != other], met)
        for other in others
    )


def test_fair_takes_the_evenest_round_as_a_whole():
    chances = {(1, 2): 0.9, (2, 1): 0.1, (3, 4): 0.9, (4, 3): 0.2, (1, 3): 0.5, (2, 4): 0.55}
    draw = fair(entrants([0] * 4), [], {**chances, (1, 4): 0.95, (4, 1): 0.1, (2, 3): 0.99, (3, 2): 0.01})
    assert pairs(draw) == {frozenset((1, 3)), frozenset((2, 4))}


def test_fair_lets_attack_whom_it_is_evener_for():
    (fixture,) = fair(entrants([0, 0]), [], {(1, 2): 0.8, (2, 1): 0.52}).fixtures
    assert (fixture.attacker, fixture.defender) == (2, 1)
