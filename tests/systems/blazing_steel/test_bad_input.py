"""Bad input, at every door: the field, the reason and the rule; 422 and exit code 2, and nothing is kept."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from battles.models import Battle, Forecast
from tests.battles.builders import player

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
def test_a_command_ends_with_2(tmp_path, command, body, field, rule):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(body))
    with pytest.raises(CommandError) as refused:
        call_command(command[0], str(path), *command[1:])
    assert refused.value.returncode == 2
    assert str(refused.value).startswith(f"{field}: ")
    assert rule in str(refused.value)


@pytest.mark.rule("BS-001", "BS-003", "BS-005", "BS-012", "BS-014", "BS-046")
@pytest.mark.parametrize(("body", "field", "rule"), SETUPS)
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


@pytest.mark.rule("BS-001", "BS-003", "BS-005", "BS-012")
@pytest.mark.parametrize(("name", "spec", "field", "rule"), DESIGNS, ids=[name for name, *_ in DESIGNS])
def test_the_api_says_what_is_wrong_with_a_design(client, name, spec, field, rule):
    client.force_login(player())
    body = {"muster": "design/1", "system": "blazing-steel", "name": "Bad", "spec": spec}
    answer = client.post("/api/v1/designs/check/", body, content_type="application/json")
    found = answer.json()
    problems = found["errors"] if answer.status_code == 422 else found["problems"]
    assert rule in json.dumps(problems)
    assert (field.removeprefix(".") or "options") in json.dumps(problems)


@pytest.mark.rule("BS-001", "BS-003", "BS-005", "BS-012")
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"chassis": "jumbo"}, "unknown chassis &#x27;jumbo&#x27; (BS-001)"),
        (LIGHT | {"l2": "laser"}, "there is no l2 for the Laser."),
        (LIGHT | {"l1": "laser", "r1": "laser", "c1": "laser", "p1": "combat-gyros"}, "takes 3 options at most"),
        (
            LIGHT | {"l1": "laser", "p1": "extended-magazine", "magazine_on": "l1"},
            "the Laser in l1 counts none (ammo X).",
        ),
    ],
)
def test_the_lab_says_what_is_wrong_with_a_design(client, sent, said):
    answer = client.get("/designs/lab/", {"system": "blazing-steel", "name": "Bad"} | sent)
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert re.search(r"BS-0(01|03|05|12)", answer.content.decode())
