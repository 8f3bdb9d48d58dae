"""Exact distributions of dice: totals, expected hits, chances of overheating. Ledger 6.2, 9.

The AI needs the same few numbers all the time, so `chance_table` holds them all; `doctrine_values` looks them up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from systems.blazing_steel.battle.state import MAX_DEFENCE, MAX_DICE, MAX_HEAT, MAX_SHOTS, OVERHEAT, TNS

Ways = Mapping[int, int]  # for each result of dice, its number of equally likely ways
NO_DICE: Ways = {0: 1}


def die_ways(tn: int, smoke: bool) -> Ways:
    """Return the number of ways for each face of a die; through smoke an effective one is rerolled. BS-175, BS-AR05."""
    return {face: tn + (6 if face > tn else 0) if smoke else 1 for face in range(1, 7)}


@cache
def total_ways(dice: int, tn: int, smoke: bool = False) -> Ways:
    """Return the number of ways for each total of `dice` dice. BS-091, BS-092, BS-AR05."""
    states: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # highest effective die, and how many are effective
    for _ in range(dice):
        before, states = states, Counter()
        for ((highest, count), ways), (face, more) in product(before.items(), die_ways(tn, smoke).items()):
            after = (max(highest, face), count + 1) if face <= tn else (highest, count)
            states[after] += ways * more
    found: Counter[int] = Counter()
    for (highest, count), ways in states.items():
        found[highest + count - 1 if count else 0] += ways
    return found


def effective_ways(dice: int, tn: int, smoke: bool = False) -> Ways:
    """Return the number of ways for each count of effective dice."""
    faces = die_ways(tn, smoke)
    yes = sum(ways for face, ways in faces.items() if face <= tn)
    no = sum(faces.values()) - yes
    found: Counter[int] = Counter({0: 1})
    for _ in range(dice):
        before, found = found, Counter()
        for count, ways in before.items():
            found[count] += ways * no
            found[count + 1] += ways * yes
    return found


def result_chances(ways: Ways) -> Mapping[int, Fraction]:
    """Return the chance of each number."""
    every = sum(ways.values())
    return {number: Fraction(count, every) for number, count in ways.items()}


def hit_ways(dice: int, attack: Ways, defence: Ways = NO_DICE) -> Ways:
    """Return the number of ways for 0, 1, 2 ... hits of an attack, if two shots don't tie. BS-093, BS-125, BS-138."""
    found: Counter[int] = Counter(dict.fromkeys(range(dice + 1), 0))
    for (total, ways), (against, more) in product(attack.items(), defence.items()):
        found[min(max(0, total - against), dice)] += ways * more
    return found


def tie_chance(attack: Ways, defence: Ways) -> Fraction:
    """Return the chance that two shots tie above 0, which gives each a hit. BS-126."""
    ways = sum(count * defence.get(total, 0) for total, count in attack.items() if total > 0)
    return Fraction(ways, sum(attack.values()) * sum(defence.values()))


def mean_result(ways: Ways) -> Fraction:
    """Return the average of a distribution."""
    return Fraction(sum(number * count for number, count in ways.items()), sum(ways.values()))


@cache
def heat_weights(dice: int, sinks: bool) -> Ways:
    """Return the ways for each weight of heat dice; improved heat sinks remove a rolled 1. BS-101, BS-105."""
    weights = [0 if sinks and face == 1 else 1 << (face - 1) for face in range(1, 7)]
    return Counter(sum(rolled) for rolled in product(weights, repeat=dice))


def overheat_chance(heat: int, dice: int, sinks: bool = False) -> Fraction:
    """Return the chance to overheat with `dice` new dice on top of this weight. BS-103, BS-105, BS-106, BS-AR11."""
    if dice == 0:
        return Fraction(0)
    ways = sum(count for weight, count in heat_weights(dice, sinks).items() if heat + weight >= OVERHEAT)
    return Fraction(ways, 6**dice)


@cache
def chance_table(effective_dice: bool) -> Sequence[float]:
    """Return all the numbers that the AI looks up, in the order of the state's constants.

    They are expected hits, ties, smoke and overheating. `effective_dice`: by the house rule an unanswered attack hits with
    each effective die.
    """

    def unanswered(dice: int, tn: int, smoke: bool = False) -> float:
        counts = effective_ways(dice, tn, smoke) if effective_dice else hit_ways(dice, total_ways(dice, tn, smoke))
        return float(mean_result(counts))

    shots = range(1, MAX_SHOTS + 1)
    found = [
        float(mean_result(hit_ways(dice, total_ways(dice, tn), total_ways(defence, defence_tn)))) if defence else unanswered(dice, tn)
        for dice, tn, defence, defence_tn in product(
            range(1, MAX_DICE + 1), range(TNS), range(MAX_DEFENCE + 1), range(TNS)
        )
    ]
    found += [
        float(tie_chance(total_ways(dice, tn), total_ways(other_dice, other_tn)))
        for dice, tn, other_dice, other_tn in product(shots, range(TNS), shots, range(TNS))
    ]
    found += [unanswered(dice, tn, smoke=True) for dice, tn in product(shots, range(TNS))]
    found += [
        float(overheat_chance(heat, dice, sinks))
        for sinks, heat, dice in product((False, True), range(OVERHEAT), range(MAX_HEAT + 1))
    ]
    return found
