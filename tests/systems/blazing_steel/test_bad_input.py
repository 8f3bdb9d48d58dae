"""Bad input through command, API and lab: field, reason and rule; 422 or exit code 2, and nothing is saved."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.systems.bad_input import checked_by_api, design_document, refused_by_api, refused_by_command

from .battle.tables import document

pytestmark = pytest.mark.django_db
LIGHT = {"chassis": "light", "locomotion": "tracked"}
DESIGNS: list[tuple[str, dict[str, Any], str, str]] = [
    ("an unknown chassis", {"chassis": "jumbo", "locomotion": "tracked"}, ".chassis", "BS-001"),
    ("two weapons in one hardpoint", LIGHT | {"l1": ["laser", "railgun"]}, ".l1", "BS-003"),
    ("a second left arm", LIGHT | {"l1": "laser", "l2": "laser"}, ".l2", "BS-003"),
    (
        "more options than the cap",
        LIGHT | {"l1": "laser", "r1": "laser", "c1": "laser", "p1": "combat-gyros"},
        "",
        "BS-005",
    ),
    (
        "a magazine without ammunition",
        LIGHT | {"l1": "laser", "p1": "extended-magazine", "magazine_on": "l1"},
        ".magazine_on",
        "BS-012",
    ),
]
SETUPS = [
    *(
        pytest.param(document([{"design": spec}]), f"sides[0].units[0].design{field}", rule, id=name)
        for name, spec, field, rule in DESIGNS
    ),
    pytest.param(document(["hawker"], ["hawker"] * 200), "sides[1].units", "BS-014", id="two hundred Warmechs"),
    pytest.param(
        document([{"design": "hawker", "position": {"x": 60, "y": 1}}]),
        "sides[0].units[0].position.x",
        "BS-046",
        id="a base outside the table",
    ),
]


@pytest.mark.rule("BS-001", "BS-003", "BS-005", "BS-012", "BS-014", "BS-046")
@pytest.mark.parametrize(("body", "field", "rule"), SETUPS)
@pytest.mark.parametrize("command", [["resolve"], ["forecast", "--battles", "10"]])
@pytest.mark.each_value
def test_command_with_bad_setup_exits_with_2(tmp_path, command, body, field, rule):
    refusal = refused_by_command(tmp_path, command[0], body, *command[1:])
    assert refusal.startswith(f"{field}: ")
    assert rule in refusal


@pytest.mark.rule("BS-001", "BS-003", "BS-005", "BS-012", "BS-014", "BS-046")
@pytest.mark.parametrize(("body", "field", "rule"), SETUPS)
@pytest.mark.parametrize(("where", "arguments"), [("battles", {}), ("forecasts", {"battles": 100})])
@pytest.mark.each_value
def test_api_with_bad_setup_answers_422(client, where, arguments, body, field, rule):
    place, reason = refused_by_api(client, where, body, **arguments)
    assert place == f"setup.{field}"
    assert rule in reason


@pytest.mark.rule("BS-001", "BS-003", "BS-005", "BS-012")
@pytest.mark.parametrize(("name", "spec", "field", "rule"), DESIGNS, ids=[name for name, *_ in DESIGNS])
def test_api_names_problem_of_design(client, name, spec, field, rule):
    _, problems = checked_by_api(client, design_document("blazing-steel", spec))
    assert rule in problems
    assert (field.removeprefix(".") or "options") in problems


@pytest.mark.rule("BS-001", "BS-003", "BS-005", "BS-012")
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"chassis": "jumbo"}, "unknown chassis &#x27;jumbo&#x27; (BS-001)"),
        (LIGHT | {"l2": "laser"}, "there is no l2 for the Laser."),
        (LIGHT | {"l1": "laser", "r1": "laser", "c1": "laser", "p1": "combat-gyros"}, "takes 3 options at most"),
        (
            LIGHT | {"l1": "laser", "p1": "extended-magazine", "magazine_on": "l1"},
            "the Laser in l1 has unlimited ammo (X).",
        ),
    ],
)
def test_lab_names_problem_of_design(client, sent, expected):
    answer = client.get("/designs/lab/", {"system": "blazing-steel", "name": "Bad"} | sent)
    assert answer.status_code == 200
    assert expected in answer.content.decode()
    assert re.search(r"BS-0(01|03|05|12)", answer.content.decode())
