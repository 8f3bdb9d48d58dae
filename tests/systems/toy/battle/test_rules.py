"""Toy battles, played on scripted dice."""

import pytest

from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event, Outcome
from systems.setups import Setup, SetupSide, SetupUnit
from tests.toy.battle import SYSTEM


def a_setup(attackers: list[str], defenders: list[str], doctrine: str = "charge") -> Setup:
    sides = [
        SetupSide(
            name=name,
            doctrine=doctrine,
            units=tuple(SetupUnit(key=f"{letter}{at}", design=kind) for at, kind in enumerate(kinds, start=1)),
        )
        for name, letter, kinds in (("Red", "a", attackers), ("Blue", "b", defenders))
    ]
    return Setup(muster="setup/1", system="toy", scenario="skirmish", terrain="carpet", sides=(sides[0], sides[1]))


def play_battle(setup: Setup, faces: list[int]) -> tuple[tuple[Event, ...], Outcome]:
    """Return the battle on exactly these dice."""
    dice, log = ScriptedDice(faces), Log()
    state = SYSTEM.prepare(setup)
    SYSTEM.fight(state, dice, log)
    assert not dice.faces
    return SYSTEM.events(setup, log), SYSTEM.outcome(setup, state)


# Two chargers walk 4 inches a round each: in the third one the attacker steps to 4 inches and strikes first.


@pytest.mark.rule("TY-001")
def test_four_hits_and_three_misses():
    _, outcome = play_battle(a_setup(["runner"], ["runner"]), [4, 3, 4])
    assert [unit.hits for unit in outcome.units] == [2, 0]


@pytest.mark.rule("TY-001")
def test_unit_walks_four_inches_or_less_as_needed():
    events, _ = play_battle(a_setup(["runner"], ["runner"]), [4, 3, 4])
    moves = [(event.unit, event.result["place"]) for event in events if event.kind == "moved"]
    assert moves == [("a1", 4), ("b1", 20), ("a1", 8), ("b1", 16), ("a1", 12)]


@pytest.mark.rule("TY-001")
def test_first_of_equally_near_enemies_is_struck():
    events, _ = play_battle(a_setup(["knight"], ["runner", "runner"]), [4, 1, 1, 4, 1, 4, 1, 4])
    assert [event.target for event in events if event.kind == "struck" and event.unit == "a1"] == [
        "b1",
        "b1",
        "b2",
        "b2",
    ]


@pytest.mark.rule("TY-002")
def test_a_side_without_units_has_lost():
    _, outcome = play_battle(a_setup(["runner"], ["runner"]), [4, 3, 4])
    assert (outcome.winner, outcome.rounds, outcome.reason) == ("Red", 4, "one side left")
    assert [(unit.lost, unit.kills) for unit in outcome.units] == [(False, 1), (True, 0)]


@pytest.mark.rule("TY-002")
def test_battle_is_drawn_after_twenty_rounds():
    _, outcome = play_battle(a_setup(["runner"], ["runner"], doctrine="wait"), [1] * 30)
    assert (outcome.winner, outcome.draw, outcome.rounds) == (None, True, 20)
