"""Undone things are gone: no page, no endpoint, and no act on them."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from rosters.services import design_delete, design_save, undo_last_act
from tests.builders import SYSTEM, WASP, a_company, a_pilot, a_player, a_unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


def undone_pilot(owner):
    company = a_company(owner)
    pilot = a_pilot(company)
    undo_last_act(company=company, by=owner)
    return company, pilot


def undone_unit(owner):
    company = a_company(owner)
    unit = a_unit(company)
    undo_last_act(company=company, by=owner)
    return company, unit


@pytest.mark.parametrize(
    ("method", "route"),
    [
        ("GET", "api-pilot-skill"),
        ("POST", "api-pilot-skill"),
        ("GET", "api-pilot-service-record"),
        ("PATCH", "api-pilot"),
        ("POST", "api-pilot-retire"),
        ("GET", "rosters:pilot"),
        ("POST", "rosters:pilot_edit"),
        ("POST", "rosters:pilot_retire"),
        ("GET", "campaigns:pilot_skill"),
        ("POST", "campaigns:pilot_skill"),
    ],
)
def test_pilot_of_an_undone_hire_is_gone(client, owner, method, route):
    company, pilot = undone_pilot(owner)
    body = json.dumps({"name": "Bea", "skill": "gunner"})
    answer = client.generic(method, reverse(route, args=[company.pk, pilot.pk]), body, content_type="application/json")
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("method", "route"),
    [
        ("PATCH", "api-unit"),
        ("POST", "api-unit-sell"),
        ("POST", "api-unit-repair"),
        ("POST", "api-unit-refit"),
        ("POST", "api-unit-assign"),
        ("GET", "rosters:unit"),
        ("POST", "rosters:unit_rename"),
        ("POST", "rosters:unit_sell"),
        ("POST", "rosters:unit_repair"),
        ("POST", "rosters:unit_refit"),
        ("POST", "rosters:unit_assign"),
    ],
)
def test_unit_of_an_undone_purchase_is_gone(client, owner, method, route):
    company, unit = undone_unit(owner)
    body = json.dumps({"name": "Ghost", "pilot": None})
    answer = client.generic(method, reverse(route, args=[company.pk, unit.pk]), body, content_type="application/json")
    assert answer.status_code == 404


def test_pilot_of_an_undone_hire_takes_no_seat(client, owner):
    company, pilot = undone_pilot(owner)
    unit = a_unit(company)
    address = reverse("api-unit-assign", args=[company.pk, unit.pk])
    answer = client.post(address, {"pilot": pilot.pk}, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "pilot"


def test_deleted_design_is_not_read_bought_or_printed(client, owner):
    company = a_company(owner)
    design = design_save(author=owner, system=SYSTEM, name="Wasp", spec=WASP)
    gone = design.pk
    design_delete(design=design, by=owner)
    assert client.get(reverse("api-design", args=[gone])).status_code == 404
    assert client.get(reverse("rosters:design", args=[gone])).status_code == 404
    bought = client.post(reverse("api-units", args=[company.pk]), {"design": gone}, content_type="application/json")
    assert (bought.status_code, bought.json()["errors"][0]["field"]) == (422, "design")
