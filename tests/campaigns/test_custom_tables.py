"""Matches on custom tables: played only there, simulated for absent players, and shown."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaigns.models import ActivityLogEntry
from campaigns.planning.draws import terrains_for
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.test_closing import close_round

pytestmark = pytest.mark.django_db
RIDGE = {
    "name": "Ridge",
    "spec": {
        "rounds": 2,
        "force_points": 400,
        "table_in": 60,
        "pieces": [{"x": 30, "y": 24, "radius": 3, "kind": "tall"}],
    },
}


def test_mechastellar_match_is_simulated_on_a_custom_table(client):
    campaign = a_campaign(
        system="mechastellar",
        absent_rule="orders",
        scenarios=[{"value": RIDGE, "name": "Ridge"}],
        catalogue_release="1",
        points=1200,
        options={},
    )
    sides = [
        an_enrolment(campaign, a_mustered_company(None, *["green-viking"] * 5, name=name, system="mechastellar"))
        for name in ("Ants", "Bees")
    ]
    (terrain,) = terrains_for(campaign, RIDGE)
    assert terrain == "own-table"
    match = a_match(a_round(campaign), *sides, scenario=RIDGE, scenario_name="Ridge", terrain=terrain)
    close_round(match.round)
    match.refresh_from_db()
    log = list(ActivityLogEntry.objects.filter(match=match).values_list("text", flat=True))
    assert match.state == "auto-resolved", log
    setup = match.battle.setup
    assert (setup["scenario"], setup["terrain"]) == (RIDGE, "own-table")
    assert [len(side["units"]) for side in setup["sides"]] == [3, 3]  # 110 points each, 400 at most
    page = client.get(reverse("battles:battle", args=[match.battle.key]))
    assert page.status_code == 200
    assert page.content.decode().count('class="piece__face piece__face--tall"') == 1


HILL = {
    "name": "Hill",
    "spec": {
        "rounds": 2,
        "table_in": 40,
        "hill": [20, 20],
        "pieces": [{"x": 12, "y": 20, "radius": 3, "kind": "block"}],
        "forces": {"a": {"units_most": 2}, "b": {"units_most": 3, "points_most": 20}},
    },
}


def test_blazing_steel_match_uses_custom_table_and_forces(client):
    campaign = a_campaign(
        system="blazing-steel",
        absent_rule="orders",
        scenarios=[{"value": HILL, "name": "Hill"}],
        catalogue_release="1",
        points=60,
        options={},
    )
    sides = [
        an_enrolment(campaign, a_mustered_company(None, *["hawker"] * 4, name=name, system="blazing-steel"))
        for name in ("Ants", "Bees")
    ]
    (terrain,) = terrains_for(campaign, HILL)
    assert terrain == "own-table"
    match = a_match(a_round(campaign), *sides, scenario=HILL, scenario_name="Hill", terrain=terrain)
    close_round(match.round)
    match.refresh_from_db()
    log = list(ActivityLogEntry.objects.filter(match=match).values_list("text", flat=True))
    assert match.state == "auto-resolved", log
    setup = match.battle.setup
    assert (setup["scenario"], setup["terrain"]) == (HILL, "own-table")
    assert [len(side["units"]) for side in setup["sides"]] == [2, 2]  # ten points each
    page = client.get(reverse("battles:battle", args=[match.battle.key]))
    assert page.status_code == 200
    assert page.content.decode().count('class="piece__face piece__face--block"') == 1


WIDE = {
    "name": "Wide",
    "spec": {
        "goal": "beacons",
        "turn_limit": 2,
        "force_points": 40,
        "table_in": 48,
        "pieces": [{"x": 24, "y": 24, "kind": "hill"}],
    },
}


def test_mech_campaign_match_is_simulated_on_a_custom_table(client):
    campaign = a_campaign(
        system="mech-campaign",
        absent_rule="orders",
        scenarios=[{"value": WIDE, "name": "Wide"}],
        catalogue_release="1",
        points=100,
        options={},
    )
    kinds = ["heavy-mech", "heavy-mech", "light-mech", "light-mech", "light-mech"]
    sides = [
        an_enrolment(campaign, a_mustered_company(None, *kinds, name=name, system="mech-campaign"))
        for name in ("Ants", "Bees")
    ]
    (terrain,) = terrains_for(campaign, WIDE)
    assert terrain == "own-table"
    match = a_match(a_round(campaign), *sides, scenario=WIDE, scenario_name="Wide", terrain=terrain)
    close_round(match.round)
    match.refresh_from_db()
    log = list(ActivityLogEntry.objects.filter(match=match).values_list("text", flat=True))
    assert match.state == "auto-resolved", log
    setup = match.battle.setup
    assert (setup["scenario"], setup["terrain"]) == (WIDE, "own-table")
    page = client.get(reverse("battles:battle", args=[match.battle.key]))
    assert page.status_code == 200
    assert page.content.decode().count('class="piece__face piece__face--hill"') == 1
