"""Kinds of pages: each has a template of its own. There are few, each leads on, and every redirect leads to a page."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from .routes import address, ask, client_of, table
from .world import ROLES, World

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MAX_KINDS = 76  # may only shrink
NO_PAGES = {"styleguide.html", "rosters/outbox.html"}  # for developers
STANDARD = re.compile(r"^(account|mfa|usersessions|\d\d\d)\b")  # of signing in and of errors, as every site has them
MAIN = re.compile(r"<main\b.*?</main>", re.DOTALL)
ID = re.compile(r'<[^<>]*?\sid="([^"]+)"')
WAY_ON = re.compile(r'<a\b[^>]*href="[^#"]|<form\b|<button\b')


@dataclass
class Walk:
    kinds: dict[str, set[str]] = field(default_factory=dict)  # routes, by template
    dead_ends: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)  # redirects that lead to no page
    duplicate_ids: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def walk(the_rows: World, django_db_blocker: Any) -> Walk:
    """Ask each route of the table for its pages, once in a role that it lets in."""
    result = Walk()
    with django_db_blocker.unblock():
        clients = {role: client_of(the_rows, role) for role in ROLES}
        for row in table():
            allowed = row.expected.get("GET", "")
            if row.route.startswith("api") or "." not in allowed:
                continue
            role = ROLES[allowed.rindex(".")]
            _visit(result, the_rows, clients[role], row.route, row.case)
    return result


def _visit(result: Walk, world: World, client: Any, route: str, case: str) -> None:
    path = address(route, world.cases[case] if case != "-" else {})
    answer, body = ask(client, "GET", path)
    hops = 0
    while answer.status_code in (301, 302) and hops < 4:
        path, hops = answer["Location"], hops + 1
        if path.startswith("/static/"):
            return
        answer, body = ask(client, "GET", path.partition("#")[0])
    if hops and answer.status_code != 200:
        result.broken.append(f"{route} ({case}) leads to {path}: {answer.status_code}")
    if duplicates := [name for name, times in Counter(ID.findall(body)).items() if times > 1]:
        result.duplicate_ids.append(f"{route} ({case}): {', '.join(duplicates)}")
    main = MAIN.search(body)
    if hops or main is None or answer.status_code != 200 or not answer.templates:
        return
    names = (each.name for each in answer.templates)
    name = next(each for each in names if not each.rpartition("/")[2].startswith("_"))
    if name not in NO_PAGES and not route.endswith("embed"):
        result.kinds.setdefault(name, set()).add(route)
        if (
            not WAY_ON.search(main[0]) and name != "campaigns/club_display.html"
        ):  # a screen in the club's room, without a mouse
            result.dead_ends.append(f"{route} ({case})")


@pytest.mark.slow
def test_site_has_few_kinds_of_pages(walk):
    kinds = {name: routes for name, routes in walk.kinds.items() if not STANDARD.match(name)}
    summary = "\n".join(f"{name}: {', '.join(sorted(routes))}" for name, routes in sorted(kinds.items()))
    print(f"{len(kinds)} kinds of pages, and {len(walk.kinds) - len(kinds)} for signing in\n{summary}")
    assert 40 < len(kinds) <= MAX_KINDS, summary


@pytest.mark.slow
def test_every_page_leads_on(walk):
    assert walk.dead_ends == []


@pytest.mark.slow
def test_every_redirect_leads_to_a_page(walk):
    assert walk.broken == []


@pytest.mark.slow
def test_no_page_has_an_id_twice(walk):
    assert walk.duplicate_ids == []
