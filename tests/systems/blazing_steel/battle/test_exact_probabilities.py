"""Section 9 of the ledger: the rules themselves, run over every possible roll of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial

import pytest

from systems.blazing_steel.battle import initial_state, play
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.engagements import damage_of, engage, roll_damage
from systems.blazing_steel.battle.rules.rounds import roll_heat
from systems.blazing_steel.battle.state import State
from systems.engine.dice import ScriptedDice
from tests.tools.enumerate import chances, freeze, thaw

from .tables import NORTH, Table, foe, unit, woods

ROCKETS = {"chassis": "medium", "locomotion": "tracked", "l1": "rocket-pod", "r1": "missile-launcher"}
TARGETING = 1 << c.CRIPPLED_TARGETING
Chances = Mapping[object, Fraction]


def bare(table: Table) -> State:
    """Return the state without the AI's tables, which the rules don't read."""
    table.state.chances.clear()
    return table.state


def hit_chances(table: Table, *, also_dodge: bool = False) -> Chances:
    """Return the chances of the hits of both orders, or with `also_dodge` of b1's remaining dodge dice."""
    play.open_step(bare(table), [])
    start = freeze(table.state)

    def engaged(dice):
        s = thaw(table.state, start)
        engage(s, dice, [])
        hits = (s.orders[0].hits, s.orders[1].hits)
        return s.units[-1].dodge_dice if also_dodge else hits

    found = chances(engaged)
    assert sum(found.values()) == 1
    return found


def hits_of(table: Table) -> tuple[Fraction, ...]:
    """Return the chances of 0, 1, 2 ... hits of the leader's attack."""
    found = hit_chances(table)
    assert {theirs for _own, theirs in found} == {0}
    return tuple(found.get((hits, 0), Fraction(0)) for hits in range(max(own for own, _theirs in found) + 1))


def every_throw(dice: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield every throw of this many dice, without regard to order, with its chance."""
    for faces in combinations_with_replacement(range(1, 7), dice):
        ways = factorial(dice)
        for count in Counter(faces).values():
            ways //= factorial(count)
        yield faces, Fraction(ways, 6**dice)


def damage_ends(table: Table, hits: int, by: int = c.LEAD) -> Iterator[tuple[State, Fraction]]:
    """Yield the states after each damage throw of this many hits, with their chances."""
    play.open_step(bare(table), [])
    table.state.orders[by].hits = hits
    start = freeze(table.state)
    for faces, chance in every_throw(hits * damage_of(table.state, by)):
        s = thaw(table.state, start)
        roll_damage(s, by, ScriptedDice(faces), [])
        play.suffer(s, by, [])
        yield s, chance


def kill_chance(table: Table, hits: int, by: int = c.LEAD) -> Fraction:
    """Return the chance that this many hits destroy or disable the target."""
    target = table.state.orders[by].target
    return sum(
        (chance for s, chance in damage_ends(table, hits, by) if s.units[target].status != c.STANDS), Fraction(0)
    )


def expected_unsaved(table: Table, hits: int) -> Fraction:
    return sum((s.orders[0].through * chance for s, chance in damage_ends(table, hits)), Fraction(0))


def laser_at(less: int) -> Table:
    """Return a table with a Hawker's unanswered laser shot at a Hawker, with a TN this much below 6."""
    table = Table(
        [unit("hawker", y=1 if less > 1 else 10, cripples=TARGETING if less else 0)],
        [foe("hawker", y=40 if less > 1 else 20)],
        terrain=[woods(24, 20)] if less > 2 else (),
    )
    assert table.order("a", "shoot", "b1", "r1") is None
    return table


@pytest.mark.rule("BS-091", "BS-092", "BS-094", "BS-095", "BS-125")
@pytest.mark.parametrize(
    ("less", "expected"),
    [
        (0, (0, 0, 1)),
        (1, (Fraction(1, 36), Fraction(1, 18), Fraction(11, 12))),
        (2, (Fraction(1, 9), Fraction(1, 9), Fraction(7, 9))),
        (3, (Fraction(1, 4), Fraction(1, 6), Fraction(7, 12))),
    ],
    ids=["BS-P01", "BS-P02", "BS-P03", "BS-P04"],
)
def test_unanswered_shot_of_two_dice_hits(less, expected):
    assert hits_of(laser_at(less)) == expected


def dodged(attacker: str, slot: str, target: object) -> Table:
    table = Table([unit(attacker)], [foe(target)])
    assert table.order("a", "shoot", "b1", slot) is None
    assert table.order("b", "move") is None
    return table


@pytest.mark.rule("BS-090", "BS-093", "BS-125", "BS-140", "BS-146")
@pytest.mark.parametrize(
    ("attacker", "slot", "target", "expected"),
    [
        ("darter", "l1", "hawker", (67, 121, 233, 1523, 1944)),
        ("hawker", "l1", "darter", (455, 265, 576, 1296)),
        ("hawker", "l1", "skimmer", (791, 215, 290, 1296)),
    ],
    ids=["BS-P05", "BS-P06", "BS-P07"],
)
def test_dodged_shot_hits(attacker, slot, target, expected):
    *hits, of = expected
    assert hits_of(dodged(attacker, slot, target)) == tuple(Fraction(each, of) for each in hits)


def at_each_other(own: str, their_slot: str, enemy: str, **more: int) -> Table:
    table = Table([unit("hawker")], [foe(enemy, **more)])
    assert table.order("a", "shoot", "b1", own) is None
    assert table.order("b", "shoot", "a1", their_slot) is None
    return table


@pytest.mark.rule("BS-093", "BS-126")
def test_bs_p08_lasers_hit_each_other():
    found = hit_chances(at_each_other("r1", "r1", "hawker"))
    two, one, tie = Fraction(145, 648), Fraction(215, 1296), Fraction(143, 648)
    assert found == {(2, 0): two, (0, 2): two, (1, 0): one, (0, 1): one, (1, 1): tie}


@pytest.mark.rule("BS-093", "BS-123", "BS-126")
def test_bs_p09_laser_meets_cannon():
    found = hit_chances(at_each_other("r1", "r1", "skimmer"))
    assert found == {
        (2, 0): Fraction(31, 324),
        (1, 0): Fraction(67, 648),
        (0, 2): Fraction(4, 9),
        (0, 1): Fraction(265, 1296),
        (1, 1): Fraction(197, 1296),
    }


@pytest.mark.rule("BS-151", "BS-152")
def test_bs_p10_weakened_skimmer_in_open_is_killed():
    table = Table([unit("hawker")], [foe("skimmer", structure=2)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert kill_chance(table, 2) == Fraction(25, 36)


@pytest.mark.rule("BS-140", "BS-152")
def test_bs_p11_weakened_skimmer_that_dodges_is_killed():
    hits = hits_of(dodged("hawker", "l1", "skimmer"))
    table = Table([unit("hawker")], [foe("skimmer", structure=2)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert sum(chance * kill_chance(table, at) for at, chance in enumerate(hits) if at) == Fraction(3625, 23328)


@pytest.mark.rule("BS-126", "BS-152")
def test_bs_p12_weakened_skimmer_that_shoots_back_is_killed():
    found = hit_chances(at_each_other("r1", "r1", "skimmer"))
    table = at_each_other("r1", "r1", "skimmer", structure=2)
    kills = {hits: kill_chance(table, hits) for hits in (1, 2)}
    assert sum(chance * kills.get(own, 0) for (own, _theirs), chance in found.items()) == Fraction(775, 11664)


@pytest.mark.rule("BS-150", "BS-152")
def test_bs_p13_missile_kills_weakened_skimmer():
    table = Table([unit("hawker")], [foe("skimmer", structure=3)])
    assert table.order("a", "shoot", "b1", "c1") is None
    assert kill_chance(table, 1) == Fraction(125, 216)


@pytest.mark.rule("BS-150", "BS-152", "BS-158", "BS-160")
def test_bs_p14_shotcannon_kills_full_skimmer():
    table = Table([unit("mantis")], [foe("skimmer")])
    assert table.order("a", "shoot", "b1", "c1") is None
    assert kill_chance(table, 2) == Fraction(625, 1296)
    assert expected_unsaved(table, 2) == Fraction(10, 3)


def charged(enemy: str = "skimmer") -> Table:
    table = Table([unit("mantis", y=16.5)], [foe(enemy)], slot=2)
    assert table.order("a", "charge", "b1") is None
    return table


@pytest.mark.rule("BS-135", "BS-138", "BS-139", "BS-157", "BS-158", "BS-160")
def test_bs_p15_charge_kills_full_skimmer():
    table = charged()
    assert hits_of(table) == (0, 0, 0, 1)
    assert kill_chance(table, 3) == Fraction(5033125, 5038848)
    assert expected_unsaved(table, 3) == Fraction(15, 2)


@pytest.mark.rule("BS-137", "BS-138", "BS-140", "BS-157", "BS-158", "BS-160")
def test_bs_p16_charge_kills_dodging_skimmer():
    table = charged()
    assert table.order("b", "move") is None
    hits = hits_of(table)
    assert hits == (Fraction(2183, 7776), Fraction(107, 432), Fraction(1495, 7776), Fraction(181, 648))
    table = charged()
    assert sum(hits[at] * kill_chance(table, at) for at in (1, 2, 3)) == Fraction(1499651875, 3265173504)
    assert sum(hits[at] * expected_unsaved(table, at) for at in (1, 2, 3)) == Fraction(7145, 1944)


@pytest.mark.rule("BS-151", "BS-152")
def test_bs_p17_strike_kills_full_bulwark():
    table = Table([unit("mantis", y=20)], [foe("bulwark", y=22.5)])
    assert table.order("a", "strike", "b1") is None
    assert hits_of(table) == (0, 0, 0, 1)
    assert kill_chance(table, 3) == Fraction(19, 19683)


@pytest.mark.rule("BS-162", "BS-164")
def test_bs_p18_laser_damages_colossus():
    front = Table([unit("hawker")], [foe("colossus")])
    rear = Table([unit("hawker")], [foe("colossus", face=NORTH)])
    for table, expected in ((front, Fraction(1, 3)), (rear, Fraction(5, 3))):
        assert table.order("a", "shoot", "b1", "r1") is None
        assert expected_unsaved(table, 2) == expected


def overheats(design: str, weight: int, dice: int) -> Fraction:
    """Return the chance that this many heat dice overheat a Warmech; the tables must agree."""
    table = Table([unit(design, heat=weight, heat_made=dice)])
    start = freeze(bare(table))
    found = Fraction(0)
    for faces, chance in every_throw(dice):
        s = thaw(table.state, start)
        roll_heat(s, 0, ScriptedDice(faces), [])
        found += chance * s.units[0].overheated
    assert found == initial_state.overheat_chance(weight, dice, sinks=design == "bulwark")
    return found


@pytest.mark.rule("BS-100", "BS-101", "BS-102", "BS-103", "BS-105", "BS-106", "BS-AR11")
@pytest.mark.parametrize("design", ["hawker", "bulwark"])
def test_bs_p19_heat_dice_overheat_without_prior_heat(design):
    assert [overheats(design, 0, dice) for dice in range(7)] == [
        0,
        0,
        Fraction(1, 36),
        Fraction(19, 216),
        Fraction(59, 324),
        Fraction(2387, 7776),
        Fraction(21143, 46656),
    ]


@pytest.mark.rule("BS-102", "BS-103", "BS-105", "BS-AR11")
@pytest.mark.parametrize(
    ("weight", "expected"),
    [
        (32, [Fraction(1, 6), Fraction(1, 3), Fraction(107, 216)]),
        (48, [Fraction(1, 3), Fraction(7, 12), Fraction(55, 72)]),
    ],
    ids=["BS-P20", "BS-P21"],
)
def test_heat_dice_overheat_with_prior_heat(weight, expected):
    assert [overheats("hawker", weight, dice) for dice in (1, 2, 3)] == expected


@pytest.mark.rule("BS-141", "BS-142")
@pytest.mark.parametrize(
    ("attacker", "slot", "expected"),
    [
        ({"chassis": "medium", "locomotion": "tracked", "l1": "railgun"}, "l1", (2, 20, 50, 72)),
        ("hawker", "l1", (7, 30, 35, 72)),
        ("darter", "l1", (241, 610, 445, 1296)),
    ],
)
def test_bs_p22_dodge_dice_are_left(attacker, slot, expected):
    *left, of = expected
    table = Table([unit(attacker)], [foe("hawker")])
    assert table.order("a", "shoot", "b1", slot) is None
    assert table.order("b", "move") is None
    found = hit_chances(table, also_dodge=True)
    assert [found[count] for count in range(3)] == [Fraction(each, of) for each in left]


@pytest.mark.rule("BS-175", "BS-AR05")
@pytest.mark.parametrize(("less", "expected"), [(1, (121, 110, 1065, 1296)), (2, (25, 10, 46, 81))])
def test_bs_p23_two_dice_hit_through_smoke(less, expected):
    *hits, of = expected
    table = laser_at(less)
    table["b1"].smoke = 1
    assert hits_of(table) == tuple(Fraction(each, of) for each in hits)


@pytest.mark.rule("BS-128", "BS-130")
@pytest.mark.parametrize(("slot", "expected"), [("l1", (30, 25, 161, 216)), ("r1", (5, 7, 12))])
def test_bs_p24_one_flak_die_stops_rockets(slot, expected):
    *hits, of = expected
    table = Table([unit(ROCKETS)], [foe("bulwark")])
    assert table.order("a", "shoot", "b1", slot) is None
    assert table.order("b", "flak") is None
    assert hits_of(table) == tuple(Fraction(each, of) for each in hits)


@pytest.mark.rule("BS-153")
@pytest.mark.parametrize(
    ("attacker", "slot", "hits", "expected"),
    [
        ("hawker", "l1", 2, Fraction(1, 6)),
        ("hawker", "c1", 1, Fraction(4, 9)),
        ("mantis", "c1", 2, Fraction(13, 18)),
        ("mantis", "", 2, Fraction(319, 324)),
    ],
)
def test_bs_p25_damage_dice_cripple(attacker, slot, hits, expected):
    table = Table([unit(attacker, y=18)], [foe("colossus", y=21, structure=99)])
    assert table.order("a", "shoot" if slot else "strike", "b1", slot) is None
    found = Fraction(0)
    for s, chance in damage_ends(table, hits):
        found += chance if s.units[1].cripples or s.units[1].peripheral_lost else 0
    assert found == expected


@pytest.mark.rule("BS-AR05", "BS-AR06", "BS-AR07")
def test_ai_tables_agree_with_rules():
    shots = initial_state.total_ways(2, 6)
    assert initial_state.result_chances(initial_state.hit_ways(2, shots, initial_state.total_ways(2, 5))) == dict(
        enumerate(hits_of(dodged("hawker", "l1", "darter")))
    )
    assert initial_state.tie_chance(shots, shots) == Fraction(143, 648)
    assert initial_state.mean_result(initial_state.hit_ways(3, initial_state.total_ways(3, 5))) == Fraction(211, 72)
    table = initial_state.chance_table(effective_dice=False)
    assert len(table) == c.CHANCES
    assert table[c.HITS_AT + ((2 * c.TNS + 5) * (c.MAX_DEFENCE + 1)) * c.TNS] == 211 / 72
    assert table[c.TIES_AT + (c.TNS + 6) * c.MAX_SHOTS * c.TNS + c.TNS + 6] == 143 / 648
    assert table[c.SMOKE_AT + c.TNS + 4] == float(Fraction(10 + 2 * 46, 81))
    assert table[c.OVER_AT + 48 * (c.MAX_HEAT + 1) + 3] == 55 / 72


@pytest.mark.rule("BS-AR05", "BS-AR06")
def test_ai_tables_follow_effective_dice_house_rule():
    table = initial_state.chance_table(effective_dice=True)
    assert table[c.HITS_AT + ((c.TNS + 3) * (c.MAX_DEFENCE + 1)) * c.TNS] == 1.0
    assert table[c.SMOKE_AT + c.TNS + 3] == 0.5
