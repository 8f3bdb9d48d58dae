"""Readings of the map rules in whole games: systems/meks_and_mercs/rulings.md, 16 to 18 and 28."""

from itertools import takewhile

import pytest

from systems.meks_and_mercs.battle.play import movement_phase, play_detection
from systems.meks_and_mercs.battle.rules import pair_of
from systems.meks_and_mercs.battle.rules.zone_combat import break_contact
from systems.meks_and_mercs.battle.state import ATTACKER, DEFENDER, HOLD, LONG
from systems.simulation.records import resolve

from .games import SCOUTS, Map, crew, game, in_fight, kinds
from .states import modifiers


@pytest.mark.rule("MM-066", "MM-076")
def test_ambush_uses_and_spends_skills_of_round():
    viper = crew("viper", "veteran", ["accuracy", "guidance"])  # a Cannon and a 6-Pack, in this order
    setup = game("opening-shots", attackers=[viper, *SCOUTS[1:]], support=(("ambush",), ()))
    fired_again = 0
    for seed in range(20):
        events = resolve(setup, seed).events
        at = kinds(events).index("ambush-sprung")
        assert (events[at].unit, events[at].result["slot"]) == ("a1", 1)
        assert modifiers(events[at + 1])["aiming skill"] == 1
        rest = takewhile(lambda event: event.kind not in ("round-began", "phase-began"), events[at + 2 :])
        for event in rest:
            if event.kind == "shot-rolled" and event.unit == "a1":
                fired_again += event.result["slot"] == 1
                assert ("aiming skill" in modifiers(event)) is (event.result["slot"] == 0)
    assert fired_again, "it never fired its missiles again in the round of its ambush"


@pytest.mark.rule("MM-083", "MM-098")
def test_citadel_attackers_decoy_rolls_to_arrive():
    setup = game("citadel", support=(("decoy",), ()))
    rolls = [
        event
        for seed in range(10)
        for event in resolve(setup, seed).events
        if event.kind == "arrival-rolled" and event.unit == "a+1"
    ]
    assert {event.result["needed"] for event in rolls} >= {3, 4}
    assert {bool(event.result["arrived"]) for event in rolls} == {False, True}


@pytest.mark.rule("MM-083", "MM-090")  # MM-D62
def test_commandos_remove_decoy_by_identifying():
    light_first = [crew("wasp", "green"), crew("draken")]
    given = {"support": (("commandos",), ("decoy",)), "defenders": light_first}
    table = Map("breach", **given).put(**{"a1": 5, "a+1": 5, "d2": 5, "d+1": 5})
    in_fight(table, 5, LONG)
    events = table.play(play_detection, [], 5)
    assert [(event.kind, event.unit, event.result["by"]) for event in events] == [("decoy-removed", "d+1", "a+1")]
    assert not table["d+1"].present
    assert [event.target for event in table.play(play_detection, [], 5)] == ["d2"], "one action a round"


@pytest.mark.rule("MM-083", "MM-090")
def test_decoy_beside_commandos_draws_no_fire():
    far = {"design": {"chassis": "heavy", "weapons": ["missile"], "systems": []}}
    defenders = [crew("draken"), crew("wasp", "green")]
    setup = game("breach", attackers=[far, far], support=(("commandos",), ("decoy",)), defenders=defenders)
    seen_through = 0
    for seed in range(10):
        events = resolve(setup, seed).events
        shots = [at for at, event in enumerate(events) if event.kind == "shot-rolled" and event.target == "d+1"]
        ends = [at for at, event in enumerate(events) if event.kind == "decoy-removed"]
        seen_through += any(events[at].result["by"] == "a+1" for at in ends)
        assert not ends or all(at < ends[0] for at in shots)
    assert seen_through


@pytest.mark.rule("MM-032", "MM-033", "MM-A15")
def test_broken_pair_is_not_broken_again_by_other_side():
    table = in_fight(Map().put(a1=5, d1=5, d2=5), 5)
    state, wanted = table.state, (("a1", "d1"), ("a1", "d2"))
    pairs = [pair_of(state, table.at(own), table.at(enemy)) for own, enemy in wanted]
    for key, total in (("d1", 9), ("a1", 6), ("d2", 3)):
        table[key].total = total
    table["d1"].wants_break = 1
    assert [event.unit for event in table.run_step(break_contact)] == ["d1"]
    table["d1"].wants_break, table["a1"].wants_break = 0, 1
    assert [event.unit for event in table.run_step(break_contact)] == ["a1"], "d1 is no longer an enemy to beat"
    assert [pair.broken_by for pair in pairs] == [DEFENDER + 1, ATTACKER + 1]

    for key in ("a1", "d1", "d2"):
        table[key].withdrew, table[key].order = 0, HOLD
    events = table.play(movement_phase, [], DEFENDER)
    assert [(event.unit, event.target) for event in events if event.kind == "contact-reopened"] == [("a1", "d1")]
    assert [pair.broken_by for pair in pairs] == [0, ATTACKER + 1]
