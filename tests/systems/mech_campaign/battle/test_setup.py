"""Set-up documents: what is read, what is refused and where, and whether the named units fight."""

from __future__ import annotations

from typing import Any

import pytest

from systems.documents import DocumentError
from systems.mech_campaign.battle import SYSTEM
from systems.mech_campaign.battle.events import FACTS, STEPS
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.analysis import dice_luck, report_text, rounds_of
from systems.simulation.odds import tally
from systems.simulation.records import check_fielded, resolve, verify
from systems.simulation.summary import odds
from tests.battles.record_ends import final_situation

from .tables import FORCES, document, setup


def refused(**given: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        read_setup(document(**given))
    return str(caught.value)


def test_setup_survives_json():
    given = setup("picket", "scouts", options={"resolve-bonus": 1})
    assert read_setup(setup_json(given)) == given
    example = SYSTEM.example()
    assert read_setup(setup_json(example)) == example


@pytest.mark.rule("MC-002", "MC-003", "MC-004")
@pytest.mark.parametrize(
    ("force", "expected"),
    [
        (["heavy-mech", "light-mech", "light-mech"], "at least 4 units"),
        (["light-mech"] * 7, "6 units at most"),
        (["heavy-mech", "light-mech", "track", "drone"], "More than half"),
    ],
)
def test_an_illegal_force_is_refused(force, expected):
    found = refused(b=force)
    assert "sides[1].units" in found
    assert expected in found


@pytest.mark.rule("MC-004")
def test_house_rule_limits_heavy_mechs():
    heavies = ["heavy-mech"] * 4
    assert resolve(setup(heavies, heavies), 1).outcome["rounds"]
    assert "2 heavy mechs at most" in refused(b=heavies, options={"heavy-limit": "half"})


@pytest.mark.rule("MC-002")
def test_side_with_too_many_units_is_refused():
    assert "illegal (MC-002): A force has 6 units at most, not 13." in refused(b=["light-mech"] * 13)


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"scenario": "last-stand"}, "scenario"),
        ({"scenario": {"name": "Long", "spec": {"goal": "claim", "turn_limit": 99}}}, "scenario.spec.turn_limit"),
        ({"scenario": {"name": "Odd", "spec": {"goal": "peace"}}}, "scenario.spec.goal"),
        ({"terrain": "plain"}, "terrain"),
        ({"doctrines": ("aggressive", "reckless")}, "sides[1].doctrine"),
        ({"options": {"resolve-bonus": 7}}, "options.resolve-bonus"),
        ({"options": {"natural-rolls": True}}, "options"),
        ({"a": ["tank", *FORCES["skeleton"]]}, "sides[0].units[0].design"),
        ({"a": [{"design": {"kind": "tank"}}, *FORCES["skeleton"]]}, "sides[0].units[0].design"),
        ({"a": [{"design": "light-mech", "condition": {"damage": 4}}, *FORCES["skeleton"]]}, "sides[0].units[0].condition"),
        ({"a": [{"design": "light-mech", "pilot": {"experience": "hero"}}, *FORCES["skeleton"]]}, "sides[0].units[0].pilot"),
        ({"a": [{"design": "light-mech", "pilot": {"is_new": 3}}, *FORCES["skeleton"]]}, "sides[0].units[0].pilot.is_new"),
        ({"a": [{"design": "drone", "pilot": {"experience": "ace"}}, *FORCES["skeleton"]]}, "sides[0].units[0].pilot"),
    ],
)  # fmt: skip
def test_impossible_setup_is_refused_with_its_place(given, place):
    assert refused(**given).startswith(place)


def test_support_is_refused():
    body = document()
    body["sides"][1]["support"] = ["ambush"]
    with pytest.raises(DocumentError, match=r"sides\[1\]\.support"):
        read_setup(body)


@pytest.mark.rule("MC-028")
def test_unit_starts_with_its_damage_and_workshop_adds_1():
    units = [{"design": "light-mech", "condition": {"damage": 3}}, *FORCES["skeleton"][:3]]
    units[1] = {"design": units[1], "condition": {"workshop": True}}
    state = SYSTEM.prepare(setup(units, "skeleton"))
    assert [unit.damage for unit in state.units[:4]] == [3, 1, 0, 0]


def test_fielded_units_and_points_match_setup():
    given = setup("picket", "scouts")
    check_fielded(given, SYSTEM.prepare(given))
    short = SYSTEM.prepare(given)
    short.units.pop()
    with pytest.raises(DocumentError, match=r"sides\[1\]\.units: 5 units are named, 4 take the field"):
        check_fielded(given, short)
    cheap = SYSTEM.prepare(given)
    cheap.units[0].cost -= 1
    with pytest.raises(DocumentError, match=r"sides\[0\]\.units: worth 45 points, 44 points take the field"):
        check_fielded(given, cheap)


def test_recorded_battle_has_turns_and_verifies():
    record = resolve(setup("picket", "line-lance"), 11)
    assert verify(record.text()) is None
    turns = rounds_of(record)
    assert [view.title for view in turns] == [f"Turn {number}" for number in range(1, len(turns) + 1)]
    assert all(unit.stand or unit.place or unit.destroyed for unit in turns[-1].units)
    text = report_text(record)
    assert "action points" in text
    assert f"Digest: {record.digest}" in text


@pytest.mark.rule("MC-104")
def test_units_of_retreating_force_survive():
    for seed in range(200):
        outcome = resolve(setup(), seed).outcome
        if outcome["reason"] == "retreat":
            break
    else:
        raise AssertionError("no force retreats")
    gone = [unit for unit in outcome["units"] if unit["withdrew"]]
    assert gone
    assert all(unit["side"] != outcome["winner"] and not unit["lost"] and unit["hits"] > 0 for unit in gone)


def test_every_event_kind_has_step_and_sentence():
    kinds = set(FACTS)
    assert {fact.step for fact in FACTS.values()} <= set(STEPS)
    seen = {"suppression-rolled"}  # no AI style suppresses when it must roll: a shot is worth more
    for given in (
        setup("picket", "scouts", doctrines=("cautious", "cautious")),
        setup("rock-rats", "picket", doctrines=("aggressive", "cautious"), scenario="survey-beacons"),
        setup("scouts", "rock-rats", doctrines=("cautious", "aggressive"), scenario="sabotage"),
    ):
        for seed in range(12):
            record = resolve(given, seed)
            narrate = SYSTEM.narrator(given)
            for event in record.events:
                seen.add(event.kind)
                assert narrate(event)[-1] == "."
    assert seen == kinds


def test_replay_steps_follow_player_turns():
    given = setup("picket", "line-lance")
    record = resolve(given, 11)
    chapter = SYSTEM.chapters(given)
    steps = [chapter(event) for event in record.events]
    assert steps[0].phase == "Set-up"
    assert {step.phase for step in steps} >= {"Red's turn", "Blue's turn"}
    assert any(step.step.endswith(" acts") for step in steps)
    assert record.events[-1].kind == "battle-ended"
    assert steps[-1].phase == "End of the turn"


def test_stored_record_plays_back_without_rules():
    record = resolve(setup("scouts", "picket"), 4)
    views = final_situation(record).units
    for unit, view in zip(record.outcome["units"], views, strict=True):
        assert (unit["hits"], unit["lost"], unit["kills"]) == (view.hits, view.destroyed, view.kills)


def test_luck_counts_shots_repairs_and_charges():
    given = setup("line-lance", "line-lance", scenario="sabotage")
    found = {}
    for seed in range(10):
        for line in dice_luck(given, resolve(given, seed).events):
            found[line.what] = found.get(line.what, 0) + line.dice
            assert 0 <= line.successes <= line.dice
    assert set(found) == {"hit", "repair", "charge"}
    assert set(SYSTEM.words.trials) == set(found)


def test_odds_have_wins_units_and_margins():
    given = setup("picket", "scouts")
    found = odds(tally(given, 3, 0, 30, compiled=False), given)
    assert sum(side.wins.count for side in found.sides) + found.draws.count == 30
    assert found.unfinished == 0
    assert {unit.key for unit in found.units} == {unit.key for side in given.sides for unit in side.units}
    assert found.margins is not None
