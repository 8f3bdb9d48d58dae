"""Detection: MM-035 to MM-040, MM-074, MM-090."""

import pytest

from systems.meks_and_mercs.battle.play import plan, play_detection
from systems.meks_and_mercs.battle.rules.zone_combat import break_contact, end_round, start_round
from systems.meks_and_mercs.battle.state import LONG, MEDIUM, SHORT

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
    run_step,
    sight,
    support,
)

SENSORS = {"basic": [], "improved": ["sensor-improved"], "advanced": ["sensor-advanced"]}
MASKED = mek("medium", systems=["masking"])
MISSILES = mek("heavy", ["missile"])
BANDS = (SHORT, MEDIUM, LONG)


def seeker(sensor, *more, **pilot):
    return mek("assault", ["missile"], [*SENSORS[sensor], *more], **pilot)


def attacks(state, unit, enemy):
    """Return whether the unit, which has missiles, plans to fire at that enemy."""
    plan(state, [])
    return enemy in [target for _slot, target in planned(state, unit)]


@pytest.mark.rule("MM-035")
@pytest.mark.parametrize("sensor", SENSORS)
@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("target", [mek("light"), support("apc")], ids=["Mek", "vehicle"])
def test_every_sensor_targets_unmasked_units_without_die(sensor, band, target):
    state = duel(seeker(sensor), target, band)
    assert play(play_detection, state, [], 0) == ()
    assert attacks(state, 0, 1)


@pytest.mark.rule("MM-035", "MM-036")
def test_untargeted_masked_unit_is_not_attacked():
    state = duel(MISSILES, MASKED, SHORT)
    play(play_detection, state, [3], 0)
    plan(state, [])
    assert state.units[0].firings == 0


@pytest.mark.rule("MM-036")
@pytest.mark.parametrize(
    ("sensor", "band", "needed"),
    [
        ("basic", SHORT, 4),
        ("basic", MEDIUM, 4),
        ("basic", LONG, None),
        ("improved", SHORT, 4),
        ("improved", MEDIUM, 4),
        ("improved", LONG, 4),
        ("advanced", SHORT, 2),
        ("advanced", MEDIUM, 2),
        ("advanced", LONG, 2),
    ],
)
def test_targeting_masked_unit_depends_on_sensor_class(sensor, band, needed):
    for face in range(1, 7):
        state = duel(seeker(sensor), MASKED, band)
        play(play_detection, state, [face] if needed else [], 0)
        assert attacks(state, 0, 1) is (needed is not None and face >= needed)


@pytest.mark.rule("MM-036")
def test_lost_sensor_leaves_basic_one():
    state = duel(mek("assault", ["missile"], ["sensor-advanced"], systems_lost=[0]), MASKED, SHORT)
    assert only(play(play_detection, state, [3], 0), "targeting-rolled").result == {"needed": 4, "success": False}


@pytest.mark.rule("MM-036")  # MM-D21
def test_targeted_masked_unit_needs_no_further_die():
    state = duel(MISSILES, MASKED, SHORT)
    play(play_detection, state, [4], 0)
    start_round(state, 0)
    assert play(play_detection, state, [], 0) == ()
    assert attacks(state, 0, 1)


@pytest.mark.rule("MM-036")  # MM-D21
def test_masked_unit_can_be_tried_each_round():
    state = duel(MISSILES, MASKED, SHORT)
    play(play_detection, state, [1], 0)
    start_round(state, 0)
    play(play_detection, state, [4], 0)
    assert attacks(state, 0, 1)


@pytest.mark.rule("MM-036")
def test_targeting_masked_unit_helps_only_the_targeter():
    state = meet(battle([MISSILES, MISSILES], [MASKED]), SHORT)
    play(play_detection, state, [4, 3], 0)
    assert (attacks(state, 0, 2), attacks(state, 1, 2)) == (True, False)


@pytest.mark.rule("MM-036")
def test_breaking_contact_loses_the_target():
    state = duel(MISSILES, MASKED, LONG)
    sight(state, 0, 1).targeted = 1
    state.units[1].wants_break = 1
    state.units[1].total = 5
    run_step(break_contact, state)
    assert not sight(state, 0, 1).targeted


@pytest.mark.rule("MM-036")
def test_lost_masking_hides_nothing():
    state = duel(MISSILES, mek("medium", systems=["masking"], systems_lost=[0]), LONG)
    play(play_detection, state, [], 0)
    assert attacks(state, 0, 1)


@pytest.mark.rule("MM-037")
@pytest.mark.parametrize(
    ("sensor", "band", "identified"),
    [("basic", MEDIUM, 1), ("basic", LONG, 0), ("improved", LONG, 1), ("advanced", LONG, 1)],
)
def test_unmasked_unit_in_reach_is_identified_without_die(sensor, band, identified):
    state = duel(seeker(sensor, "data-link"), mek("light"), band)
    play(play_detection, state, [], 0)
    assert sight(state, 0, 1).identified == identified


@pytest.mark.rule("MM-037")
@pytest.mark.parametrize(
    ("sensor", "band", "needed"),
    [
        ("basic", SHORT, 4),
        ("basic", MEDIUM, None),
        ("improved", SHORT, 3),
        ("improved", MEDIUM, 3),
        ("improved", LONG, None),
        ("advanced", SHORT, 2),
        ("advanced", LONG, 2),
    ],
)
def test_identifying_masked_unit_depends_on_sensor_class(sensor, band, needed):
    for face in range(1, 7):
        state = duel(seeker(sensor, "data-link"), MASKED, band)
        sight(state, 0, 1).targeted = 1  # no targeting die
        play(play_detection, state, [face] if needed else [], 0)
        assert sight(state, 0, 1).identified == int(needed is not None and face >= needed)


@pytest.mark.rule("MM-037", "MM-A17")
def test_data_link_identifies_again_each_round():
    state = duel(seeker("advanced", "data-link"), MASKED, SHORT)
    play(play_detection, state, [6, 6], 0)
    start_round(state, 0)
    assert kinds(play(play_detection, state, [6], 0)) == ["identification-rolled"]
    plain = duel(seeker("advanced"), MASKED, SHORT)
    assert kinds(play(play_detection, plain, [6], 0)) == ["targeting-rolled"]


@pytest.mark.rule("MM-037")  # MM-D22
def test_identified_masked_unit_is_not_targeted():
    state = duel(seeker("advanced", "data-link"), MASKED, SHORT)
    play(play_detection, state, [1, 6], 0)
    assert sight(state, 0, 1).identified
    assert not attacks(state, 0, 1)


@pytest.mark.rule("MM-038")  # MM-D24
@pytest.mark.parametrize(
    ("sensor", "band", "lowest"),
    [
        ("basic", SHORT, 6),
        ("basic", MEDIUM, None),
        ("basic", LONG, None),
        ("improved", SHORT, 5),
        ("improved", MEDIUM, 6),
        ("improved", LONG, None),
        ("advanced", SHORT, 3),
        ("advanced", MEDIUM, 4),
        ("advanced", LONG, 5),
    ],
)
def test_finding_infantry_depends_on_sensor_class(sensor, band, lowest):
    for face in range(1, 7):
        state = duel(seeker(sensor), INFANTRY, band)
        play(play_detection, state, [face] if lowest else [], 0)
        assert state.units[1].detected == int(lowest is not None and face >= lowest)


@pytest.mark.rule("MM-038")
def test_infantry_found_by_one_is_attackable_by_all():
    state = meet(battle([MISSILES, MISSILES], [INFANTRY]), SHORT)
    assert not attacks(state, 0, 2)
    play(play_detection, state, [6], 0)  # the second unit has nothing left to search for
    assert (attacks(state, 0, 2), attacks(state, 1, 2)) == (True, True)


@pytest.mark.rule("MM-038")
def test_attacking_reveals_infantry():
    state = duel(MISSILES, INFANTRY, SHORT)
    state.units[1].attacked = 1
    assert kinds(run_step(end_round, state, 0)) == ["infantry-revealed"]
    assert state.units[1].detected


@pytest.mark.rule("MM-040", "MM-A29")  # MM-D25
def test_data_link_lets_friends_fire_missiles():
    linked = mek("heavy", systems=["data-link", "sensor-advanced"])
    friend = mek("assault", ["cannon", "missile"])
    state = meet(battle([linked, friend], [MASKED]), SHORT)
    play(play_detection, state, [1, 2, 3], 0)  # a1 fails to target, identifies; a2 fails to target
    plan(state, [])
    assert planned(state, 1) == [(1, 2)]  # the missile, not the cannon


@pytest.mark.rule("MM-040")  # MM-D25
def test_data_link_does_not_help_its_carrier():
    state = duel(seeker("advanced", "data-link"), MASKED, SHORT)
    play(play_detection, state, [1, 6], 0)
    plan(state, [])
    assert state.units[0].firings == 0


@pytest.mark.rule("MM-040")
def test_lost_data_link_helps_nobody():
    linked = mek("heavy", systems=["data-link", "sensor-advanced"], systems_lost=[0])
    state = meet(battle([linked, MISSILES], [MASKED]), SHORT)
    play(play_detection, state, [1, 1], 0)
    assert not attacks(state, 1, 2)


@pytest.mark.rule("MM-040")
def test_data_link_keeps_shooters_own_band():
    linked = mek("heavy", systems=["data-link", "sensor-advanced"])
    state = meet(battle([linked, mek("medium", ["six-pack-missile"])], [MASKED]), SHORT)
    state.pairs[1].band = LONG  # out of the six-pack's reach and the basic sensor's
    play(play_detection, state, [1, 6], 0)
    plan(state, [])
    assert state.units[1].firings == 0


@pytest.mark.rule("MM-074", "MM-A17")
@pytest.mark.parametrize(("face", "found"), [(4, 0), (5, 1)])
def test_hawkeye_finds_masked_unit_that_sensor_missed(face, found):
    state = duel(mek("heavy", ["missile"], skills=["hawkeye"]), MASKED, LONG)
    assert kinds(play(play_detection, state, [face], 0)) == ["hawkeye-rolled"]
    assert attacks(state, 0, 1) is bool(found)


@pytest.mark.rule("MM-074")
def test_hawkeye_finds_infantry_beyond_the_sensors_reach():
    state = duel(mek("heavy", ["missile"], skills=["hawkeye"]), INFANTRY, LONG)
    play(play_detection, state, [5], 0)
    assert state.units[1].detected


@pytest.mark.rule("MM-074")  # MM-D50
def test_hawkeye_looks_once_per_detection_step():
    state = meet(battle([mek("heavy", ["missile"], skills=["hawkeye"])], [MASKED, MASKED]), LONG)
    assert [event.target for event in play(play_detection, state, [1], 0)] == ["d1"]
    start_round(state, 0)
    assert [event.target for event in play(play_detection, state, [6], 0)] == ["d1"]


@pytest.mark.rule("MM-074")
def test_hawkeye_is_kept_when_sensor_suffices():
    state = meet(battle([mek("heavy", ["missile"], skills=["hawkeye"])], [MASKED, MASKED]), SHORT)
    assert kinds(play(play_detection, state, [4, 1, 5], 0)) == [
        "targeting-rolled",
        "targeting-rolled",
        "hawkeye-rolled",
    ]


@pytest.mark.rule("MM-A17", "MM-026")
def test_detection_starts_with_phasing_side():
    state = meet(battle([MISSILES, MASKED], [MASKED, MASKED]), SHORT)
    rolled = play(play_detection, state, [1, 1, 1, 1, 1, 1], 0)
    pairs = [(event.unit, event.target) for event in rolled]
    assert pairs == [("a1", "d1"), ("a1", "d2"), ("a2", "d1"), ("a2", "d2"), ("d1", "a2"), ("d2", "a2")]


@pytest.mark.rule("MM-090", "MM-A17")
def test_commandos_reveal_first_undetected_infantry():
    state = meet(battle([MISSILES, COMMANDOS], [MISSILES, INFANTRY, INFANTRY]), LONG)
    found = only(play(play_detection, state, [], 0), "commandos-detected")
    assert (found.unit, found.target) == ("a2", "d2")
    assert [unit.detected for unit in state.units[2:]] == [0, 1, 0]
    assert not state.units[2].marked


@pytest.mark.rule("MM-090")  # MM-D62
def test_commandos_mark_enemy_with_fewest_hits():
    state = meet(battle([MISSILES, COMMANDOS], [mek("titan"), mek("light"), mek("light", ["cannon"])]))
    marked = only(play(play_detection, state, [], 0), "commandos-marked")
    assert (marked.unit, marked.target) == ("a2", "d2")


@pytest.mark.rule("MM-090")  # MM-D62
def test_commandos_can_mark_vehicle():
    state = meet(battle([MISSILES, COMMANDOS], [mek("light"), support("apc")]), SHORT)
    assert only(play(play_detection, state, [], 0), "commandos-marked").target == "d2"
    assert modifiers(fired(state, 1, on=3)[0]) == {"commandos": 1}


@pytest.mark.rule("MM-090", "MM-044")  # MM-D62
def test_commandos_mark_helps_friends_for_one_round():
    state = meet(battle([MISSILES, COMMANDOS], [mek("light")]), SHORT)
    play(play_detection, state, [], 0)
    assert modifiers(fired(state, 1, on=2)[0]) == {"commandos": 1}
    start_round(state, 0)
    assert modifiers(fired(state, 1, on=2)[0]) == {}


@pytest.mark.rule("MM-090")
def test_commandos_mark_only_units_in_contact():
    state = meet(battle([MISSILES, COMMANDOS], [mek("light"), mek("titan")]), SHORT)
    state.pairs[0].broken_by = 2
    start_round(state, 0)
    assert only(play(play_detection, state, [], 0), "commandos-marked").target == "d2"


@pytest.mark.rule("MM-090")  # MM-D62
def test_commandos_are_never_attacked():
    state = meet(battle([MISSILES], [mek("light"), COMMANDOS]), SHORT)
    assert not attacks(state, 0, 2)


@pytest.mark.rule("MM-090")  # MM-D62
def test_two_commandos_act_separately():
    state = meet(battle([MISSILES, COMMANDOS, COMMANDOS], [INFANTRY, mek("light")]), LONG)
    acts = [(event.kind, event.unit, event.target) for event in play(play_detection, state, [], 0)]
    assert acts == [("commandos-detected", "a2", "d1"), ("commandos-marked", "a3", "d2")]
    start_round(state, 0)
    assert kinds(play(play_detection, state, [], 0)) == ["commandos-marked", "commandos-marked"]
    assert modifiers(fired(state, 1, on=4)[0]) == {"commandos": 2}, "two marks on one target add up"


@pytest.mark.rule("MM-090", "MM-040")  # MM-D62
def test_commandos_identify_masked_unit_for_data_link():
    link = mek("heavy", systems=["data-link"])
    state = meet(battle([MISSILES, link, COMMANDOS], [MASKED]), LONG)
    found = only(play(play_detection, state, [], 0), "commandos-identified")
    assert (found.unit, found.target) == ("a3", "d1")
    assert attacks(state, 0, 3)
    assert not attacks(state, 1, 3), "the carrier's own data link doesn't help it"


@pytest.mark.rule("MM-090", "MM-040")  # MM-D62
@pytest.mark.parametrize("friends", [[MISSILES], [mek("heavy", ["laser"]), mek("heavy", systems=["data-link"])]])
def test_commandos_mark_when_identifying_helps_nobody(friends):
    state = meet(battle([*friends, COMMANDOS], [MASKED, mek("light")]), LONG)
    assert only(play(play_detection, state, [], 0), "commandos-marked").target == "d2"
