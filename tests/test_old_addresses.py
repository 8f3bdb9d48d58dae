"""Addresses of pages that became a part of another page: each redirects there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import rows_until_the_end
from tests.permissions.routes import address, client_of
from tests.permissions.world import World, the_world

ROSTERS = {  # route, case of its arguments (tests/permissions/world.py), role, query: where it leads
    ("rosters:company_emblem", "company", "attacker", "?roll=ab"): "/companies/{pk}/settings/?roll=ab#emblem",
    ("rosters:company_notes", "company", "attacker", ""): "/companies/{pk}/settings/#texts",
    ("rosters:company_portrait", "company", "attacker", ""): "/companies/{pk}/settings/#photo",
    ("rosters:company_clone", "company", "attacker", ""): "/companies/{pk}/#clone",
    ("rosters:unit_notes", "company", "attacker", ""): "/companies/{pk}/units/{unit_pk}/#texts",
    ("rosters:unit_portrait", "company", "attacker", ""): "/companies/{pk}/units/{unit_pk}/#photo",
    ("rosters:pilot_notes", "company", "attacker", ""): "/companies/{pk}/pilots/{pilot_pk}/#texts",
    ("rosters:pilot_portrait", "company", "attacker", ""): "/companies/{pk}/pilots/{pilot_pk}/#photo",
    ("rosters:print-printers", "", "attacker", ""): "/print/presets/#printers",
    ("rosters:sign_ins", "", "attacker", ""): "/accounts/sessions/#sign-ins",
    ("rosters:account_deletion", "", "attacker", ""): "/profile/data/#delete",
}


@pytest.fixture(scope="module")
def the_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with rows_until_the_end(django_db_blocker):
        yield the_world()


@pytest.mark.parametrize(("old", "new"), ROSTERS.items(), ids=lambda each: each[0] if isinstance(each, tuple) else "")
def test_old_address_of_rosters_redirects(the_rows, db, old, new):
    route, case, role, query = old
    arguments = the_rows.cases[case] if case else {}
    answer = client_of(the_rows, role).get(address(route, arguments) + query)
    assert answer.status_code == 302
    assert answer["Location"] == new.format(**arguments)
