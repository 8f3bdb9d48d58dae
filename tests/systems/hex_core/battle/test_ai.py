"""AI choices that no tape of a whole battle shows. Ledger 6.3, 6.4."""

from __future__ import annotations

import pytest

from systems.engine.dice import SeededDice
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai import (
    change_form,
    choose_unit,
    climb,
    deployment_hex,
    draw_weapon,
    fetch_object,
    mark_of,
    objective_hex,
    send_drones,
)
from systems.hex_core.battle.ai_combat import grapple_target, take_aim, take_stance
from systems.hex_core.battle.ai_moves import exposure, look_around, most_presses, move
from systems.hex_core.battle.ai_paths import object_for, set_goals, walk
from systems.hex_core.battle.play import movement_phase
from systems.hex_core.battle.rules import is_hazard, near, own_hex, stance_reserve, toward
from systems.hex_core.battle.rules.movement import begin_turn
from systems.hex_core.battle.rules.rounds import place_objective
from tests.systems.hex_core.battle.tables import Table, example, foe, number, place, unit

CAREFUL = ("cautious", "cautious")


@pytest.mark.rule("HX-A01", "HX-A05")
def test_side_b_sees_map_turned_by_half():
    s = Table([unit()]).state
    assert [place(own_hex(s, side, number((7, 10)))) for side in range(2)] == [(7, 10), (8, 2)]


@pytest.mark.rule("HX-A09")
def test_toward_is_nearest_of_six_directions():
    s = Table([unit()]).state
    assert toward(s, number((7, 1)), number((7, 6)), c.SIDE_B) == 3


@pytest.mark.rule("HX-A31")
def test_objectives_are_placed_as_far_back_as_possible():
    t = Table([unit()], mission="domination")
    placed = []
    for side in (c.SIDE_A, c.SIDE_B, c.SIDE_A):
        at = objective_hex(t.state, side)
        t.do(place_objective, at, side)
        placed.append(place(at))
    assert placed == [(7, 12), (8, 0), (6, 7)]


@pytest.mark.rule("HX-A32")
def test_mark_is_weakest_enemy_below_class_5():
    t = Table([unit()], [foe("bastion"), foe("warden", (1, 1)), foe("wisp", (2, 1)), foe("wisp", (3, 1))])
    assert mark_of(t.state, c.SIDE_A) == t.at("b3")


@pytest.mark.rule("HX-A33")
@pytest.mark.parametrize(
    ("doctrine", "marked", "row"), [("aggressive", 0, 10), ("cautious", 0, 11), ("cautious", 1, 12)]
)
def test_units_deploy_in_line(doctrine, marked, row):
    t = Table([unit(at=(0, 0)), unit(at=(0, 0), marked=marked)], doctrines=(doctrine, doctrine))
    for each in t.state.units:
        each.at = c.NOBODY
    assert place(deployment_hex(t.state, 1)) == (9, row)


@pytest.mark.rule("HX-A34")
@pytest.mark.parametrize(("doctrine", "chosen"), [("aggressive", "a2"), ("cautious", "a1")])
def test_aggressive_sends_nearest_first_and_cautious_farthest(doctrine, chosen):
    t = Table([unit(acted=0), unit(at=(7, 8))], [foe()], doctrines=(doctrine, doctrine))
    t["a1"].acted = 0
    assert choose_unit(t.state, c.SIDE_A) == t.at(chosen)


@pytest.mark.rule("HX-A38")
def test_empty_hand_draws_first_carried_weapon():
    t = Table([unit()], pool=4)
    t.do(draw_weapon, 0)
    assert t.weapon("a1", 1).place == c.CARRIED
    t["a1"].shield = 0
    t.do(draw_weapon, 0)
    assert (t.weapon("a1", 1).place, t["a1"].pool) == (c.LEFT, 2)


@pytest.mark.rule("HX-A39")
@pytest.mark.parametrize(("row", "form"), [(2, c.MECH), (1, c.MECH), (0, c.AERIAL)])
def test_unit_transforms_only_far_from_enemy(row, form):
    t = Table([unit("comet", (7, 12))], [foe(at=(7, row))], pool=4)
    t["a1"].sm = 4
    t.do(change_form, 0)
    assert t["a1"].form == form


@pytest.mark.rule("HX-A40", "HX-A18")
@pytest.mark.parametrize(("doctrine", "level", "left"), [("aggressive", 1, 5), ("cautious", 2, 3)])
def test_flyer_climbs_to_cruising_level(doctrine, level, left):
    t = Table([unit("kestrel", level=1)], [foe()], doctrines=(doctrine, doctrine))
    t.run(climb, 0)
    assert (t["a1"].level, t["a1"].sm_left) == (level, left)


@pytest.mark.rule("HX-A26", "HX-A27")
def test_exposure_and_nearness_depend_on_enemies():
    t = Table([unit(at=(7, 12))], [foe(), foe("mauler", (1, 1))])
    look_around(t.state, 0)
    assert [exposure(t.state, 0, number(at), 0) for at in ((7, 12), (7, 5), (7, 11))] == [1, 0, 1]
    assert near(t.state, c.SIDE_A, number((7, 12))) == 6


@pytest.mark.rule("HX-A28", "HX-A29")
def test_paths_avoid_hazards_when_possible():
    white = [(column, 8) for column in range(1, 16)]
    t = Table([unit()], [foe()], hexes={"white": white})
    assert is_hazard(t.state, t["a1"], False, number((7, 8)))
    set_goals(t.state, 0)
    assert walk(t.state, 0) == 0
    assert t.state.hexes[number((7, 10))].away > 8
    shut = Table([unit()], [foe()], hexes={"white": [*white, (0, 8)]})
    set_goals(shut.state, 0)
    assert walk(shut.state, 0) == 1
    assert shut.state.hexes[number((7, 10))].away == 4


@pytest.mark.rule("HX-A30", "HX-A53")
def test_cautious_unit_keeps_ap_for_shield():
    bold, careful = (Table([unit()], [foe()], doctrines=(each, each), pool=6) for each in ("aggressive", "cautious"))
    assert [stance_reserve(t.state, 0) for t in (bold, careful)] == [0, 2]
    assert [most_presses(t.state, 0, 2) for t in (bold, careful)] == [2, 0]
    bold["a1"].pool = 5
    assert most_presses(bold.state, 0, 2) == 1


@pytest.mark.rule("HX-A43")
def test_object_underfoot_is_picked_up():
    t = Table([unit()], mission="retrieval", pool=4)
    t.do(place_objective, number((7, 6)), 0)
    t["a1"].at = number((7, 6))
    t.do(fetch_object, 0)
    assert t["a1"].carries == 0


FLYER = {"core": "standard", "weapons": [{"weapon": "beam-rifle", "place": "right"}], "systems": ["flight"]}


def fetching(at, *, level=1, enemies=(), friends=(), objects=((7, 6),), **more):
    """Return a table with a flyer in Retrieval and its object at (7, 6)."""
    t = Table([unit(FLYER, at, level=level, **more), *friends], [*enemies, foe("trooper", (0, 0))], mission="retrieval")
    for each in objects:
        t.do(place_objective, number(each), 0)
    t["a1"].pool = 4
    return t


def take_turn(t):
    t.run(movement_phase, 0)
    t.do(fetch_object, 0)
    return t.hex_of("a1"), t["a1"].level, t["a1"].carries


@pytest.mark.rule("HX-A43", "HX-A40")
def test_flyer_lands_and_takes_its_object():
    assert take_turn(fetching((7, 7))) == ((7, 6), 0, 0)  # a step, and 2 SM to come down
    far = fetching((7, 9))
    assert take_turn(far) == ((7, 6), 1, c.NOBODY)  # all its SM are spent: it hovers ...
    begin_turn(far.state, 0, [])
    far["a1"].pool = 4
    assert take_turn(far) == ((7, 6), 0, 0)  # ... and comes down next turn
    assert take_turn(fetching((7, 6), level=0)) == ((7, 6), 0, 0)  # a flyer on the ground doesn't climb first


@pytest.mark.rule("HX-A43", "HX-A55")
def test_flyer_lands_only_for_its_own_object():
    other = fetching((7, 7), objects=((1, 6),))
    assert take_turn(other)[1:] == (1, c.NOBODY)
    # a friend is nearer to the object below, and the flyer is sent for the other
    shared = fetching((7, 6), friends=[unit("trooper", (7, 6), facing=3)], objects=((7, 6),))
    shared["a1"].ordered_move = c.ORDERED_HOLD
    assert take_turn(shared) == ((7, 6), 1, c.NOBODY)  # ordered to hold, it leaves the mission to others
    taken = fetching((7, 7), enemies=[foe("trooper", (7, 6))])
    assert take_turn(taken)[1:] == (1, c.NOBODY)  # an enemy stands below


@pytest.mark.rule("HX-A55")
def test_flyer_that_cannot_land_is_assigned_no_object():
    t = fetching((7, 6), friends=[unit("trooper", (7, 9))])
    assert [object_for(t.state, i) for i in range(2)] == [0, c.NOBODY]
    t.set_dp("a1", c.LEG_L, 0)
    t.set_dp("a1", c.LEG_R, 0)  # SM 1, and a level costs 2
    assert [object_for(t.state, i) for i in range(2)] == [c.NOBODY, 0]


@pytest.mark.rule("HX-A44")
def test_drones_deploy_near_enemy_and_return_from_afar():
    t = Table([unit("shepherd")], [foe()], pool=9)
    t.do(send_drones, 0)
    assert [place(t.drone("a1", at).at) for at in range(3)] == [(7, 8), (7, 8), (7, 9)]
    for at in range(3):
        t.drone("a1", at).at = number((0, 0))
    t.do(send_drones, 0)
    assert (t["a1"].pool, t.drone("a1", 2).at) == (9 - 2 - 2 - 2, number((7, 9)))


@pytest.mark.rule("HX-A45")
def test_cautious_unit_kneels_out_of_range():
    t = Table([unit("longbow", (7, 11))], [foe("trooper", (7, 3))], doctrines=CAREFUL, pool=8)
    t.do(take_aim, 0)
    assert (t["a1"].kneeling, t["a1"].pool) == (1, 6)
    seen = Table([unit("longbow", (7, 11))], [foe("longbow", (7, 3))], doctrines=CAREFUL, pool=8)
    seen.do(take_aim, 0)
    assert seen["a1"].kneeling == 0


@pytest.mark.rule("HX-A48")
def test_stronger_unit_grapples_if_a_friend_is_left():
    t = Table([unit("mauler", (7, 7)), unit(at=(1, 12))], [foe()], pool=4)
    t["a1"].phase = c.CLOSE
    assert grapple_target(t.state, 0) == 2
    t["a2"].status = c.DESTROYED
    assert grapple_target(t.state, 0) == c.NOBODY


@pytest.mark.rule("HX-A50")
def test_unit_takes_stance_at_end_of_turn():
    waiting = Table([unit("longbow")], [foe()], doctrines=CAREFUL, pool=7)
    waiting.do(take_stance, 0)
    assert (waiting["a1"].watch, waiting["a1"].pool) == (0, 0)
    covered = Table([unit()], [foe()], pool=2)
    covered.do(take_stance, 0)
    assert covered["a1"].cover == c.SHIELD_COVER


@pytest.mark.rule("HX-A55")
def test_mission_goals_surround_objective():
    t = Table([unit()], [foe()], mission="domination")
    t.do(place_objective, number((7, 12)), 0)
    set_goals(t.state, 0)
    assert {place(at) for at in range(208) if t.state.hexes[at].is_goal} == {(7, 12), (7, 11), (6, 12), (8, 12)}


@pytest.mark.rule("HX-A59")
def test_unit_without_near_target_uses_thrusters():
    t = Table([unit(example("wisp", weapons=[]), (7, 12))], [foe(at=(7, 0))], pool=3)
    t.run(move, 0)
    assert (t["a1"].thrust, t.hex_of("a1")) == (1, (7, 6))


@pytest.mark.rule("HX-A53", "HX-069")
def test_stale_search_does_not_put_third_unit_in_hex():
    own = [unit("warden", (7, 10)), unit("wisp", (7, 9)), unit("trooper", (7, 9))]
    s = Table(own, [foe("warden", (7, 4))], pool=8).state
    for way in s.ways:
        way.best = (1 << 45) + 28 * 32 + 31  # left over from another Unit's search
    move(s, 0, SeededDice(1), [])
    assert place(s.units[0].at) == (7, 6)
