"""Random names: on the forms that ask for one, without JavaScript, and never one that the company uses."""

import re

import pytest
from django.urls import reverse

from rosters.models import Company, LedgerEntry
from rosters.random_names import NAMES, company_name, find_free_name, pilot_name, unit_name
from rosters.services import pilot_hire, pilot_retire
from systems.text import text_problem
from tests.builders import SYSTEM, a_company, a_crewed_unit, a_player


def name_lists():
    return [(f"{kind} {which}", names) for kind, lists in NAMES.items() for which, names in lists.items()]


@pytest.mark.parametrize(("which", "names"), name_lists(), ids=[which for which, _ in name_lists()])
def test_list_of_names_is_long_unique_and_allowed(which, names):
    assert len(names) >= 30
    assert len({name.casefold() for name in names}) == len(names)
    assert [name for name in names if text_problem(name)] == []


def test_names_fit_their_fields():
    longest = {which: max(map(len, names)) for which, names in name_lists()}
    assert longest["pilots given"] + 1 + longest["pilots family"] <= 60
    assert longest["pilots callsigns"] <= 30


def test_taken_name_is_rolled_again():
    rolled = iter(["Ada Tull", "ada tull", "Ben Tull"])
    assert find_free_name(lambda: next(rolled), ["ADA TULL"]) == "Ben Tull"


def test_name_gets_a_number_when_all_are_taken():
    assert find_free_name(lambda: "Ada", ["Ada", "Ada 2"]) == "Ada 3"


@pytest.fixture
def owner(client):
    player = a_player("owner")
    client.force_login(player)
    return player


@pytest.fixture
def company(owner):
    return a_company(owner, name="Copper Kestrels", system=SYSTEM)


def pick_in_turn(lists):
    """Pick the first of each list until all have been picked once, then the second."""
    seen = []

    def pick(names):
        seen.append(names)
        return names[0] if seen.count(names) == 1 else names[1]

    return pick


@pytest.mark.django_db
def test_retired_pilot_keeps_name_and_callsign(company):
    given, family, callsigns = (NAMES["pilots"][each] for each in ("given", "family", "callsigns"))
    gone = pilot_hire(company=company, by=company.owner, name=f"{given[0]} {family[0]}", callsign=callsigns[0])
    pilot_retire(company=company, by=company.owner, pilot=gone)
    found = pilot_name(company, pick=pick_in_turn(NAMES["pilots"]))
    assert (found.name, found.callsign) == (f"{given[1]} {family[1]}", callsigns[1])


@pytest.mark.django_db
def test_units_and_companies_get_unused_names(company):
    assert unit_name(company) not in set(company.units.values_list("name", flat=True))
    first, second = NAMES["companies"]["first"], NAMES["companies"]["second"]
    Company.objects.filter(pk=company.pk).update(name=f"{first[0]} {second[0]}")
    assert company_name(company.owner, pick=pick_in_turn(NAMES["companies"])) == f"{first[1]} {second[1]}"


def value_of(page, field):
    return re.search(rf'name="{field}"[^>]*value="([^"]+)"', page.content.decode())[1]


@pytest.mark.django_db
def test_rolling_a_name_hires_nobody_and_keeps_the_form(client, company):
    unit, _ = a_crewed_unit(company)
    entries = LedgerEntry.objects.count()
    url = reverse("rosters:pilot_hire", args=[company.pk])
    sent = {"hire-name": "", "hire-callsign": "", "hire-experience": "regular", "roll": "name", "once": "a" * 32}
    page = client.post(url, sent)
    assert page.status_code == 200
    name, callsign = value_of(page, "hire-name"), value_of(page, "hire-callsign")
    assert name.split(" ", 1)[0] in NAMES["pilots"]["given"]
    assert callsign in NAMES["pilots"]["callsigns"]
    assert page.context["hire"]["experience"].value() == "regular"
    assert LedgerEntry.objects.count() == entries
    assert {value_of(client.post(url, sent), "hire-name") for _ in range(6)} != {name}  # this request may be repeated


@pytest.mark.django_db
def test_rolled_name_can_be_hired(client, company):
    url = reverse("rosters:pilot_hire", args=[company.pk])
    page = client.post(url, {"hire-experience": "green", "roll": "name"})
    name = value_of(page, "hire-name")
    client.post(url, {"hire-name": name, "hire-callsign": "", "hire-experience": "green"})
    assert company.pilots.get().name == name


@pytest.mark.django_db
def test_names_are_rolled_for_units_pilots_and_companies(client, company):
    unit, pilot = a_crewed_unit(company)
    page = client.post(reverse("rosters:unit_rename", args=[company.pk, unit.pk]), {"name": unit.name, "roll": "name"})
    assert page.status_code == 200
    assert value_of(page, "name").split(" ", 1)[0] in NAMES["units"]["first"]
    page = client.post(reverse("rosters:pilot_edit", args=[company.pk, pilot.pk]), {"name": "x", "roll": "name"})
    assert value_of(page, "callsign") in NAMES["pilots"]["callsigns"]
    unit.refresh_from_db()
    pilot.refresh_from_db()
    assert (unit.name, pilot.name) == (unit.design_name, "Ada")
    page = client.post(
        reverse("rosters:company_create"), {"name": "", "system": SYSTEM, "points": "60", "roll": "name"}
    )
    assert page.status_code == 200
    assert Company.objects.count() == 1
    assert page.context["form"]["points"].value() == "60"


@pytest.mark.django_db
def test_another_players_company_rolls_no_names(client, company):
    client.force_login(a_player())
    assert client.post(reverse("rosters:pilot_hire", args=[company.pk]), {"roll": "name"}).status_code == 404
    assert client.get(f"/api/v1/companies/{company.pk}/names/").status_code == 404


@pytest.mark.django_db
def test_api_rolls_the_same_names(client, company):
    answer = client.get(f"/api/v1/companies/{company.pk}/names/").json()
    assert answer["pilot"]["callsign"] in NAMES["pilots"]["callsigns"]
    assert answer["unit"].split(" ", 1)[0] in NAMES["units"]["first"]
    name = client.get("/api/v1/companies/names/").json()["company"]
    assert any(name.startswith(first) for first in NAMES["companies"]["first"])
