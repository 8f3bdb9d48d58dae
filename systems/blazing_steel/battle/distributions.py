"""What dice come to, exactly: distributions of totals, expected hits, chances of overheating. Ledger 6.2, 9.

Doctrines ask for the same few numbers all the time, so `tables` holds them all; `doctrine_values` looks them up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

from systems.blazing_steel.battle.state import MOST_DEFENCE, MOST_DICE, MOST_HEAT, MOST_SHOTS, OVERHEAT, TNS

Totals = Mapping[int, Fraction]  # chance of each total


def total_of(faces: Iterable[int], tn: int) -> int:
    """The highest effective die, and 1 for each other one. BS-092."""
    effective = [face for face in faces if face <= tn]
    return max(effective) + len(effective) - 1 if effective else 0


def die(tn: int, smoke: bool = False) -> Totals:
    """A die by its face; through smoke an effective one is rolled again. BS-175."""
    sixth = Fraction(1, 6)
    if not smoke:
        return dict.fromkeys(range(1, 7), sixth)
    return {face: sixth * Fraction(tn, 6) + (sixth if face > tn else 0) for face in range(1, 7)}


@cache
def totals(dice: int, tn: int, smoke: bool = False) -> Totals:
    """The chances of the totals of so many dice. BS-AR05."""
    if dice == 0:
        return {0: Fraction(1)}
    found: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # type: ignore[dict-item]
    faces = die(tn, smoke)
    for _ in range(dice):
        now: Counter[tuple[int, int]] = Counter()
        for (highest, count), chance in found.items():
            for face, part in faces.items():
                state = (max(highest, face), count + 1) if face <= tn else (highest, count)
                now[state] += chance * part  # type: ignore[assignment]
        found = now
    summed: dict[int, Fraction] = {}
    for (highest, count), chance in found.items():
        total = highest + count - 1 if count else 0
        summed[total] = summed.get(total, Fraction(0)) + chance
    return summed


def effective(dice: int, tn: int, smoke: bool = False) -> Totals:
    """The chances of how many dice are effective."""
    one = sum((chance for face, chance in die(tn, smoke).items() if face <= tn), Fraction(0))
    found: dict[int, Fraction] = {0: Fraction(1)}
    for _ in range(dice):
        now: dict[int, Fraction] = {}
        for count, chance in found.items():
            now[count] = now.get(count, Fraction(0)) + chance * (1 - one)
            now[count + 1] = now.get(count + 1, Fraction(0)) + chance * one
        found = now
    return found


def hits(dice: int, attack: Totals, defence: Totals) -> tuple[Fraction, ...]:
    """The chances of 0, 1, 2 ... hits of an attack that is no tie of two shots. BS-093, BS-125, BS-138."""
    found = [Fraction(0)] * (dice + 1)
    for total, chance in attack.items():
        for against, part in defence.items():
            found[min(max(0, total - against), dice)] += chance * part
    return tuple(found)


def tie(attack: Totals, defence: Totals) -> Fraction:
    """The chance that two shots tie above 0, which gives each a hit. BS-126."""
    return sum((chance * defence.get(total, 0) for total, chance in attack.items() if total > 0), Fraction(0))


def mean(chances: Iterable[Fraction]) -> Fraction:
    """What numbers with these chances come to."""
    return sum((number * chance for number, chance in enumerate(chances)), Fraction(0))


@cache
def heat_sums(dice: int, sinks: bool) -> Mapping[int, Fraction]:
    """The chances of what heat dice weigh; improved heat sinks take a rolled 1 away. BS-101, BS-105."""
    weights = [0 if sinks and face == 1 else 1 << (face - 1) for face in range(1, 7)]
    found = Counter(sum(rolled) for rolled in product(weights, repeat=dice))
    return {weight: Fraction(count, 6**dice) for weight, count in found.items()}


def over(heat: int, dice: int, sinks: bool = False) -> Fraction:
    """The chance to overheat with so many new dice on top of this weight. BS-103, BS-105, BS-106, BS-AR11."""
    if dice == 0:
        return Fraction(0)
    return sum((part for weight, part in heat_sums(dice, sinks).items() if heat + weight >= OVERHEAT), Fraction(0))


@cache
def tables(effective_dice: bool) -> tuple[float, ...]:
    """All that doctrines look up: expected hits, ties, smoke, overheating, in the order of the constants above.

    `effective_dice`: by the house rule an unanswered attack hits with each effective die.
    """
    found: list[float] = []
    for dice in range(1, MOST_DICE + 1):
        for tn in range(TNS):
            attack = totals(dice, tn)
            for defence in range(MOST_DEFENCE + 1):
                for defence_tn in range(TNS):
                    if defence == 0 and effective_dice:
                        found.append(float(mean(effective(dice, tn)[count] for count in range(dice + 1))))
                    else:
                        found.append(float(mean(hits(dice, attack, totals(defence, defence_tn)))))
    for dice, tn, other_dice, other_tn in product(
        range(1, MOST_SHOTS + 1), range(TNS), range(1, MOST_SHOTS + 1), range(TNS)
    ):
        found.append(float(tie(totals(dice, tn), totals(other_dice, other_tn))))
    for dice in range(1, MOST_SHOTS + 1):
        for tn in range(TNS):
            if effective_dice:
                smoky = effective(dice, tn, smoke=True)
                found.append(float(mean(smoky[count] for count in range(dice + 1))))
            else:
                found.append(float(mean(hits(dice, totals(dice, tn, smoke=True), totals(0, 0)))))
    for sinks in (False, True):
        for heat in range(OVERHEAT):
            found.extend(float(over(heat, dice, sinks)) for dice in range(MOST_HEAT + 1))
    return tuple(found)
