"""The hangar, where a company buys its units, and the list of units that it has, say what each one carries."""

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils.html import escape

from rosters.models import Design
from systems import ROSTERS
from systems.text import count_names
from tests.builders import WASP, a_company, a_unit

pytestmark = pytest.mark.django_db
WASP_LOADOUT = "Cannon, 2 × CIWS, Jammer"


def company_page(client, company):
    client.force_login(company.owner)
    page = client.get(reverse("rosters:company", args=[company.pk])).content.decode().split("<main", 1)[1]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.parametrize("system", ROSTERS)
def test_hangar_says_what_each_design_carries(client, system):
    rules = ROSTERS[system]
    page = company_page(client, a_company(system=system))
    for design in rules.published.values():
        loadout = count_names(rules.loadout(design.spec))
        assert loadout
        assert loadout in page


def test_own_designs_in_the_hangar_say_what_they_carry(client):
    company = a_company()
    light = {"chassis": "light", "weapons": ["rail-cannon"], "systems": ["jump-jets"]}
    Design.objects.create(author=company.owner, system=company.system, name="Gnat", spec=light)
    assert "Gnat yours Light Rail-Cannon, Jump Jets" in company_page(client, company)


@pytest.mark.parametrize("system", ROSTERS)
def test_units_of_a_company_say_what_they_carry(client, system):
    rules, company = ROSTERS[system], a_company(system=system, points=ROSTERS[system].founding_points)
    slug, design = next(iter(rules.published.items()))
    a_unit(company, slug)
    client.force_login(company.owner)
    page = client.get(reverse("rosters:company", args=[company.pk])).content.decode()
    assert f'<small class="loadout">{escape(count_names(rules.loadout(design.spec)))}</small>' in page


def test_loadout_counts_equal_weapons_and_names_systems():
    rules = ROSTERS["meks-and-mercs"]
    assert count_names(rules.loadout(rules.parse_spec(WASP))) == WASP_LOADOUT


def test_loadout_names_peripherals_shields_and_armament():
    steel, core, campaign = ROSTERS["blazing-steel"], ROSTERS["hex-core"], ROSTERS["mech-campaign"]
    assert steel.loadout(steel.published["skimmer"].spec) == ("Laser", "Auto cannon", "Agility Suite")
    assert core.loadout(core.published["mauler"].spec) == (
        "Heat axe",
        "Beam pistol",
        "Buckler",
        "Thrusters",
        "Reinforced grip",
    )
    named = campaign.parse_spec({"kind": "drone", "armament": "Twin guns", "base_vehicle": "Mule"})
    assert campaign.loadout(named) == ('Twin guns, fires 12" ×1 at 5+', "locks", "Mule")
