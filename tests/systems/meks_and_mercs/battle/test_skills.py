"""Pilots' skills in battle: MM-066 to MM-075. Hawkeye is with detection."""

import pytest

from systems.meks_and_mercs.battle.play import plan, roll_fire, roll_movement
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.zone_combat import start_round
from systems.meks_and_mercs.battle.setup import support_rolls
from systems.meks_and_mercs.battle.state import NOBODY, SHORT
from systems.meks_and_mercs.battle.units import SKILL_BITS
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.roster import PilotSpec

from .states import INFANTRY, battle, critical, duel, fired, hit, kinds, meet, mek, modifiers, only, order, play

TITAN = mek("titan")
AIMING = [("accuracy", "cannon", 0), ("guidance", "missile", 1), ("steady-hand", "laser", 2)]
ARMED = ["cannon", "missile", "laser"]


def aim(state, slot, faces=(1,), *, by=0, on=1, gunnery=0):
    return [modifiers(event) for event in fired(state, *faces, by=by, on=on, slot=slot, gunnery=gunnery)]


def test_battle_knows_every_catalogue_skill():
    kinds_of_skill = {skill.skill for skill in CATALOGUE.skills.values()}
    assert kinds_of_skill == {*SKILL_BITS, "chassis-familiarity"}
    assert len(kinds_of_skill) == 16


@pytest.mark.rule("MM-066")
@pytest.mark.parametrize(("skill", "family", "slot"), AIMING)
def test_aiming_skill_helps_its_family_only(skill, family, slot):
    state = duel(mek("assault", ARMED, skills=[skill]), TITAN)
    for other in range(3):
        assert aim(state, other) == [{"aiming skill": 1} if other == slot else {}]


@pytest.mark.rule("MM-066")
@pytest.mark.parametrize(("skill", "family", "slot"), AIMING)
def test_aiming_skill_helps_one_attack_per_round(skill, family, slot):
    state = duel(mek("assault", ARMED, skills=[skill]), TITAN)
    assert aim(state, slot) == [{"aiming skill": 1}]
    assert aim(state, slot) == [{}]
    start_round(state, 0)
    assert aim(state, slot) == [{"aiming skill": 1}]


@pytest.mark.rule("MM-066")  # MM-D44
def test_aiming_skill_helps_all_dice_and_rerolls():
    state = duel(mek("light", ["vulcan-cannon"], skills=["accuracy"]), TITAN)
    assert aim(state, 0, [1, 1]) == [{"aiming skill": 1}, {"aiming skill": 1}]
    state = duel(mek("medium", ["six-pack-missile"], skills=["guidance"]), TITAN)
    (event,) = fired(state, 1, 2)
    assert event.result["hit"] is True


@pytest.mark.rule("MM-066", "MM-A36")
def test_aiming_skill_is_kept_for_mek_or_vehicle():
    state = meet(battle([mek("heavy", ["cannon", "cannon"], skills=["accuracy"])], [INFANTRY, TITAN]), SHORT)
    state.units[1].detected = 1
    state.firings[0].target, state.firings[1].slot, state.firings[1].target = 1, 1, 2
    state.units[0].firings = 2
    events = play(roll_fire, state, [1, 1])
    assert [modifiers(event) for event in events if event.kind != "heat-used"] == [{}, {"aiming skill": 1}]


@pytest.mark.rule("MM-067", "MM-A35")
@pytest.mark.parametrize(("total", "declared"), [(7, 0), (8, 1)])
def test_agility_needs_movement_total_of_eight(total, declared):
    agile = mek("light", skills=["agility"])
    state = duel(agile, agile)
    for unit in state.units:
        unit.total = total
    plan(state, [])
    assert [unit.dodges for unit in state.units] == [declared, declared]


@pytest.mark.rule("MM-067")  # MM-D41
def test_agility_uses_modified_total_of_this_round():
    state = duel(mek("light", skills=["agility", "maneuver"]), TITAN)
    play(roll_movement, state, [2, 2, 1])
    plan(state, [])
    assert (state.units[0].total, state.units[0].dodges) == (8, 1)


@pytest.mark.rule("MM-A35")
def test_agility_is_not_declared_without_spare_heat():
    state = duel(mek("light", ["vulcan-cannon"], skills=["agility"]), mek("light"))
    state.units[0].total = 9
    plan(state, [])
    assert (state.units[0].planned_heat, state.units[0].dodges) == (2, 0)


@pytest.mark.rule("MM-A35")
def test_agility_is_not_declared_against_undetected_infantry():
    state = duel(mek("light", skills=["agility"]), INFANTRY)
    state.units[0].total = 9
    plan(state, [])
    assert state.units[0].dodges == 0
    state.units[1].detected = 1
    plan(state, [])
    assert state.units[0].dodges == 1


@pytest.mark.rule("MM-067")  # MM-D41
def test_agility_dodges_first_attack_that_hits():
    state = duel(mek("light", ["vulcan-cannon"]), mek("heavy", skills=["agility"]))
    state.units[1].dodges = 1
    hit(state, attack=2)
    hit(state, attack=2)
    hit(state, attack=3)
    assert kinds(play(apply_damage, state, [6])) == ["attack-dodged", "attack-dodged", "save-rolled"]


@pytest.mark.rule("MM-068")  # MM-D42
def test_pinpoint_attack_makes_first_unsaved_hit_critical():
    state = duel(mek("light", ["vulcan-cannon"], skills=["pinpoint-attack"]), TITAN)
    for _die in range(3):
        hit(state)
    assert kinds(play(apply_damage, state, [6, 1, 2, 1, 1])) == [
        "save-rolled",
        *("save-rolled", "hit-taken", "pinpoint-used", "critical-rolled", "leg-damaged"),
        *("save-rolled", "hit-taken", "critical-checked"),
    ]


@pytest.mark.rule("MM-068")
def test_pinpoint_attack_works_once_per_round():
    state = duel(mek("light", ["cannon"], skills=["pinpoint-attack"]), TITAN)
    for _round in range(2):
        start_round(state, 0)
        state.battle.shots = 0
        hit(state)
        assert "pinpoint-used" in kinds(play(apply_damage, state, [1, 5]))


@pytest.mark.rule("MM-068", "MM-055")
@pytest.mark.parametrize(("face", "critical"), [(5, False), (6, True)])
def test_spaul_liner_forces_check_on_pinpoint_attack(face, critical):
    pilot = mek("heavy", ["ppc"], skills=["pinpoint-attack", "sharpshooter"])
    state = duel(pilot, mek("titan", systems=["spaul-liner"]))
    hit(state, band=2)  # a PPC at Long by a sharpshooter, and still one die
    events = play(apply_damage, state, [1, face, 2] if critical else [1, face])
    checked = only(events, "critical-checked")
    assert (checked.faces, checked.result["critical"]) == ((face,), critical)
    assert not state.units[0].sharpshooter_spent


@pytest.mark.rule("MM-068", "MM-A36")
def test_destroying_hit_does_not_spend_pinpoint_attack():
    shooter = mek("light", ["vulcan-cannon"], skills=["pinpoint-attack"])
    state = meet(battle([shooter], [mek("light", hits=1), TITAN]), SHORT)
    hit(state, on=1)
    hit(state, on=2, attack=2)
    assert "pinpoint-used" in kinds(play(apply_damage, state, [1, 1, 5]))


@pytest.mark.rule("MM-069")  # MM-D43
def test_gunnery_repeats_planned_weapon_at_minus_two():
    state = duel(mek("medium", ["cannon"], skills=["gunnery"]), TITAN)
    plan(state, [])
    events = play(roll_fire, state, [4, 6])
    shots = [event for event in events if event.kind == "shot-rolled"]
    assert [modifiers(event) for event in shots] == [{}, {"Gunnery": -2}]
    assert [event.result["hit"] for event in shots] == [True, True]
    assert only(events, "heat-used").result["heat"] == 2


@pytest.mark.rule("MM-069")
@pytest.mark.parametrize("weapon", ["laser", "missile"])
def test_gunnery_is_for_cannons_and_small_weapons(weapon):
    state = duel(mek("assault", [weapon], skills=["gunnery"]), mek("light"))
    plan(state, [])
    assert state.units[0].firings == 1


@pytest.mark.rule("MM-069")
def test_gunnery_works_with_small_weapons_against_infantry():
    state = duel(mek("light", ["grenade-launcher"], skills=["gunnery"]), INFANTRY)
    state.units[1].detected = 1
    plan(state, [])
    events = play(roll_fire, state, [5, 5, 6])  # the last die is the strongpoint's own
    assert [event.result["kills"] for event in events if event.kind == "kills-rolled"] == [5, 3]


@pytest.mark.rule("MM-070")  # MM-D45
def test_damage_control_ignores_first_critical_of_game():
    state = duel(TITAN, mek("titan", skills=["damage-control"]))
    assert kinds(critical(state)) == ["damage-control-used"]
    start_round(state, 0)
    assert kinds(critical(state, 5)) == ["critical-rolled", "computers-damaged"]


@pytest.mark.rule("MM-071")  # MM-D40
def test_ice_man_ignores_first_overheating_of_round():
    state = duel(mek("heavy", ["cannon", "cannon", "ppc"], skills=["ice-man"]), TITAN)
    state.units[0].heat_rating = 3
    order(state, 2, 0, 1)
    events = play(roll_fire, state, [1, 2, 1, 2, 1, 3])  # 4 of 3: holds; 5 of 3: ignored; 6 of 3: overheats
    rolls = [(e.result["overheated"], e.result["ignored"]) for e in events if e.kind == "heat-rolled"]
    assert rolls == [(False, False), (False, True), (True, False)]
    assert [state.weapons[slot].intact for slot in range(3)] == [1, 0, 1]


@pytest.mark.rule("MM-072")  # MM-D48
def test_spoof_hampers_first_missile_attack_of_round():
    state = duel(mek("assault", ["cannon", "swarm-missile", "missile"]), mek("titan", skills=["spoof"]))
    assert aim(state, 0) == [{}]
    assert aim(state, 1, [1, 1]) == [{"Spoof": -1}, {"Spoof": -1}]
    assert aim(state, 2) == [{}]
    start_round(state, 0)
    assert aim(state, 2) == [{"Spoof": -1}]


@pytest.mark.rule("MM-072")
def test_each_mek_has_its_own_spoof():
    state = meet(battle([mek("heavy", ["missile"])], [mek("titan", skills=["spoof"])] * 2), SHORT)
    assert [aim(state, 0, on=1), aim(state, 0, on=2)] == [[{"Spoof": -1}], [{"Spoof": -1}]]


@pytest.mark.rule("MM-075")  # MM-D47
def test_log_hero_adds_one_support_roll():
    hero, other = PilotSpec("regular", ("log-hero",)), PilotSpec("elite", ("tactics",))
    assert support_rolls(1, [hero, other, hero]) == 3
    assert support_rolls(2, [other]) == 2


@pytest.mark.rule("MM-067", "MM-063")
def test_agility_dodges_strongpoint_attack():
    state = duel(INFANTRY, mek("light", skills=["agility"]))
    state.units[1].dodges = 1
    hit(state, slot=NOBODY)
    assert kinds(play(apply_damage, state, [])) == ["attack-dodged"]
