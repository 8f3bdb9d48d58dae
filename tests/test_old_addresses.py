"""Addresses of pages that became a part of another page: each redirects there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import rows_until_the_end
from tests.permissions.routes import address, client_of
from tests.permissions.world import World, the_world

BATTLES = {  # route, case of its arguments (tests/permissions/world.py), role, query: where it leads
    ("battles:join", "", "anonymous", ""): "/table/#join",
    ("battles:join", "", "anonymous", "?code=ABC+DEF"): "/table/?code=ABC+DEF#join",
    ("battles:random-forces", "", "anonymous", "?system=hex-core&f-seed=3"): (
        "/battles/new/?system=hex-core&f-seed=3#random"
    ),
    ("battles:solo-games", "", "attacker", ""): "/battles/#in-progress",
    ("battles:what-if", "what-if", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:best-change", "best-change", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:best-answer", "best-answer", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:best-build", "best-build", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:curve", "private-fought", "attacker", ""): "/battles/{key}/#win-chance",
    ("battles:fork", "private-fork", "attacker", ""): "/odds/explore/{key}/",
}


@pytest.fixture(scope="module")
def the_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with rows_until_the_end(django_db_blocker):
        yield the_world()


@pytest.mark.parametrize(("old", "new"), BATTLES.items(), ids=lambda each: each[0] if isinstance(each, tuple) else "")
def test_old_address_of_battles_redirects(the_rows, db, old, new):
    route, case, role, query = old
    arguments = the_rows.cases[case] if case else {}
    answer = client_of(the_rows, role).get(address(route, arguments) + query)
    assert answer.status_code == 302
    assert answer["Location"] == new.format(**arguments)
