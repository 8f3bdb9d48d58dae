"""Readings of the rules of the map, through whole games: docs/rulings/meks-and-mercs.md, 16 to 18."""

from itertools import takewhile

import pytest

from battles.engine.resolve import resolve
from battles.systems.meks_and_mercs.rules.detection import detect
from battles.systems.meks_and_mercs.state import LONG

from .games import SCOUTS, Map, crew, game, kinds
from .test_support import in_fight


def names(event):
    return {part.name: part.value for part in event.modifiers}


@pytest.mark.rule("MM-066", "MM-076")
def test_an_ambush_is_fired_with_the_skills_of_the_round_and_spends_them():
    viper = crew("viper", "veteran", ["accuracy", "guidance"])  # a Cannon and a 6-Pack, in this order
    setup = game("opening-shots", attackers=[viper, *SCOUTS[1:]], support=(("ambush",), ()))
    fired_again = 0
    for seed in range(20):
        events = resolve(setup, seed).events
        at = kinds(events).index("ambush-sprung")
        assert (events[at].unit, events[at].result["slot"]) == ("a1", 1)
        assert names(events[at + 1])["aiming skill"] == 1
        rest = takewhile(lambda event: event.kind not in ("round-began", "phase-began"), events[at + 2 :])
        for event in rest:
            if event.kind == "shot-rolled" and event.unit == "a1":
                fired_again += event.result["slot"] == 1
                assert ("aiming skill" in names(event)) is (event.result["slot"] == 0)
    assert fired_again, "in no game did it fire its missiles again in the round of its ambush"


@pytest.mark.rule("MM-083", "MM-098")
def test_the_decoy_of_a_citadels_attacker_rolls_to_arrive_like_a_mek():
    setup = game("citadel", support=(("decoy",), ()))
    rolls = [
        event
        for seed in range(10)
        for event in resolve(setup, seed).events
        if event.kind == "arrival-rolled" and event.unit == "a+1"
    ]
    assert {event.result["needed"] for event in rolls} >= {3, 4}
    assert {bool(event.result["arrived"]) for event in rolls} == {False, True}


@pytest.mark.rule("MM-083", "MM-090")
def test_commandos_do_not_mark_a_decoy():
    light_first = [crew("wasp", "green"), crew("draken")]
    given = {"support": (("commandos",), ("decoy",)), "defenders": light_first}
    table = Map("breach", **given).put(**{"a1": 5, "a+1": 5, "d2": 5, "d+1": 5})
    assert table["d+1"].hits < table["d2"].hits, "the decoy must be the likelier mark"
    in_fight(table, 5, LONG)
    marked = [event for event in table.play(detect, [], 5) if event.kind == "commandos-marked"]
    assert [event.target for event in marked] == ["d2"]
    setup = game("breach", **given)
    marks = [event for seed in range(30) for event in resolve(setup, seed).events if event.kind == "commandos-marked"]
    assert marks
    assert all(event.target != "d+1" for event in marks)
