"""What a doctrine makes of standing orders: where Units go and stay, when they fall back, whom they attack."""

from __future__ import annotations

import pytest

from systems.hex_core.battle import state as c
from systems.hex_core.battle.doctrine import pairs_of
from systems.hex_core.battle.doctrine_moves import move
from systems.hex_core.battle.doctrine_pairs import mark_on, target_in
from systems.hex_core.battle.rules.ground import distance
from systems.hex_core.battle.rules.missions import place_objective
from systems.hex_core.battle.rules.units import vital_dp

from .tables import Table, foe, number, unit

pytestmark = pytest.mark.rule("HX-A60")


def moved(mission="elimination", enemy=(7, 2), doctrine="aggressive", **told):
    """The table after the move of a Unit that begins at (7, 8), with an Objective behind it if there are any."""
    t = Table([unit(at=(7, 8), **told)], [foe(at=enemy)], mission=mission, doctrines=(doctrine, doctrine), pool=2)
    if mission == "domination":
        t.do(place_objective, number((7, 12)), c.SIDE_A)
    t.run(move, 0)
    return t


def gap(t):
    return distance(t.state, t["a1"].at, t["b1"].at)


@pytest.mark.parametrize("doctrine", ["aggressive", "cautious"])
@pytest.mark.parametrize("mission", ["elimination", "domination", "assassination"])
def test_a_unit_stays_in_its_hex_if_it_was_told(mission, doctrine):
    for enemy in ((7, 1), (7, 5), (7, 7)):
        assert moved(mission, enemy, doctrine, told_move=c.TOLD_HOLD).hex_of("a1") == (7, 8)


def test_a_unit_that_is_to_close_leaves_the_mission_to_others():
    assert gap(moved("domination")) > 6
    assert gap(moved("domination", told_move=c.TOLD_CLOSE)) < 6
    assert gap(moved(enemy=(7, 5), told_move=c.TOLD_CLOSE)) <= 1


@pytest.mark.parametrize("mission", ["elimination", "domination"])
def test_a_unit_keeps_away_whatever_its_mission(mission):
    t = Table([unit(at=(7, 8), told_move=c.TOLD_AWAY)], [foe(at=(7, 5))], mission=mission)
    if mission == "domination":
        t.do(place_objective, number((7, 5)), c.SIDE_A)
    t.run(move, 0)
    assert gap(t) > 3


@pytest.mark.parametrize("told", [{}, {"told_move": c.TOLD_HOLD}, {"told_move": c.TOLD_CLOSE}])
def test_a_unit_falls_back_with_the_dp_it_was_told(told):
    left = vital_dp(Table([unit()]).state, 0)
    assert gap(moved(enemy=(7, 5), told_retreat=left, **told)) > 3
    assert gap(moved(enemy=(7, 5), told_retreat=left - 1, **told)) <= 3


ENEMIES = (("bastion", (7, 6)), ("wisp", (8, 5)), ("warden", (6, 5)))


def three(told, **more):
    return Table([unit(told_target=told, **more)], [foe(design, at) for design, at in ENEMIES], pool=8)


@pytest.mark.parametrize(
    ("told", "order"),
    [(c.TOLD_DEAREST, "132"), (c.TOLD_CHEAPEST, "231"), (c.TOLD_WEAKEST, "231"), (c.TOLD_TOUGHEST, "132")],
)
def test_of_those_it_can_attack_it_attacks_whom_it_was_told(told, order):
    t = three(told)
    t["b1"].marked = 1 if order[0] == "2" else 0  # the enemy's mark comes after what was told
    for key in order:
        assert target_in(pairs_of(t.state, 0, 0, 8)) == t.at(f"b{key}")
        t[f"b{key}"].status = c.DESTROYED


def test_without_orders_the_mark_goes_first():
    t = three(0)
    assert [mark_on(t.state, 0, t.at(f"b{at}")) for at in (1, 2, 3)] == [0, 0, 0]
    t["b2"].marked = 1
    assert [mark_on(t.state, 0, t.at(f"b{at}")) for at in (1, 2, 3)] == [0, 1, 0]


def test_the_nearest_is_the_nearest():
    t = three(c.TOLD_NEAREST)
    marks = [mark_on(t.state, 0, t.at(f"b{at}")) for at in (1, 2, 3)]
    gaps = [distance(t.state, t["a1"].at, t[f"b{at}"].at) for at in (1, 2, 3)]
    assert marks.index(max(marks)) == gaps.index(min(gaps))
