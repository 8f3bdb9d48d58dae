"""The log of a battle: the rule of each modifier, and everything a reader needs to check a line."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from systems.hex_core.battle import SYSTEM
from systems.hex_core.battle import state as c
from systems.hex_core.battle.events import FACTS
from systems.hex_core.battle.rules import evasion_level
from systems.hex_core.battle.rules.attacks import attack, attack_with_drone, height_bonus
from systems.hex_core.build import SYSTEM as ROSTERS
from systems.simulation.records import resolve
from tests.systems.hex_core.battle.tables import Table, example, foe, setup, unit

RIFLE = 0
FLYER = example("warden", systems=["flight"])
LEVELS = {3: "HX-156", 2: "HX-157", 1: "HX-158", 0: "HX-159", -1: "HX-160", -2: "HX-161"}
SAYS = {  # the text of a modifier's rule, where it isn't the modifier's name
    "trait": "traits",
    "reinforced grip": "mods",
    "level +1": r"level \+1",
    "level +2": r"level \+2",
    "level +3": r"level \+3",
}


def wording(rule):
    entry = ROSTERS.rulebook[rule]
    return f"{entry.title}. {entry.text}".lower()


@pytest.mark.parametrize(("kind", "field"), [(kind, field) for kind, fact in FACTS.items() for field in fact.modifiers])
def test_modifier_cites_matching_rule(kind, field):
    name, rule = FACTS[kind].modifiers[field]
    assert re.search(SAYS.get(name, name), wording(rule)), (name, rule, wording(rule))


def modifiers(event):
    return [(each.name, each.value, each.rule) for each in event.modifiers]


@pytest.mark.rule("HX-156", "HX-157", "HX-158", "HX-159", "HX-160", "HX-161")
@pytest.mark.parametrize("level", range(-2, 4))
def test_each_level_cites_its_own_rule(level):
    own = LEVELS[level]
    name = f"level {level:+d}".replace("-", "−")
    t = Table([unit(FLYER, level=level)], [foe(FLYER, level=level)], pool=9)
    t.run(attack, 0, RIFLE, 1, c.TORSO, dice=[7, 1, 1])
    shot, evasion = t.events_of("attack-rolled")[0], t.events_of("evasion-rolled")[0]
    assert modifiers(shot) == ([(name, height_bonus(level), own)] if height_bonus(level) else [])
    assert modifiers(evasion) == ([(name, evasion_level(level), own)] if evasion_level(level) else [])
    assert shot.added == height_bonus(level)


@pytest.mark.rule("HX-105", "HX-106", "HX-142", "HX-144")
@pytest.mark.parametrize(
    ("state", "hexes", "expected"),
    [
        ({"kneeling": 1}, {}, [("kneeling", 1, "HX-105")]),
        ({"prone": 1}, {}, [("prone", 3, "HX-106")]),
        ({}, {"green": [(7, 8)]}, [("woods", -2, "HX-142")]),
        ({}, {"black": [(7, 8)]}, [("smoke", -1, "HX-144")]),
        ({}, {"green": [(7, 8), (7, 6)], "black": [(7, 7)]}, [("woods", -4, "HX-142"), ("smoke", -1, "HX-144")]),
    ],
)
def test_woods_smoke_kneeling_and_prone_cite_their_rules(state, hexes, expected):
    t = Table([unit()], [foe()], hexes=hexes, pool=9)
    t["a1"].acc = 9  # a 1 misses with any bonus
    for name, value in state.items():
        setattr(t["a1"], name, value)
    t.run(attack, 0, RIFLE, 1, c.TORSO, dice=[1])
    assert modifiers(t.events_of("attack-rolled")[0]) == expected


@pytest.mark.rule("HX-156", "HX-158")
def test_drone_attack_cites_level_of_drone():
    t = Table([unit("shepherd", (7, 8))], [foe()], pool=9)
    drone = t.drone("a1", 0)
    drone.status, drone.at, drone.level = c.ACTIVE, t["a1"].at, 1
    t.run(attack_with_drone, t["a1"].first_drone, 1, dice=[1])
    assert modifiers(t.events_of("attack-rolled")[0]) == [("level +1", 1, "HX-158")]


# --- sentences --------------------------------------------------------------------------------------------------------


def sentence(t, kind):
    (event,) = t.events_of(kind)
    return SYSTEM.narrator(setup(["warden"], ["warden"]))(event)


def test_attack_sentence_has_distance_cost_and_remaining_ap():
    t = Table([unit(FLYER, level=2)], [foe()], pool=9)
    t.run(attack, 0, RIFLE, 1, c.TORSO, dice=[1])
    assert sentence(t, "attack-rolled") == (
        "Warden A1 fires at Warden B1’s torso with its Assault rifle, 4 hexes and 2 levels away: 2, needs 4. 3 AP, 6 left."
    )


def test_log_shows_reason_for_flank():
    """Check that the log gives every unit's hex, level and facing."""
    record = resolve(setup(["kestrel"], ["warden"]), 1)
    narrate = SYSTEM.narrator(setup(["kestrel"], ["warden"]))
    lines = [narrate(event) for event in record.events]
    assert "Kestrel is set up at (7, 10) at level +1, facing up." in lines
    assert "Warden is set up at (8, 2), facing down." in lines
    turns = [narrate(event) for event in record.events if event.kind == "unit-turned"]
    assert turns
    assert all(re.search(r"turns to face (up|down)( and (left|right))?(, for 1 SM point)?\.$", each) for each in turns)


def test_single_point_is_singular():
    t = Table([unit()], mission="domination")
    t.log.append(("objective-held", {"side": 0, "object": 1, "at": 5, "points": 1}))
    assert sentence(t, "objective-held") == "Red holds Objective 2: 1 point."


def test_record_of_older_rules_still_has_sentences():
    t = Table([unit()], [foe()], pool=9)
    t.run(attack, 0, RIFLE, 1, c.TORSO, dice=[1])
    (event,) = t.events_of("attack-rolled")
    old = {name: value for name, value in event.result.items() if name not in ("left", "distance", "rise")}
    narrate = SYSTEM.narrator(setup(["warden"], ["warden"]))
    assert narrate(replace(event, result=old)) == (
        "Warden A1 fires at Warden B1’s torso with its Assault rifle: 1, needs 4. 3 AP."
    )
