"""Luck: the dice of a record against their needed numbers."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings

from systems import battle_rules
from systems.engine.events import Event, Modifier
from systems.simulation.analysis import DiceLuck, dice_luck
from systems.simulation.records import resolve
from tests.systems.any_battle import seeds
from tests.systems.meks_and_mercs.any_battle import setups
from tests.systems.meks_and_mercs.battle.states import INFANTRY, mek, setup

SYSTEM = battle_rules("meks-and-mercs")
SETUP = SYSTEM.example()
NATURAL = {"natural-rolls": "six-hits-one-misses"}


def shot(number: int, *faces: int, modifier: int = 0, unit: str = "a1") -> Event:
    modifiers = (Modifier("terrain", modifier, "MM-044"),) if modifier else ()
    result = {"number": number, "hit": faces[-1] + modifier >= number}
    return Event(1, "fire", "shot-rolled", "MM-043", unit, "d1", tuple(faces), modifiers, result)


def test_each_die_counts_with_its_needed_number():
    (found,) = dice_luck(SETUP, [shot(4, 5), shot(5, 2), shot(3, 2, modifier=1)])
    assert (found.side, found.what, found.dice, found.successes) == ("Attacker", "hit", 3, 2)
    assert found.expected == pytest.approx(3 / 6 + 2 / 6 + 5 / 6)
    assert found.spread == pytest.approx(math.sqrt(9 / 36 + 8 / 36 + 5 / 36))


def test_rerolled_die_counts_twice():
    (found,) = dice_luck(SETUP, [shot(4, 1, 6)])
    assert (found.dice, found.successes, found.expected) == (2, 1, 1.0)


def test_certain_roll_is_no_luck():
    (found,) = dice_luck(SETUP, [shot(1, 3), shot(9, 6)])
    assert (found.successes, found.expected, found.spread, found.verdict) == (1, 1.0, 0.0, "as usual")


@pytest.mark.parametrize(
    ("successes", "verdict"), [(1, "very unlucky"), (3, "unlucky"), (5, "as usual"), (7, "lucky"), (9, "very lucky")]
)
def test_verdict_depends_on_standard_deviations(successes, verdict):
    assert DiceLuck("Red", "hit", 10, successes, 5.0, 1.6).verdict == verdict


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(setup=setups(), seed=seeds)
def test_trial_agrees_with_record(setup, seed):
    record = resolve(setup, seed)
    for event in record.events:
        trial = SYSTEM.trial(setup, event)
        decided = event.result.get("saved" if event.kind == "save-rolled" else "hit")
        if trial is None:
            assert not isinstance(decided, bool)
        else:
            assert trial.dice == len(event.faces)
            assert trial.successes == int(decided or 0)  # rerolled dice had failed
            assert (0 < trial.chance < 1) or trial.successes == trial.chance * trial.dice


@pytest.mark.parametrize("options", [{}, NATURAL])
def test_dice_come_out_as_expected_in_long_run(options):
    armed = [mek("heavy", ["twin-laser", "cannon"], ["jammer"]), INFANTRY]
    given_setup = setup(armed, [mek("heavy", ["vulcan-cannon", "laser"][:1], ["reactive-armor"])], options=options)
    sums: dict[str, list[float]] = {}
    for seed in range(120):
        for row in dice_luck(given_setup, resolve(given_setup, seed).events):
            found = sums.setdefault(f"{row.side} {row.what}", [0, 0, 0])
            found[0] += row.successes
            found[1] += row.expected
            found[2] += row.spread**2
    assert len(sums) >= 3
    for successes, expected, variance in sums.values():
        assert abs(successes - expected) < 4 * math.sqrt(variance)


def test_natural_rolls_change_chance():
    event = shot(9, 6)
    plain = SYSTEM.trial(SETUP, event)
    natural = SYSTEM.trial(SETUP.model_copy(update={"options": NATURAL}), event)
    assert plain is not None
    assert natural is not None
    assert (plain.chance, natural.chance) == (0, Fraction(1, 6))
    sure = SYSTEM.trial(SETUP.model_copy(update={"options": NATURAL}), shot(1, 3))
    assert sure is not None
    assert sure.chance == Fraction(5, 6)


def test_worth_of_unit_is_its_points():
    assert SYSTEM.worths(SETUP) == {"a1": 9, "d1": 24}
