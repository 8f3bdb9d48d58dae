"""Shooting, dodging, flak and smoke of Blazing Steel. BS-050, BS-072 to BS-077, BS-090 to BS-146, BS-171 to BS-176."""

from __future__ import annotations

import pytest

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.events import FACTS

from .tables import NORTH, Table, block, foe, parts_of, shot, tn, unit, woods

TARGETING = 1 << c.CRIPPLED_TARGETING
GUNS = {
    "chassis": "heavy",
    "locomotion": "tracked",
    "l1": "railgun",
    "l2": "howitzer",
    "r1": "rocket-pod",
    "c1": "auto-cannon",
}
MISSILES = {"chassis": "medium", "locomotion": "tracked", "l1": "missile-launcher", "r1": "howitzer"}
CAMO = {"chassis": "medium", "locomotion": "tracked", "l1": "laser", "p1": "optical-camo"}
JETS = {"chassis": "light", "locomotion": "tracked", "p1": "booster-jets"}


def sentence_of(event):
    """Return the sentence of the event."""
    return FACTS.sentence(event, {"weapon": "gun"}, {"a1": "A1", "b1": "B1"}, ("Red", "Blue"))


@pytest.mark.rule("BS-050", "BS-113")
def test_shot_uses_a_charge_and_needs_one():
    table = Table([unit("hawker")], [foe("colossus")])
    for left in (2, 1, 0):
        shot(table, [6, 6, 2, 3], "l1")
        assert table.weapon("a1", "l1").ammo == left
        table.next_action()
    assert table.order("a", "shoot", "b1", "l1") == "no-ammo"
    for _ in range(5):
        assert table.order("a", "shoot", "b1", "r1") is None
        table.resolve([6, 6, 2, 3])
        table.next_action()


@pytest.mark.rule("BS-050", "BS-110")
def test_destroyed_or_missing_weapon_does_not_fire():
    table = Table([unit("hawker")], [foe()])
    table.weapon("a1", "r1").lost = 1
    assert table.order("a", "shoot", "b1", "r1") == "weapon-destroyed"
    assert table.order("a", "shoot", "b1", "l2") == "weapon-destroyed"
    assert Table([unit("mantis")], [foe()]).order("a", "shoot", "b1", "l1") == "weapon-destroyed"


@pytest.mark.rule("BS-072", "BS-073")
@pytest.mark.parametrize(
    ("x", "y", "free"),
    [(24, 20, ["l1", "l2", "r1", "c1"]), (14, 12, ["l1", "l2"]), (34, 12, ["r1"]), (24, 2, [])],
)
def test_mounts_limit_firing_arcs(x, y, free):
    table = Table([unit(GUNS)], [foe("hawker", x=x, y=y)])
    assert [slot for slot in ("l1", "l2", "r1", "c1") if table.order("a", "shoot", "b1", slot) is None] == free


@pytest.mark.rule("BS-073")
def test_house_rule_makes_second_l_a_shoulder():
    table = Table([unit(GUNS)], [foe("hawker", x=34, y=12)], second_l="shoulder")
    assert [table.order("a", "shoot", "b1", slot) for slot in ("l1", "l2")] == ["arc", None]


@pytest.mark.rule("BS-075", "BS-077", "BS-110")
def test_only_indirect_weapons_fire_without_sight():
    table = Table([unit(GUNS), unit("darter", x=34, y=16)], [foe("hawker", y=24)], terrain=[block(24, 16)])
    assert table.order("a", "shoot", "b1", "l1") == "no-line-of-sight"
    assert table.order("a", "shoot", "b1", "l2") is None
    table["a2"].x = 44.0
    assert table.order("a", "shoot", "b1", "l2") == "no-line-of-sight"


@pytest.mark.rule("BS-076", "BS-077", "BS-110", "BS-130")
def test_guided_weapons_need_a_spotted_target():
    table = Table([unit(MISSILES), unit("darter", x=40)], [foe("hawker", y=30)])
    assert table.order("a", "shoot", "b1", "l1") == "not-spotted"
    table["a2"].x, table["a2"].y = 30.0, 22.0
    assert table.order("a", "shoot", "b1", "l1") is None
    alone = Table([unit(MISSILES)], [foe("hawker", y=24)])
    assert alone.order("a", "shoot", "b1", "l1") is None


@pytest.mark.rule("BS-111")
@pytest.mark.parametrize(("distance", "expected"), [(30, 6), (30.01, 5), (34, 5)])
def test_ideal_range_is_no_limit(distance, expected):
    table = Table([unit("hawker", y=2)], [foe("hawker", y=4 + distance)])
    assert tn(table, [6, 6, 2, 3] if expected == 6 else [5, 5, 2, 3]) == expected


@pytest.mark.rule("BS-112", "BS-125")
def test_hits_are_at_most_dice():
    table = shot(Table([unit("hawker")], [foe("colossus")]), [5, 6, 2, 3])
    settled = table.event("attack-settled")
    assert (settled.number("total"), settled.number("hits")) == (7, 2)


@pytest.mark.rule("BS-094")
def test_house_rule_counts_effective_dice_as_hits():
    one = Table([unit("hawker", cripples=TARGETING)], [foe("colossus")], uncontested_hits="effective-dice")
    assert shot(one, [5, 6, 2]).event("attack-settled").number("hits") == 1
    margin = Table([unit("hawker", cripples=TARGETING)], [foe("colossus")])
    assert shot(margin, [5, 6, 2, 3]).event("attack-settled").number("hits") == 2


@pytest.mark.rule("BS-121", "BS-122", "BS-132")
def test_range_and_cover_count_anywhere_on_path():
    """Let a Hawker leave the ideal range in its step, and pass woods that cover it on the way."""
    table = Table([unit("darter", y=2)], [foe("hawker", y=15)], terrain=[woods(31, 13, 3.5)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "sprint") is None
    table.resolve([6, 6, 6, 3, 1], b1=(32, 15))
    assert parts_of(table.event("shot-rolled")) == {"cover": -1}
    table = Table([unit("darter", y=2)], [foe("hawker", y=17)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    table.resolve([6, 6, 6, 3, 1, 2, 3, 4], b1=(24, 13))
    assert parts_of(table.event("shot-rolled")) == {}


@pytest.mark.rule("BS-120", "BS-122", "BS-087")
@pytest.mark.parametrize(("fortified", "expected"), [(0, 5), (1, 4)])
def test_cover_counts_once_or_twice_against_fortified(fortified, expected):
    table = Table([unit("hawker")], [foe("bulwark", y=30, fortified=fortified)], terrain=[woods(24, 20), woods(24, 28)])
    assert tn(table, [expected, expected, 2, 3]) == expected


@pytest.mark.rule("BS-058")
def test_fortified_gives_nothing_in_open():
    assert tn(Table([unit("hawker")], [foe("bulwark", fortified=1)]), [6, 6, 2, 3]) == 6


@pytest.mark.rule("BS-124", "BS-130")
@pytest.mark.parametrize(("slot", "faces"), [("r1", [6, 2, 5]), ("l1", [6, 2, 3, 5])])
def test_indirect_and_guided_weapons_ignore_cover(slot, faces):
    table = Table([unit(MISSILES)], [foe("bulwark", y=22, fortified=1)], terrain=[woods(24, 20)])
    assert tn(table, faces, slot) == 6


@pytest.mark.rule("BS-096", "BS-123")
def test_impact_counts_when_leader_attacks_third_unit():
    table = Table([unit("hawker")], [foe("hawker"), foe("hawker", x=28)])
    assert table.order("a", "shoot", "b2", "r1") is None
    assert table.order("b", "shoot", "a1", "l1") is None
    table.resolve([5, 6, 6, 6, 2, 3, 2, 3])
    assert parts_of(table.event("shot-rolled", "a1")) == {"Impact": -1}
    assert parts_of(table.event("shot-rolled", "b1")) == {}
    assert [table.event("attack-settled", key).number("answer") for key in ("a1", "b1")] == [c.UNANSWERED] * 2


@pytest.mark.rule("BS-123")
def test_house_rule_extends_impact_to_dodge_and_strikes():
    for everywhere, dodge_tn in ((False, 4), (True, 3)):
        table = Table([unit("hawker")], [foe("hawker")], impact_on_all_tns=everywhere)
        assert table.order("a", "shoot", "b1", "l1") is None
        assert table.order("b", "move") is None
        table.resolve([5, 6, 1, 1, 2, 3])
        assert table.event("dodge-rolled").number("tn") == dodge_tn
        fight = Table([unit("hawker", y=18)], [foe("hawker")], impact_on_all_tns=everywhere)
        assert fight.order("a", "shoot", "b1", "l1") is None
        assert fight.order("b", "strike", "a1") is None
        fight.resolve([6, 6, 6, 3, 4])
        assert fight.event("strike-rolled").number("tn") == 5 - everywhere


@pytest.mark.rule("BS-126")
def test_tied_shot_and_strike_both_miss():
    table = Table([unit("hawker", y=18)], [foe("mantis")])
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "strike", "a1") is None
    table.resolve([3, 3, 2, 2, 2])
    assert [table.event("attack-settled", key).number("hits") for key in ("a1", "b1")] == [0, 0]
    assert table.event("attack-settled", "a1").number("total") == 4


@pytest.mark.rule("BS-127")
def test_repeated_energy_weapon_adds_no_heat():
    table = Table([unit("bulwark")], [foe("colossus")])
    for _ in range(2):
        shot(table, [6, 6, 1, 2], "l2")
        table.next_action()
    assert table["a1"].heat_made == 2


@pytest.mark.rule("BS-128")
def test_flak_covers_friends_within_four_inches():
    for x, answer in ((30, c.FLAKKED), (31.1, c.UNANSWERED)):
        table = Table([unit(GUNS)], [foe("bulwark"), foe("hawker", x=x)])
        assert table.order("a", "shoot", "b2", "r1") is None
        assert table.order("b", "flak") is None
        table.resolve([6, 6, 5, 1, 2, 4, 5] if answer == c.FLAKKED else [6, 6, 1, 2, 4, 5])
        assert table.event("attack-settled").number("answer") == answer


@pytest.mark.rule("BS-128", "BS-129")
def test_flak_rolls_per_weapon_despite_other_shots():
    table = Table([unit("hawker")], [foe("bulwark")])
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "flak") is None
    assert "flak-rolled" not in table.resolve([6, 6, 5, 6]).kinds()
    flak = {"chassis": "medium", "locomotion": "tracked", **dict.fromkeys(("l1", "r1", "c1"), "submunition-launcher")}
    table = Table([unit(GUNS)], [foe(flak)])
    table.weapon("b1", "c1").lost = 1
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "flak") is None
    assert table.resolve([6, 6, 5, 5, 2, 4]).event("flak-rolled").faces == (5, 5)
    assert table.weapon("b1", "l1").ammo == 0
    assert table.weapon("b1", "l1").limited == 0


@pytest.mark.rule("BS-130")
def test_guided_weapon_is_not_dodged_and_costs_no_die():
    table = Table([unit(MISSILES)], [foe("hawker")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    table.resolve([6, 2, 3, 4])
    assert "dodge-rolled" not in table.kinds()
    assert table["b1"].dodge_dice == 2


@pytest.mark.rule("BS-131")
@pytest.mark.parametrize(("heat", "dice"), [(31, [2, 3]), (32, [2, 3, 4]), (33, [2, 3, 4])])
def test_overcharge_needs_heat_die_at_six(heat, dice):
    table = shot(Table([unit("bulwark", heat=heat)], [foe("colossus")]), [6, *dice], "l1")
    assert table.event("damage-rolled").faces == tuple(dice)
    overcharged = [(each.rule, sentence_of(each)) for each in table.events if each.kind == "overcharge-used"]
    words = "A1’s gun is overcharged by a heat die at 6: each hit does 1 more damage."
    assert overcharged == ([("BS-131", words)] if heat > 31 else [])


@pytest.mark.rule("BS-095")
def test_target_numbers_have_no_floor():
    table = Table([unit("hawker", y=2, cripples=TARGETING)], [foe(CAMO, y=44, fortified=1)], terrain=[woods(24, 30)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "shoot", "a1", "l1") is None
    table.weapon("b1", "l1").impact = 2
    table.resolve([1, 1, 2, 2, 3, 4])
    assert table.event("shot-rolled", "a1").number("tn") == -2
    assert table.event("attack-settled", "a1").number("total") == 0


@pytest.mark.rule("BS-140", "BS-145")
def test_only_moving_units_dodge_and_may_decline():
    for action, declines, dodges in (("move", 0, True), ("reload", 0, False), ("sprint", 1, False)):
        table = Table([unit("hawker")], [foe("hawker")])
        assert table.order("a", "shoot", "b1", "l1") is None
        assert table.order("b", action) is None
        table.state.orders[c.FOLLOW].declines = declines
        table.resolve([5, 6, *((1, 2) if dodges else ()), 2, 3])
        assert ("dodge-rolled" in table.kinds()) is dodges


@pytest.mark.rule("BS-140")
def test_leader_can_dodge():
    table = Table([unit("hawker")], [foe("hawker")])
    assert table.order("a", "move") is None
    assert table.order("b", "shoot", "a1", "l1") is None
    table.resolve([5, 6, 4, 1, 2, 3])
    assert table.event("dodge-rolled").unit == "a1"


@pytest.mark.rule("BS-142")
def test_dodge_dice_matching_attack_dice_are_lost():
    table = Table([unit("darter")], [foe("hawker")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    table.resolve([6, 2, 2, 6, 2, 3, 4, 5])
    assert table.event("dodge-rolled").number("lost") == 2
    assert table["b1"].dodge_dice == 0
    table.next_action()
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    assert table.resolve([1, 2, 3, 3, 4, 5]).event("attack-settled").number("answer") == c.UNANSWERED


@pytest.mark.rule("BS-140", "BS-142")
@pytest.mark.parametrize(
    ("attack", "lost", "words"),
    [
        ((1, 2), 0, "total 7."),
        ((6, 1), 1, "total 7; 1 dodge die is lost for the round, 1 left."),
        ((6, 5), 2, "total 7; 2 dodge dice are lost for the round, none left."),
    ],
)
def test_dodge_sentence_counts_lost_and_remaining_dice(attack, lost, words):
    table = Table([unit("hawker")], [foe("skimmer")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    dodge = table.resolve([*attack, 6, 5]).event("dodge-rolled")
    assert (dodge.rule, dodge.number("lost"), dodge.number("left")) == ("BS-140", lost, 2 - lost)
    assert sentence_of(dodge).startswith("B1 dodges A1: TN ")
    assert sentence_of(dodge).endswith(words)


@pytest.mark.rule("BS-144", "BS-173")
def test_booster_jets_add_a_die_to_jump_dodge():
    table = Table([unit("hawker")], [foe(JETS)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "jump") is None
    table.resolve([1, 2, 3, 4, 2], b1=(24, 24))
    assert table.event("dodge-rolled").faces == (3, 4, 2)
    assert table["b1"].dodge_dice == 2
    other = Table([unit("hawker")], [foe(JETS, peripheral_lost=1)])
    assert other.order("a", "shoot", "b1", "l1") is None
    assert other.order("b", "jump") is None
    assert len(other.resolve([1, 2, 3, 4], b1=(24, 23)).event("dodge-rolled").faces) == 2


@pytest.mark.rule("BS-011", "BS-146", "BS-172")
@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ({}, 6),
        ({"peripheral_lost": 1}, 5),
        ({"cripples": 1 << 3}, 5),
        ({"cripples": 1 << 3 | 1 << 4, "peripheral_lost": 1}, 3),
    ],
)
def test_dodge_value_depends_on_damage(own, expected):
    table = Table([unit("hawker")], [foe("skimmer", **own)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    table.resolve([6, 6, 6, 6, *((1, 2) if expected < 6 else ())])
    assert table.event("dodge-rolled").number("tn") == expected


@pytest.mark.rule("BS-171")
def test_scope_gives_one_point_back_to_other_units_only():
    far = [unit("hawker", y=2), unit("darter", x=30, y=30), unit("darter", x=18, y=30)]
    table = Table(far, [foe("hawker", y=36)])
    assert parts_of(shot(table, [6, 6, 2, 3]).event("shot-rolled")) == {"beyond ideal range": -1, "Targeting Scope": 1}
    own = {"chassis": "medium", "locomotion": "tracked", "l1": "rotary-cannon", "p1": "targeting-scope"}
    table = Table([unit(own)], [foe("hawker", y=22)], terrain=[woods(24, 18)])
    assert parts_of(shot(table, [5, 5, 5, 4, 5, 2], "l1").event("shot-rolled")) == {"cover": -1}
    near = Table([unit("hawker"), unit("darter", x=30)], [foe("hawker", y=16)])
    assert parts_of(shot(near, [6, 6, 2, 3]).event("shot-rolled")) == {}


@pytest.mark.rule("BS-176")
@pytest.mark.parametrize(
    ("own", "expected"), [({}, 4), ({"heat": 1}, 6), ({"heat_made": 1}, 4), ({"peripheral_lost": 1}, 6)]
)
def test_camo_works_only_without_heat_dice(own, expected):
    table = Table([unit("hawker")], [foe(CAMO, **own)])
    assert tn(table, [4, 4, 2, 3]) == expected


@pytest.mark.rule("BS-175")
def test_smoke_rerolls_effective_dice_until_turn_ends():
    table = Table([unit("hawker"), unit("hawker", x=28)], [foe("colossus")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "smoke") is None
    table.resolve([6, 6, 1, 1, 2, 3])
    assert table.event("smoke-rerolled").faces == (1, 1)
    table.next_action()
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.resolve([6, 6, 2, 2, 2, 3]).event("smoke-rerolled").number("total") == 3
    assert table["b1"].used == 1


@pytest.mark.rule("BS-154")
def test_targeting_cripple_lowers_shots_and_strikes():
    assert tn(Table([unit("hawker", cripples=TARGETING)], [foe("hawker")]), [5, 5, 2, 3]) == 5
    table = Table([unit("mantis", y=18, cripples=TARGETING)], [foe("hawker")])
    assert table.order("a", "strike", "b1") is None
    table.resolve([6, 6, 6])
    assert table.event("strike-rolled").number("tn") == 5


@pytest.mark.rule("BS-090")
def test_mutual_attacks_are_one_engagement():
    table = Table([unit("hawker")], [foe("hawker", face=NORTH)])
    assert table.order("b", "shoot", "a1", "r1") == "arc"
    table["b1"].face_y = -1.0
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "shoot", "a1", "r1") is None
    table.resolve([6, 6, 1, 2, 4, 5])
    assert [table.event("attack-settled", key).number("answer") for key in ("a1", "b1")] == [c.ENGAGED] * 2
