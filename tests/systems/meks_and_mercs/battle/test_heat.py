"""Heat: MM-058 to MM-062."""

import pytest

from systems.meks_and_mercs.battle.play import plan, roll_fire
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.zone_combat import end_round, start_round
from systems.meks_and_mercs.battle.state import LONG, SHORT

from .states import INFANTRY, duel, hit, kinds, mek, only, order, play, rating, run_step, support

TITAN = mek("titan")


@pytest.mark.rule("MM-058")
@pytest.mark.parametrize(
    ("unit", "terrain", "expected"),
    [
        (mek("light"), "plain", 2),
        (mek("titan"), "plain", 8),
        (mek("heavy", systems=["heat-sink"]), "plain", 6),
        (mek("heavy", systems=["heat-sink", "heat-sink"]), "plain", 7),
        (mek("heavy", systems=["heat-sink", "heat-sink"], systems_lost=[1]), "plain", 6),
        (mek("heavy"), "moors", 6),
        (mek("heavy", skills=["chassis-familiarity-heavy"]), "plain", 6),
        (mek("heavy", skills=["chassis-familiarity-titan"]), "plain", 5),
    ],
)
def test_heat_rating_adds_chassis_sinks_moors_and_familiarity(unit, terrain, expected):
    assert rating(duel(unit, TITAN, terrain=terrain), 0) == expected


@pytest.mark.rule("MM-058", "MM-027")  # MM-D12
def test_heat_starts_at_zero_each_round():
    state = order(duel(mek("heavy", ["ppc"]), TITAN), 0)
    assert only(play(roll_fire, state, [1]), "heat-used").result["heat"] == 4
    run_step(end_round, state, 0)
    start_round(state, 0)
    order(state, 0)
    assert only(play(roll_fire, state, [1]), "heat-used").result["heat"] == 4


@pytest.mark.rule("MM-059", "MM-029")
def test_jump_jets_use_two_heat():
    state = order(duel(mek("medium", ["cannon"], ["jump-jets"]), TITAN), 0)
    state.units[0].jets = 1
    assert only(play(roll_fire, state, [1]), "heat-used").result == {"heat": 3, "rating": 4}


@pytest.mark.rule("MM-059", "MM-067")
def test_agility_uses_one_heat_before_first_weapon():
    state = order(duel(mek("medium", ["cannon"], skills=["agility"]), TITAN), 0)
    state.units[0].dodges = 1
    events = play(roll_fire, state, [1])
    assert kinds(events) == ["agility-declared", "shot-rolled", "heat-used"]
    assert events[-1].result["heat"] == 2


@pytest.mark.rule("MM-059")
def test_carried_heat_counts_for_one_round():
    state = order(duel(mek("medium", ["cannon"]), TITAN), 0)
    state.units[0].carried_heat = 2
    assert only(play(roll_fire, state, [1]), "heat-used").result["heat"] == 3
    run_step(end_round, state, 0)
    assert state.units[0].carried_heat == 0


@pytest.mark.rule("MM-060")  # MM-D36
@pytest.mark.parametrize(("face", "overheated"), [(1, True), (2, True), (3, False)])
def test_weapon_overheats_on_roll_up_to_excess(face, overheated):
    state = duel(mek("heavy", ["ppc"]), TITAN)
    state.units[0].heat_rating = 2
    rolled = only(play(roll_fire, order(state, 0), [1, face]), "heat-rolled")
    assert rolled.result == {"slot": 0, "heat": 4, "rating": 2, "overheated": overheated, "ignored": False}
    assert state.weapons[0].intact == int(not overheated)


@pytest.mark.rule("MM-060")
def test_no_heat_die_is_rolled_at_rating():
    state = duel(mek("heavy", ["ppc"]), TITAN)
    state.units[0].heat_rating = 4
    assert "heat-rolled" not in kinds(play(roll_fire, order(state, 0), [1]))


@pytest.mark.rule("MM-060")  # MM-D36
def test_excess_above_five_always_overheats():
    state = duel(mek("heavy", ["ppc"], carried_heat=0), TITAN)
    state.units[0].carried_heat = 7
    assert only(play(roll_fire, order(state, 0), [1, 6]), "heat-rolled").result["overheated"] is True


@pytest.mark.rule("MM-060")
def test_each_weapon_above_rating_rolls_for_heat():
    state = duel(mek("heavy", ["rail-cannon", "rail-cannon", "ppc"]), TITAN)
    state.units[0].heat_rating = 4
    events = play(roll_fire, order(state, 2, 0, 1), [1, 1, 6, 1, 6])
    assert [(e.result["slot"], e.result["heat"]) for e in events if e.kind == "heat-rolled"] == [(0, 5), (1, 6)]


@pytest.mark.rule("MM-060")  # MM-D36
def test_the_shot_of_an_overheated_weapon_still_counts():
    state = duel(mek("heavy", ["ppc"]), TITAN)
    state.units[0].heat_rating = 3
    play(roll_fire, order(state, 0), [6, 1])
    events = play(apply_damage, state, [1, 1])
    assert [event.unit for event in events if event.kind == "hit-taken"] == ["d1"]


@pytest.mark.rule("MM-060")  # MM-D37
def test_jets_and_agility_cause_no_heat_roll():
    state = order(duel(mek("light", ["ciws", "ciws"], ["jump-jets"]), INFANTRY), 0)
    state.units[1].detected = 1
    state.units[0].jets = state.units[0].dodges = 1  # 3 of 2 heat
    assert "heat-rolled" not in kinds(play(roll_fire, state, [4]))


@pytest.mark.rule("MM-060", "MM-061", "MM-A21")
@pytest.mark.parametrize(("weapon", "hits"), [("ppc", 3), ("swarm-missile", 2)])
def test_overheated_missile_weapon_costs_two_hits(weapon, hits):
    state = duel(mek("heavy", [weapon]), TITAN)
    state.units[0].heat_rating = 3
    play(roll_fire, order(state, 0), [1, 1, 1] if weapon == "swarm-missile" else [1, 1])
    events = play(apply_damage, state, [])  # neither save nor critical check
    assert kinds(events) == ["overheat-taken"]
    assert state.units[0].hits == hits


@pytest.mark.rule("MM-061", "MM-A21")
def test_overheat_hits_follow_all_enemy_damage():
    state = duel(mek("heavy", ["ppc"]), mek("light", ["cannon"]))
    state.units[0].heat_rating = 3
    play(roll_fire, order(order(state, 0), 0, unit=1, target=0), [1, 1, 4])
    assert kinds(play(apply_damage, state, [1, 1])) == [
        "save-rolled",
        "hit-taken",
        "critical-checked",
        "overheat-taken",
    ]


@pytest.mark.rule("MM-061", "MM-A21")
def test_overheat_hits_do_not_hit_wreck():
    state = duel(mek("heavy", ["ppc"], hits=1), mek("light", ["cannon"]))
    state.units[0].heat_rating = 3
    play(roll_fire, order(order(state, 0), 0, unit=1, target=0), [1, 1, 4])
    assert kinds(play(apply_damage, state, [1])) == ["save-rolled", "hit-taken", "unit-destroyed"]


@pytest.mark.rule("MM-061", "MM-099")
def test_mek_destroyed_by_own_heat_is_no_kill():
    state = duel(mek("heavy", ["swarm-missile"], hits=1), TITAN)
    state.units[0].heat_rating = 3
    play(roll_fire, order(state, 0), [1, 1, 1])
    destroyed = only(play(apply_damage, state, []), "unit-destroyed")
    assert destroyed.result["by"] is None
    assert (state.units[0].hits, state.units[1].scored) == (0, 0)


@pytest.mark.rule("MM-062")  # MM-D39
def test_vehicle_ignores_heat():
    state = duel(support("gunship"), TITAN)
    plan(state, [])
    assert kinds(play(roll_fire, state, [1, 1])) == ["shot-rolled", "shot-rolled"]


@pytest.mark.rule("MM-069")  # MM-D35
def test_overheated_weapon_fires_no_gunnery_shot():
    state = duel(mek("light", ["vulcan-cannon"], skills=["gunnery"]), TITAN)
    state.units[0].heat_rating = 1
    order(state, 0, 0)
    state.firings[1].gunnery = 1
    assert kinds(play(roll_fire, state, [1, 1, 1])) == ["shot-rolled", "shot-rolled", "heat-rolled", "heat-used"]


@pytest.mark.rule("MM-061")  # MM-D33
def test_overheating_wounds_no_pilot():
    state = duel(mek("titan", ["ppc"]), TITAN, LONG)
    state.units[0].heat_rating = 3
    play(roll_fire, order(state, 0), [1, 1])
    play(apply_damage, state, [])
    assert (state.units[0].wounded, state.units[0].legs, state.units[0].hits) == (0, 0, 5)


@pytest.mark.rule("MM-060")
def test_overheating_keeps_hits_waiting_for_save():
    state = duel(mek("heavy", ["ppc"]), mek("heavy", ["ppc"]), SHORT)
    hit(state, by=1, on=0)
    state.weapons[10].intact = 0
    assert "hit-taken" in kinds(play(apply_damage, state, [1, 1]))
