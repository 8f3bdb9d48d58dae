"""Contact and the movement roll: MM-024, MM-028 to MM-034, MM-039."""

import pytest

from systems.meks_and_mercs.battle.play import (
    change_bands,
    decide_breaks,
    fight_round,
    plan,
    play_detection,
    roll_movement,
)
from systems.meks_and_mercs.battle.rules import has_contact, is_unbroken, pair_of
from systems.meks_and_mercs.battle.rules.zone_combat import (
    break_contact,
    make_contact,
    roll_wounds,
    start_round,
    tidy_pairs,
)
from systems.meks_and_mercs.battle.state import LONG, MEDIUM, RUN, SHORT

from .states import (
    COMMANDOS,
    INFANTRY,
    band,
    battle,
    duel,
    fired,
    meet,
    mek,
    modifiers,
    only,
    planned,
    play,
    run_step,
    sight,
)

RAIL = mek("heavy", ["rail-cannon"])  # prefers Short
UNARMED = mek("heavy")


def with_totals(state, *totals):
    for unit, total in zip(state.units, totals, strict=True):
        unit.total = total
    return state


@pytest.mark.rule("MM-024", "MM-A08")
def test_contact_starts_at_long():
    state = battle([RAIL], [UNARMED])
    log = []
    assert make_contact(state, 0, log)
    assert pair_of(state, 0, 1).made
    assert band(state, 0, 1) == LONG


@pytest.mark.rule("MM-024")
def test_each_pair_has_its_own_band():
    state = with_totals(meet(battle([RAIL, RAIL], [UNARMED]), LONG), 5, 2, 3)
    run_step(change_bands, state)
    assert (band(state, 0, 2), band(state, 1, 2)) == (MEDIUM, LONG)


@pytest.mark.rule("MM-024")
def test_infantry_and_commandos_make_no_contact():
    state = battle([INFANTRY, COMMANDOS, RAIL], [INFANTRY, COMMANDOS])
    made = run_step(make_contact, state, 0)
    assert [(event.unit, event.target) for event in made] == [("a3", "d1")]


@pytest.mark.rule("MM-A08")
def test_round_needs_unbroken_pair():
    state = meet(battle([RAIL], [UNARMED]))
    pair_of(state, 0, 1).broken_by = 1
    events = []
    assert not fight_round(state, 0, None, events)
    assert state.battle.round == 0
    assert not events


@pytest.mark.rule("MM-039")  # MM-D23
def test_undetected_infantry_makes_contact_and_rolls_movement():
    state = battle([RAIL], [INFANTRY])
    assert len(run_step(make_contact, state, 0)) == 1
    start_round(state, 0)
    rolled = play(roll_movement, state, [4, 3])
    assert [(event.unit, event.result["total"]) for event in rolled] == [("a1", 6), ("d1", 3)]


@pytest.mark.rule("MM-A10")
def test_unit_without_unbroken_pair_skips_round():
    state = battle([RAIL, RAIL], [UNARMED])
    make_contact(state, 0, [])
    pair_of(state, 1, 2).broken_by = 1
    start_round(state, 0)
    rolled = play(roll_movement, state, [4, 3])
    assert [event.unit for event in rolled] == ["a1", "d1"]


@pytest.mark.rule("MM-028")
@pytest.mark.parametrize(
    ("unit", "faces", "total", "part"),
    [
        (mek("light"), [3, 4], 9, {"chassis": 2}),
        (mek("medium"), [3, 4], 7, {}),
        (mek("heavy"), [3], 5, {"chassis": 2}),
        (mek("assault"), [3], 3, {}),
        (mek("titan"), [3], 3, {}),
        (mek("titan", level="green"), [3], 2, {"pilot level": -1}),
        (mek("titan", level="veteran"), [3], 4, {"pilot level": 1}),
        (mek("titan", level="elite"), [3], 5, {"pilot level": 2}),
        (mek("titan", skills=["maneuver"]), [3], 5, {"Maneuver": 2}),
        (mek("titan", skills=["chassis-familiarity-titan"]), [3], 4, {"Chassis Familiarity": 1}),
        (mek("titan", skills=["chassis-familiarity-light"]), [3], 3, {}),
        (mek("medium", systems=["servo-boosters"]), [3, 4], 8, {"Servo Boosters": 1}),
        (mek("medium", systems=["servo-boosters"], systems_lost=[0]), [3, 4], 7, {}),
        (mek("titan", legs=2), [3], 1, {"leg damage": -2}),
    ],
)
def test_movement_total_adds_dice_and_modifiers(unit, faces, total, part):
    state = duel(unit, INFANTRY)
    rolled = play(roll_movement, state, [*faces, 1])[0]
    assert rolled.result["total"] == state.units[0].total == total
    assert modifiers(rolled) == part


@pytest.mark.rule("MM-028")
@pytest.mark.parametrize(
    ("terrain", "total"), [("plain", 6), ("desert", 6), ("wood", 5), ("urban", 4), ("highlands", 4), ("moors", 5)]
)
def test_terrain_changes_the_movement_roll(terrain, total):
    state = duel(mek("titan"), UNARMED, terrain=terrain)
    play(roll_movement, state, [6, 1])
    assert state.units[0].total == total


@pytest.mark.rule("MM-028")  # MM-D16
def test_a_movement_total_below_zero_counts_as_zero():
    state = duel(mek("titan", level="green"), UNARMED, terrain="urban")
    play(roll_movement, state, [1, 1])
    assert state.units[0].total == 0


@pytest.mark.rule("MM-029")  # MM-D51
def test_jump_jets_add_die_and_ignore_movement_terrain():
    state = duel(mek("medium", systems=["jump-jets"]), UNARMED, terrain="urban")
    jumped = play(roll_movement, state, [1, 2, 3, 1])[0]
    assert jumped.rule == "MM-029"
    assert jumped.faces == (1, 2, 3)
    assert jumped.result["total"] == 6


@pytest.mark.rule("MM-044")  # MM-D51
def test_jump_jets_keep_terrain_to_hit():
    state = duel(mek("medium", ["cannon"], ["jump-jets"]), UNARMED, terrain="urban")
    state.units[0].jets = 1
    assert modifiers(fired(state, 6)[0]) == {"terrain": -2}


@pytest.mark.rule("MM-030", "MM-A16")
def test_higher_total_moves_range_one_band():
    state = with_totals(duel(RAIL, UNARMED, LONG), 4, 3)
    changed = only(run_step(change_bands, state), "band-changed")
    assert band(state, 0, 1) == MEDIUM
    assert (changed.unit, changed.result["before"], changed.result["band"]) == ("a1", LONG, MEDIUM)


@pytest.mark.rule("MM-030")  # MM-D16
def test_equal_totals_change_nothing():
    state = with_totals(duel(RAIL, UNARMED, LONG), 4, 4)
    assert run_step(change_bands, state) == ()
    assert band(state, 0, 1) == LONG


@pytest.mark.rule("MM-030")
def test_winner_can_draw_away():
    state = with_totals(duel(mek("heavy", ["missile"]), RAIL, SHORT), 4, 3)
    run_step(change_bands, state)
    assert band(state, 0, 1) == MEDIUM


@pytest.mark.rule("MM-A16")
def test_winner_keeps_preferred_range():
    state = with_totals(duel(RAIL, UNARMED, SHORT), 4, 3)
    assert run_step(change_bands, state) == ()


@pytest.mark.rule("MM-031")  # MM-D17
@pytest.mark.parametrize(("total", "after"), [(6, MEDIUM), (7, SHORT)])
def test_more_than_double_total_moves_range_two_bands(total, after):
    state = with_totals(duel(RAIL, UNARMED, LONG), total, 3)
    run_step(change_bands, state)
    assert band(state, 0, 1) == after


@pytest.mark.rule("MM-031")
def test_range_change_stops_at_preferred_band():
    state = with_totals(duel(RAIL, UNARMED, MEDIUM), 9, 3)
    run_step(change_bands, state)
    assert band(state, 0, 1) == SHORT


@pytest.mark.rule("MM-031")  # MM-D17
@pytest.mark.parametrize(("total", "doubled"), [(6, 0), (7, 1)])
def test_more_than_double_total_doubles_terrain_at_same_range(total, doubled):
    state = with_totals(duel(RAIL, UNARMED, SHORT, terrain="wood"), total, 3)
    run_step(change_bands, state)
    assert band(state, 0, 1) == SHORT
    assert sight(state, 1, 0).doubled == doubled
    assert sight(state, 0, 1).doubled == 0


@pytest.mark.rule("MM-031")
def test_doubled_terrain_hampers_loser_against_winner_only():
    state = meet(battle([RAIL, RAIL], [RAIL], terrain="wood"), SHORT)
    with_totals(state, 7, 4, 3)
    run_step(change_bands, state)
    assert modifiers(fired(state, 6, by=2, on=0)[0]) == {"terrain": -2}
    assert modifiers(fired(state, 6, by=2, on=1)[0]) == {"terrain": -1}
    assert modifiers(fired(state, 6, by=0, on=2)[0]) == {"terrain": -1}


@pytest.mark.rule("MM-031")
def test_doubled_terrain_lasts_for_one_round():
    state = with_totals(duel(RAIL, UNARMED, SHORT, terrain="wood"), 7, 3)
    run_step(change_bands, state)
    start_round(state, 0)
    assert sight(state, 1, 0).doubled == 0


@pytest.mark.rule("MM-032", "MM-A15")
def test_highest_total_at_long_breaks_contact_with_all():
    state = with_totals(meet(battle([RAIL], [UNARMED, UNARMED]), LONG), 5, 4, 3)
    state.units[0].wants_break = 1
    broken = only(run_step(break_contact, state), "contact-broken")
    assert broken.unit == "a1"
    assert state.units[0].withdrew
    assert not has_contact(state, 0)


@pytest.mark.rule("MM-032", "MM-036")
def test_breaking_contact_clears_targets_on_both_sides():
    state = with_totals(duel(RAIL, UNARMED, LONG), 5, 4)
    state.units[0].wants_break = 1
    sight(state, 0, 1).targeted = sight(state, 1, 0).targeted = 1
    run_step(break_contact, state)
    assert (sight(state, 0, 1).targeted, sight(state, 1, 0).targeted) == (0, 0)


@pytest.mark.rule("MM-032")  # MM-D18
def test_breaking_contact_needs_long_range_to_every_enemy():
    state = with_totals(meet(battle([RAIL], [UNARMED, UNARMED]), LONG), 9, 4, 3)
    pair_of(state, 0, 2).band = MEDIUM
    state.units[0].wants_break = 1
    assert run_step(break_contact, state) == ()


@pytest.mark.rule("MM-032")  # MM-D18
def test_breaking_contact_needs_a_higher_total_than_every_enemy():
    state = with_totals(meet(battle([RAIL], [UNARMED, INFANTRY]), LONG), 4, 3, 4)
    state.units[0].wants_break = 1
    assert run_step(break_contact, state) == ()


@pytest.mark.rule("MM-032")
def test_unit_that_stays_does_not_break_contact():
    state = with_totals(duel(RAIL, UNARMED, LONG), 9, 0)
    assert run_step(break_contact, state) == ()


@pytest.mark.rule("MM-A15")
def test_breaks_are_judged_before_any_unit_leaves():
    state = with_totals(meet(battle([RAIL, RAIL], [RAIL]), LONG), 6, 3, 5)
    state.units[0].wants_break = 1
    state.units[2].wants_break = 1  # beats a2, but a1 was still there
    assert [event.unit for event in run_step(break_contact, state)] == ["a1"]
    assert is_unbroken(state, 1, 2)


@pytest.mark.rule("MM-033")
def test_broken_pair_neither_attacks_nor_detects():
    state = meet(battle([mek("heavy", ["missile"])], [mek("medium", systems=["masking"])]), SHORT)
    pair_of(state, 0, 1).broken_by = 2
    assert play(play_detection, state, [], 0) == ()
    plan(state, [])
    assert planned(state) == []


@pytest.mark.rule("MM-033")
def test_unit_breaks_only_its_own_pairs():
    state = with_totals(meet(battle([RAIL, RAIL], [UNARMED]), LONG), 6, 3, 5)
    state.units[0].wants_break = 1
    run_step(break_contact, state)
    assert (pair_of(state, 0, 2).broken_by, pair_of(state, 1, 2).broken_by) == (1, 0)


@pytest.mark.rule("MM-034")
def test_infantry_rolls_one_movement_die_with_terrain():
    state = duel(UNARMED, INFANTRY, terrain="highlands")
    rolled = play(roll_movement, state, [1, 5])[1]
    assert (rolled.unit, rolled.faces, rolled.result["total"]) == ("d1", (5,), 3)


@pytest.mark.rule("MM-034")
def test_infantry_never_wants_to_break_contact():
    state = duel(mek("titan", ["ppc"]), INFANTRY, LONG, doctrines=("aggressive", "cautious"))
    state.units[1].order = RUN
    decide_breaks(state, [])
    assert not state.units[1].wants_break


@pytest.mark.rule("MM-A11")  # MM-D30
@pytest.mark.parametrize(("face", "stunned"), [(4, True), (5, False)])
def test_wounded_pilot_acts_on_five_or_more(face, stunned):
    state = duel(mek("titan", ["cannon"], wounded=True), UNARMED)
    rolled = only(play(roll_wounds, state, [face]), "wound-rolled")
    assert rolled.result["stunned"] is stunned
    assert len(play(roll_movement, state, [3] if stunned else [3, 3])) == (1 if stunned else 2)


@pytest.mark.rule("MM-056")  # MM-D30
def test_a_stunned_unit_does_not_move_search_or_fire():
    state = battle(
        [mek("heavy", ["missile"], ["sensor-improved"], wounded=True, skills=["agility", "maneuver"])],
        [mek("medium", ["cannon"], ["masking"])],
    )
    events = play(fight_round, state, [4, 1, 1, 1], 0)  # its wound die, the enemy's movement and shot
    assert state.units[0].total == 0
    assert {event.kind for event in events if event.unit == "a1"} == {"contact-made", "wound-rolled"}


@pytest.mark.rule("MM-A12")
def test_stunned_unit_does_not_try_to_break_contact():
    state = duel(mek("heavy", wounded=True), RAIL, LONG)
    play(roll_wounds, state, [1])
    decide_breaks(state, [])
    assert not state.units[0].wants_break


@pytest.mark.rule("MM-A03")
def test_pair_ends_when_units_part():
    state = duel(mek("heavy", ["missile"]), mek("medium", systems=["masking"]), SHORT)
    sight(state, 0, 1).targeted = 1
    state.units[1].zone = 1
    tidy_pairs(state)
    assert not pair_of(state, 0, 1).made
    assert not sight(state, 0, 1).targeted
    state.units[1].zone = 0
    make_contact(state, 0, [])
    assert band(state, 0, 1) == LONG


@pytest.mark.rule("MM-024")
def test_pair_is_same_from_both_sides():
    state = battle([RAIL] * 3, [RAIL] * 2)
    pairs = [pair_of(state, a, d) for a in range(3) for d in (3, 4)]
    assert [id(pair) for pair in pairs] == [id(pair_of(state, d, a)) for a in range(3) for d in (3, 4)]
    assert len({id(pair) for pair in pairs}) == 6
