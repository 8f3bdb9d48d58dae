"""A round in order, and a whole battle in one zone: MM-025 to MM-027, MM-A23, MM-A37."""

import pytest

from systems.engine.dice import ScriptedDice
from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.events import STEPS
from systems.meks_and_mercs.battle.play import decide_breaks, fight_round
from systems.meks_and_mercs.battle.rules.zone_combat import end_round
from systems.meks_and_mercs.battle.state import DEFENDER, NOBODY, ROUND_CAP

from .states import COMMANDOS, INFANTRY, battle, duel, kinds, meet, mek, only, play, run_step, setup, support

CANNON = mek("light", ["cannon"])
TITAN = mek("titan")


def play_battle(attackers, defenders, faces, **conditions):
    """Return outcome and events of a whole battle with exactly these dice."""
    given = setup(attackers, defenders, **conditions)
    state = SYSTEM.prepare(given)
    events = play(SYSTEM.fight, state, faces)
    return SYSTEM.outcome(given, state), events


@pytest.mark.rule("MM-026", "MM-A18", "MM-A20")
def test_round_runs_step_by_step_for_both_sides():
    first = [6, 6, 1, 1, 4, 4, 1, 1, 1, 1]  # movement, fire, saves and checks of both
    second = [6, 6, 1, 1, 4, 4, 1, 1]
    _outcome, events = play_battle([CANNON], [CANNON], [*first, *second])
    order = list(STEPS)
    for number in (1, 2):
        steps = [order.index(event.step) for event in events if event.round == number and event.kind != "contact-made"]
        assert steps == sorted(steps)
        units = [event.unit for event in events if event.round == number and event.kind == "movement-rolled"]
        assert units == ["a1", "d1"]


@pytest.mark.rule("MM-A37", "MM-A08")
def test_both_sides_start_at_long():
    state = battle([CANNON, CANNON], [CANNON])
    events = play(fight_round, state, [1, 1, 1, 1, 1, 1], 0)
    assert kinds(events)[:2] == ["contact-made", "contact-made"]
    assert {pair.band for pair in state.pairs} == {2}


@pytest.mark.rule("MM-A37")
def test_last_side_with_units_wins():
    outcome, events = play_battle([CANNON], [support("apc")], [6, 6, 1, 4, 1])
    assert (outcome.winner, outcome.draw, outcome.reason, outcome.rounds) == ("Attacker", False, "one side left", 1)
    assert [(unit.key, unit.lost, unit.killed_by) for unit in outcome.units] == [
        ("a1", False, None),
        ("d1", True, "a1"),
    ]
    assert events[-1].kind == "battle-ended"


@pytest.mark.rule("MM-A37")
def test_battle_without_survivors_is_draw():
    spent = mek("light", ["cannon"], hits=1)
    outcome, _events = play_battle([spent], [spent], [6, 6, 1, 1, 4, 4, 1, 1])
    assert (outcome.winner, outcome.draw, outcome.reason) == (None, True, "nobody left")


@pytest.mark.rule("MM-A37")
def test_a_battle_ends_in_a_draw_after_thirty_rounds():
    outcome, _events = play_battle([TITAN], [TITAN], [3] * 2 * ROUND_CAP)
    assert ROUND_CAP == 30
    assert (outcome.winner, outcome.draw, outcome.reason, outcome.rounds) == (None, True, "round limit", 30)


@pytest.mark.rule("MM-A37", "MM-032")
def test_unit_that_breaks_contact_loses_field_and_survives():
    outcome, _events = play_battle([TITAN], [TITAN], [3, 5])
    assert outcome.winner == "Attacker"
    assert [(unit.withdrew, unit.lost) for unit in outcome.units] == [(False, False), (True, False)]


@pytest.mark.rule("MM-A37", "MM-090")
def test_commandos_do_not_hold_the_field():
    outcome, _events = play_battle([support("apc"), COMMANDOS], [CANNON], [1, 6, 6, 4, 1])
    assert outcome.winner == "Defender"


@pytest.mark.rule("MM-A37", "MM-024")
def test_infantry_alone_against_infantry_is_draw():
    outcome, _events = play_battle([INFANTRY], [INFANTRY], [])
    assert (outcome.winner, outcome.draw, outcome.reason, outcome.rounds) == (None, True, "nobody left in contact", 0)


@pytest.mark.rule("MM-025")
def test_fight_continues_at_reached_bands():
    _outcome, events = play_battle([CANNON], [support("apc")], [6, 6, 1, 3, 1, 1, 1, 4, 1])
    assert kinds(events).count("contact-made") == 1
    assert [event.round for event in events if event.kind == "shot-rolled"] == [1, 2]
    assert [event.round for event in events if event.kind == "band-changed"] == [1]


@pytest.mark.rule("MM-027")  # MM-D12
def test_a_weapon_fires_again_in_every_round():
    _outcome, events = play_battle([CANNON], [support("apc")], [6, 6, 1, 3, 1, 1, 1, 4, 1])
    heat = [event.result["heat"] for event in events if event.kind == "heat-used"]
    assert heat == [1, 1]


@pytest.mark.rule("MM-A23")
def test_attack_ends_quiet_rounds():
    state = battle([TITAN], [TITAN])
    play(fight_round, state, [3, 3], 0)
    play(fight_round, state, [3, 3], 0)
    assert state.zones[0].quiet == 2
    state.battle.attacks = 1
    run_step(end_round, state, 0)
    assert state.zones[0].quiet == 0


@pytest.mark.rule("MM-A23")  # MM-D31
def test_damaged_computers_wait_for_next_fought_round():
    state = duel(CANNON, CANNON)
    state.units[1].computers_next = 1
    state.units[1].in_fight = 0
    run_step(end_round, state, 0)
    assert (state.units[1].computers, state.units[1].computers_next) == (0, 1)


@pytest.mark.rule("MM-A04")
def test_no_unneeded_die_is_rolled():
    dice = ScriptedDice([3, 3])
    log = []
    assert fight_round(battle([TITAN], [TITAN]), 0, dice, log)
    assert dice.rolled == [3, 3]


@pytest.mark.rule("MM-A03", "MM-A23")
def test_pairs_of_destroyed_unit_end_with_round():
    state = battle([CANNON], [support("apc"), TITAN])
    play(fight_round, state, [6, 6, 1, 3, 4, 1], 0)
    assert not state.units[1].present
    assert [pair.made for pair in state.pairs] == [0, 1]


@pytest.mark.rule("MM-A06", "MM-A37")
def test_unit_that_broke_contact_counts_as_strength():
    state = meet(battle([TITAN, CANNON], [TITAN], doctrines=("cautious", "aggressive")))
    state.units[0].withdrew = 1
    for price, wants in (2 * (12 + 5), 0), (2 * (12 + 5) + 1, 1):
        state.units[2].price = price
        decide_breaks(state, [])
        assert state.units[1].wants_break == wants
    state.battle.round = ROUND_CAP
    assert only(play(SYSTEM.fight, state, []), "battle-ended").result["winner"] == NOBODY
    state.units[1].present = 0
    assert only(play(SYSTEM.fight, state, []), "battle-ended").result["winner"] == DEFENDER
