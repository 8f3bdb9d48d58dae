"""Sentences of MechaStellar's events."""

from __future__ import annotations

import pytest

from systems.mechastellar.battle.events import FACTS

NAMES, SIDES = {"a1": "Falconeye", "b1": "MS"}, ("Red", "Blue")


def sentence_of(kind, **noted):
    return FACTS.sentence(FACTS[kind].event(1, {"unit": 0, "target": 1, **noted}, ["a1", "b1"]), {}, NAMES, SIDES)


@pytest.mark.rule("ST-245", "ST-246")
@pytest.mark.parametrize(
    ("kind", "passed", "words"),
    [
        ("rout-tested", 0, "Falconeye fails a Morale Save against Rout (5+), 1 Momentum for Blue."),
        ("rout-tested", 1, "Falconeye passes a Morale Save against Rout (5+)."),
        ("rally-tested", 1, "Falconeye passes a Morale Save to Rally (5+), 1 Momentum for Blue."),
    ],
)
def test_morale_save_names_its_purpose(kind, passed, words):
    noted = {"target": 1} if kind == "rout-tested" else {}
    event = FACTS[kind].event(
        1, {"unit": 0, "face": 4, "morale": 5, "passed": passed, "side": 1, **noted}, ["a1", "b1"]
    )
    assert FACTS.sentence(event, {}, NAMES, SIDES) == words


@pytest.mark.rule("ST-100")
@pytest.mark.parametrize(
    ("crit", "number", "words"),
    [
        (10, 5, "Falconeye rolls 5 dice to attack (5+, 10+ counts twice): 4 Hits."),
        (9, 1, "Falconeye rolls 1 die to attack (5+, 9+ counts twice): 4 Hits."),
        (11, 5, "Falconeye rolls 5 dice to attack (5+, no crits): 4 Hits."),
    ],
)
def test_attack_without_crits_is_described(crit, number, words):
    assert sentence_of("attack-rolled", number=number, success=5, crit=crit, total=4) == words
