"""Bad input through command and API: field, reason and rule; 422 or exit code 2, and nothing is saved."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command

from systems.mechastellar.build import SYSTEM as ROSTERS
from tests.systems.bad_input import checked_by_api, design_document, refused_by_api, refused_by_command, write_document

from .battle.tables import document

pytestmark = pytest.mark.django_db
RIFLE = {"name": "Rifle", "type": "shooting", "dice": 5, "range_in": 20, "dmg": 200}
MACHINE: dict[str, Any] = {"kind": "ms", "weapons": [RIFLE]}
DESIGNS: list[tuple[str, dict[str, Any], str, str]] = [
    ("a weapon with 11 dice", MACHINE | {"weapons": [RIFLE | {"dice": 11}]}, ".weapons[0].dice", "ST-011"),
    ("a unit of Size 9", MACHINE | {"size": 9}, ".size", "ST-011"),
    ("a warship with a pilot", MACHINE | {"kind": "warship", "crew": "pilot"}, ".crew", "ST-009"),
    ("an order without a Captain", MACHINE | {"orders": ["tactical-support"]}, ".orders", "ST-280"),
    ("Havoc on an MS", MACHINE | {"havoc": 1}, ".havoc", "ST-007"),
    ("an unknown kind", MACHINE | {"kind": "blimp"}, ".kind", "ST-002"),
    ("an unknown tag", MACHINE | {"weapons": [RIFLE | {"tags": ["sticky"]}]}, ".weapons[0].tags[0]", "ST-004"),
]


def on_table(**spec: Any) -> dict[str, Any]:
    return document(scenario={"name": "Off", "spec": spec})


POINTS = [[24, 24], [12, 16], [36, 16], [12, 32], [36, 49]]
ILLEGAL = [
    *(
        pytest.param(document([{"design": spec}]), f"sides[0].units[0].design{field}", rule, id=name)
        for name, spec, field, rule in DESIGNS
    ),
    pytest.param(document(["green-viking"] * 60), "sides[0].units", "ST-013", id="60 units"),
    pytest.param(document(["trident-drake"] * 3), "sides[0].units", "ST-013", id="more points than agreed"),
    pytest.param(document(["escort-carrier"]), "sides[0].units", "ST-200", id="a warship in the core rules"),
    pytest.param(
        document([{"design": "gamma-apollo", "condition": {"hits": 2400}}]),
        "sides[0].units[0].condition.hits",
        "ST-406",
        id="less than half of its HP",
    ),
    pytest.param(
        document(
            [{"design": ROSTERS.spec_json(ROSTERS.published["argonaut"].spec) | {"aboard": True}}],
            options={"tier": "advanced"},
        ),
        "sides[0].units[0].design.aboard",
        "ST-203",
        id="on board of nothing",
    ),
    pytest.param(on_table(points=POINTS), "scenario.spec.points[4]", "ST-021", id="a point off the table"),
    pytest.param(on_table(points=POINTS[:4]), "scenario.spec.points", "ST-360", id="four points"),
    pytest.param(
        on_table(pieces=[{"x": -1, "y": 4, "radius": 2, "kind": "low"}]),
        "scenario.spec.pieces[0]",
        "ST-021",
        id="a piece off the table",
    ),
]


@pytest.mark.rule("ST-002", "ST-007", "ST-009", "ST-011", "ST-013", "ST-021", "ST-203", "ST-280", "ST-360", "ST-406")
@pytest.mark.parametrize(("body", "field", "rule"), ILLEGAL)
@pytest.mark.parametrize("command", [["resolve"], ["forecast", "--battles", "10"]])
@pytest.mark.each_value
def test_command_with_bad_setup_exits_with_2(tmp_path, command, body, field, rule):
    refusal = refused_by_command(tmp_path, command[0], body, *command[1:])
    assert refusal.startswith(f"{field}: ")
    assert rule in refusal


@pytest.mark.rule("ST-002", "ST-007", "ST-009", "ST-011", "ST-013", "ST-021", "ST-203", "ST-280", "ST-360", "ST-406")
@pytest.mark.parametrize(("body", "field", "rule"), ILLEGAL)
@pytest.mark.parametrize(("where", "arguments"), [("battles", {}), ("forecasts", {"battles": 100})])
@pytest.mark.each_value
def test_api_with_bad_setup_answers_422(client, where, arguments, body, field, rule):
    place, reason = refused_by_api(client, where, body, **arguments)
    assert place == f"setup.{field}"
    assert rule in reason


@pytest.mark.rule("ST-002", "ST-004", "ST-007", "ST-009", "ST-011", "ST-280")
@pytest.mark.parametrize(("name", "spec", "field", "rule"), DESIGNS, ids=[name for name, *_ in DESIGNS])
def test_api_and_command_name_problem_of_design(client, tmp_path, capsys, name, spec, field, rule):
    body = design_document("mechastellar", spec)
    is_read, problems = checked_by_api(client, body)
    assert rule in problems
    assert field.removeprefix(".") in problems
    if not is_read:
        assert rule in refused_by_command(tmp_path, "check_design", body)
        return
    call_command("check_design", write_document(tmp_path, body))
    data = json.loads(capsys.readouterr().out)
    found = [(each["rule"], each["place"]) for each in data["problems"]]
    assert (data["legal"], found) == (False, [(rule, field.removeprefix("."))])
