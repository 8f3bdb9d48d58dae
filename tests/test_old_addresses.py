"""Addresses of pages that became a part of another page: each redirects there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import rows_until_the_end
from tests.permissions.routes import address, client_of
from tests.permissions.world import World, the_world

MATCHES = {  # route, case of its arguments (tests/permissions/world.py), role: where it leads
    ("campaigns:report_compare", "public-reported", "attacker"): "/matches/{key}/report/#reports",
    ("campaigns:report_compare", "public-decided", "anonymous"): "/matches/{key}/report/#reports",
    ("campaigns:report_confirm", "public-reported", "defender"): "/matches/{key}/report/?side=defender#their-report",
    ("campaigns:adjustment_undo", "public-adjustment", "arbiter"): "/campaigns/{pk}/rulings/{ruling_pk}/#undo",
    ("campaigns:match_refuse", "public-match", "attacker"): "/matches/{key}/#refuse",
    ("campaigns:phases", "public-campaign", "organiser"): "/campaigns/{pk}/settings/#phases",
    ("campaigns:phase", "public-phase", "organiser"): "/campaigns/{pk}/settings/#phase-{phase_pk}",
    ("campaigns:rounds", "public-campaign", "anonymous"): "/campaigns/{pk}/#rounds",
    ("campaigns:rulings", "public-campaign", "anonymous"): "/campaigns/{pk}/gazette/#rulings",
    ("campaigns:season_settings", "public-season", "organiser"): "/seasons/{pk}/run/#settings",
}


@pytest.fixture(scope="module")
def the_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with rows_until_the_end(django_db_blocker):
        yield the_world()


@pytest.mark.parametrize(("old", "new"), MATCHES.items(), ids=lambda each: each[0] if isinstance(each, tuple) else "")
def test_old_address_of_campaigns_redirects(the_rows, db, old, new):
    route, case, role = old
    arguments = the_rows.cases[case] if case else {}
    answer = client_of(the_rows, role).get(address(route, arguments))
    assert answer.status_code == 302
    assert answer["Location"] == new.format(**arguments)
