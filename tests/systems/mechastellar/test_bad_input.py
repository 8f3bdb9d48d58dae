"""Bad input, at every door: the field, the reason and the rule; 422 and exit code 2, and nothing is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from battles.models import Battle, Forecast
from systems.mechastellar.build import SYSTEM as ROSTERS
from tests.battles.builders import player

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
def test_a_command_ends_with_2(tmp_path, command, body, field, rule):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(body))
    with pytest.raises(CommandError) as refused:
        call_command(command[0], str(path), *command[1:])
    assert refused.value.returncode == 2
    assert str(refused.value).startswith(f"{field}: ")
    assert rule in str(refused.value)


@pytest.mark.rule("ST-002", "ST-007", "ST-009", "ST-011", "ST-013", "ST-021", "ST-203", "ST-280", "ST-360", "ST-406")
@pytest.mark.parametrize(("body", "field", "rule"), ILLEGAL)
@pytest.mark.parametrize(("where", "asked"), [("battles", {}), ("forecasts", {"battles": 100})])
def test_the_api_answers_422(client, where, asked, body, field, rule):
    client.force_login(player())
    answer = client.post(f"/api/v1/{where}/", {"setup": body, **asked}, content_type="application/json")
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["field"] == f"setup.{field}"
    assert rule in error["reason"]
    assert not Battle.objects.exists()
    assert not Forecast.objects.exists()


@pytest.mark.rule("ST-002", "ST-004", "ST-007", "ST-009", "ST-011", "ST-280")
@pytest.mark.parametrize(("name", "spec", "field", "rule"), DESIGNS, ids=[name for name, *_ in DESIGNS])
def test_the_api_and_the_command_say_what_is_wrong_with_a_design(client, tmp_path, capsys, name, spec, field, rule):
    client.force_login(player())
    body = {"muster": "design/1", "system": "mechastellar", "name": "Bad", "spec": spec}
    answer = client.post("/api/v1/designs/check/", body, content_type="application/json")
    found = answer.json()
    problems = json.dumps(found["errors"] if answer.status_code == 422 else found["problems"])
    assert answer.status_code in (200, 422)
    assert rule in problems
    assert field.removeprefix(".") in problems
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(body))
    if answer.status_code == 200:
        call_command("check_design", str(path))
        told = json.loads(capsys.readouterr().out)
        assert (told["legal"], [(each["rule"], each["place"]) for each in told["problems"]]) == (
            False,
            [(rule, field.removeprefix("."))],
        )
    else:
        with pytest.raises(CommandError) as refused:
            call_command("check_design", str(path))
        assert refused.value.returncode == 2
        assert rule in str(refused.value)
