"""Cases where two rules meet: falls, forms, raised ground, hands, ends of turns."""

from __future__ import annotations

import pytest

from systems.hex_core.battle import play
from systems.hex_core.battle import state as c
from systems.hex_core.battle.rules import hand_is_free, sight
from systems.hex_core.battle.rules.attacks import attack, attack_refusal, counter, watch
from systems.hex_core.battle.rules.commands import retrieve, stow, stow_refusal, swap
from systems.hex_core.battle.rules.damage import hurt, hurt_area
from systems.hex_core.battle.rules.grapples import constrain, grapple_refusal, release, throw
from systems.hex_core.battle.rules.movement import (
    begin_turn,
    level_refusal,
    roll_hazards,
    roll_pool,
    transform,
    transform_refusal,
)
from systems.hex_core.battle.rules.rounds import place_objective

from .tables import Table, example, foe, number, unit

SPACE = example("comet", systems=["transform-extraterrestrial"])
GROUND = example("comet", systems=["transform-terrestrial"])
SEA = example("comet", systems=["transform-aquatic"])


def lose_legs(t, key):
    for leg in (c.LEG_L, c.LEG_R):
        hurt_area(t.state, t.at(key), leg, 99, c.NOBODY, c.BY_ATTACK, t.log)


# --- falls ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-069", "HX-162")
def test_unit_falling_on_enemy_lands_beside():
    t = Table([unit()], [foe("kestrel", (7, 10), level=1)])
    lose_legs(t, "b1")
    assert (t["b1"].level, t.hex_of("b1")) == (0, (8, 11))


@pytest.mark.rule("HX-126", "HX-162")
def test_unit_thrown_from_height_also_falls():
    t = Table([unit("mauler", (7, 7))], [foe("longbow")], heights={(7, 7): 2, (7, 6): 2})
    t.do(throw, 0, 1, number((7, 4)))
    assert (t["b1"].level, t.dp("b1")) == (0, 13)
    assert (t.dp("b1", c.LEG_L), t.dp("b1", c.LEG_R)) == (0, 0)
    assert [event.result["height"] for event in t.events_of("unit-fell")] == [2]
    assert [event.result["area"] for event in t.events_of("area-lost")] == [c.LEG_L, c.LEG_R]


@pytest.mark.rule("HX-107", "HX-162")
def test_fall_ends_movement_but_not_turn():
    t = Table([unit("kestrel", (7, 9), level=1)], [foe("longbow", (7, 4), pool=7)], hit_location="rolled")
    t.set_dp("a1", c.LEG_L, 0)
    t.set_dp("a1", c.LEG_R, 3)
    t.do(watch, 1, 0)
    # 8 AP; the waiting shot hits the last wing, and the kestrel falls; then it fires twice and misses
    t.play_turn("a1", [4, 8, 8, 2, 1, 1])
    assert (t["a1"].level, t["a1"].entered) == (0, 1)
    assert [event.result["made"] for event in t.events_of("attack-rolled")] == [True, False, False]


# --- holds ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-112", "HX-130")
def test_holder_without_arms_lets_go():
    t = Table([unit("mauler", (7, 7))], [foe("longbow")])
    t.do(constrain, 0, 1)
    hurt_area(t.state, 0, c.ARM_L, 99, c.NOBODY, c.BY_ATTACK, t.log)
    assert t["a1"].holds == 1
    hurt_area(t.state, 0, c.ARM_R, 99, c.NOBODY, c.BY_ATTACK, t.log)
    assert (t["a1"].holds, t["b1"].held_by, t.hex_of("b1")) == (c.NOBODY, c.NOBODY, (7, 5))


@pytest.mark.rule("HX-129")
def test_holder_attacks_only_the_held_unit():
    t = Table([unit("mauler", (7, 7))], [foe("longbow"), foe("wisp", (7, 5))], pool=9)
    t.do(constrain, 0, 1)
    t["a1"].held_since_turn = 1
    assert [t.ask(attack_refusal, 0, c.UNARMED, target, c.TORSO) for target in (1, 2)] == [None, "cannot-act"]


@pytest.mark.rule("HX-130", "HX-155")
@pytest.mark.parametrize(("colour", "there"), [("light-blue", (7, 5)), ("dark-blue", (8, 6))])
def test_freed_unit_is_not_put_two_levels_lower(colour, there):
    t = Table([unit("mauler", (7, 7))], [foe("longbow")], hexes={colour: [(7, 5)]})
    t.do(constrain, 0, 1)
    t.do(release, 0)
    assert t.hex_of("b1") == there


# --- raised ground ----------------------------------------------------------------------------------------------------


def penalty(colour, *, level=0, ground=None, shooter=0, target=0):
    """Return the to-hit penalty of a shot from (7, 8) to (7, 3) over two hexes of a colour on that ground."""
    heights = dict.fromkeys([(column, row) for column in range(16) for row in range(13)], level)
    heights |= ground or {}
    hexes = {colour: [(7, 5), (7, 6)]} if colour else {}
    t = Table([unit(at=(7, 8))], [foe(at=(7, 3))], hexes=hexes, heights=heights)
    return sight(t.state, number((7, 8)), shooter, number((7, 3)), target, 0)


@pytest.mark.rule("HX-142", "HX-144", "HX-A08")
@pytest.mark.parametrize(("colour", "lost"), [("green", 2), ("black", 1)])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_woods_and_smoke_hide_on_any_level(colour, lost, level):
    assert penalty(colour, level=level, shooter=level, target=level) == lost
    # above them, and over them from above
    assert penalty(colour, level=level, shooter=level + 1, target=level + 1) == 0
    # raised by themselves they hide from viewers as high or lower
    ground = {(7, 5): 1, (7, 6): 1}
    assert penalty(colour, ground=ground, shooter=1, target=1) == lost
    assert penalty(colour, ground=ground) == lost
    assert penalty(colour, ground=ground, shooter=2, target=2) == 0


@pytest.mark.rule("HX-142", "HX-A08")
def test_raised_woods_hide_units_inside():
    t = Table([unit(at=(7, 8))], [foe(at=(7, 3))], hexes={"green": [(7, 3)]}, heights={(7, 3): 1})
    assert sight(t.state, number((7, 8)), 0, number((7, 3)), 1, 0) == 2
    assert sight(t.state, number((7, 3)), 1, number((7, 8)), 0, 0) == 0
    assert sight(t.state, number((7, 8)), 0, number((7, 3)), 2, 0) == 0
    # two in one hex: in the woods of its ground, or above
    assert sight(t.state, number((7, 3)), 1, number((7, 3)), 1, 0) == 0


@pytest.mark.rule("HX-148", "HX-151")
def test_building_on_hill_hides_one_level_more():
    for ground, blocked in ((0, [True, False, False]), (1, [True, True, False])):
        t = Table([unit(at=(7, 8))], [foe(at=(7, 3))], buildings={(7, 6): 4}, heights={(7, 6): ground})
        found = [sight(t.state, number((7, 8)), level, number((7, 3)), level, 0) < 0 for level in range(3)]
        assert found == blocked
        flyer = Table([unit("kestrel", (7, 7), level=1)], buildings={(7, 6): 4}, heights={(7, 6): ground})
        assert flyer.step("a1", (7, 6)) == ("building" if ground else None)


# --- forms ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-104", "HX-114")
def test_flying_mech_without_legs_falls_and_cannot_fly():
    t = Table([unit("comet")], pool=8)
    t.do(transform, 0)
    lose_legs(t, "a1")
    assert (t["a1"].level, t["a1"].flight_lost) == (0, 1)
    begin_turn(t.state, 0, [])
    roll_pool(t.state, 0, 8, [])
    t.do(transform, 0)
    assert t["a1"].form == c.MECH
    assert t.ask(transform_refusal, 0) == "no-elevation"


@pytest.mark.rule("HX-104", "HX-114")
@pytest.mark.parametrize(("design", "refusal"), [("comet", "no-elevation"), (SPACE, "no-elevation"), (GROUND, None)])
def test_mech_without_legs_cannot_take_flying_form(design, refusal):
    t = Table([unit(design)], pool=8)
    lose_legs(t, "a1")
    assert t.ask(transform_refusal, 0) == refusal


@pytest.mark.rule("HX-017", "HX-104")
@pytest.mark.parametrize(
    ("design", "colour", "refusal"),
    [
        (SEA, "grey", "no-elevation"),
        (SEA, "light-blue", None),
        (GROUND, "light-blue", "no-elevation"),
        (GROUND, "green", "green-vehicle"),
        (GROUND, "grey", None),
        (example("comet", systems=["transform-terrestrial", "marine-kit"]), "light-blue", None),
    ],
)
def test_form_needs_ground_for_its_vehicle(design, colour, refusal):
    assert Table([unit(design)], hexes={colour: [(7, 10)]}, pool=8).ask(transform_refusal, 0) == refusal


@pytest.mark.rule("HX-069", "HX-104")
def test_unit_cannot_rise_into_enemy():
    over = foe("kestrel", (7, 10), level=1)
    assert Table([unit("comet")], [over], pool=8).ask(transform_refusal, 0) == "hex-occupied"
    assert Table([unit("comet")], [{**over, "level": 2}], pool=8).ask(transform_refusal, 0) is None


# --- raised ground ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-017", "HX-067", "HX-155")
def test_flying_vehicle_crosses_hill_of_its_level():
    t = Table([unit("kestrel", level=1)], heights={(7, 9): 1})
    assert [t.step("a1", to) for to in ((7, 9), (7, 8))] == [None, None]
    assert (t["a1"].level, t["a1"].sm_left) == (1, 3)
    woods = Table([unit("kestrel", level=1)], heights={(7, 9): 1}, hexes={"green": [(7, 9)]})
    assert woods.step("a1", (7, 9)) is None


@pytest.mark.rule("HX-017", "HX-155")
def test_swimming_vehicle_does_not_climb():
    kit = example("badger", systems=["marine-kit"])
    assert Table([unit(kit)], heights={(7, 9): 1}).step("a1", (7, 9)) == "no-elevation"


@pytest.mark.rule("HX-104", "HX-155")
def test_flying_vehicle_stays_above_level_0():
    t = Table([unit("comet")], pool=8)
    t.do(transform, 0)
    t["a1"].sm_left = 4
    assert [t.ask(level_refusal, 0, level) for level in (0, 2)] == ["no-elevation", None]


# --- hands ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-102")
def test_stowed_weapon_leaves_hand_empty():
    t = Table([unit()], pool=6)
    assert t.ask(stow_refusal, 0, 1) == "weapon-not-ready"
    assert t.ask(stow_refusal, 0, 0) is None
    t.do(stow, 0, 0)
    assert (t.weapon("a1", 0).place, t["a1"].pool, hand_is_free(t.state, 0, c.RIGHT)) == (c.CARRIED, 4, True)
    assert [event.kind for event in t.events] == ["weapon-stowed"]


@pytest.mark.rule("HX-046", "HX-102")
def test_unit_carries_at_most_three_weapons():
    knives = [{"weapon": "combat-knife", "place": "carried"}] * 3
    full = example("warden", weapons=[{"weapon": "assault-rifle", "place": "right"}, *knives])
    assert Table([unit(full)], pool=6).ask(stow_refusal, 0, 0) == "no-free-hand"


@pytest.mark.rule("HX-102", "HX-118")
def test_destroyed_weapon_or_shield_leaves_hand_empty():
    t = Table([unit()], [foe()], pool=6)
    hurt(t.state, 0, c.SHIELD, 99, 1, c.BY_ATTACK, t.log)
    hurt(t.state, 0, c.WEAPONS, 99, 1, c.BY_ATTACK, t.log)
    assert (hand_is_free(t.state, 0, c.LEFT), hand_is_free(t.state, 0, c.RIGHT)) == (True, True)
    t.do(swap, 0, 1, -1)
    assert t.weapon("a1", 1).place == c.RIGHT


@pytest.mark.rule("HX-048", "HX-092", "HX-103")
def test_retrieved_primary_weapon_stays_primary():
    t = Table([unit(example("warden", shields=[]))], [foe()], pool=6)
    hurt_area(t.state, 0, c.ARM_R, 99, 1, c.BY_ATTACK, t.log)
    t.do(retrieve, 0, 0, 0)
    assert (t.weapon("a1", t["a1"].primary).place, t.weapon("a1", t["a1"].primary).flat) == (c.LEFT, 4)


# --- attacks outside their turn ---------------------------------------------------------------------------------------


@pytest.mark.rule("HX-031", "HX-092")
def test_unit_that_evades_drone_can_shoot_back():
    t = Table([unit("shepherd")], [foe()], pool=9)
    t.drone("a1", 0).status, t.drone("a1", 0).at = c.ACTIVE, number((7, 9))
    shot = t.state.shots[0]
    shot.by, shot.drone, shot.target, shot.prey = 0, 0, 1, c.NOBODY
    t.run(counter, dice=[8])
    assert (t.drone("a1", 0).status, t["b1"].items_destroyed, t.dp("a1")) == (c.BROKEN, 1, 14)


@pytest.mark.rule("HX-051", "HX-107")
@pytest.mark.parametrize(("shots", "trait"), [(0, 1), (1, 0)])
def test_marksman_in_offensive_stance_aims_better_once(shots, trait):
    t = Table([unit(at=(7, 10))], [foe("longbow", (7, 4), pool=7, shots=shots)])
    t.do(watch, 1, 0)
    t.step("a1", (7, 9), dice=[1])
    (event,) = t.events_of("attack-rolled")
    assert [each.name for each in event.modifiers] == ["trait"] * trait


@pytest.mark.rule("HX-134", "HX-143", "HX-145")
def test_overheated_unit_still_rolls_white_die():
    t = Table([unit()], [foe()])
    t["a1"].tan = t["a1"].white = 1
    t["a1"].entered = 2
    t.run(roll_hazards, 0, dice=[1, 1])
    assert (t["a1"].kneeling, t["a1"].done, t["a1"].frozen) == (1, 1, 0)
    assert [event.kind for event in t.events] == ["overheat-rolled", "freeze-rolled"]


@pytest.mark.rule("HX-121", "HX-125")
def test_unit_sharing_hex_with_friend_can_be_grabbed():
    t = Table([unit("mauler", (7, 7))], [foe("longbow"), foe("wisp")], pool=9)
    t["a1"].phase = c.CLOSE
    assert t.ask(grapple_refusal, 0, 1) is None
    t.do(constrain, 0, 1)
    assert (t.hex_of("a1"), t.hex_of("b2")) == ((7, 6), (7, 6))


@pytest.mark.rule("HX-121", "HX-132")
def test_stunned_unit_cannot_grapple():
    t = Table([unit("mauler", (7, 7), stunned=1)], [foe("longbow")], pool=9)
    t["a1"].phase = c.CLOSE
    assert t.ask(grapple_refusal, 0, 1) == "cannot-act"


# --- the ends of turns ------------------------------------------------------------------------------------------------


@pytest.mark.rule("HX-167")
def test_turn_that_loses_its_unit_is_scored():
    t = Table(
        [unit("trooper", (7, 8)), unit(at=(1, 12))],
        [foe(at=(7, 4))],
        mission="domination",
        domination_scoring="turn",
    )
    place_objective(t.state, number((7, 3)), c.SIDE_B, t.log)
    t.set_dp("a1", c.TORSO, 4)
    # 4 AP: one shot, which is evaded, and the counter kills the trooper
    t.run(play.play_turn, 0, dice=[1, 7, 8, 8])
    assert (t["a1"].status, t.state.sides[1].points) == (c.DESTROYED, 1)


@pytest.mark.rule("HX-088")
def test_attack_can_call_shield():
    t = Table([unit()], [foe()], pool=3)
    t.run(attack, 0, 0, 1, c.SHIELD, dice=[8, 1])
    assert (t["b1"].shield, t.dp("b1")) == (6, 18)
