"""The worked examples of battle, each played through the rules: HX-X01 to HX-X55, HX-X62, HX-X63."""

from __future__ import annotations

import pytest

from systems.engine.dice import ScriptedDice
from systems.hex_core.battle import state as c
from systems.hex_core.battle.ai_paths import search
from systems.hex_core.battle.ai_values import best_pair_value, list_pairs, look_at_enemies, ready_weapons
from systems.hex_core.battle.rules import (
    acc_now,
    asl_now,
    behind,
    can_evade,
    eva_now,
    in_front,
    line_of,
    penalty_of,
    reach_refusal,
    sight,
    sm_now,
    top_level,
)
from systems.hex_core.battle.rules.attacks import (
    attack,
    attack_building,
    attack_refusal,
    attack_with_drone,
    damage_of,
    drone_refusal,
    hits,
    passes,
    position_bonus,
    watch,
    watch_refusal,
)
from systems.hex_core.battle.rules.commands import (
    deploy_refusal,
    go_prone,
    kneel,
    kneel_refusal,
    place_drone,
    prone_refusal,
    retrieve_refusal,
    take_cover,
)
from systems.hex_core.battle.rules.damage import fall, hurt, hurt_area
from systems.hex_core.battle.rules.grapples import (
    break_grapple,
    contest,
    d4,
    grapple_refusal,
    landing_refusal,
    throw,
)
from systems.hex_core.battle.rules.movement import is_frozen_by, press_on, roll_hazards, roll_pool, suffer_abyss, thrust
from systems.hex_core.battle.rules.rounds import (
    dispute,
    in_deployment,
    mark_refusal,
    objective_refusal,
    place_objective,
    score_objectives,
)
from systems.hex_core.build.drawing import HEXES

from .tables import REFUSALS, Table, example, foe, number, place, setup, unit

RIFLE = 0


def shot(dice, *, facing=3, **more):
    """Return the table after a Warden fires its assault rifle at another's torso."""
    t = Table([unit()], [foe(facing=facing, **more)], pool=7)
    t.run(attack, 0, RIFLE, 1, c.TORSO, dice=dice)
    return t


@pytest.mark.rule("HX-004")
def test_x01_plus_to_stat_makes_roll_harder():
    t = Table([unit()])
    assert asl_now(t.state, 0) == 5
    assert not passes(5, 0, asl_now(t.state, 0) + 1)


@pytest.mark.rule("HX-004", "HX-005")
def test_x02_plus_to_roll_makes_roll_easier():
    assert passes(4, 1, 5)


@pytest.mark.rule("HX-001", "HX-003")
def test_x03_number_or_higher_passes():
    assert [passes(face, 0, 3) for face in (2, 3)] == [False, True]


@pytest.mark.rule("HX-079", "HX-A20")
@pytest.mark.parametrize(("weapon", "refusal"), [("missile-pod", "out-of-range"), ("sniper-rifle", None)])
def test_x04_levels_apart_count_as_distance(weapon, refusal):
    spec = {"core": "standard", "weapons": [{"weapon": weapon, "place": "head"}]}
    t = Table([unit(spec, (7, 12), 0, level=-2)], [foe("kestrel", (7, 6), level=1)])
    assert t.ask(reach_refusal, 0, 0, t["b1"].at, 1) == refusal


@pytest.mark.rule("HX-008")
def test_x05_d8_gives_d4():
    assert [d4(face) for face in range(1, 9)] == [1, 1, 2, 2, 3, 3, 4, 4]


@pytest.mark.rule("HX-055", "HX-059")
def test_x06_board_has_two_deployment_areas():
    s = Table([unit()]).state
    assert len(s.hexes) == HEXES == 208
    assert [sum(in_deployment(s, side, at) for at in range(208)) for side in range(2)] == [48, 48]
    assert {s.hexes[at].row for at in range(208) if not s.hexes[at].start} == set(range(3, 10))


@pytest.mark.rule("HX-149", "HX-151")
def test_x07_floors_give_dp_and_height():
    floors = [1, 4, 5, 6, 10]
    t = Table([unit()], buildings={(at, 5): count for at, count in enumerate(floors)})
    assert [t.state.hexes[number((at, 5))].dp for at in range(5)] == [2, 8, 10, 12, 20]
    assert [top_level(0, count) for count in floors] == [0, 0, 1, 1, 2]


@pytest.mark.rule("HX-082", "HX-084", "HX-085")
def test_x08_miss_costs_its_ap():
    t = shot([3])
    assert (t["a1"].pool, t.dp("b1")) == (4, 18)


@pytest.mark.rule("HX-087", "HX-088", "HX-097")
def test_x09_hit_does_flat_damage():
    t = shot([5, 2, 6])
    assert (t["a1"].pool, t.dp("b1")) == (4, 14)


@pytest.mark.rule("HX-092")
@pytest.mark.parametrize(("dice", "torso"), [([5, 6, 7], 18), ([4, 6, 8], 14)])
def test_x10_x11_evading_unit_can_counter(dice, torso):
    t = shot(dice)
    assert (t.dp("a1"), t.dp("b1"), t["a1"].pool) == (torso, 18, 4)


@pytest.mark.rule("HX-092", "HX-076")
def test_x12_attacker_out_of_sight_is_not_countered():
    assert shot([4, 6], facing=0).dp("a1") == 18


@pytest.mark.rule("HX-006", "HX-090", "HX-007")
def test_x13_perfect_roll_is_not_evaded_and_critical_adds_half():
    assert shot([8, 8]).dp("b1") == 12


@pytest.mark.rule("HX-047", "HX-077", "HX-091")
def test_x14_two_handed_weapon_in_one_hand_does_half():
    t = Table([unit("bastion", (7, 10))], [foe("longbow", facing=0)], pool=10)
    hurt_area(t.state, 0, c.ARM_L, 99, c.NOBODY, c.BY_ATTACK, t.log)
    t.run(attack, 0, 0, 1, c.TORSO, dice=[6, 3, 8])
    assert t.dp("b1") == 7


@pytest.mark.rule("HX-077")
def test_x15_wary_unit_takes_less_from_behind():
    t = Table([unit()], [foe("badger", facing=0)], pool=7)
    t.run(attack, 0, RIFLE, 1, c.TORSO, dice=[5, 4, 1])
    assert t.dp("b1") == 15


@pytest.mark.rule("HX-091", "HX-146")
@pytest.mark.parametrize(("submerged", "damage"), [(1, 6), (0, 10)])
def test_x16_kinetic_damage_is_halved_under_water(submerged, damage):
    assert damage_of(5, 1, submerged, 2) == damage
    t = Table([unit("pike", (7, 10), level=0)], [foe("pike", facing=0)], hexes={"light-blue": [(7, 6)]}, pool=8)
    slot = 1 if submerged else 0
    t.run(attack, 0, slot, 1, c.TORSO, dice=[8, 8])
    assert t.dp("b1") == 12 - damage


GREEN = [(7, 9), (7, 8), (7, 6), (7, 5)]


@pytest.mark.rule("HX-142")
@pytest.mark.parametrize(
    ("green", "penalty"), [(GREEN, 4), ([*GREEN, (7, 10)], 2), ([*GREEN, (7, 4)], 4), ([(7, 4)], 2)]
)
def test_x17_each_group_of_woods_costs_two(green, penalty):
    t = Table([unit()], [foe(at=(7, 4))], hexes={"green": green})
    assert sight(t.state, number((7, 10)), 0, number((7, 4)), 0, 0) == penalty


@pytest.mark.rule("HX-006")
def test_x18_natural_8_hits_through_all_woods():
    assert [hits(face, -6, 4) for face in (7, 8)] == [False, True]


@pytest.mark.rule("HX-014", "HX-144", "HX-A08")
def test_x19_smoke_costs_one_without_filters():
    t = Table([unit(), unit("badger", (8, 10))], hexes={"black": [(7, 9), (7, 5)], "green": [(7, 7)]})
    seen = [sight(t.state, number((7, 10)), 0, number((7, 4)), 0, filters) for filters in (0, 1)]
    assert seen == [3, 2]
    assert [penalty_of(each, 3) for each in t.state.units] == [3, 0]


@pytest.mark.rule("HX-142", "HX-158", "HX-A21")
def test_x20_only_last_woods_count_from_above():
    spec = example("warden", systems=["flight"])
    t = Table([unit(spec, level=1)], [foe()], hexes={"green": [(7, 8), (7, 6)]}, pool=5)
    t.run(attack, 0, RIFLE, 1, c.TORSO, dice=[4])
    (event,) = t.events_of("attack-rolled")
    assert {each.name: each.value for each in event.modifiers} == {"woods": -2, "level +1": 1}
    assert not event.result["made"]


@pytest.mark.rule("HX-061", "HX-082", "HX-083")
def test_x21_pool_pays_for_three_attacks():
    t = Table([unit()], [foe()])
    t.do(roll_pool, 0, 6)
    assert t["a1"].pool == 10
    for _ in range(3):
        assert t.ask(attack_refusal, 0, RIFLE, 1, c.TORSO) is None
        t.run(attack, 0, RIFLE, 1, c.TORSO, dice=[1])
    assert t["a1"].pool == 1
    assert t.ask(attack_refusal, 0, RIFLE, 1, c.TORSO) == "not-enough-ap"


@pytest.mark.rule("HX-133")
def test_x22_frozen_unit_has_at_most_five_ap():
    t = Table([unit(frozen=1)])
    t.do(roll_pool, 0, 7)
    assert (t["a1"].pool, t["a1"].frozen) == (5, 0)


@pytest.mark.rule("HX-076", "HX-077", "HX-A02", "HX-A03", "HX-A04")
def test_x23_view_and_flank_cover_their_hexes():
    s = Table([unit()]).state
    given = [(7, 5), (8, 6), (6, 6), (7, 7), (8, 7), (6, 7), (9, 6), (5, 6), (9, 5), (9, 7)]
    at = number((7, 6))
    assert [each for each in given if in_front(s, at, 0, number(each))] == [(7, 5), (8, 6), (6, 6), (9, 5)]
    assert [each for each in given if behind(s, at, 0, number(each))] == [(7, 7), (8, 7), (6, 7), (9, 7)]


@pytest.mark.rule("HX-064", "HX-065", "HX-066")
def test_x24_steps_keep_facing_and_one_rotation_is_free():
    t = Table([unit()])
    assert [t.step("a1", (8, 10)), t.step("a1", (8, 9)), t.turn("a1", 1), t.turn("a1", 2)] == [None] * 4
    assert [event.result["cost"] for event in t.events] == [1, 1, 0, 1]
    assert (t.hex_of("a1"), t["a1"].facing) == ((8, 9), 2)
    assert t.step("a1", (9, 9)) == "not-enough-sm"


@pytest.mark.rule("HX-065")
def test_x25_units_step_forward_only():
    t = Table([unit()])
    steps = [t.step("a1", to) for to in ((7, 11), (8, 11), (7, 8))]
    assert steps == ["not-front-hex", "not-front-hex", "not-adjacent"]


@pytest.mark.rule("HX-064", "HX-065", "HX-066")
@pytest.mark.parametrize(("sm", "hexes", "states"), [(1, 7, 33), (2, 19, 91), (3, 34, 178), (4, 51, 282), (5, 70, 396)])
def test_x26_reachable_hexes_and_facings_are_counted(sm, hexes, states):
    t = Table([unit()])
    search(t.state, 0, sm, 0)
    found = [
        [min(t.state.ways[at * 12 + facing * 2 + used].cost for used in range(2)) for facing in range(6)]
        for at in range(208)
    ]
    reached = [[cost < c.COSTS for cost in costs] for costs in found]
    assert (sum(map(any, reached)), sum(map(sum, reached))) == (hexes, states)


@pytest.mark.rule("HX-067", "HX-100", "HX-144")
def test_x27_smoke_doubles_step_and_press_on_pays():
    t = Table([unit()], hexes={"black": [(7, 7)]}, pool=9)
    assert t.step("a1", (7, 9)) is None
    assert t.step("a1", (7, 8)) is None
    assert t.step("a1", (7, 7)) == "not-enough-sm"
    t.do(press_on, 0)
    assert t.step("a1", (7, 7)) is None
    assert (t["a1"].pool, sum(event.number("cost") for event in t.events_of("unit-stepped"))) == (7, 4)


@pytest.mark.rule("HX-070", "HX-071", "HX-096")
def test_x28_thrusters_stop_before_enemy_and_forfeit_combat():
    t = Table([unit("wisp")], [foe()], pool=8)
    t.run(thrust, 0, 0, 6)
    assert (t.hex_of("a1"), len(t.events_of("unit-stepped"))) == ((7, 7), 3)
    assert [t.ask(attack_refusal, 0, slot, 1, c.TORSO) for slot in range(2)] == ["phase-forfeited"] * 2


@pytest.mark.rule("HX-134", "HX-143")
@pytest.mark.parametrize(("entered", "tan", "face", "over"), [(2, 2, 4, 1), (2, 2, 5, 0), (0, 0, 2, 1), (0, 0, 3, 0)])
def test_x29_x30_tan_hexes_overheat(entered, tan, face, over):
    t = Table([unit()], hexes={"tan": [(7, 10)]})
    t["a1"].entered, t["a1"].tan = entered, tan
    t.run(roll_hazards, 0, dice=[face])
    assert (t["a1"].kneeling, t["a1"].done) == (over, over)


@pytest.mark.rule("HX-134", "HX-143", "HX-145")
def test_coolant_loop_and_winter_joints_spare_the_hazard_dice():
    t = Table([unit(coolant=1, winter=1)])
    t["a1"].entered = t["a1"].tan = t["a1"].white = 3
    t.run(roll_hazards, 0, dice=[])
    assert (t["a1"].kneeling, t["a1"].frozen, t["a1"].done) == (0, 0, 0)


@pytest.mark.rule("HX-145", "HX-133")
def test_x31_white_hexes_freeze_by_chosen_house_rule():
    for options, expected in (({}, [0, 1, 1]), ({"freeze_roll": "at-or-under"}, [1, 1, 0])):
        found = []
        for face in (5, 6, 7):
            t = Table([unit(entered=3)], **options)
            t["a1"].entered, t["a1"].white = 3, 3
            t.run(roll_hazards, 0, dice=[face])
            assert is_frozen_by(t.state, face, 6) == bool(t["a1"].frozen)
            found.append(t["a1"].frozen)
        assert found == expected


@pytest.mark.rule("HX-113", "HX-114", "HX-A17")
def test_x32_lost_legs_slow_and_hamper():
    t = Table([unit()])
    found = []
    for leg in (c.LEG_L, c.LEG_R):
        hurt_area(t.state, 0, leg, 99, c.NOBODY, c.BY_ATTACK, t.log)
        found.append((sm_now(t.state, 0), asl_now(t.state, 0), eva_now(t.state, 0)))
    assert found == [(2, 7, 8), (1, 7, 8)]


@pytest.mark.rule("HX-110")
@pytest.mark.parametrize(("traits", "acc"), [([], 6), (["ironside"], 4)])
def test_x33_lost_head_worsens_aim(traits, acc):
    t = Table([unit(example("warden", traits=traits))])
    hurt_area(t.state, 0, c.HEAD, 99, c.NOBODY, c.BY_ATTACK, t.log)
    assert acc_now(t.state, 0) == acc


@pytest.mark.rule("HX-093", "HX-111")
def test_x34_damage_beyond_area_is_lost():
    t = Table([unit()], [foe()])
    t.set_dp("b1", c.TORSO, 3)
    hurt(t.state, 1, c.TORSO, 4, 0, c.BY_ATTACK, t.log)
    assert (t.dp("b1"), t["b1"].status, t["b1"].damage, t["a1"].kills) == (0, c.DESTROYED, 3, 1)


@pytest.mark.rule("HX-118", "HX-120")
def test_x35_mounted_weapon_damages_its_area():
    t = Table([unit()], [foe("kestrel", level=1)])
    hurt(t.state, 1, c.WEAPONS, 4, 0, c.BY_ATTACK, t.log)
    assert (t.weapon("b1", 0).dp, t.dp("b1", c.ARM_L), t.dp("b1", c.ARM_R)) == (0, 0, 3)
    assert t["a1"].items_destroyed == 1


@pytest.mark.rule("HX-122", "HX-124", "HX-125", "HX-126", "HX-127")
def test_x36_winner_throws_unit():
    t = Table([unit("mauler", (7, 7))], [foe("longbow")], pool=9)
    t["a1"].phase = c.CLOSE
    assert t.run(contest, 0, 1, dice=[4, 7, 2, 5]) == c.WIN
    limit = t["a1"].klass + d4(6)
    assert limit == 6
    assert t.ask(landing_refusal, 0, 1, number((7, 1)), limit) is None
    t.do(throw, 0, 1, number((7, 1)))
    assert (t.hex_of("b1"), t["b1"].facing, t["b1"].down, t.dp("b1")) == ((7, 1), 3, 1, 7)
    assert (t.hex_of("a1"), t["a1"].facing, t["a1"].pool) == ((7, 6), 0, 5)


@pytest.mark.rule("HX-126")
@pytest.mark.parametrize(
    ("to", "refusal"),
    [((6, 0), "out-of-range"), ((7, 9), "not-in-fov"), ((7, 3), "hex-occupied"), ((7, 4), "red-hex"), ((7, 2), None)],
)
def test_x37_throw_needs_legal_landing_hex(to, refusal):
    t = Table([unit("mauler", (7, 7))], [foe("longbow"), foe("wisp", (7, 3))], hexes={"red": [(7, 4)]})
    assert t.ask(landing_refusal, 0, 1, number(to), 6) == refusal


@pytest.mark.rule("HX-015", "HX-121", "HX-123")
def test_x38_grapple_is_refused():
    def grapple_table(design, **more):
        t = Table([unit(design, (7, 7))], [foe(**more)], pool=9)
        return t

    vehicle = grapple_table("badger")
    vehicle["a1"].phase = c.CLOSE
    assert vehicle.ask(grapple_refusal, 0, 1) == "grapple-no-hands"
    early = grapple_table("warden")
    early["a1"].phase = c.RANGED
    assert early.ask(grapple_refusal, 0, 1) == "grapple-wrong-phase"
    broken = grapple_table("mauler")
    broken["a1"].phase = c.CLOSE
    assert broken.run(contest, 0, 1, dice=[1, 8]) == c.BROKEN_CONTACT
    assert broken.ask(grapple_refusal, 0, 1) == "grapple-ended"
    above = grapple_table("mauler", level=1)
    above["a1"].phase = c.CLOSE
    assert above.ask(grapple_refusal, 0, 1) == "out-of-range"


@pytest.mark.rule("HX-101", "HX-128", "HX-130", "HX-A36")
def test_x39_held_unit_breaks_free_behind():
    t = Table([unit("mauler", (7, 6))], [foe()])
    t["a1"].holds, t["b1"].held_by = 1, 0
    t.do(roll_pool, 1, 5)
    pools = [t["b1"].pool]
    for face in (3, 6):
        t.run(break_grapple, 1, dice=[face])
        pools.append(t["b1"].pool)
    assert pools == [9, 7, 5]
    assert [event.result["made"] for event in t.events_of("break-rolled")] == [False, True]
    assert (t.hex_of("b1"), t["b1"].held_by, t["a1"].holds) == ((7, 5), c.NOBODY, c.NOBODY)


@pytest.mark.rule("HX-108")
def test_x40_shield_takes_damage_until_destroyed():
    t = Table([unit()], [foe()])
    t["b1"].pool = 2
    t.do(take_cover, 1, c.SHIELD_COVER)
    found = []
    for amount in (6, 6, 4):
        hurt(t.state, 1, c.TORSO, amount, 0, c.BY_ATTACK, t.log)
        found.append((t["b1"].shield, t["b1"].cover, t.dp("b1")))
    assert found == [(4, c.SHIELD_COVER, 18), (0, c.NO_COVER, 18), (0, c.NO_COVER, 14)]


@pytest.mark.rule("HX-107", "HX-A52")
def test_x41_offensive_stance_gives_one_attack():
    t = Table([unit("wisp", (7, 10))], [foe("longbow", (7, 3))], pool=8)
    t["b1"].pool = 7
    assert t.ask(watch_refusal, 1, 0) is None
    t.do(watch, 1, 0)
    assert (t["b1"].pool, t["b1"].watch) == (0, 0)
    assert t.step("a1", (7, 9), dice=[1]) is None
    assert t.step("a1", (7, 8)) is None
    assert len(t.events_of("attack-rolled")) == 1


@pytest.mark.rule("HX-148", "HX-150", "HX-152")
def test_x42_building_collapses():
    t = Table([unit()], [foe(at=(7, 5))], buildings={(7, 7): 5}, pool=6)
    damage = []
    for face in (3, 8):
        t.run(attack_building, 0, RIFLE, number((7, 7)), dice=[face])
        damage.append(t.events_of("building-attacked")[-1].result["amount"])
    there = t.state.hexes[number((7, 7))]
    assert (damage, there.dp, there.colour, t.dp("b1")) == ([4, 6], 0, c.BLACK, 18)


@pytest.mark.rule("HX-114", "HX-162")
def test_x43_vehicle_without_wings_falls():
    t = Table([unit()], [foe("kestrel", level=1)])
    for wing in (c.LEG_L, c.LEG_R):
        hurt(t.state, 1, wing, 3, 0, c.BY_ATTACK, t.log)
    assert (t.dp("b1"), t["b1"].level, t["b1"].flight_lost, sm_now(t.state, 1)) == (6, 0, 1, 1)
    assert (eva_now(t.state, 1), asl_now(t.state, 1)) == (6, 10)
    mech = Table([unit(level=2)])
    mech.do(fall, 0, c.NOBODY)
    assert (mech.dp("a1", c.LEG_L), mech.dp("a1", c.LEG_R), mech["a1"].level) == (0, 0, 0)


def helpless():
    """Return a table with a vehicle whose only weapons are gone."""
    t = Table([unit("starling"), unit("trooper", (1, 12))], [foe()])
    for slot in range(2):
        t.weapon("a1", slot).dp = 0
    return t


@pytest.mark.rule("HX-115", "HX-116", "HX-117", "HX-A16")
def test_x44_dispute_decides_inoperative_unit():
    t = helpless()
    t.run(dispute, 0, dice=[4, 4, 6, 2])
    assert t["a1"].status == c.STANDS
    t.run(dispute, 0, dice=[2, 5])
    assert (t["a1"].status, t.battle.over) == (c.INOPERATIVE, 0)


@pytest.mark.rule("HX-167", "HX-168")
def test_x45_tie_at_seven_plays_on():
    a = [unit("trooper", at) for at in ((7, 11), (7, 12), (7, 6))]
    b = [foe("trooper", at) for at in ((6, 12), (8, 6), (7, 0))]
    t = Table(a, b, mission="domination")
    for at in ((7, 12), (7, 6), (7, 0)):
        t.do(place_objective, number(at), 0)
    for side in t.state.sides:
        side.points = 6
    t.do(score_objectives)
    assert ([side.points for side in t.state.sides], t.battle.over) == ([7, 7], 0)


@pytest.mark.rule("HX-169")
def test_x46_class_5_cannot_be_marked():
    t = Table([unit()], [foe("bastion")], mission="assassination")
    assert t.ask(mark_refusal, 1) == "assassin-class-5"
    assert t.ask(mark_refusal, 0) is None


@pytest.mark.rule("HX-166")
def test_x47_objective_needs_legal_hex():
    t = Table([unit()], mission="domination")
    t.do(place_objective, number((7, 12)), 0)
    found = [t.ask(objective_refusal, number(at)) for at in ((7, 7), (5, 0), (7, 3), (7, 6))]
    assert found == ["objective-too-close", "objective-zone", "objective-blocks", None]


@pytest.mark.rule("HX-074", "HX-075", "HX-A06", "HX-A07")
@pytest.mark.parametrize(("buildings", "seen"), [([(7, 5)], True), ([(8, 6)], True), ([(7, 5), (8, 6)], False)])
def test_x48_one_free_line_is_enough(buildings, seen):
    t = Table([unit()], buildings=dict.fromkeys(buildings, 4))
    assert (sight(t.state, number((7, 6)), 0, number((8, 5)), 0, 0) >= 0) == seen
    blocked = [line_of(t.state, number((7, 6)), 0, number((8, 5)), 0, lean, 0) < 0 for lean in (1, -1)]
    assert blocked == [(8, 6) in buildings, (7, 5) in buildings]


@pytest.mark.rule("HX-075", "HX-151")
@pytest.mark.parametrize(("floors", "seen"), [(4, True), (6, False)])
def test_x49_unit_sees_over_low_building(floors, seen):
    t = Table([unit()], buildings={(7, 7): floors})
    assert (sight(t.state, number((7, 10)), 1, number((7, 4)), 0, 0) >= 0) == seen


@pytest.mark.rule("HX-147", "HX-014", "HX-A51")
def test_x50_deep_water_damages_units_that_cannot_swim():
    kit = example("warden", systems=["marine-kit"])
    t = Table(
        [unit(at=(3, 3)), unit(kit, (4, 3)), unit("comet", (5, 3), form=c.AERIAL)],
        hexes={"dark-blue": [(3, 3), (4, 3), (5, 3)]},
    )
    t["a3"].level = 1
    for at in range(3):
        t.do(suffer_abyss, at)
    assert [t.dp(key) for key in ("a1", "a2", "a3")] == [8, 18, 13]


@pytest.mark.rule("HX-086", "HX-105", "HX-106")
def test_x51_kneeling_and_prone_change_aim():
    t = Table([unit("longbow")], pool=9)
    assert t.ask(prone_refusal, 0) == "must-kneel"
    assert t.ask(kneel_refusal, 0) is None
    t.do(kneel, 0)
    assert position_bonus(t.state, 0) - 2 == -1
    assert t.ask(kneel_refusal, 0) == "once-per-turn"
    assert t.ask(prone_refusal, 0) is None
    t.do(go_prone, 0)
    assert (position_bonus(t.state, 0) - 2, can_evade(t["a1"])) == (1, False)


FOUR_DRONES = {"core": "standard", "drones": ["gun-drone"] * 4, "royroy": 1}


@pytest.mark.rule("HX-023", "HX-025")
def test_x52_at_most_three_drones_are_active():
    t = Table([unit(FOUR_DRONES)], pool=9)
    for at in range(3):
        assert t.ask(deploy_refusal, 0, at, number((7, 9))) is None
        t.do(place_drone, 0, at, number((7, 9)))
    assert t.ask(deploy_refusal, 0, 3, number((7, 9))) == "drone-limit"


@pytest.mark.rule("HX-029", "HX-030", "HX-031")
def test_x53_thinking_drone_attacks_for_free():
    t = Table([unit("shepherd", (7, 10))], [foe()], pool=5)
    t.do(place_drone, 0, 0, number((7, 9)))
    assert t.ask(drone_refusal, 0, 1) is None
    t.run(attack_with_drone, 0, 1, dice=[6, 4, 8])
    assert (t["a1"].pool, t.dp("b1")) == (5, 13)
    assert t.ask(drone_refusal, 0, 1) == "once-per-turn"


@pytest.mark.rule("HX-103")
def test_x54_pick_up_needs_free_hand():
    t = Table([unit(), unit("trooper", (7, 10))], pool=4)
    t.weapon("a2", 0).place, t.weapon("a2", 0).at = c.LYING, number((7, 10))
    assert t.ask(retrieve_refusal, 0, 1, 0) == "no-free-hand"


@pytest.mark.rule("HX-088", "HX-A22", "HX-A23", "HX-A24", "HX-A25")
def test_x55_listed_pair_has_expected_value():
    t = Table([unit()], [foe()], pool=10)
    look_at_enemies(t.state, 0)
    ready_weapons(t.state, 0)
    count = list_pairs(t.state, 0, t["a1"].at, 0)
    pair = t.state.pairs[0]
    assert (count, pair.worth, pair.damage, pair.vital) == (1, 2 * 952, 4, 18)
    value = best_pair_value(t.state, count, 0, 10)
    assert value // (1 << 44) == 0
    assert value // (1 << 20) % (1 << 24) == 5712


def play_battle(a, b, doctrines, terrain, tape):
    """Return the state after a whole battle on a tape whose dice are all used."""
    from systems.hex_core.battle import SYSTEM

    dice = ScriptedDice(tape)
    state = SYSTEM.prepare(setup(a, b, doctrines=doctrines, terrain=terrain))
    SYSTEM.fight(state, dice, [])
    assert dice.faces == []
    return state


@pytest.mark.rule("HX-032", "HX-033", "HX-034", "HX-035", "HX-058", "HX-060", "HX-062", "HX-063", "HX-078", "HX-164")
def test_x62_whole_battle_on_open_plain():
    tape = [7, 1, 3, 8, 2, 1, 2, 3, 8, 1, 6, 8, 4, 5, 2, 4, 4, 4, 8]
    s = play_battle(["warden"], ["warden"], ("aggressive", "aggressive"), "open-plain", tape)
    assert (s.battle.winner, s.battle.reason, s.battle.round) == (c.SIDE_A, c.ELIMINATED, 2)
    assert (place(s.units[0].at), s.units[0].facing, s.areas[c.TORSO].dp) == ((7, 4), 1, 14)
    assert s.units[1].status == c.DESTROYED


@pytest.mark.rule("HX-080", "HX-081", "HX-094", "HX-095", "HX-098")
@pytest.mark.rule("HX-A12", "HX-A15", "HX-A35", "HX-A41", "HX-A46", "HX-A49", "HX-A54", "HX-A57", "HX-A58")
def test_x63_whole_battle_in_broken_town():
    tape = [6, 4, 4, 7, 7, 8, 7, 3, 1, 6, 7, 3, 2, 2, 1, 4, 6, 4, 7, 3, 5, 7, 6, 8, 7, 2, 2, 1, 6, 3, 2, 7, 8, 7, 3]
    s = play_battle(
        ["mauler", "wisp"], ["longbow", "trooper"], ("aggressive", "cautious"), "broken-town", [*tape, 5, 7]
    )
    mauler, wisp, longbow, trooper = s.units
    assert (s.battle.winner, s.battle.round) == (c.SIDE_A, 4)
    assert (place(mauler.at), mauler.facing, s.areas[c.TORSO].dp, mauler.shield) == ((8, 3), 1, 12, 6)
    assert [each.status for each in (wisp, longbow, trooper)] == [c.DESTROYED] * 3
    assert [each.kill_classes for each in s.units] == [3 + 1, 0, 2, 0]
    assert mauler.items_destroyed == 1


def test_every_refusal_has_a_slug():
    codes = [value for name, value in vars(c).items() if name.isupper() and name in REFUSED]
    assert sorted(REFUSALS) == [0, *sorted(codes)]


REFUSED = {
    *[
        "NOT_FRONT_HEX",
        "NOT_ADJACENT",
        "OFF_BOARD",
        "RED_HEX",
        "IS_BUILDING",
        "GREEN_VEHICLE",
        "HEX_OCCUPIED",
        "NO_ELEVATION",
    ],
    *[
        "NOT_ENOUGH_SM",
        "NOT_IN_FOV",
        "OUT_OF_RANGE",
        "NO_LOS",
        "AREA_DESTROYED",
        "NOT_ENOUGH_AP",
        "PHASE_PASSED",
        "PHASE_FORFEITED",
    ],
    *["ALREADY_ACTED", "MUST_KNEEL", "ONCE_PER_TURN", "DRONE_LIMIT", "CANNOT_ACT", "NO_FREE_HAND", "NOT_SAME_HEX"],
    *[
        "GRAPPLE_NO_HANDS",
        "GRAPPLE_WRONG_PHASE",
        "GRAPPLE_ENDED",
        "OBJECTIVE_TOO_CLOSE",
        "OBJECTIVE_ZONE",
        "OBJECTIVE_BLOCKS",
    ],
    *["ASSASSIN_CLASS_5", "WEAPON_NOT_READY", "NOT_ALLOWED"],
}
