"""The lab's build beside another design, by client."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rosters.models import Design
from tests.builders import a_player

pytestmark = pytest.mark.django_db

BUILD = {"chassis": "light", "weapons": "cannon,ciws,ciws", "systems": "jammer", "name": "Mine"}


def _compared(client, **more):
    page = client.get(reverse("rosters:lab"), {**BUILD, "with": "", **more})
    assert page.status_code == 200
    return page.context["compared"]


def test_build_is_compared_with_a_published_design(client):
    compared = _compared(client, **{"with": "published:viper"})
    assert compared.name == "VIPER"
    assert ("Chassis", "Light", "Medium") in [(row.label, row.left, row.right) for row in compared.differing]


def test_build_is_compared_with_the_nearest_by_default(client):
    compared = _compared(client)
    assert compared.chosen.startswith("published:")
    assert compared.differing


def test_rebuilt_design_is_compared_with_its_original(client):
    owner = a_player("owner")
    client.force_login(owner)
    spec = {"chassis": "light", "weapons": ["cannon"], "systems": []}
    design = Design.objects.create(author=owner, system="meks-and-mercs", name="Old", spec=spec)
    compared = _compared(client, design=design.pk)
    assert compared.chosen == f"own:{design.pk}"
    assert ("Points", "9", "5") in [(row.label, row.left, row.right) for row in compared.differing]


def test_strangers_design_is_not_offered(client):
    spec = {"chassis": "light", "weapons": ["cannon"], "systems": []}
    design = Design.objects.create(author=a_player("owner"), system="meks-and-mercs", name="Old", spec=spec)
    client.force_login(a_player("stranger"))
    compared = _compared(client, **{"with": f"own:{design.pk}"})
    assert compared.own == ()
    assert compared.chosen != f"own:{design.pk}"


@pytest.mark.slow
def test_query_count_does_not_grow_with_designs(client):
    owner = a_player("owner")
    client.force_login(owner)
    spec = {"chassis": "light", "weapons": ["cannon"], "systems": []}

    def save_designs(number):
        rows = [
            Design(author=owner, system="meks-and-mercs", name=f"D{number}-{at}", spec=spec) for at in range(number)
        ]
        Design.objects.bulk_create(rows)

    save_designs(1)
    _compared(client)
    with CaptureQueriesContext(connection) as one:
        _compared(client)
    save_designs(20)
    with CaptureQueriesContext(connection) as many:
        _compared(client)
    assert len(many) == len(one)
