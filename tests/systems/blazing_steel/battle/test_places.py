"""Positions of Warmechs in a set-up: held to the rules of deployment, recorded, and the same in both runs."""

from __future__ import annotations

import json
from math import cos, radians, sin

import pytest

from systems import battle_rules
from systems.blazing_steel.battle.setup import direction
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import setup_hash, setup_json
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import read_record, resolve, verify

from .tables import document, setup


def at(x, y, design="skimmer", **more):
    """Return a Warmech of a set-up at this position."""
    return {"design": design, "position": {"x": x, "y": y, **more}}


@pytest.mark.rule("BS-046", "BS-185", "BS-186")
@pytest.mark.parametrize(
    ("a", "b", "place", "expected"),
    [
        (
            [at(0.5, 1)],
            ["skimmer"],
            "sides[0].units[0].position.x",
            "outside the table: its base stands on it from 1 to 47",
        ),
        ([at(24, 60)], ["skimmer"], "sides[0].units[0].position.y", "is outside the table"),
        ([at(24, -3, "colossus")], ["skimmer"], "sides[0].units[0].position.y", "from 2 to 46 in (BS-046)"),
        ([at(24, 14)], ["skimmer"], "sides[0].units[0].position.y", "2 Moves of 6 in end at y 13 at most (BS-186)"),
        (["skimmer"], [at(24, 12)], "sides[1].units[0].position.y", "end at y 35 at least (BS-186)"),
        ([at(29, 14.5)], ["skimmer"], "sides[0].units[0].position", "stands on the block at (29, 17)"),
        ([at(20, 5), at(21.5, 5)], ["hawker"], "sides[0].units[1].position", "overlaps Skimmer"),
        ([at(20, 5), "darter"], ["hawker"], "sides[0].units[1].position", "place all of a side or none (BS-185)"),
        ([at(20, 5, facing=360)], ["hawker"], "sides[0].units[0].position.facing", "must be 180 or less"),
        ([at("left", 5)], ["hawker"], "sides[0].units[0].position.x", "must be a number, not a text"),
        ([at(20, 5, z=3)], ["hawker"], "sides[0].units[0].position.z", "unknown field"),
    ],
)
def test_impossible_deployment_position_is_refused(a, b, place, expected):
    with pytest.raises(DocumentError) as refused:
        read_setup(document(a, b))
    assert refused.value.path == place
    assert expected in refused.value.reason


@pytest.mark.rule("BS-185", "BS-186")
def test_warmech_starts_at_its_position_and_facing():
    given = setup([at(10, 13, facing=45), at(12, 13)], [at(30, 39, "hawker")], doctrines=("cautious", "aggressive"))
    record = resolve(given, 4)
    stood = {event.unit: dict(event.result) for event in record.events if event.kind == "unit-deployed"}
    assert stood == {
        "a1": {"x": 1000, "y": 1300, "ahead_x": 707, "ahead_y": 707},
        "a2": {"x": 1200, "y": 1300, "ahead_x": 0, "ahead_y": 1000},
        "b1": {"x": 3000, "y": 3900, "ahead_x": 0, "ahead_y": -1000},
    }
    assert "unit-advanced" not in {event.kind for event in record.events}
    assert verify(record.text()) is None
    again = read_record(record.text())
    assert again.setup == given
    assert json.loads(record.lines()[0])["setup"]["sides"][0]["units"][0]["position"] == {
        "x": 10.0,
        "y": 13.0,
        "facing": 45,
    }


def test_side_without_positions_is_deployed_by_ai():
    record = resolve(setup([at(10, 2)], ["hawker"]), 4)
    assert {event.unit for event in record.events if event.kind == "unit-advanced"} == {"b1"}


def test_setup_without_positions_keeps_its_hash():
    given = setup(["skimmer"], ["hawker"])
    assert set(setup_json(given)["sides"][0]["units"][0]) == {"key", "design", "name", "pilot", "condition"}
    assert setup_hash(given) == "1b5bf9be3f7fa70b47c35492690b248fc7bb44d2e07e1f5da4d2194680867140"


@pytest.mark.django_db
def test_both_runs_agree_on_given_positions():
    given = setup([at(9, 13, facing=0), at(30, 1, "darter")], [at(40, 40, "hawker", facing=-135)], terrain="city")
    assert tally_with_prints(given, 3, 0, 40) == tally_with_prints(given, 3, 0, 40, compiled=False)


def test_direction_follows_degrees():
    for degrees in range(-179, 181):
        assert direction(degrees) == pytest.approx((cos(radians(degrees)), sin(radians(degrees))), abs=1e-15)
    assert [direction(degrees) for degrees in (0, 90, 180, -90)] == [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]


@pytest.mark.parametrize("system", ["meks-and-mercs", "mech-campaign"])
def test_game_with_own_deployment_refuses_positions(system):
    body = setup_json(battle_rules(system).example())
    body["sides"][0]["units"][0]["position"] = {"x": 10, "y": 2}
    with pytest.raises(DocumentError) as refused:
        read_setup(body)
    assert refused.value.path == "sides[0].units[0].position"
    assert refused.value.reason == "this game sets its units up by its own rules; leave it out"
