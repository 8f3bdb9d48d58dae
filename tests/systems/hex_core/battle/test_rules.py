"""Rules of battle that no worked example plays, each in its own small battle."""

from __future__ import annotations

import pytest

from systems.engine.dice import ScriptedDice
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import (
    can_evade,
    entry_refusal,
    eva_now,
    flat_now,
    ground_refusal,
    is_usable,
    range_at,
    sight,
    sm_now,
)
from systems.hex_core.battle.rules.attacks import attack, attack_refusal, drone_refusal
from systems.hex_core.battle.rules.commands import (
    command_refusal,
    count_active_drones,
    drone_hex_refusal,
    drone_move_refusal,
    get_up,
    move_drone,
    pay_reposition,
    place_drone,
    recall,
    reposition_refusal,
    retrieve,
    retrieve_refusal,
    swap,
    swap_refusal,
    take_object,
    take_refusal,
)
from systems.hex_core.battle.rules.damage import hurt_area
from systems.hex_core.battle.rules.grapples import break_refusal, constrain, contest, release
from systems.hex_core.battle.rules.movement import (
    begin_movement,
    change_level,
    count_crossed,
    end_refusal,
    level_refusal,
    standing_refusal,
    transform,
    transform_refusal,
)
from systems.hex_core.battle.rules.rounds import place_objective, secure_object

from .tables import REFUSALS, Table, example, foe, number, unit

SHALLOW = {"light-blue": [(7, 9), (7, 10)]}


@pytest.mark.rule("HX-013", "HX-074")
def test_vehicle_sees_from_middle_of_its_hex():
    t = Table([unit("badger")], [foe()], buildings={(7, 8): 4})
    assert sight(t.state, number((7, 10)), 0, number((7, 6)), 0, 0) == -1
    assert t.ask(attack_refusal, 0, 1, 1, c.TORSO) == "not-enough-ap"
    t["a1"].pool = 9
    assert t.ask(attack_refusal, 0, 1, 1, c.TORSO) == "no-los"


@pytest.mark.rule("HX-016", "HX-068")
def test_only_flying_vehicles_enter_woods():
    woods = {"green": [(7, 9)]}
    assert Table([unit("badger")], hexes=woods).step("a1", (7, 9)) == "green-vehicle"
    assert Table([unit("kestrel", level=1)], hexes=woods).step("a1", (7, 9)) is None
    assert Table([unit()], hexes=woods).step("a1", (7, 9)) is None


@pytest.mark.rule("HX-017", "HX-155")
def test_vehicle_changes_level_only_by_swimming_or_flying():
    assert Table([unit("badger")], hexes={"light-blue": [(7, 9)]}).step("a1", (7, 9)) == "no-elevation"
    kit = example("badger", systems=["marine-kit"])
    assert Table([unit(kit)], hexes={"light-blue": [(7, 9)]}).step("a1", (7, 9)) is None
    pike = Table([unit("pike")], hexes=SHALLOW)
    assert pike.step("a1", (7, 9)) is None
    assert pike.step("a1", (7, 8)) == "no-elevation"


@pytest.mark.rule("HX-067", "HX-153", "HX-155")
def test_level_costs_two_sm_and_jump_takes_two_levels():
    heights = {(7, 9): 2}
    assert Table([unit()], heights=heights).step("a1", (7, 9)) == "no-elevation"
    jumper = Table([unit(example("mauler", systems=["jump"]))], heights=heights)
    assert jumper.step("a1", (7, 9)) is None
    assert (jumper["a1"].level, jumper["a1"].sm_left) == (2, 0)


@pytest.mark.rule("HX-068", "HX-141")
def test_red_ground_and_buildings_block_walkers():
    t = Table([unit()], hexes={"red": [(7, 9)]}, buildings={(8, 10): 10})
    assert [t.step("a1", to) for to in ((7, 9), (8, 10))] == ["red-hex", "building"]
    low = Table([unit("kestrel", level=1)], hexes={"red": [(7, 9)]}, buildings={(7, 8): 10})
    assert low.step("a1", (7, 9)) is None
    assert low.step("a1", (7, 8)) == "building"
    high = Table([unit("kestrel", (7, 9), level=3)], buildings={(7, 8): 10})
    assert high.step("a1", (7, 8)) is None


@pytest.mark.rule("HX-140", "HX-159")
def test_grey_ground_at_level_0_changes_nothing():
    t = Table([unit()], [foe()], pool=7)
    assert t.step("a1", (7, 9)) is None
    t.run(attack, 0, 0, 1, c.TORSO, dice=[4, 2, 1])
    (event,) = t.events_of("attack-rolled")
    assert (event.modifiers, t["a1"].sm_left, t.dp("b1")) == ((), 2, 14)


@pytest.mark.rule("HX-069")
def test_friends_share_hex_but_enemies_need_different_levels():
    t = Table([unit(), unit(at=(7, 9)), unit(at=(7, 9))], [foe("kestrel", (8, 9), level=1), foe(at=(6, 9))])
    assert t.step("a1", (7, 9)) is None
    assert end_refusal(t.state, 0, number((7, 9)))
    assert not end_refusal(t.state, 0, number((8, 9)))
    below = Table([unit()], [foe("kestrel", (7, 9), level=1)])
    assert below.step("a1", (7, 9)) is None
    assert Table([unit()], [foe(at=(7, 9))]).step("a1", (7, 9)) == "hex-occupied"


# --- drones -----------------------------------------------------------------------------------------------------------


def with_drones(**more):
    t = Table([unit("shepherd")], [foe()], pool=9, **more)
    for at in range(3):
        t.do(place_drone, 0, at, number((7, 9)))
    return t


@pytest.mark.rule("HX-024")
def test_drones_avoid_red_ground_and_buildings():
    t = with_drones(hexes={"red": [(7, 8)]}, buildings={(8, 8): 1})
    assert [t.ask(drone_hex_refusal, number(at)) for at in ((7, 8), (8, 8), (7, 10), (7, 9))] == [
        "red-hex",
        "building",
        None,
        None,
    ]


@pytest.mark.rule("HX-026")
def test_recall_docks_all_drones_with_their_damage():
    t = with_drones()
    t.drone("a1", 0).dp = 1
    t.drone("a1", 1).at = number((0, 0))
    t.do(recall, 0)
    assert (count_active_drones(t.state, 0), t["a1"].pool, t.drone("a1", 0).dp) == (0, 7, 1)


@pytest.mark.rule("HX-027")
def test_reposition_moves_drone_one_hex_near_its_unit():
    t = with_drones()
    asked = [t.ask(reposition_refusal, 0, t["a1"].first_drone, number(at)) for at in ((7, 8), (7, 7))]
    assert asked == [None, "out-of-range"]
    t.do(move_drone, 0, number((7, 8)), 1)
    assert t.ask(reposition_refusal, 0, 0, number((7, 7))) == "out-of-range"


@pytest.mark.rule("HX-027")
def test_one_reposition_pays_for_all_drones():
    t = with_drones()
    pool = t["a1"].pool
    t.do(pay_reposition, 0)
    for drone, at in ((0, (7, 8)), (1, (8, 9))):
        assert t.ask(reposition_refusal, 0, drone, number(at)) is None
        t.do(move_drone, drone, number(at), 1)
    assert t["a1"].pool == pool - 2
    assert [t.drone("a1", each).at for each in (0, 1)] == [number((7, 8)), number((8, 9))]
    t["a1"].pool = 1
    assert t.ask(command_refusal, 0) == "not-enough-ap"


@pytest.mark.rule("HX-101")
def test_only_held_unit_with_ap_breaks_free():
    t = Table([unit("mauler", (7, 6))], [foe()], pool=2)
    assert t.ask(break_refusal, 1) == "cannot-act"
    t["a1"].holds, t["b1"].held_by = 1, 0
    t["b1"].pool = 2
    assert t.ask(break_refusal, 1) is None
    t["b1"].pool = 1
    assert t.ask(break_refusal, 1) == "not-enough-ap"


@pytest.mark.rule("HX-028")
def test_drone_too_far_away_can_only_be_recalled():
    t = with_drones()
    t.drone("a1", 0).at = number((7, 7))
    assert t.ask(drone_refusal, 0, 1) == "out-of-range"
    assert t.ask(reposition_refusal, 0, 0, number((7, 8))) == "out-of-range"
    assert t.ask(drone_move_refusal, 0, number((7, 8)), 1) is None  # a drone with a head returns by itself


# --- commands ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-099", "HX-A37")
def test_unit_that_is_down_must_get_up():
    t = Table([unit(down=1)], pool=5)
    assert (t.step("a1", (7, 9)), can_evade(t["a1"])) == ("cannot-act", False)
    t.do(get_up, 0)
    assert (t.step("a1", (7, 9)), t["a1"].pool, can_evade(t["a1"])) == (None, 3, True)


@pytest.mark.rule("HX-102")
def test_swap_needs_empty_hand_or_stowed_weapon():
    t = Table([unit()], pool=6)
    assert t.ask(swap_refusal, 0, 1, -1) == "no-free-hand"
    assert t.ask(swap_refusal, 0, 1, 0) is None
    t.do(swap, 0, 1, 0)
    assert [t.weapon("a1", slot).place for slot in range(2)] == [c.CARRIED, c.RIGHT]
    t["a1"].shield = 0
    assert t.ask(swap_refusal, 0, 0, -1) is None
    t.do(swap, 0, 0, -1)
    assert (t.weapon("a1", 0).place, t["a1"].pool) == (c.LEFT, 2)


@pytest.mark.rule("HX-103", "HX-112")
def test_friend_picks_up_weapon_of_lost_arm():
    empty = example("warden", weapons=[{"weapon": "combat-knife", "place": "carried"}], shields=[])
    t = Table([unit(empty), unit()], pool=4)
    hurt_area(t.state, 1, c.ARM_R, 99, c.NOBODY, c.BY_ATTACK, t.log)
    assert (t.weapon("a2", 0).place, is_usable(t.state, 1, 0)) == (c.LYING, False)
    assert t.ask(retrieve_refusal, 0, 1, 0) is None
    t.do(retrieve, 0, 1, 0)
    taken = t.weapon("a1", 1)
    assert (taken.place, taken.flat, is_usable(t.state, 0, 1)) == (c.RIGHT, 4, True)


@pytest.mark.rule("HX-109", "HX-112")
def test_two_handed_weapon_stays_in_remaining_hand():
    t = Table([unit("longbow")])
    assert flat_now(t.state, 0, 0) == 8
    hurt_area(t.state, 0, c.ARM_R, 99, c.NOBODY, c.BY_ATTACK, t.log)
    assert (t.weapon("a1", 0).place, flat_now(t.state, 0, 0)) == (c.LEFT, 4)
    hurt_area(t.state, 0, c.ARM_L, 99, c.NOBODY, c.BY_ATTACK, t.log)
    assert (t.weapon("a1", 0).place, is_usable(t.state, 0, 0), is_usable(t.state, 0, 1)) == (c.LYING, False, True)


@pytest.mark.rule("HX-104")
def test_transformed_mech_is_flying_vehicle():
    t = Table([unit("comet")], pool=8)
    assert t.ask(transform_refusal, 0) is None
    t.do(transform, 0)
    begin_movement(t.state, 0)
    assert (t["a1"].form, t["a1"].level, t["a1"].sm_left, t["a1"].pool) == (c.AERIAL, 1, 7, 6)
    assert [is_usable(t.state, 0, slot) for slot in (0, 1, c.UNARMED)] == [False, True, False]
    assert ground_refusal(t.state, t["a1"], number((7, 10))) == 0
    t.do(transform, 0)
    assert (t["a1"].form, t["a1"].level) == (c.MECH, 0)
    space = Table([unit(example("comet", systems=["transform-extraterrestrial"]))], pool=8)
    space.do(transform, 0)
    assert eva_now(space.state, 0) == 4


# --- grapples, statuses -----------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-129", "HX-130", "HX-A19")
def test_holder_strikes_held_unit_from_next_turn_on():
    t = Table([unit("mauler", (7, 7))], [foe("longbow"), foe(at=(7, 5))], pool=9)
    t.do(constrain, 0, 1)
    t["a1"].phase = c.CLOSE
    assert t.ask(attack_refusal, 0, 0, 1, c.TORSO) == "cannot-act"
    t["a1"].held_since_turn = 1
    assert t.ask(attack_refusal, 0, 0, 1, c.TORSO) is None
    assert t.ask(attack_refusal, 0, 0, 2, c.TORSO) == "cannot-act"
    assert not is_usable(t.state, 0, 1)
    t.do(release, 0)
    assert (t["b1"].held_by, t.hex_of("b1")) == (c.NOBODY, (8, 6))  # (7, 5) is occupied


@pytest.mark.rule("HX-122", "HX-123")
def test_grapple_without_possible_failure_rolls_once():
    t = Table([unit("mauler", (7, 7), grip=9)], [foe(grip=9)], pool=9)
    assert contest(t.state, 0, 1, ScriptedDice([1, 1]), t.log) == c.NO_HOLD
    t["b1"].grip = -1  # fails on some face: if both pass, the tie is rerolled
    assert contest(t.state, 0, 1, ScriptedDice([8, 8, 8, 1]), t.log) == c.WIN


@pytest.mark.rule("HX-131", "HX-132", "HX-086")
def test_immobile_unit_shoots_but_stunned_unit_cannot_act():
    for status, shoots in (("immobile", None), ("stunned", "cannot-act")):
        t = Table([unit(**{status: 1})], [foe()], pool=9)
        assert (t.step("a1", (7, 9)), t.turn("a1", 1), can_evade(t["a1"])) == ("cannot-act", "cannot-act", False)
        assert t.ask(attack_refusal, 0, 0, 1, c.TORSO) == shoots
        assert REFUSALS[standing_refusal(t.state, 0)] == "cannot-act"


@pytest.mark.rule("HX-135")
def test_slowed_unit_keeps_at_least_one_sm():
    assert sm_now(Table([unit(slowed=1)]).state, 0) == 1
    assert sm_now(Table([unit("kestrel", slowed=1)]).state, 0) == 3
    assert sm_now(Table([unit("bastion", slowed=1)]).state, 0) == 1


# --- terrain, levels --------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-139", "HX-A42")
def test_hex_counts_as_crossed_on_ground_only():
    sand = {"tan": [(7, 9), (7, 10)]}
    t = Table([unit()], hexes=sand)
    assert count_crossed(t.state, 0, c.TAN) == 1
    assert t.step("a1", (7, 9)) is None
    assert t.step("a1", (7, 8)) is None
    assert count_crossed(t.state, 0, c.TAN) == 1
    flying = Table([unit(example("warden", systems=["flight"]), level=1)], hexes=sand)
    assert flying.step("a1", (7, 9)) is None
    assert count_crossed(flying.state, 0, c.TAN) == 0


@pytest.mark.rule("HX-146", "HX-161")
def test_water_slows_units_that_cannot_swim():
    assert sm_now(Table([unit()], hexes={"light-blue": [(7, 10)]}).state, 0) == 1
    assert sm_now(Table([unit("pike")], hexes={"dark-blue": [(7, 10)]}).state, 0) == 5


@pytest.mark.rule("HX-156", "HX-157")
def test_height_extends_range():
    t = Table([unit("kestrel", level=3)])
    assert [range_at(t["a1"], t.weapon("a1", 0), level) for level in (0, 1, 2, 3)] == [8, 8, 9, 9]


@pytest.mark.rule("HX-155", "HX-156", "HX-158")
def test_flyer_climbs_to_level_3_at_most():
    t = Table([unit("kestrel", level=1, sm_left=9)])
    t["a1"].sm_left = 9
    assert t.ask(level_refusal, 0, 2) is None
    t.run(change_level, 0, 2)
    t.run(change_level, 0, 3)
    assert (t["a1"].level, t["a1"].sm_left, t.ask(level_refusal, 0, 4)) == (3, 5, "no-elevation")
    walker = Table([unit()])
    assert walker.ask(level_refusal, 0, 1) == "no-elevation"
    assert REFUSALS[entry_refusal(walker.state, walker["a1"], False, number((7, 0)), -1)] == "off-board"


@pytest.mark.rule("HX-165")
def test_object_can_be_carried_home():
    t = Table([unit()], mission="retrieval", pool=4)
    t.do(place_objective, number((7, 6)), 0)
    t["a1"].at = number((7, 6))
    assert t.ask(take_refusal, 0, 0) is None
    t.do(take_object, 0, 0)
    assert (t["a1"].carries, t["a1"].pool) == (0, 2)
    t.do(secure_object, 0)
    assert t["a1"].carries == 0
    t["a1"].at = number((7, 10))
    t.do(secure_object, 0)
    assert (t["a1"].carries, t.state.sides[0].secured, t.battle.over) == (c.NOBODY, 1, 0)


@pytest.mark.rule("HX-062")
def test_unit_cannot_return_to_earlier_phase():
    t = Table([unit()], [foe()], pool=9)
    t.run(attack, 0, 0, 1, c.TORSO, dice=[1])
    assert t.step("a1", (7, 9)) == "phase-passed"
    t["a1"].phase = c.CLOSE
    assert t.ask(attack_refusal, 0, 0, 1, c.TORSO) == "phase-passed"
