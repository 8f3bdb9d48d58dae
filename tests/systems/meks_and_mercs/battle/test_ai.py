"""What units choose under each AI style: MM-A06, MM-A13, MM-A14, MM-A24 to MM-A36."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.engine.dice import ScriptedDice
from systems.meks_and_mercs.battle.play import change_bands, decide_breaks, plan, roll_movement
from systems.meks_and_mercs.battle.rules import hits_to_go
from systems.meks_and_mercs.battle.rules.firepower import best, fire_worth, weigh_weapons
from systems.meks_and_mercs.battle.rules.zone_combat import end_round, start_round
from systems.meks_and_mercs.battle.state import ICE_MAN, LONG, MEDIUM, RUN, SHORT, WEAPON_SLOTS, WHOLE
from tests.systems.meks_and_mercs.battle.states import (
    COMMANDOS,
    INFANTRY,
    band,
    battle,
    changed,
    critical,
    duel,
    meet,
    mek,
    planned,
    run_step,
    sight,
    support,
)

CAUTIOUS = ("cautious", "aggressive")
TITAN = mek("titan")
HEAVY = mek("heavy")


def worth(state, slot=0, band=SHORT, *, primary=0, planning=0):
    weigh_weapons(state, 0, 1, band, primary, planning, 0)
    return Fraction(state.weapons[slot].expected, WHOLE)


def wants(state, unit=0):
    """Return whether the unit wants to break contact."""
    decide_breaks(state, [])
    return bool(state.units[unit].wants_break)


def jumps(state, unit=0):
    """Return whether the unit uses its jump jets for the movement roll."""
    roll_movement(state, ScriptedDice([1] * 9), [])
    return bool(state.units[unit].jets)


def preferred(state):
    """Return the band that the first of two units moves to with more than twice the other's total."""
    state.units[0].total, state.units[1].total = 9, 4
    run_step(change_bands, state)
    return band(state, 0, 1)


# --- strength and breaking contact ------------------------------------------------------------------------------------


@pytest.mark.rule("MM-A06")
def test_strength_is_points_times_share_of_hits_left():
    own = [mek("titan", hits=2), mek("light"), support("gun-sled"), INFANTRY, COMMANDOS]
    state = meet(battle(own, [TITAN], doctrines=CAUTIOUS))
    state.units[2].hits = 1
    state.units[3].kills = 4

    def stays(strength, enemies):
        """Return whether the sled stays against enemies of this price and Hits.

        Also return by how much they exceed twice our strength.
        """
        state.units[5].price, state.units[5].hits = enemies
        return not wants(state, 2), Fraction(enemies[0] * enemies[1], 6) - 2 * strength

    strength = 12 * Fraction(2, 6) + 4 + 8 * Fraction(1, 3) + 5
    assert stays(strength, (47, 4)) == (True, 0)
    assert stays(strength, (63, 3)) == (False, Fraction(1, 6))
    state.units[1].present = 0
    state.units[3].zone = 1
    strength = 4 + Fraction(8, 3)
    assert stays(strength, (20, 4)) == (True, 0)
    assert stays(strength, (27, 3)) == (False, Fraction(1, 6))


@pytest.mark.rule("MM-A14", "MM-A12")
def test_unit_ordered_to_run_breaks_contact():
    state = duel(mek("heavy", ["ppc"]), TITAN)
    assert not wants(state)
    state.units[0].order = RUN
    assert wants(state)


@pytest.mark.rule("MM-A14")
@pytest.mark.parametrize(("weapons", "expected"), [([], True), (["minigun"], True), (["cannon"], False)])
def test_harmless_unit_breaks_contact(weapons, expected):
    assert wants(duel(mek("heavy", weapons), TITAN, LONG)) is expected


@pytest.mark.rule("MM-A14")
@pytest.mark.parametrize(
    ("chassis", "hits", "expected"),
    [("titan", 3, True), ("titan", 4, False), ("medium", 1, True), ("medium", 2, False), ("light", 1, True)],
)
def test_cautious_mek_at_half_hits_breaks_contact(chassis, hits, expected):
    unit = mek(chassis, ["cannon"], hits=hits)
    assert wants(duel(unit, mek("light", hits=1), doctrines=CAUTIOUS)) is expected
    assert not wants(duel(unit, mek("light", hits=1)))


@pytest.mark.rule("MM-A14")
@pytest.mark.parametrize(("enemies", "expected"), [(2, False), (3, True)])
def test_cautious_unit_outnumbered_two_to_one_breaks_contact(enemies, expected):
    armed = mek("heavy", ["ppc"])
    assert wants(meet(battle([armed], [armed] * enemies, doctrines=CAUTIOUS))) is expected
    assert not wants(meet(battle([armed], [armed] * enemies)))


@pytest.mark.rule("MM-A14")
def test_cautious_vehicle_at_half_hits_stays():
    state = duel(support("gun-sled"), support("apc"), doctrines=CAUTIOUS)
    state.units[0].hits = 1
    assert not wants(state)


JUMPER = mek("medium", ["six-pack-missile", "cannon"], ["jump-jets"])  # rating 4, weapons 3


@pytest.mark.rule("MM-A13")
def test_jets_are_used_when_heat_is_spare():
    assert jumps(duel(mek("medium", ["six-pack-missile"], ["jump-jets"]), TITAN))
    assert not jumps(duel(JUMPER, TITAN))
    assert not jumps(duel(mek("medium", ["six-pack-missile"], ["jump-jets"], carried_heat=1), TITAN))


@pytest.mark.rule("MM-A13")
def test_jets_are_used_to_break_contact():
    state = duel(JUMPER, TITAN)
    state.units[0].wants_break = 1
    assert jumps(state, 0)


@pytest.mark.rule("MM-A13")
def test_jets_are_used_when_no_enemy_can_be_hurt():
    state = meet(battle([JUMPER], [TITAN, JUMPER]), LONG)
    assert jumps(state, 0)
    assert jumps(state, 2)
    state.pairs[1].band = SHORT
    assert not jumps(state, 0)
    assert not jumps(state, 2)


# --- value of fire --------------------------------------------------------------------------------------------------


@pytest.mark.rule("MM-A24")
@pytest.mark.parametrize(
    ("weapon", "target", "band", "expected"),
    [
        ("cannon", HEAVY, SHORT, Fraction(1, 2) * Fraction(1, 3)),
        ("cannon", HEAVY, MEDIUM, 0),
        ("vulcan-cannon", HEAVY, SHORT, 2 * Fraction(1, 2) * Fraction(1, 3)),
        ("twin-laser", HEAVY, SHORT, Fraction(35, 36) * Fraction(1, 3)),
        ("swarm-missile", HEAVY, MEDIUM, 2 * Fraction(2, 3) * Fraction(1, 3)),
        ("laser", mek("heavy", systems=["bpc-armor"]), SHORT, Fraction(5, 6) * Fraction(1, 9)),
        ("missile", mek("heavy", systems=["bpc-armor"]), SHORT, Fraction(2, 3) * Fraction(1, 3)),
        ("hammer-missile", HEAVY, LONG, Fraction(2, 3) * Fraction(1, 2)),
        ("hammer-missile", mek("heavy", systems=["reactive-armor"]), LONG, Fraction(2, 3) * Fraction(1, 4)),
        ("cannon", mek("heavy", systems=["space-lam-armor"]), SHORT, Fraction(1, 2) * Fraction(1, 6)),
        ("ppc", mek("light", systems=["jammer"]), LONG, Fraction(4, 6) * Fraction(4, 6)),
        ("missile", mek("heavy", systems=["point-defense"]), LONG, Fraction(1, 2) * Fraction(1, 3)),
        ("minigun", HEAVY, SHORT, 0),
        ("ppc", support("panzer"), SHORT, Fraction(5, 6) * Fraction(1, 2)),
    ],
)
def test_expected_hits_multiply_dice_and_chances(weapon, target, band, expected):
    assert worth(duel(mek("heavy", [weapon]), target), band=band) == expected


@pytest.mark.rule("MM-A24")
@pytest.mark.parametrize(
    ("weapon", "terrain", "expected"),
    [
        ("grenade-launcher", "plain", Fraction(7, 2)),
        ("grenade-launcher", "urban", Fraction(7, 2)),
        ("minigun", "plain", 7),
        ("minigun", "urban", Fraction(sum(max(0, a + b - 2) for a in range(1, 7) for b in range(1, 7)), 36)),
        ("cannon", "plain", 1),
        ("vulcan-cannon", "wood", 2 * Fraction(4, 6)),
        ("missile", "plain", Fraction(1, 2)),
        ("six-pack-missile", "plain", Fraction(3, 4)),
        ("six-pack-missile", "wood", 1 - Fraction(2, 3) ** 2),
        ("swarm-missile", "plain", 1),
        ("laser", "plain", 0),
    ],
)
def test_expected_kills_are_mean_of_infantry_table(weapon, terrain, expected):
    assert worth(duel(mek("heavy", [weapon]), INFANTRY, terrain=terrain)) == expected


@pytest.mark.rule("MM-A24")
@pytest.mark.parametrize("skill", ["accuracy", "gunnery", "pinpoint-attack", "sharpshooter"])
def test_once_a_round_skills_do_not_change_expected_hits(skill):
    plain, skilled = (duel(mek("light", ["cannon"], skills=skills), HEAVY) for skills in ([], [skill]))
    assert worth(skilled, planning=1) == worth(plain, planning=1)


@pytest.mark.rule("MM-A24")
def test_natural_rolls_change_expected_hits():
    options = {"natural-rolls": "six-hits-one-misses"}
    poor = duel(mek("light", ["cannon"], level="green"), HEAVY, terrain="urban", options=options)
    assert worth(poor) == Fraction(1, 6) * Fraction(1, 3)
    fine = duel(mek("heavy", ["laser"], level="elite"), HEAVY, options=options)
    assert worth(fine) == Fraction(5, 6) * Fraction(1, 3)


@pytest.mark.rule("MM-A24")
def test_only_fire_plan_includes_doubled_terrain_and_commandos():
    state = duel(mek("light", ["cannon"]), HEAVY, terrain="wood")
    sight(state, 0, 1).doubled = 1
    assert [worth(state), worth(state, planning=1)] == [Fraction(2, 18), Fraction(1, 18)]
    state.units[1].marked = 1
    assert [worth(state), worth(state, planning=1)] == [Fraction(2, 18), Fraction(2, 18)]


@pytest.mark.rule("MM-A25")
@given(
    weapons=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=WEAPON_SLOTS), limit=st.integers(-2, 12)
)
def test_best_set_has_most_hits_then_least_heat(weapons, limit):
    state = battle([TITAN], [TITAN])
    state.units[0].arms = len(weapons)
    for slot, (expected, heat) in enumerate(weapons):
        state.weapons[slot].expected, state.weapons[slot].heat = expected, heat
    useful = [slot for slot, (expected, _heat) in enumerate(weapons) if expected]
    sets = [chosen for size in range(len(useful) + 1) for chosen in combinations(useful, size)]
    sums = {chosen: tuple(sum(weapons[slot][part] for slot in chosen) for part in (0, 1)) for chosen in sets}
    legal = [chosen for chosen in sets if sums[chosen][1] <= limit or sums[chosen][1] == 0]
    expected = min(legal, key=lambda chosen: (-sums[chosen][0], sums[chosen][1], chosen))
    assert best(state, 0, limit) == sums[expected][0]
    mask = state.units[0].chosen
    assert [slot for slot in range(WEAPON_SLOTS) if mask & 1 << (WEAPON_SLOTS - 1 - slot)] == list(expected)
    assert state.units[0].chosen_heat == sums[expected][1]


def hot(target, doctrine, skills=()):
    """Return the planned heat of a Mek whose third weapon is 1 over the rating."""
    gunner = mek("heavy", ["rail-cannon", "rail-cannon", "ppc"], skills=skills)
    state = duel(gunner, target, doctrines=(doctrine, "aggressive"))
    plan(state, [])
    return state.units[0].planned_heat


@pytest.mark.rule("MM-A25")
def test_aggressive_mek_overheats_by_one_for_third_of_hit():
    assert hot(mek("light"), "aggressive") == 6  # one more Rail-Cannon: 1/2 x 2/3
    assert hot(HEAVY, "aggressive") == 5  # 1/2 x 1/3
    assert hot(mek("light"), "cautious") == 5


@pytest.mark.rule("MM-A25")
@pytest.mark.parametrize("doctrine", ["aggressive", "cautious"])
def test_ice_man_overheats_by_one_for_any_gain(doctrine):
    assert hot(HEAVY, doctrine, ["ice-man"]) == 6


@pytest.mark.rule("MM-A25")
def test_only_ice_man_overheats_for_infantry():
    for skills, heat in ([], 3), (["ice-man"], 5):
        gunner = mek("medium", ["six-pack-missile", "six-pack-missile", "minigun"], skills=skills)
        state = duel(gunner, INFANTRY)
        state.units[1].detected = 1
        plan(state, [])
        assert state.units[0].planned_heat == heat


@pytest.mark.rule("MM-A26")
def test_fire_worth_is_best_set_within_heat_rating():
    gunner = mek("heavy", ["rail-cannon", "rail-cannon", "ppc"], ["targeting-array"])
    state = duel(gunner, HEAVY)
    each = Fraction(4, 6) * Fraction(1, 3), Fraction(1) * Fraction(1, 3)
    assert Fraction(fire_worth(state, 0, 1, SHORT), WHOLE) == each[0] + each[1]
    assert Fraction(fire_worth(state, 0, 1, LONG), WHOLE) == each[1]


@pytest.mark.rule("MM-A26")  # MM-D38
def test_carried_heat_lowers_fire_worth():
    state = duel(mek("heavy", ["cannon", "ppc"], carried_heat=2), HEAVY)
    assert Fraction(fire_worth(state, 0, 1, SHORT), WHOLE) == Fraction(1, 6)


@pytest.mark.rule("MM-A26")
def test_strongpoint_fire_worth_is_attack_at_short():
    state = duel(INFANTRY, mek("light"))
    assert [Fraction(fire_worth(state, 0, 1, band), WHOLE) for band in range(3)] == [Fraction(4, 6), 0, 0]


@pytest.mark.rule("MM-A26")
@pytest.mark.parametrize("change", ["weapon", "jammer", "phalanx", "computers"])
def test_losses_change_fire_worth(change):
    target = {"jammer": mek("heavy", systems=["jammer"]), "phalanx": mek("heavy", systems=["phalanx"])}
    state = meet(battle([mek("heavy", ["missile"])], [target.get(change, HEAVY), HEAVY]), SHORT)
    watched = 2 if change == "phalanx" else 1
    before = fire_worth(state, 0, watched, SHORT)
    if change == "computers":
        critical(state, 5, by=1, on=0)
        run_step(end_round, state, 0)
    elif change == "weapon":
        critical(state, 3, by=1, on=0)
    else:
        critical(state, 6)
    chances = {"weapon": (4, 0), "jammer": (3, 4), "phalanx": (3, 4), "computers": (4, 3)}[change]
    after = fire_worth(state, 0, watched, SHORT)
    assert (Fraction(before, WHOLE), Fraction(after, WHOLE)) == tuple(Fraction(c, 6) / 3 for c in chances)


@pytest.mark.rule("MM-A27")
def test_hits_to_go_subtracts_infantry_kills_from_six():
    state = battle([mek("titan", hits=4)], [INFANTRY])
    infantry = state.units[1]
    assert hits_to_go(state.units[0]) == 4
    left = []
    for infantry.kills in (0, 2, 5, 6):
        left.append(hits_to_go(infantry))
    assert left == [6, 4, 1, 1]


# --- the preferred range ----------------------------------------------------------------------------------------------

RAIL = mek("heavy", ["rail-cannon"])
VULCAN = mek("light", ["vulcan-cannon"])


@pytest.mark.rule("MM-A28")
def test_aggressive_weighs_enemy_fire_half_and_cautious_fully():
    assert preferred(duel(RAIL, VULCAN)) == SHORT  # 1/6 - 1/24 against 1/9
    assert preferred(duel(RAIL, VULCAN, doctrines=CAUTIOUS)) == MEDIUM  # 1/6 - 1/12 against 1/9
    assert preferred(duel(RAIL, mek("light", ["cannon"]), doctrines=CAUTIOUS)) == SHORT  # 1/6 - 1/24


@pytest.mark.rule("MM-A28")
def test_aggressive_chooses_only_bands_that_allow_damage():
    strong = mek("titan", ["laser", "laser", "laser", "laser"])
    assert preferred(duel(mek("heavy", ["cannon"]), strong)) == SHORT
    assert preferred(duel(mek("heavy", ["cannon"]), strong, doctrines=CAUTIOUS)) == LONG


@pytest.mark.rule("MM-A28")
def test_harmless_unit_considers_all_bands():
    assert preferred(duel(HEAVY, VULCAN)) == MEDIUM


@pytest.mark.rule("MM-A28")
def test_range_ties_go_short_for_aggressive_long_for_cautious():
    assert preferred(duel(HEAVY, HEAVY)) == SHORT
    assert preferred(duel(HEAVY, HEAVY, doctrines=CAUTIOUS)) == LONG


@pytest.mark.rule("MM-A28")
def test_infantry_prefers_short():
    assert preferred(duel(INFANTRY, VULCAN, doctrines=CAUTIOUS)) == SHORT


@pytest.mark.rule("MM-A28")
def test_breaking_unit_prefers_long_unless_running_aggressively():
    state = duel(RAIL, HEAVY)
    state.units[0].wants_break = 1
    assert preferred(state) == LONG
    state.units[0].order = RUN
    assert preferred(state) == SHORT
    cautious = duel(RAIL, HEAVY, doctrines=CAUTIOUS)
    cautious.units[0].wants_break = 1
    cautious.units[0].order = RUN
    assert preferred(cautious) == LONG


@pytest.mark.rule("MM-A28")
@pytest.mark.parametrize(("quiet", "expected"), [(2, MEDIUM), (3, SHORT)])
def test_cautious_acts_aggressively_after_three_quiet_rounds(quiet, expected):
    state = duel(RAIL, VULCAN, doctrines=CAUTIOUS)
    state.zones[0].quiet = quiet
    assert preferred(state) == expected


@pytest.mark.rule("MM-A28")
def test_side_without_need_to_attack_stays_patient():
    state = duel(RAIL, VULCAN, doctrines=CAUTIOUS)
    state.zones[0].quiet = 9
    state.battle.attacker_must_attack = 0
    assert preferred(state) == MEDIUM


@pytest.mark.rule("MM-A28", "MM-A25")
def test_impatience_changes_only_choice_of_range():
    gunner = mek("heavy", ["rail-cannon", "rail-cannon", "ppc"], hits=2)
    state = duel(gunner, mek("light"), doctrines=CAUTIOUS)
    state.zones[0].quiet = 5
    plan(state, [])
    assert state.units[0].planned_heat == 5  # an aggressive Mek would go to 6
    assert wants(state)  # an aggressive Mek would not


# --- fire plans -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MM-A29")
def test_only_enemies_in_contact_are_candidates():
    state = meet(battle([mek("heavy", ["ppc"])], [mek("light", hits=1), TITAN]), SHORT)
    state.pairs[0].broken_by = 2
    plan(state, [])
    assert planned(state) == [(0, 2)]


@pytest.mark.rule("MM-A31")
def test_first_target_loses_largest_share_of_hits():
    state = meet(battle([mek("heavy", ["ppc"])], [TITAN, mek("medium"), mek("titan", hits=2)]), SHORT)
    plan(state, [])
    assert planned(state) == [(0, 2)]  # 5/6 x 1/2 / 3 against 5/6 x 1/6 / 2


@pytest.mark.rule("MM-A31")
def test_target_ties_go_to_fewer_hits_then_higher_cost():
    ciws = mek("light", ["ciws", "ciws"])
    state = meet(battle([ciws], [INFANTRY, INFANTRY]), SHORT)  # 7 kills expected: enough for either
    for infantry, kills in zip(state.units[1:], (1, 2), strict=True):
        infantry.detected, infantry.kills = 1, kills
    plan(state, [])
    assert {target for _slot, target in planned(state)} == {2}
    state = meet(battle([mek("heavy", ["ppc"])], [mek("light"), mek("light", ["cannon"]), mek("light", ["cannon"])]))
    plan(state, [])
    assert planned(state) == [(0, 2)]


@pytest.mark.rule("MM-A31")
def test_fire_plan_reserves_heat_of_jets_and_second_move():
    for jets, carried, slots in (0, 0, [0, 1]), (1, 0, [0]), (0, 2, [0]):
        gunner = mek("medium", ["rail-cannon", "six-pack-missile"], ["jump-jets"], carried_heat=carried)
        state = duel(gunner, HEAVY, doctrines=CAUTIOUS)
        state.units[0].jets = jets
        state.units[0].heat_rating = 3
        plan(state, [])
        assert sorted(slot for slot, _target in planned(state)) == slots


@pytest.mark.rule("MM-A31")
def test_harmless_fire_is_not_planned():
    state = duel(mek("light", ["cannon"], level="green"), HEAVY, terrain="urban")
    plan(state, [])
    assert planned(state) == []


@pytest.mark.rule("MM-A32")
def test_second_target_gets_remaining_weapons_and_heat():
    gunner = mek("titan", ["rail-cannon", "ppc"], ["director"])
    for rating, expected in (8, [(1, 1), (0, 2)]), (4, [(1, 1)]):
        state = meet(battle([gunner], [mek("light", hits=1), mek("medium")]))
        state.pairs[1].band = MEDIUM
        state.units[0].heat_rating = rating
        plan(state, [])
        assert planned(state) == expected


@pytest.mark.rule("MM-A33")
def test_missiles_fire_first_then_most_valuable_weapon():
    gunner = mek("titan", ["rail-cannon", "rail-cannon", "missile", "laser", "ppc"], ["heat-sink"] * 3)
    state = duel(gunner, HEAVY)
    plan(state, [])
    assert [slot for slot, _target in planned(state)] == [2, 4, 3, 0, 1]


@pytest.mark.rule("MM-A34")
@pytest.mark.parametrize(("rating", "slot"), [(5, 1), (4, 0), (3, None)])
def test_gunnery_repeats_best_weapon_within_heat(rating, slot):
    state = duel(mek("heavy", ["cannon", "vulcan-cannon"], skills=["gunnery"]), HEAVY)
    state.units[0].heat_rating = rating
    plan(state, [])
    extra = [state.firings[k].slot for k in range(state.units[0].firings) if state.firings[k].gunnery]
    assert extra == ([] if slot is None else [slot])


@pytest.mark.rule("MM-A34")
def test_gunnery_is_not_used_without_chance_to_hit():
    state = duel(mek("light", ["cannon"], level="elite", skills=["gunnery"]), HEAVY, terrain="highlands")
    plan(state, [])
    assert state.units[0].firings == 2
    state = duel(mek("light", ["cannon"], skills=["gunnery"]), mek("heavy", systems=["jammer"]))
    plan(state, [])
    assert state.units[0].firings == 1


@pytest.mark.rule("MM-A34")
def test_gunnery_shot_at_primary_target_comes_last():
    gunner = mek("titan", ["cannon", "missile"], ["director"], skills=["gunnery"])
    state = meet(battle([gunner], [mek("light", hits=1), TITAN]), SHORT)
    state.pairs[1].band = LONG
    plan(state, [])
    assert planned(state) == [(1, 1), (0, 1), (0, 1)]
    assert state.firings[2].gunnery


@pytest.mark.rule("MM-A34")
def test_gunnery_shot_follows_fire_at_further_targets():
    gunner = mek("titan", ["cannon", "rail-cannon", "ppc"], ["director"], skills=["gunnery"])
    state = meet(battle([gunner], [mek("light", hits=1), mek("titan", hits=1)]), SHORT)
    state.pairs[0].band = MEDIUM
    plan(state, [])
    assert planned(state) == [(2, 1), (1, 1), (0, 2)]  # at -2 the Rail-Cannon needs a 7 at Medium
    state.units[0].level_to_hit = 1
    start_round(changed(state), 0)
    plan(state, [])
    assert planned(state) == [(2, 1), (1, 1), (0, 2), (1, 1)]


@pytest.mark.rule("MM-A35", "MM-067")
def test_agility_counts_heat_of_whole_plan():
    for rating, declared in (3, 1), (2, 0):
        state = duel(mek("light", ["vulcan-cannon"], skills=["agility"]), HEAVY)
        state.units[0].total = 8
        state.units[0].heat_rating = rating
        plan(state, [])
        assert state.units[0].dodges == declared


@pytest.mark.rule("MM-A34")
def test_gunnery_with_heatless_weapon_always_fits():
    gunner = mek("medium", ["six-pack-missile", "six-pack-missile", "minigun", "ciws", "ciws"], skills=["gunnery"])
    state = duel(gunner, INFANTRY)
    state.units[1].detected = 1
    state.units[0].heat_rating = 4
    state.units[0].skills |= ICE_MAN
    plan(state, [])
    assert state.units[0].planned_heat == 5
    last = state.firings[state.units[0].firings - 1]
    assert (last.gunnery, last.slot) == (1, 3)
