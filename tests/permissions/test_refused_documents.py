"""No view breaks on an unreadable document: it responds with the field and the reason, or works without it."""

from __future__ import annotations

import html
from collections import Counter
from uuid import uuid4

import pytest

from systems import reading
from systems.documents import DocumentError
from tests.example_shares import in_every_run
from tests.permissions.routes import address, ask, client_of, table
from tests.permissions.world import ROLES

pytestmark = pytest.mark.any_database
FIELD, REASON = "units.u1.hits_lost", "must be 3 or less"
PARTS = ("campaigns:", "battles:", "rosters:", "api-")


@pytest.mark.slow
@pytest.mark.parametrize("part", in_every_run(PARTS[:1], PARTS))
def test_unreadable_document_is_refused_with_field_in_every_view(world, monkeypatch, caplog, part):
    """A permitted role requests every route, while no document can be read."""
    caplog.set_level("CRITICAL")

    def refuse(*args: object, **more: object) -> None:
        raise DocumentError(FIELD, REASON)

    found: Counter[int] = Counter()
    wrong = []
    seen = set()
    for row in table():
        for request, letters in row.expected.items():
            if not row.route.startswith(part) or "." not in letters or (row.route, request) in seen:
                continue
            seen.add((row.route, request))
            method, _, data = request.partition(":")
            if method == "POST" and not row.route.startswith("api-"):
                data = "&".join(filter(None, (data, f"once={uuid4().hex}")))  # as in every form of a page
            client, path = client_of(world, ROLES[letters.index(".")]), address(row.route, world.cases[row.case])
            with monkeypatch.context() as broken:
                broken.setattr("systems.documents.plain_json", refuse)
                reading._stored.cache_clear()
                answer, body = ask(client, method, path, data)
            found[answer.status_code] += 1
            if answer.status_code >= 500:
                wrong.append(f"{request} {row.route} of {row.case}: {answer.status_code}")
            elif answer.status_code in (400, 422) and FIELD in body:  # the API sends 400
                found["named"] += 1
                assert REASON in html.unescape(body)
    reading._stored.cache_clear()
    print(f"\n{part} {dict(found)}")
    assert not wrong, "\n".join(wrong)
    assert found["named"] > 10
