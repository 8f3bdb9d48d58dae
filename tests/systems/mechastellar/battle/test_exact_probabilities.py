"""Section 9 of the ledger: exact chances by enumeration, and the chances that the AI looks up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from systems.engine.dice import ScriptedDice
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import destruction_value, value_of
from systems.mechastellar.battle.initial_state import failed_save_chances, pool_chances
from systems.mechastellar.battle.play_attack import reckon
from systems.mechastellar.battle.rules import is_shut_down
from systems.mechastellar.battle.rules.damage import damage_of, recover, saves_of
from systems.mechastellar.battle.rules.movement import attack_cover
from systems.mechastellar.battle.rules.resources import trust
from systems.mechastellar.battle.rules.rounds import begin_round

from .tables import Table, disc, foe, unit

Dist = dict[int, Fraction]


def unblocked(
    attack: tuple[int, int, int], guard: tuple[int, int, int], *, success: int = 5, ones: bool = False
) -> Dist:
    """Return the chance of each number of unblocked Hits; a pool is dice, flat Hits and crit number."""
    found: Counter[int] = Counter()
    own = pool_chances(attack[0], success, attack[2])
    theirs = pool_chances(guard[0], 5, guard[2], rerolls_ones=ones)
    for (a, one), (d, other) in product(enumerate(own), enumerate(theirs)):
        found[max(0, a + attack[1] - d - guard[1])] += one * other
    return dict(found)


def damages(hits: Dist, dmg: int, pen: int, finisher: int = 1) -> Iterator[tuple[int, Fraction]]:
    """Yield each damage that an attack can do, with its chance. ST-140 to ST-147."""
    for k, chance in hits.items():
        if k == 0:
            yield 0, chance
        elif not pen:
            yield damage_of(k, dmg, 0, finisher), chance
        else:
            for failed, part in enumerate(failed_save_chances(saves_of(k), Fraction(pen - 1, 10))):
                yield damage_of(k, dmg, failed, finisher), chance * part


def reaches(hits: Dist, dmg: int, pen: int, hp: int, finisher: int = 1) -> Fraction:
    return sum((chance for damage, chance in damages(hits, dmg, pen, finisher) if damage >= hp), Fraction(0))


def mean(hits: Dist, dmg: int, pen: int) -> Fraction:
    return sum((damage * chance for damage, chance in damages(hits, dmg, pen)), Fraction(0))


RIFLE = unblocked((6, 5, 10), (8, 4, 10))
FOCUSED_RIFLE = unblocked((6, 5, 10), (8, 4, 10), success=3)
GUNS = unblocked((8, 8, 10), (7, 5, 10), ones=True)
SABER = unblocked((6, 6, 10), (4, 4, 10))
SWORD = unblocked((6, 7, 9), (3, 7, 9))
OPEN_SWORD = unblocked((6, 7, 9), (3, 7, 10))
JYUOKEN = unblocked((7, 9, 9), (5, 4, 10))
BEAMS = unblocked((7, 6, 10), (4, 7, 10))
SNIPER = unblocked((6, 7, 10), (6, 4, 10))
COUNTER = unblocked((5, 5, 10), (3, 3, 10))

CASES = {
    "ST-P01": (RIFLE[0], "64581396549809/100000000000000"),
    "ST-P02": (mean(RIFLE, 300, 6), "75391062593867/125000000000"),
    "ST-P03": (reaches(RIFLE, 300, 6, 1000), "200614988593873/800000000000000"),
    "ST-P04": (sum(each for k, each in GUNS.items() if k >= 6), "1753106157974578798027/10000000000000000000000"),
    "ST-P05": (sum(k * each for k, each in GUNS.items()), "8280975956059438310267/2500000000000000000000"),
    "ST-P06": (reaches(GUNS, 200, 0, 2500), "404004258130671474297/10000000000000000000000"),
    "ST-P07": (reaches(SABER, 300, 7, 4000), "23994063599/78125000000"),
    "ST-P08": (reaches(SWORD, 500, 7, 5000), "252073353/1220703125"),
    "ST-P09": (sum(each for k, each in SWORD.items() if k >= 7), "65796/1953125"),
    "ST-P10": (reaches(JYUOKEN, 500, 7, 8000, 2), "646542236083/1220703125000"),
    "ST-P11": (reaches(JYUOKEN, 500, 7, 10000, 2), "1363268346271/6103515625000"),
    "ST-P12": (1 - BEAMS[0], "12190973561/20000000000"),
    "ST-P13": (mean(BEAMS, 300, 6) - mean(BEAMS, 300, 5), "146891581941/1000000000"),
    "ST-P14": (mean(BEAMS, 400, 5) - mean(BEAMS, 300, 5), "149412500253/1000000000"),
    "ST-P15": (reaches(SNIPER, 400, 7, 4000), "542567946672007/1562500000000000"),
    "ST-P16": (FOCUSED_RIFLE[0], "44152806853809/100000000000000"),
    "ST-P17": (reaches(COUNTER, 300, 8, 7000), "112583498139/5000000000000"),
    "ST-P18": (failed_save_chances(5, Fraction(5, 10))[2], "5/16"),
    "ST-P24": (reaches(OPEN_SWORD, 500, 7, 5000), "1428836692/6103515625"),
    "ST-P25": (
        (1 - reaches(OPEN_SWORD, 500, 7, 5000)) * reaches(COUNTER, 300, 8, 7000),
        "526291706953828005687/30517578125000000000000",
    ),
}


@pytest.mark.rule("ST-113", "ST-114", "ST-115", "ST-140", "ST-141", "ST-142", "ST-147", "ST-223", "ST-224", "ST-263")
@pytest.mark.parametrize("case", CASES)
def test_exact_chance_matches_ledger(case):
    found, expected = CASES[case]
    assert found == Fraction(expected)


def share(faces: int, holds) -> Fraction:
    """Return the share of all rolls of this many dice in which something holds."""
    return Fraction(sum(holds(fall) for fall in product(range(1, 11), repeat=faces)), 10**faces)


def recovered(fall: tuple[int, ...]) -> int:
    table = Table([unit(penalties=2)])
    recover(table.state, 0, ScriptedDice(fall), [])
    return table["a1"].penalties


@pytest.mark.rule("ST-306", "ST-308")
def test_recovery_chances_match_ledger():
    weights = {
        fall: Fraction(4, 10) ** fall.count(4) * Fraction(6, 10) ** fall.count(5) for fall in product((4, 5), repeat=3)
    }
    assert sum(each for fall, each in weights.items() if recovered(fall) == 0) == Fraction(81, 125)  # ST-P19
    awake = sum(
        each for fall, each in weights.items() if not is_shut_down(Table([unit(penalties=recovered(fall))])["a1"])
    )
    assert awake == Fraction(117, 125)  # ST-P20


@pytest.mark.rule("ST-245", "ST-250")
def test_trust_gain_chance_matches_ledger():
    def gains(fall: tuple[int, ...]) -> int:
        table = Table([unit(), unit(morale=5)])
        trust(table.state, 0, 1, ScriptedDice(fall), [])
        return table.state.sides[0].momentum

    chance = sum(
        Fraction(4, 10) ** fall.count(4) * Fraction(6, 10) ** fall.count(5)
        for fall in product((4, 5), repeat=3)
        if gains(fall) == 2
    )
    assert chance == Fraction(54, 125)  # ST-P21


@pytest.mark.rule("ST-345")
def test_cover_survival_chance_matches_ledger():
    def stands(fall: tuple[int, ...]) -> bool:
        table = Table([unit()], terrain=[disc(24, 20)], tier="advanced")
        return not attack_cover(table.state, 0, 0, 500, ScriptedDice(fall), [])

    chance = sum(
        Fraction(4, 10) ** fall.count(4) * Fraction(6, 10) ** fall.count(5)
        for fall in product((4, 5), repeat=5)
        if stands(fall)
    )
    assert chance == Fraction(243, 3125)  # ST-P22


@pytest.mark.rule("ST-040")
def test_one_roll_off_in_ten_is_tie():
    def ties(fall: tuple[int, ...]) -> bool:
        dice = ScriptedDice([*fall, 1, 2])
        begin_round(Table([unit()], [foe()]).state, dice, [])
        return not dice.faces

    assert share(2, ties) == Fraction(1, 10)  # ST-P23


@pytest.mark.rule("ST-092", "ST-141")
def test_ai_values_use_exact_mean():
    table = Table([unit(y=10)], [foe(y=22)])
    reckon(table.state, 0, table.weapon("a1", "beam-rifle"), 1, 0, c.PLAIN)
    value = value_of(table.state, table.state.clashes[c.MAIN], c.NO_BONUS, c.NO_REPLY, 0, 0)
    exact = sum(min(5000, damage) * chance for damage, chance in damages(RIFLE, 300, 6)) / 5000
    assert value == pytest.approx(float(exact) * destruction_value(table.state, 1), abs=1e-12)


def test_failed_saves_follow_binomial_distribution():
    assert failed_save_chances(3, Fraction(1, 2)) == [Fraction(comb(3, each), 8) for each in range(4)]
