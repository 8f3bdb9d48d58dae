"""What units choose: MM-A06, MM-A13, MM-A14, MM-A24 to MM-A36."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.engine.dice import ScriptedDice
from systems.meks_and_mercs.battle.play import change_bands, decide_breaks, plan, roll_movement
from systems.meks_and_mercs.battle.rules.facts import hits_to_go
from systems.meks_and_mercs.battle.rules.firepower import best, fire_worth, weigh_weapons
from systems.meks_and_mercs.battle.rules.zone_battle import end_round, muster
from systems.meks_and_mercs.battle.state import ICE_MAN, LONG, MEDIUM, RUN, SHORT, WEAPON_SLOTS, WHOLE

from .states import COMMANDOS, INFANTRY, band, battle, changed, critical, duel, meet, mek, planned, sight, support, tell

CAUTIOUS = ("cautious", "aggressive")
TITAN = mek("titan")
HEAVY = mek("heavy")


def worth(state, slot=0, band=SHORT, *, primary=0, planning=0):
    weigh_weapons(state, 0, 1, band, primary, planning, 0)
    return Fraction(state.weapons[slot].expected, WHOLE)


def wants(state, unit=0):
    """Whether the unit wants to break contact."""
    decide_breaks(state, [])
    return bool(state.units[unit].wants_break)


def jumps(state, unit=0):
    """Whether the unit makes its movement roll on its jets."""
    roll_movement(state, ScriptedDice([1] * 9), [])
    return bool(state.units[unit].jets)


def preferred(state):
    """The band to which the first of two goes, whose total is more than twice the other's."""
    state.units[0].total, state.units[1].total = 9, 4
    tell(change_bands, state)
    return band(state, 0, 1)


# --- strength and breaking contact ------------------------------------------------------------------------------------


@pytest.mark.rule("MM-A06")
def test_strength_is_points_by_the_share_of_hits_left_five_for_infantry_and_nothing_for_commandos():
    own = [mek("titan", hits=2), mek("light"), support("gun-sled"), INFANTRY, COMMANDOS]
    state = meet(battle(own, [TITAN], doctrines=CAUTIOUS))
    state.units[2].hits = 1
    state.units[3].kills = 4

    def stays(strength, enemies):
        """Whether the sled stays before enemies of that price and Hits of six, and what they are worth to half our strength."""
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
def test_a_unit_told_to_run_wants_to_break_contact():
    state = duel(mek("heavy", ["ppc"]), TITAN)
    assert not wants(state)
    state.units[0].order = RUN
    assert wants(state)


@pytest.mark.rule("MM-A14")
@pytest.mark.parametrize(("weapons", "wanted"), [([], True), (["minigun"], True), (["cannon"], False)])
def test_a_unit_that_can_hurt_nobody_at_any_band_wants_to_break_contact(weapons, wanted):
    assert wants(duel(mek("heavy", weapons), TITAN, LONG)) is wanted


@pytest.mark.rule("MM-A14")
@pytest.mark.parametrize(
    ("chassis", "hits", "wanted"),
    [("titan", 3, True), ("titan", 4, False), ("medium", 1, True), ("medium", 2, False), ("light", 1, True)],
)
def test_a_cautious_mek_at_half_its_hits_wants_to_break_contact(chassis, hits, wanted):
    unit = mek(chassis, ["cannon"], hits=hits)
    assert wants(duel(unit, mek("light", hits=1), doctrines=CAUTIOUS)) is wanted
    assert not wants(duel(unit, mek("light", hits=1)))


@pytest.mark.rule("MM-A14")
@pytest.mark.parametrize(("enemies", "wanted"), [(2, False), (3, True)])
def test_a_cautious_unit_wants_to_break_contact_if_outnumbered_by_more_than_two_to_one(enemies, wanted):
    armed = mek("heavy", ["ppc"])
    assert wants(meet(battle([armed], [armed] * enemies, doctrines=CAUTIOUS))) is wanted
    assert not wants(meet(battle([armed], [armed] * enemies)))


@pytest.mark.rule("MM-A14")
def test_a_cautious_vehicle_does_not_mind_half_its_hits():
    state = duel(support("gun-sled"), support("apc"), doctrines=CAUTIOUS)
    state.units[0].hits = 1
    assert not wants(state)


JUMPER = mek("medium", ["six-pack-missile", "cannon"], ["jump-jets"])  # rating 4, weapons 3


@pytest.mark.rule("MM-A13")
def test_jets_are_used_if_their_heat_is_spare():
    assert jumps(duel(mek("medium", ["six-pack-missile"], ["jump-jets"]), TITAN))
    assert not jumps(duel(JUMPER, TITAN))
    assert not jumps(duel(mek("medium", ["six-pack-missile"], ["jump-jets"], carried_heat=1), TITAN))


@pytest.mark.rule("MM-A13")
def test_jets_are_used_to_break_contact():
    state = duel(JUMPER, TITAN)
    state.units[0].wants_break = 1
    assert jumps(state, 0)


@pytest.mark.rule("MM-A13")
def test_jets_are_used_if_nobody_can_be_hurt_from_here():
    state = meet(battle([JUMPER], [TITAN, JUMPER]), LONG)
    assert jumps(state, 0)
    assert jumps(state, 2)
    state.pairs[1].band = SHORT
    assert not jumps(state, 0)
    assert not jumps(state, 2)


# --- what fire is worth -----------------------------------------------------------------------------------------------


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
def test_expected_hits_are_dice_by_chance_to_hit_by_chance_of_a_failed_save(weapon, target, band, expected):
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
def test_expected_kills_are_the_mean_of_the_infantry_table(weapon, terrain, expected):
    assert worth(duel(mek("heavy", [weapon]), INFANTRY, terrain=terrain)) == expected


@pytest.mark.rule("MM-A24")
@pytest.mark.parametrize("skill", ["accuracy", "gunnery", "pinpoint-attack", "sharpshooter"])
def test_skills_that_work_once_a_round_are_not_reckoned_with(skill):
    plain, skilled = (duel(mek("light", ["cannon"], skills=skills), HEAVY) for skills in ([], [skill]))
    assert worth(skilled, planning=1) == worth(plain, planning=1)


@pytest.mark.rule("MM-A24")
def test_the_house_rule_of_natural_rolls_is_reckoned_with():
    options = {"natural-rolls": "six-hits-one-misses"}
    poor = duel(mek("light", ["cannon"], level="green"), HEAVY, terrain="urban", options=options)
    assert worth(poor) == Fraction(1, 6) * Fraction(1, 3)
    fine = duel(mek("heavy", ["laser"], level="elite"), HEAVY, options=options)
    assert worth(fine) == Fraction(5, 6) * Fraction(1, 3)


@pytest.mark.rule("MM-A24")
def test_only_a_fire_plan_reckons_with_doubled_terrain_and_commandos():
    state = duel(mek("light", ["cannon"]), HEAVY, terrain="wood")
    sight(state, 0, 1).doubled = 1
    assert [worth(state), worth(state, planning=1)] == [Fraction(2, 18), Fraction(1, 18)]
    state.units[1].marked = 1
    assert [worth(state), worth(state, planning=1)] == [Fraction(2, 18), Fraction(2, 18)]


@pytest.mark.rule("MM-A25")
@given(
    weapons=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=WEAPON_SLOTS), limit=st.integers(-2, 12)
)
def test_the_best_set_is_the_largest_sum_then_less_heat_then_the_smaller_slots(weapons, limit):
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
    """A plan of a Mek whose third weapon is 1 over the rating."""
    gunner = mek("heavy", ["rail-cannon", "rail-cannon", "ppc"], skills=skills)
    state = duel(gunner, target, doctrines=(doctrine, "aggressive"))
    plan(state, [])
    return state.units[0].planned_heat


@pytest.mark.rule("MM-A25")
def test_an_aggressive_mek_goes_one_over_its_rating_for_a_third_of_a_hit():
    assert hot(mek("light"), "aggressive") == 6  # one more Rail-Cannon: 1/2 x 2/3
    assert hot(HEAVY, "aggressive") == 5  # 1/2 x 1/3
    assert hot(mek("light"), "cautious") == 5


@pytest.mark.rule("MM-A25")
@pytest.mark.parametrize("doctrine", ["aggressive", "cautious"])
def test_an_ice_man_goes_one_over_his_rating_for_any_gain(doctrine):
    assert hot(HEAVY, doctrine, ["ice-man"]) == 6


@pytest.mark.rule("MM-A25")
def test_nobody_but_an_ice_man_goes_over_the_rating_for_infantry():
    for skills, heat in ([], 3), (["ice-man"], 5):
        gunner = mek("medium", ["six-pack-missile", "six-pack-missile", "minigun"], skills=skills)
        state = duel(gunner, INFANTRY)
        state.units[1].detected = 1
        plan(state, [])
        assert state.units[0].planned_heat == heat


@pytest.mark.rule("MM-A26")
def test_a_units_worth_is_its_best_set_as_primary_fire_inside_its_rating():
    gunner = mek("heavy", ["rail-cannon", "rail-cannon", "ppc"], ["targeting-array"])
    state = duel(gunner, HEAVY)
    each = Fraction(4, 6) * Fraction(1, 3), Fraction(1) * Fraction(1, 3)
    assert Fraction(fire_worth(state, 0, 1, SHORT), WHOLE) == each[0] + each[1]
    assert Fraction(fire_worth(state, 0, 1, LONG), WHOLE) == each[1]


@pytest.mark.rule("MM-A26")  # MM-D38
def test_carried_heat_lowers_a_units_worth():
    state = duel(mek("heavy", ["cannon", "ppc"], carried_heat=2), HEAVY)
    assert Fraction(fire_worth(state, 0, 1, SHORT), WHOLE) == Fraction(1, 6)


@pytest.mark.rule("MM-A26")
def test_a_strongpoints_worth_is_its_attack_at_short():
    state = duel(INFANTRY, mek("light"))
    assert [Fraction(fire_worth(state, 0, 1, band), WHOLE) for band in range(3)] == [Fraction(4, 6), 0, 0]


@pytest.mark.rule("MM-A26")
@pytest.mark.parametrize("change", ["weapon", "jammer", "phalanx", "computers"])
def test_a_units_worth_follows_what_is_lost(change):
    target = {"jammer": mek("heavy", systems=["jammer"]), "phalanx": mek("heavy", systems=["phalanx"])}
    state = meet(battle([mek("heavy", ["missile"])], [target.get(change, HEAVY), HEAVY]), SHORT)
    watched = 2 if change == "phalanx" else 1
    before = fire_worth(state, 0, watched, SHORT)
    if change == "computers":
        critical(state, 5, by=1, on=0)
        tell(end_round, state, 0)
    elif change == "weapon":
        critical(state, 3, by=1, on=0)
    else:
        critical(state, 6)
    chances = {"weapon": (4, 0), "jammer": (3, 4), "phalanx": (3, 4), "computers": (4, 3)}[change]
    after = fire_worth(state, 0, watched, SHORT)
    assert (Fraction(before, WHOLE), Fraction(after, WHOLE)) == tuple(Fraction(c, 6) / 3 for c in chances)


@pytest.mark.rule("MM-A27")
def test_what_is_left_of_a_target_is_its_hits_or_six_less_the_kills():
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
def test_the_aggressive_weigh_the_enemys_fire_half_and_the_cautious_in_full():
    assert preferred(duel(RAIL, VULCAN)) == SHORT  # 1/6 - 1/24 against 1/9
    assert preferred(duel(RAIL, VULCAN, doctrines=CAUTIOUS)) == MEDIUM  # 1/6 - 1/12 against 1/9
    assert preferred(duel(RAIL, mek("light", ["cannon"]), doctrines=CAUTIOUS)) == SHORT  # 1/6 - 1/24


@pytest.mark.rule("MM-A28")
def test_the_aggressive_look_only_at_bands_where_they_can_hurt():
    strong = mek("titan", ["laser", "laser", "laser", "laser"])
    assert preferred(duel(mek("heavy", ["cannon"]), strong)) == SHORT
    assert preferred(duel(mek("heavy", ["cannon"]), strong, doctrines=CAUTIOUS)) == LONG


@pytest.mark.rule("MM-A28")
def test_who_can_hurt_nowhere_looks_at_all_bands():
    assert preferred(duel(HEAVY, VULCAN)) == MEDIUM


@pytest.mark.rule("MM-A28")
def test_ties_go_to_the_shortest_for_the_aggressive_and_the_longest_for_the_cautious():
    assert preferred(duel(HEAVY, HEAVY)) == SHORT
    assert preferred(duel(HEAVY, HEAVY, doctrines=CAUTIOUS)) == LONG


@pytest.mark.rule("MM-A28")
def test_infantry_prefers_short():
    assert preferred(duel(INFANTRY, VULCAN, doctrines=CAUTIOUS)) == SHORT


@pytest.mark.rule("MM-A28")
def test_who_wants_to_break_contact_prefers_long_unless_he_runs_aggressively():
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
@pytest.mark.parametrize(("quiet", "wanted"), [(2, MEDIUM), (3, SHORT)])
def test_after_three_quiet_rounds_the_cautious_choose_as_the_aggressive(quiet, wanted):
    state = duel(RAIL, VULCAN, doctrines=CAUTIOUS)
    state.zones[0].quiet = quiet
    assert preferred(state) == wanted


@pytest.mark.rule("MM-A28")
def test_a_side_that_need_not_attack_keeps_its_patience():
    state = duel(RAIL, VULCAN, doctrines=CAUTIOUS)
    state.zones[0].quiet = 9
    state.battle.attacker_must_attack = 0
    assert preferred(state) == MEDIUM


@pytest.mark.rule("MM-A28", "MM-A25")
def test_impatience_changes_the_choice_of_range_only():
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
def test_the_first_target_is_the_one_that_loses_the_largest_share():
    state = meet(battle([mek("heavy", ["ppc"])], [TITAN, mek("medium"), mek("titan", hits=2)]), SHORT)
    plan(state, [])
    assert planned(state) == [(0, 2)]  # 5/6 x 1/2 / 3 against 5/6 x 1/6 / 2


@pytest.mark.rule("MM-A31")
def test_equal_shares_go_to_fewer_hits_then_to_the_dearer_then_to_the_first():
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
def test_the_heat_of_jets_and_of_a_second_move_is_kept_free():
    for jets, carried, slots in (0, 0, [0, 1]), (1, 0, [0]), (0, 2, [0]):
        gunner = mek("medium", ["rail-cannon", "six-pack-missile"], ["jump-jets"], carried_heat=carried)
        state = duel(gunner, HEAVY, doctrines=CAUTIOUS)
        state.units[0].jets = jets
        state.units[0].heat_rating = 3
        plan(state, [])
        assert sorted(slot for slot, _target in planned(state)) == slots


@pytest.mark.rule("MM-A31")
def test_nothing_is_fired_that_cannot_do_harm():
    state = duel(mek("light", ["cannon"], level="green"), HEAVY, terrain="urban")
    plan(state, [])
    assert planned(state) == []


@pytest.mark.rule("MM-A32")
def test_a_further_target_gets_the_weapons_and_the_heat_that_are_left():
    gunner = mek("titan", ["rail-cannon", "ppc"], ["director"])
    for rating, expected in (8, [(1, 1), (0, 2)]), (4, [(1, 1)]):
        state = meet(battle([gunner], [mek("light", hits=1), mek("medium")]))
        state.pairs[1].band = MEDIUM
        state.units[0].heat_rating = rating
        plan(state, [])
        assert planned(state) == expected


@pytest.mark.rule("MM-A33")
def test_missiles_fire_first_then_by_worth_by_heat_and_by_slot():
    gunner = mek("titan", ["rail-cannon", "rail-cannon", "missile", "laser", "ppc"], ["heat-sink"] * 3)
    state = duel(gunner, HEAVY)
    plan(state, [])
    assert [slot for slot, _target in planned(state)] == [2, 4, 3, 0, 1]


@pytest.mark.rule("MM-A34")
@pytest.mark.parametrize(("rating", "slot"), [(5, 1), (4, 0), (3, None)])
def test_gunnery_takes_the_weapon_worth_most_at_minus_two_whose_heat_fits(rating, slot):
    state = duel(mek("heavy", ["cannon", "vulcan-cannon"], skills=["gunnery"]), HEAVY)
    state.units[0].heat_rating = rating
    plan(state, [])
    extra = [state.firings[k].slot for k in range(state.units[0].firings) if state.firings[k].gunnery]
    assert extra == ([] if slot is None else [slot])


@pytest.mark.rule("MM-A34")
def test_gunnery_is_not_used_where_it_cannot_hit():
    state = duel(mek("light", ["cannon"], level="elite", skills=["gunnery"]), HEAVY, terrain="highlands")
    plan(state, [])
    assert state.units[0].firings == 2
    state = duel(mek("light", ["cannon"], skills=["gunnery"]), mek("heavy", systems=["jammer"]))
    plan(state, [])
    assert state.units[0].firings == 1


@pytest.mark.rule("MM-A34")
def test_gunnerys_shot_goes_to_the_primary_target_after_all_other_fire():
    gunner = mek("titan", ["cannon", "missile"], ["director"], skills=["gunnery"])
    state = meet(battle([gunner], [mek("light", hits=1), TITAN]), SHORT)
    state.pairs[1].band = LONG
    plan(state, [])
    assert planned(state) == [(1, 1), (0, 1), (0, 1)]
    assert state.firings[2].gunnery


@pytest.mark.rule("MM-A34")
def test_gunnerys_shot_comes_after_the_fire_at_further_targets():
    gunner = mek("titan", ["cannon", "rail-cannon", "ppc"], ["director"], skills=["gunnery"])
    state = meet(battle([gunner], [mek("light", hits=1), mek("titan", hits=1)]), SHORT)
    state.pairs[0].band = MEDIUM
    plan(state, [])
    assert planned(state) == [(2, 1), (1, 1), (0, 2)]  # at -2 the Rail-Cannon needs a 7 at Medium
    state.units[0].level_to_hit = 1
    muster(changed(state), 0)
    plan(state, [])
    assert planned(state) == [(2, 1), (1, 1), (0, 2), (1, 1)]


@pytest.mark.rule("MM-A35", "MM-067")
def test_agility_counts_the_heat_of_the_whole_plan():
    for rating, declared in (3, 1), (2, 0):
        state = duel(mek("light", ["vulcan-cannon"], skills=["agility"]), HEAVY)
        state.units[0].total = 8
        state.units[0].heat_rating = rating
        plan(state, [])
        assert state.units[0].dodges == declared


@pytest.mark.rule("MM-A34")
def test_gunnery_with_a_weapon_without_heat_always_fits():
    gunner = mek("medium", ["six-pack-missile", "six-pack-missile", "minigun", "ciws", "ciws"], skills=["gunnery"])
    state = duel(gunner, INFANTRY)
    state.units[1].detected = 1
    state.units[0].heat_rating = 4
    state.units[0].skills |= ICE_MAN
    plan(state, [])
    assert state.units[0].planned_heat == 5
    last = state.firings[state.units[0].firings - 1]
    assert (last.gunnery, last.slot) == (1, 3)
