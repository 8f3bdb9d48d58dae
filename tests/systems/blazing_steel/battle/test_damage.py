"""Strikes, damage, cripples and victory points of Blazing Steel. BS-049, BS-135 to BS-165, BS-170, BS-185 to BS-197."""

from __future__ import annotations

from fractions import Fraction

import pytest

from systems.blazing_steel.battle import play
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules import armor_value, melee_value, move_value, sprint_of
from systems.blazing_steel.battle.rules.actions import strike_ap, strike_damage, strike_dice
from systems.blazing_steel.battle.rules.rounds import check_annihilation, end_battle, end_round, points_share
from systems.engine.dice import SeededDice

from .tables import EAST, NORTH, SOUTH, Table, foe, parts_of, shot, unit

BARE = {"chassis": "medium", "locomotion": "tracked"}
PLAIN = {"chassis": "medium", "locomotion": "tracked", "l1": "auto-cannon", "l2": ""}
ARMED = {
    "chassis": "heavy",
    "locomotion": "tracked",
    "l1": "railgun",
    "l2": "laser",
    "r1": "melee-weapon",
    "c1": "laser",
}


def bits(*results: int) -> int:
    return sum(1 << result for result in results)


def fighting(own="mantis", enemy="hawker", **theirs) -> Table:
    return Table([unit(own, y=18)], [foe(enemy, **theirs)])


@pytest.mark.rule("BS-049")
def test_strike_needs_contact_outside_rear():
    assert Table([unit("mantis", y=17.9)], [foe()]).order("a", "strike", "b1") == "not-in-contact"
    assert fighting().order("a", "strike", "b1") is None
    for face, refused in ((EAST, None), (SOUTH, "arc")):
        assert Table([unit("mantis", y=18, face=face)], [foe()]).order("a", "strike", "b1") == refused


@pytest.mark.rule("BS-011", "BS-016", "BS-135", "BS-139", "BS-172")
@pytest.mark.parametrize(
    ("design", "expected"),
    [
        ("mantis", (5, 3, 3, 3)),
        ("hawker", (2, 1, 2, 2)),
        ("skimmer", (2, 1, 1, 1)),
        ("bulwark", (1, 1, 3, 2)),
        ("colossus", (1, 1, 4, 3)),
    ],
)
def test_melee_dice_ap_and_damage_depend_on_design(design, expected):
    s = Table([unit(design)]).state
    assert (melee_value(s, 0), strike_dice(s, 0), strike_ap(s, 0), strike_damage(s, 0)) == expected


@pytest.mark.rule("BS-016", "BS-135", "BS-139", "BS-165")
def test_lost_weapons_and_gyros_do_not_help_strike():
    table = Table([unit("mantis", peripheral_lost=1)])
    table.weapon("a1", "l1").lost = 1
    assert (melee_value(table.state, 0), strike_dice(table.state, 0), strike_damage(table.state, 0)) == (3, 2, 3)
    table.weapon("a1", "r1").lost = 1
    assert (melee_value(table.state, 0), strike_dice(table.state, 0), strike_damage(table.state, 0)) == (2, 1, 2)


@pytest.mark.rule("BS-136")
@pytest.mark.parametrize(("enemy", "expected"), [("bulwark", 6), ("skimmer", 5), ("mantis", 4)])
def test_strike_tn_depends_on_melee_and_target(enemy, expected):
    table = Table(
        [unit("hawker", y=18)], [foe(enemy, y=20.5 if enemy == "bulwark" else 20, peripheral_lost=0, smoke=1)]
    )
    assert table.order("a", "strike", "b1") is None
    table.resolve([1, *([2, 3] if enemy != "bulwark" else [5, 6])])
    assert table.event("strike-rolled").number("tn") == expected
    assert parts_of(table.event("strike-rolled")) == {}


@pytest.mark.rule("BS-137", "BS-140")
def test_unit_moving_away_is_struck_and_can_dodge():
    table = fighting(enemy="skimmer")
    assert table.order("a", "strike", "b1") is None
    assert table.order("b", "move") is None
    table.resolve([2, 2, 2, 5, 6], b1=(24, 26))
    assert table.event("attack-settled").number("against") == 7
    assert table.event("attack-settled").number("hits") == 0


@pytest.mark.rule("BS-138")
def test_strike_hits_at_most_once_per_die():
    table = Table([unit("hawker", y=18)], [foe(BARE)])
    assert table.order("a", "strike", "b1") is None
    assert table.resolve([6, 4, 5]).event("attack-settled").number("hits") == 1


@pytest.mark.rule("BS-150", "BS-151", "BS-164")
@pytest.mark.parametrize(("face", "armor", "through"), [(SOUTH, 3, 3), (EAST, 2, 5), (NORTH, 1, 5)])
def test_armor_depends_on_flank_and_ap(face, armor, through):
    """Fire a rotary cannon (AP 1) with five dice. With AP 1 a Hawker's rear armour hardly counts."""
    table = Table([unit("darter")], [foe("hawker", face=face, structure=99, peripheral_lost=1)])
    table.weapon("a1", "l1").rof = 5
    shot(table, [6, 6, 6, 6, 6, 2, 3, 4, 5, 6], "l1")
    rolled = table.event("damage-rolled")
    assert rolled.number("armor") + sum(parts_of(rolled).values()) == armor
    assert rolled.number("through") == {3: 3, 2: 4, 1: 5}[armor]
    assert through >= 3


@pytest.mark.rule("BS-151")
def test_only_one_saves_when_ap_equals_armor():
    table = Table([unit("hawker")], [foe("colossus", structure=99)])
    table.weapon("a1", "r1").ap = 5
    assert shot(table, [6, 6, 1, 2]).event("damage-rolled").number("through") == 1


@pytest.mark.rule("BS-163")
def test_flank_counts_from_start_of_step():
    table = Table([unit("hawker")], [foe("hawker", face=NORTH)])
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "move") is None
    table.resolve([6, 6, 1, 1, 2, 3], b1=(24, 16, *EAST))
    assert parts_of(table.event("damage-rolled")) == {"flank": -2}


@pytest.mark.rule("BS-152")
def test_warmech_without_structure_is_destroyed():
    table = shot(Table([unit("hawker")], [foe("hawker", structure=2)]), [6, 6, 5, 6])
    assert table["b1"].status == c.DESTROYED
    assert table.event("unit-destroyed").result["by"] == "a1"
    assert (table["a1"].kills, table.state.sides[1].lost, table.state.sides[1].lost_points) == (1, 1, 10)


@pytest.mark.rule("BS-153")
def test_each_doubled_value_cripples_lowest_first():
    table = Table([unit("mantis")], [foe("bulwark", structure=99, peripheral_lost=1)])
    table.weapon("a1", "c1").rof = 4
    shot(table, [6, 6, 6, 6, 4, 2, 2, 2, 2, 4, 1, 6], "c1")
    assert [event.number("cripple") for event in table.events if event.kind == "unit-crippled"] == [2, 4]


@pytest.mark.rule("BS-154")
def test_crippled_armor_is_one():
    table = shot(Table([unit("hawker")], [foe("colossus", peripheral_lost=1)]), [6, 6, 1, 1])
    assert table["b1"].cripples == bits(1)
    assert armor_value(table["b1"]) == 1


@pytest.mark.rule("BS-155")
def test_crippled_legs_only_halve_movement():
    for results, move in (((3,), 2), ((3, 4), 1)):
        u = Table([unit({"chassis": "medium", "locomotion": "tracked"}, cripples=bits(*results))])["a1"]
        assert (move_value(u), sprint_of(u)) == (move, move + 6)


@pytest.mark.rule("BS-156", "BS-AR27")
def test_crippled_arm_loses_least_weapon_never_core():
    table = shot(Table([unit("hawker")], [foe(ARMED)]), [6, 6, 6, 6])
    assert table.event("unit-crippled").number("slot") == 0  # the railgun: ROF 1, Damage 1
    table["b1"].cripples = 0
    table.next_action()
    shot(table, [6, 6, 5, 5])
    assert [table.weapon("b1", slot).lost for slot in ("l1", "l2", "r1", "c1")] == [1, 0, 1, 0]


@pytest.mark.rule("BS-156")
def test_house_rule_makes_shoulder_no_arm():
    table = Table([unit("hawker")], [foe(ARMED)], second_l="shoulder")
    table.weapon("b1", "l1").lost = 1
    assert shot(table, [6, 6, 6, 6]).event("cripple-repeated").number("cripple") == 6


@pytest.mark.rule("BS-157", "BS-165", "BS-170")
@pytest.mark.parametrize(
    "peripheral",
    [
        "targeting-scope",
        "combat-gyros",
        "booster-jets",
        "agility-suite",
        "coolant-rods",
        "smoke-canisters",
        "optical-camo",
    ],
)
def test_any_peripheral_can_absorb_cripple(peripheral):
    table = Table([unit("hawker")], [foe({**BARE, "p1": peripheral}, heat=1)])
    shot(table, [6, 6, 2, 2])
    assert (table["b1"].peripheral_lost, table["b1"].cripples) == (1, 0)
    table.next_action()
    shot(table, [6, 6, 2, 2])
    assert table["b1"].cripples == bits(2)


@pytest.mark.rule("BS-012", "BS-157", "BS-165")
def test_lost_magazine_reduces_charges():
    table = shot(Table([unit("hawker")], [foe("hawker")]), [6, 6, 2, 2])
    assert (table["b1"].peripheral_lost, table.weapon("b1", "l1").ammo) == (1, 2)
    assert table.order("b", "reload") is None
    assert table.next_action().order("b", "reload") is None
    table.resolve()
    assert table.weapon("b1", "l1").ammo == 2


@pytest.mark.rule("BS-158")
@pytest.mark.parametrize(("result", "own"), [(2, {"cripples": bits(2)}), (5, {"cripples": bits(5)}), (6, {})])
def test_repeated_or_impossible_cripple_does_damage(result, own):
    armed = {**BARE, "r1": "laser"}
    table = Table([unit("hawker")], [foe(armed, **own)])
    shot(table, [6, 6, result, result])
    assert table.event("cripple-repeated").number("cripple") == result
    assert table["b1"].damage == 3
    assert table.weapon("b1", "r1").lost == 0


@pytest.mark.rule("BS-159")
def test_cripples_apply_after_damage_of_step():
    """Let both hit: the follower cripples the leader's armour, but its damage dice still meet full armour."""
    table = Table([unit("colossus", peripheral_lost=1)], [foe("hawker")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "strike", "a1") == "not-in-contact"
    assert table.order("b", "shoot", "a1", "r1") is None
    table.resolve([1, 2, 1, 2, 4, 5])
    table.next_action()
    assert table.order("b", "shoot", "a1", "r1") is None
    rolled = table.resolve([6, 6, 1, 1]).event("damage-rolled")
    assert rolled.number("armor") == 5
    assert armor_value(table["a1"]) == 1


@pytest.mark.rule("BS-160")
@pytest.mark.parametrize(
    ("locomotion", "status"), [("bipedal", c.DISABLED), ("quadruped", c.STANDS), ("tracked", c.STANDS)]
)
def test_biped_without_legs_is_out(locomotion, status):
    design = {"chassis": "heavy", "locomotion": locomotion}
    table = shot(Table([unit("hawker")], [foe(design, cripples=bits(3))]), [6, 6, 4, 4])
    assert table["b1"].status == status
    assert table.state.sides[1].lost_points == (10 if status else 0)


@pytest.mark.rule("BS-160")
def test_house_rule_keeps_biped_without_legs():
    table = Table([unit("hawker")], [foe("mantis", cripples=bits(3), peripheral_lost=1)], biped_disabled="immobile")
    shot(table, [6, 6, 4, 4])
    assert table["b1"].status == c.STANDS


# --- victory ----------------------------------------------------------------------------------------------------------


def points(table: Table, side: int) -> Fraction:
    return Fraction(points_share(table.state, side), table.state.sides[1 - side].points)


@pytest.mark.rule("BS-190")
@pytest.mark.parametrize(("option", "expected"), [("equalized", Fraction(5, 3)), ("per-warmech", Fraction(1))])
def test_kill_points_are_equalized_or_per_warmech(option, expected):
    table = Table(
        [unit()] * 5, [foe("hawker", structure=1), foe("hawker", x=28), foe("hawker", x=32)], kill_points=option
    )
    shot(table, [6, 6, 5, 6])
    assert points(table, c.SIDE_A) == expected
    assert points(table, c.SIDE_B) == 0


@pytest.mark.rule("BS-193", "BS-195")
@pytest.mark.parametrize(("y", "held"), [(37, 1), (36.99, 0), (47, 1)])
def test_base_inside_enemy_zone_scores(y, held):
    table = Table([unit("hawker", y=y, overheated=1)], [foe("bulwark", y=10.5, cooling=1)])
    end_round(table.state, [])
    assert (table["a1"].held, table["b1"].held) == (held, 1)
    assert points(table, c.SIDE_A) == held


@pytest.mark.rule("BS-194", "BS-195")
@pytest.mark.parametrize(("theirs", "held"), [(40, (1, 0)), (27, (0, 0)), (27.01, (1, 0))])
def test_hill_must_be_held_alone(theirs, held):
    table = Table([unit("hawker", y=21, cooling=1)], [foe("hawker", y=theirs, sits_out=1)])
    end_round(table.state, [])
    assert tuple(side.hill_points for side in table.state.sides) == held
    assert table["a1"].held == held[0]


@pytest.mark.rule("BS-196")
def test_last_side_standing_wins_regardless_of_points():
    table = Table([unit("hawker", y=21)], [foe("hawker", status=c.DESTROYED)])
    table.state.sides[1].zone_points = 9
    check_annihilation(table.state)
    assert (table.battle.over, table.battle.winner, table.battle.reason) == (1, c.SIDE_A, c.ANNIHILATION)
    assert table.state.sides[0].hill_points == 0


@pytest.mark.rule("BS-196", "BS-197")
@pytest.mark.parametrize(("held", "winner"), [(1, c.SIDE_B), (0, c.NOBODY)])
def test_points_decide_when_no_unit_is_left(held, winner):
    table = Table([unit("hawker", status=c.DESTROYED)], [foe("hawker", status=c.DISABLED)])
    table.state.sides[1].zone_points = held
    check_annihilation(table.state)
    assert table.battle.winner == winner


@pytest.mark.rule("BS-190", "BS-197")
@pytest.mark.parametrize(
    ("a_lost", "b_lost", "hill", "winner"), [(10, 10, 0, -1), (10, 15, 0, 0), (10, 15, 1, 1), (0, 0, 1, 1)]
)
def test_points_decide_after_last_round(a_lost, b_lost, hill, winner):
    table = Table([unit("hawker"), unit("hawker", x=30)], [foe("bulwark"), foe("darter", x=30)] * 1)
    table.state.sides[0].lost_points, table.state.sides[1].lost_points = a_lost, b_lost
    table.state.sides[1].points = 20
    table.state.sides[1].hill_points = hill
    end_battle(table.state, c.LAST_ROUND)
    assert table.battle.winner == winner


@pytest.mark.rule("BS-185", "BS-186", "BS-AR29")
@pytest.mark.parametrize(("doctrine", "moves"), [("aggressive", 2), ("cautious", 1)])
def test_sides_deploy_in_turns_and_advance(doctrine, moves):
    table = Table([unit("skimmer"), unit("bulwark"), unit("hawker")], [foe("colossus")], doctrines=(doctrine, doctrine))
    table.battle.round = 0
    log: list = []
    play.begin(table.state, SeededDice(1), log)
    events = table.events_from(log)
    placed = [event.unit for event in events if event.kind == "unit-deployed"]
    assert placed in (["a1", "b1", "a2", "a3"], ["b1", "a1", "a2", "a3"])
    assert {event.result["y"] for event in events if event.kind == "unit-deployed"} == {100, 150, 4600}
    where = {key: (table[key].x, table[key].y) for key in ("a1", "a2", "a3", "b1")}
    assert where == {
        "a1": (12, 1 + 6 * moves),
        "a2": (24, 1.5 + 4 * moves),
        "a3": (36, 1 + 4 * moves),
        "b1": (24, 46 - 3 * moves),
    }
    assert sum(event.kind == "unit-advanced" for event in events) == 4 * moves


@pytest.mark.rule("BS-033", "BS-051")
def test_destroyed_warmech_does_not_reload():
    for structure, expected in ((1, []), (9, ["unit-reloaded"])):
        table = Table([unit("hawker")], [foe(BARE, structure=structure)])
        assert table.order("b", "reload") is None
        kinds = shot(table, [6, 6, 3, 4]).kinds()
        assert kinds[kinds.index("damage-taken") + 1 :] == ([] if expected else ["unit-destroyed"]) + expected
