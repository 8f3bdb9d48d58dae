"""Saves, Hits and criticals: MM-051 to MM-057."""

import pytest

from systems.meks_and_mercs.battle.play import roll_movement
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.zone_combat import end_round, start_round
from systems.meks_and_mercs.battle.state import HEAT_SINK, JAMMER, LONG, MEDIUM, SHORT

from .states import (
    battle,
    critical,
    duel,
    fired,
    hit,
    kinds,
    meet,
    mek,
    modifiers,
    only,
    play,
    rating,
    run_step,
    support,
)

CANNON = mek("light", ["cannon"])
PPC = mek("heavy", ["ppc"])
TITAN = mek("titan")


def damaged(state, *faces, choices=()):
    return play(apply_damage, state, faces, choices=choices)


@pytest.mark.rule("MM-051")
@pytest.mark.parametrize(
    ("target", "armor"),
    [
        (mek("light"), 5),
        (mek("medium"), 4),
        (mek("heavy"), 3),
        (mek("assault"), 2),
        (mek("titan"), 2),
        (support("gun-sled"), 3),
    ],
)
def test_armor_number_or_more_saves_hit(target, armor):
    for face in range(1, 7):
        state = duel(CANNON, target)
        hit(state)
        saved = damaged(state, *([face] if face >= armor else [face, 1]))
        assert only(saved, "save-rolled").result["saved"] is (face >= armor)


@pytest.mark.rule("MM-051")  # MM-D09, MM-D27
def test_hammer_missile_lowers_save_by_one():
    state = duel(mek("heavy", ["hammer-missile"]), mek("light"))
    hit(state)
    assert only(damaged(state, 5, 1), "save-rolled").result["saved"] is False
    hit(state)
    state.battle.shots = 1
    assert only(damaged(state, 6), "save-rolled").result["saved"] is True


@pytest.mark.rule("MM-051")  # MM-D09
@pytest.mark.parametrize(("weapon", "saved"), [("cannon", True), ("laser", False)])
def test_space_lam_armor_adds_one_to_saves_against_cannons(weapon, saved):
    state = duel(mek("heavy", [weapon]), mek("medium", systems=["space-lam-armor"]))
    hit(state)
    assert only(damaged(state, *([3] if saved else [3, 1])), "save-rolled").result["saved"] is saved


@pytest.mark.rule("MM-052")
@pytest.mark.parametrize(
    ("armor", "weapon", "rerolled"),
    [
        ("reactive-armor", "missile", True),
        ("reactive-armor", "laser", False),
        ("reactive-armor", "cannon", False),
        ("bpc-armor", "ppc", True),
        ("bpc-armor", "missile", False),
    ],
)
def test_reactive_and_bpc_armor_reroll_failed_save(armor, weapon, rerolled):
    state = duel(mek("heavy", [weapon]), mek("heavy", systems=[armor]))
    hit(state)
    saved = only(damaged(state, *([2, 3] if rerolled else [2, 1])), "save-rolled")
    assert saved.result["saved"] is rerolled
    assert saved.rule == ("MM-052" if rerolled else "MM-051")


@pytest.mark.rule("MM-052")  # MM-D07
def test_failed_save_is_rerolled_once_with_same_modifiers():
    state = duel(mek("heavy", ["hammer-missile"]), mek("heavy", systems=["reactive-armor"]))
    hit(state)
    saved = only(damaged(state, 3, 3, 1), "save-rolled")  # 2 and 2 against 3
    assert (saved.faces, saved.result["saved"]) == ((3, 3), False)
    assert modifiers(saved) == {"weapon against armor": -1}


@pytest.mark.rule("MM-053")
def test_a_failed_save_costs_one_hit():
    state = duel(CANNON, TITAN)
    hit(state)
    assert only(damaged(state, 1, 1), "hit-taken").result["hits"] == state.units[1].hits == 5


@pytest.mark.rule("MM-053", "MM-099")
def test_last_hit_destroys_unit_and_scores_kill():
    state = duel(CANNON, mek("light", hits=1))
    hit(state)
    destroyed = only(damaged(state, 1), "unit-destroyed")
    assert (destroyed.unit, destroyed.result["by"]) == ("d1", "a1")
    assert not state.units[1].present
    assert state.units[0].scored == 1


@pytest.mark.rule("MM-099")  # MM-D85
@pytest.mark.parametrize(("killer", "victim"), [(support("panzer"), mek("light", hits=1)), (CANNON, support("apc"))])
def test_only_mek_destroying_mek_scores(killer, victim):
    state = duel(killer, victim)
    hit(state)
    damaged(state, 1)
    assert not state.units[1].present
    assert state.units[0].scored == 0


@pytest.mark.rule("MM-053")
def test_further_hits_on_wreck_are_dropped():
    state = duel(CANNON, mek("light", hits=1))
    hit(state)
    hit(state, attack=2)
    assert kinds(damaged(state, 1)) == ["save-rolled", "hit-taken", "unit-destroyed"]


@pytest.mark.rule("MM-054")  # MM-D29
@pytest.mark.parametrize(("face", "critical"), [(5, False), (6, True)])
def test_critical_check_must_beat_hits_left(face, critical):
    state = duel(CANNON, TITAN)
    hit(state)
    checked = only(damaged(state, 1, face, *([5] if critical else [])), "critical-checked")
    assert checked.result["hits"] == 5
    assert checked.result["critical"] is critical


@pytest.mark.rule("MM-054")  # MM-D29
def test_each_hit_is_checked_for_critical_in_order():
    state = duel(mek("light", ["vulcan-cannon"]), TITAN)
    hit(state)
    hit(state)
    checks = [event.result["hits"] for event in damaged(state, 1, 1, 1, 1) if event.kind == "critical-checked"]
    assert checks == [5, 4]


@pytest.mark.rule("MM-A20")  # MM-D35
def test_hits_are_resolved_one_by_one_in_order():
    state = meet(battle([CANNON], [TITAN, mek("assault")]), SHORT)
    hit(state, on=2)
    hit(state, on=1, attack=2)
    events = damaged(state, 1, 6, 4, 4, 2)
    assert [(event.kind, event.unit) for event in events] == [
        ("save-rolled", "d2"),
        ("hit-taken", "d2"),
        ("critical-checked", "d2"),
        ("critical-rolled", "d2"),
        ("reactor-rolled", "d2"),
        ("save-rolled", "d1"),
    ]


@pytest.mark.rule("MM-055")  # MM-D28
@pytest.mark.parametrize(("band", "rerolled"), [(SHORT, False), (MEDIUM, False), (LONG, True)])
def test_ppc_at_long_rerolls_failed_critical_check(band, rerolled):
    state = duel(PPC, TITAN)
    hit(state, band=band)
    checked = only(damaged(state, 1, 5, *([6, 5] if rerolled else [])), "critical-checked")
    assert checked.result["critical"] is rerolled
    assert checked.rule == ("MM-055" if rerolled else "MM-054")


@pytest.mark.rule("MM-055")
def test_sharpshooter_does_not_reroll_successful_check():
    state = duel(mek("heavy", ["ppc"], skills=["sharpshooter"]), TITAN)
    hit(state, band=LONG)
    assert only(damaged(state, 1, 6, 5), "critical-checked").faces == (6,)
    assert not state.units[0].sharpshooter_spent


@pytest.mark.rule("MM-055")
@pytest.mark.parametrize(("again", "critical"), [(5, False), (6, True)])
def test_spaul_liner_rerolls_successful_critical_check(again, critical):
    state = duel(CANNON, mek("titan", systems=["spaul-liner"]))
    hit(state)
    checked = only(damaged(state, 1, 6, again, *([5] if critical else [])), "critical-checked")
    assert (checked.faces, checked.result["critical"]) == ((6, again), critical)


@pytest.mark.rule("MM-055")  # MM-D34
def test_critical_check_is_rerolled_once_at_most():
    state = duel(mek("heavy", ["ppc"], skills=["sharpshooter"]), mek("titan", systems=["spaul-liner"]))
    hit(state, band=LONG)
    assert only(damaged(state, 1, 6, 1), "critical-checked").faces == (
        6,
        1,
    )  # the Spaul Liner rerolls; PPC and pilot may not
    hit(state, band=LONG)
    state.shots[0] = state.shots[1]
    state.battle.shots = 1
    assert only(damaged(state, 1, 1, 6, 5), "critical-checked").faces == (
        1,
        6,
    )  # the PPC rerolls; the Spaul Liner may not
    assert not state.units[0].sharpshooter_spent


@pytest.mark.rule("MM-055")  # MM-D45
def test_sharpshooter_rerolls_one_failed_check_per_round():
    state = duel(mek("light", ["vulcan-cannon"], skills=["sharpshooter"]), TITAN)
    hit(state)
    hit(state)
    checks = [event for event in damaged(state, 1, 1, 2, 1, 1) if event.kind == "critical-checked"]
    assert [check.faces for check in checks] == [(1, 2), (1,)]
    start_round(state, 0)
    assert not state.units[0].sharpshooter_spent


@pytest.mark.rule("MM-056")
def test_critical_one_wounds_the_pilot():
    state = duel(CANNON, TITAN)
    critical(state, 1)
    assert state.units[1].wounded


@pytest.mark.rule("MM-056")  # MM-D30, MM-D32
def test_a_second_wound_has_no_effect():
    state = duel(CANNON, mek("titan", wounded=True))
    assert kinds(critical(state, 1)) == ["critical-rolled"]


@pytest.mark.rule("MM-056")  # MM-D31
def test_critical_two_damages_legs_cumulatively():
    state = duel(CANNON, TITAN)
    critical(state, 2)
    critical(state, 2)
    play(roll_movement, state, [1, 1, 6])
    assert state.units[1].total == 4


@pytest.mark.rule("MM-056")
def test_critical_three_destroys_an_intact_weapon():
    state = duel(CANNON, mek("heavy", ["cannon", "rail-cannon", "ppc"], weapons_lost=[1]))
    lost = only(critical(state, 3, choices=[1]), "weapon-destroyed")
    assert lost.result == {"slot": 2, "among": 2}
    assert [state.weapons[10 + slot].intact for slot in range(3)] == [1, 0, 0]


@pytest.mark.rule("MM-056", "MM-A04")
def test_last_weapon_is_destroyed_without_choice():
    state = duel(CANNON, mek("heavy", ["cannon"]))
    assert only(critical(state, 3), "weapon-destroyed").result["slot"] == 0


@pytest.mark.rule("MM-056", "MM-057")
@pytest.mark.parametrize(("face", "explodes"), [(3, True), (4, False)])
def test_critical_four_explodes_the_reactor_on_three_or_less(face, explodes):
    state = meet(battle([CANNON], [TITAN, TITAN]), SHORT)
    critical(state, 4, face)
    assert state.units[1].present == int(not explodes)
    assert state.units[0].scored == int(explodes)


@pytest.mark.rule("MM-057")  # MM-D31
def test_explosion_harms_no_other_unit():
    state = meet(battle([CANNON], [TITAN, TITAN]), SHORT)
    critical(state, 4, 1)
    assert (state.units[0].hits, state.units[2].hits) == (2, 6)


@pytest.mark.rule("MM-056", "MM-A23")  # MM-D31
def test_critical_five_hampers_next_rounds_attacks_only():
    state = duel(CANNON, mek("titan", ["cannon"]))
    critical(state, 5)
    critical(state, 5)
    assert modifiers(fired(state, 1, by=1, on=0)[0]) == {}
    run_step(end_round, state, 0)
    start_round(state, 0)
    assert modifiers(fired(state, 1, by=1, on=0)[0]) == {"computers": -1}
    run_step(end_round, state, 0)
    start_round(state, 0)
    assert modifiers(fired(state, 1, by=1, on=0)[0]) == {}


@pytest.mark.rule("MM-056")
def test_critical_six_destroys_a_system_but_no_armor():
    state = duel(CANNON, mek("assault", systems=["reactive-armor", "jammer"]))
    assert only(critical(state, 6), "system-lost").result == {"slot": 1, "among": 1}
    assert state.units[1].systems & JAMMER == 0
    assert kinds(critical(state, 6)) == ["critical-rolled"]  # only armor is left


@pytest.mark.rule("MM-056", "MM-058")
def test_lost_heat_sink_lowers_rating_by_one():
    state = duel(CANNON, mek("heavy", systems=["heat-sink", "heat-sink"]))
    critical(state, 6, choices=[0])
    assert rating(state, 1) == 6
    assert state.units[1].systems & HEAT_SINK
    critical(state, 6)
    assert rating(state, 1) == 5


@pytest.mark.rule("MM-056")  # MM-D32
@pytest.mark.parametrize("face", [3, 6])
def test_impossible_critical_has_no_effect(face):
    state = duel(CANNON, TITAN)
    assert kinds(critical(state, face)) == ["critical-rolled"]


@pytest.mark.rule("MM-054")  # MM-D33
def test_vehicles_suffer_criticals_too():
    state = duel(CANNON, support("gun-sled"))
    hit(state)
    assert kinds(damaged(state, 1, 3, 1)) == [
        "save-rolled",
        "hit-taken",
        "critical-checked",
        "critical-rolled",
        "pilot-wounded",
    ]
