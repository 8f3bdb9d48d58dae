"""The tool for exact chances: every sequence of rolls once, each with its weight."""

from fractions import Fraction

import pytest

from systems.meks_and_mercs.battle import SYSTEM
from tests.tools.enumerate import chances, every_outcome, follow, freeze, thaw


def test_two_dice_give_every_total_its_chance():
    totals = chances(lambda dice: dice.face(6) + dice.face(6))

    assert len(totals) == 11
    assert (totals[2], totals[7]) == (Fraction(1, 36), Fraction(1, 6))
    assert sum(totals.values()) == 1


def test_optional_die_counts_only_if_rolled():
    ways = list(every_outcome(lambda dice: (dice.face(6) == 6 and dice.choice(3), dice.choice(1))))

    assert len(ways) == 5 + 3
    assert sum(chance for _, chance in ways) == 1


def test_equal_results_are_continued_once():
    started = []

    def second(before, dice):
        started.append(before)
        return before + dice.choice(2)

    ends = follow(chances(lambda dice: dice.choice(6) % 2), second)

    assert sorted(set(started)) == [0, 1]
    assert len(started) == 4
    assert ends == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}


def test_chance_from_elsewhere_is_refused():
    seen = []

    def play(dice):
        seen.append(dice.face(6))
        return dice.choice(len(seen))

    with pytest.raises(AssertionError, match="hidden chance"):
        chances(play)


def test_thawed_state_equals_the_frozen_one_and_is_independent():
    state = SYSTEM.prepare(SYSTEM.example())
    again = thaw(state, freeze(state))

    assert again == state
    again.units[0].hits -= 1
    assert again != state
