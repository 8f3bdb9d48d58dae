"""Random forces for a scenario, and the way from there to the battle form."""

from __future__ import annotations

import pytest
from django.urls import reverse

from battles.choices import setup_unit
from systems import BATTLES, ROSTERS, battle_rules

pytestmark = pytest.mark.django_db

QUESTION = {"system": "meks-and-mercs", "f-scenario": "citadel", "f-points": 60, "f-seed": 3}


def _drawn(client, **more):
    page = client.get(reverse("battles:quick-battle"), {**QUESTION, **more})
    assert page.status_code == 200
    return page


@pytest.mark.parametrize("system", list(BATTLES))
def test_both_sides_get_a_legal_force(client, system):
    scenario = [*ROSTERS[system].scenarios][0]
    points = client.get(reverse("battles:quick-battle"), {"system": system}).context["random"].initial["points"]
    sides = _drawn(client, **{"system": system, "f-scenario": scenario, "f-points": points}).context["drawn"]
    rules = battle_rules(system)
    for at, side in enumerate(sides):
        pilot = {"experience": side.level, "skills": []} if side.level else None
        units = [setup_unit(number, each.design, "", pilot) for number, each in enumerate(side.units)]
        check = rules.check_side(scenario, at, units, (), {})
        assert check.legal
        assert check.points == side.points <= side.limit


def test_seed_draws_the_same_force_and_kept_units_stay(client):
    first = _drawn(client).context["drawn"]
    assert _drawn(client).context["drawn"] == first
    again = _drawn(client, **{"f-seed": 9, "a-keep": ["wasp", "viper"]}).context["drawn"]
    assert [(each.design, each.stays) for each in again[0].units[:2]] == [("wasp", True), ("viper", True)]
    assert not any(each.stays for each in again[1].units)


def test_forces_go_to_the_battle_form(client):
    page = _drawn(client)
    fields = {name: value for side in page.context["drawn"] for name, value in side.fields}
    filled = {"system": "meks-and-mercs", "f-scenario": "citadel", "stock": "citadel", "do": "fill", **fields}
    form = client.post(reverse("battles:quick-battle"), filled)
    assert all(f'name="{name}"' in page.content.decode() for name in fields)
    assert form.context["forms"].scenario_name == "Citadel"
    assert form.content.decode().count("selected") >= len(fields)


def test_pilots_are_green_where_regulars_cost_points(client):
    sides = _drawn(client, **{"f-scenario": "opening-shots"}).context["drawn"]
    assert [side.level for side in sides] == ["green", "green"]
    assert ("a1-level", "green") in sides[0].fields
    assert [side.level for side in _drawn(client).context["drawn"]] == ["regular", "regular"]


@pytest.mark.parametrize("wrong", [{"f-scenario": "moon"}, {"f-points": 0}, {"f-seed": "x"}])
def test_wrong_input_shows_errors_on_its_field(client, wrong):
    page = _drawn(client, **wrong)
    assert page.context["random"].errors
    assert "drawn" not in page.context


def test_too_few_points_draw_no_force(client):
    page = _drawn(client, **{"f-points": 1})
    assert "No legal force found" in page.content.decode()
