"""Addresses of pages that became a part of another page: each redirects there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import rows_until_the_end
from tests.permissions.routes import address, client_of
from tests.permissions.world import World, the_world

CLUBS = {  # route, case of its arguments (tests/permissions/world.py), role, query: where it leads
    ("campaigns:club_medals", "public-club", "anonymous", "?medal=ace"): "/clubs/{slug}/fame/?medal=ace#medals",
    ("campaigns:club_fallen", "public-club", "anonymous", ""): "/clubs/{slug}/fame/#fallen",
    ("campaigns:club_ratings", "public-club", "anonymous", "?system=hex-core"): (
        "/clubs/{slug}/insights/?system=hex-core#ratings"
    ),
    ("campaigns:club_display_link", "public-club", "organiser", ""): "/clubs/{slug}/settings/#club-display",
    ("campaigns:club_places", "public-club", "organiser", ""): "/clubs/{slug}/archive/#places",
    ("campaigns:club_restore_job", "restore", "attacker", ""): "/clubs/restore/#job",
    ("campaigns:webhook_delete", "public-webhook", "organiser", ""): "/clubs/{slug}/webhooks/{webhook}/",
    ("campaigns:guests", "public-club", "organiser", ""): "/clubs/{slug}/members/#guests",
    ("campaigns:guest_remove", "public-guest", "organiser", ""): "/clubs/{slug}/guests/{guest_pk}/#more",
    ("campaigns:member_remove", "public-member", "organiser", ""): "/clubs/{slug}/members/#member-{member_pk}",
    ("campaigns:club_hand_over", "public-member", "organiser", ""): "/clubs/{slug}/members/#member-{member_pk}",
    ("campaigns:club_leave", "public-club", "member", ""): "/clubs/{slug}/#join",
    ("campaigns:availability", "-", "attacker", ""): "/calendar/?club=#when",
}


@pytest.fixture(scope="module")
def the_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with rows_until_the_end(django_db_blocker):
        yield the_world()


@pytest.mark.parametrize(("old", "new"), CLUBS.items(), ids=lambda each: each[0] if isinstance(each, tuple) else "")
def test_old_address_of_clubs_redirects(the_rows, db, old, new):
    route, case, role, query = old
    arguments = the_rows.cases[case]
    answer = client_of(the_rows, role).get(address(route, arguments) + query)
    assert answer.status_code == 302
    assert answer["Location"] == new.format(**arguments)
