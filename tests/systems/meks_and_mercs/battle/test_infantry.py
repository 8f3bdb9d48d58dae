"""Infantry strongpoints: MM-063 to MM-065."""

import pytest

from systems.meks_and_mercs.battle.play import plan, roll_fire
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.state import BY_MORALE, LONG, MEDIUM, NOBODY, SHORT

from .states import (
    COMMANDOS,
    INFANTRY,
    battle,
    duel,
    fired,
    kinds,
    meet,
    mek,
    modifiers,
    only,
    planned,
    play,
    sight,
    support,
)

TITAN = mek("titan")


def against_infantry(unit, band=SHORT, **conditions):
    state = duel(unit, INFANTRY, band, **conditions)
    state.units[1].detected = 1
    return state


def kills(state, *faces, slot=0, gunnery=0):
    return [event.result["kills"] for event in fired(state, *faces, slot=slot, gunnery=gunnery)]


@pytest.mark.rule("MM-063")  # MM-D54
@pytest.mark.parametrize(("face", "hit"), [(4, True), (5, False)])
def test_strongpoint_hits_below_armor_number(face, hit):
    state = duel(mek("light"), INFANTRY)
    plan(state, [])
    assert only(play(roll_fire, state, [face]), "infantry-attacked").result["hit"] is hit


@pytest.mark.rule("MM-063")  # MM-D54
def test_strongpoint_hit_skips_save_and_checks_critical():
    state = duel(mek("light"), INFANTRY)
    plan(state, [])
    play(roll_fire, state, [1])
    assert kinds(play(apply_damage, state, [1])) == ["hit-taken", "critical-checked"]


@pytest.mark.rule("MM-063")
@pytest.mark.parametrize(("band", "attacks"), [(SHORT, 1), (MEDIUM, 0), (LONG, 0)])
def test_a_strongpoint_attacks_one_unit_at_short(band, attacks):
    state = meet(battle([mek("light"), mek("light")], [INFANTRY]), band)
    plan(state, [])
    assert state.units[2].firings == attacks


@pytest.mark.rule("MM-063")  # MM-D54
def test_strongpoint_attack_has_no_modifiers():
    state = duel(mek("light", systems=["jammer"]), INFANTRY, terrain="urban")
    plan(state, [])
    assert modifiers(only(play(roll_fire, state, [4]), "infantry-attacked")) == {}
    assert state.battle.shots == 1


@pytest.mark.rule("MM-A30")
def test_strongpoint_attacks_unit_with_largest_share_of_damage():
    attackers = [TITAN, mek("medium"), mek("light", hits=1), mek("light", ["cannon"], hits=1), COMMANDOS]
    state = meet(battle(attackers, [INFANTRY]), SHORT)
    plan(state, [])
    assert planned(state, 5) == [(NOBODY, 3)]  # (5 - 1) / 1 twice: the dearer one


@pytest.mark.rule("MM-A30")
def test_strongpoint_attacks_first_of_equal_vehicles():
    state = meet(battle([support("apc"), support("apc")], [INFANTRY]), SHORT)
    plan(state, [])
    assert planned(state, 2) == [(NOBODY, 0)]


@pytest.mark.rule("MM-064")
@pytest.mark.parametrize(
    ("weapon", "kills_by_face"),
    [
        ("ciws", [1, 2, 3, 4, 5, 6]),
        ("grenade-launcher", [1, 2, 3, 4, 5, 6]),
        ("cannon", [0, 0, 1, 1, 2, 2]),
        ("missile", [0, 0, 0, 1, 1, 1]),
    ],
)
def test_die_kills_by_infantry_table(weapon, kills_by_face):
    weapons = ["ciws", "ciws"] if weapon == "ciws" else [weapon]
    for face, expected in enumerate(kills_by_face, start=1):
        assert kills(against_infantry(mek("heavy", weapons)), face) == [expected]


@pytest.mark.rule("MM-064")
def test_a_minigun_adds_two_dice():
    assert kills(against_infantry(mek("heavy", ["minigun"])), 3, 4) == [7]


@pytest.mark.rule("MM-064")
@pytest.mark.parametrize(("weapon", "expected"), [("vulcan-cannon", [1, 2]), ("swarm-missile", [0, 1])])
def test_two_dice_kill_separately(weapon, expected):
    assert kills(against_infantry(mek("heavy", [weapon])), 3, 5) == expected


@pytest.mark.rule("MM-064")
def test_six_pack_rerolls_zero_kills_once():
    state = against_infantry(mek("medium", ["six-pack-missile"]))
    assert kills(state, 3, 4) == [1]
    assert kills(state, 3, 3) == [0]
    assert kills(state, 4) == [1]


@pytest.mark.rule("MM-064")  # MM-D53
def test_lasers_are_not_fired_at_infantry():
    state = against_infantry(mek("heavy", ["laser"]))
    plan(state, [])
    assert state.units[0].firings == 0


@pytest.mark.rule("MM-064")  # MM-D53
def test_terrain_lowers_kills_to_zero_at_least():
    state = against_infantry(mek("heavy", ["minigun", "cannon"]), terrain="urban")
    assert kills(state, 3, 4) == [5]
    assert kills(state, 1, 1) == [0]
    assert kills(state, 4, slot=1) == [0]


@pytest.mark.rule("MM-064")  # MM-D53
def test_terrain_reduces_minigun_once_and_vulcan_per_die():
    state = against_infantry(mek("heavy", ["minigun", "vulcan-cannon"]), terrain="wood")
    assert kills(state, 3, 3) == [5]
    assert kills(state, 3, 3, slot=1) == [0, 0]


@pytest.mark.rule("MM-064", "MM-031")
def test_doubled_terrain_counts_against_infantry():
    state = against_infantry(mek("heavy", ["minigun"]), terrain="wood")
    sight(state, 0, 1).doubled = 1
    assert kills(state, 3, 3) == [4]


@pytest.mark.rule("MM-064", "MM-045")
@pytest.mark.parametrize(("weapon", "face", "expected"), [("grenade-launcher", 3, 3), ("howitzer-cannon", 3, 1)])
def test_grenade_launcher_and_howitzer_ignore_terrain_around_infantry(weapon, face, expected):
    assert kills(against_infantry(mek("heavy", [weapon]), terrain="urban"), face) == [expected]


@pytest.mark.rule("MM-064", "MM-069")
def test_gunnery_shot_has_minus_two_against_infantry():
    state = against_infantry(mek("heavy", ["grenade-launcher", "cannon"]))
    assert kills(state, 5, gunnery=1) == [3]
    assert kills(state, 4, slot=1, gunnery=1) == [0]


@pytest.mark.rule("MM-064")  # MM-D53
def test_aiming_modifiers_do_not_change_kills():
    gunner = mek("light", ["cannon"], ["targeting-array"], level="elite", skills=["accuracy"])
    state = against_infantry(gunner)
    state.units[0].computers = 1
    state.units[1].marked = 1
    (event,) = fired(state, 4)
    assert modifiers(event) == {}
    assert event.result["kills"] == 1
    assert not state.units[0].aim_spent


@pytest.mark.rule("MM-065", "MM-A22")  # MM-D55
@pytest.mark.parametrize(("face", "breaks"), [(3, True), (4, False)])
def test_strongpoint_with_losses_breaks_on_its_kills_or_less(face, breaks):
    state = against_infantry(mek("light", ["cannon"]))
    state.units[1].kills = 1
    state.units[1].round_kills = 2
    rolled = only(play(apply_damage, state, [face]), "morale-rolled")
    assert (rolled.result["kills"], rolled.result["broke"]) == (3, breaks)
    assert state.units[1].present == int(not breaks)


@pytest.mark.rule("MM-065", "MM-A22")
def test_six_kills_remove_strongpoint_without_roll():
    state = against_infantry(mek("light", ["cannon"]))
    state.units[1].kills = 2
    state.units[1].round_kills = 4
    assert kinds(play(apply_damage, state, [])) == ["kills-taken", "unit-destroyed"]
    assert state.units[1].lost_by == BY_MORALE


@pytest.mark.rule("MM-065")
def test_strongpoint_without_losses_rolls_no_morale():
    state = against_infantry(mek("light", ["cannon"]))
    state.units[1].kills = 5
    assert play(apply_damage, state, []) == ()


@pytest.mark.rule("MM-065")
def test_broken_strongpoint_is_no_kill():
    state = against_infantry(mek("light", ["cannon"]))
    state.units[1].round_kills = 6
    assert only(play(apply_damage, state, []), "unit-destroyed").result["by"] is None
    assert state.units[0].scored == 0
