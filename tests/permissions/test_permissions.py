"""Every route in every role: nobody gets more than the table says, and nobody reads a secret.

The same walk also checks HEAD requests and the log, because a walk takes long.
"""

import logging
import re
from collections import Counter
from dataclasses import dataclass, field

import pytest
from django.contrib import admin
from django.urls import reverse

from campaigns.models import SubmittedList
from tests.example_shares import in_every_run, stable_number

from .routes import METHODS, address, ask, client_of, outcome, routes, table
from .world import ROLES, SECRET_UNIT

pytestmark = pytest.mark.any_database
# Opponents and arbiters see the company itself.
COMPANY_PAGES = re.compile(r"^((/api/v1|/print)?/compan(y|ies)/\d+/|/campaigns/\d+/companies/\d+/adjust/)")
OUTCOME_NAMES = {
    ".": "allowed",
    "L": "sent to the login",
    "3": "forbidden",
    "4": "not found",
    "5": "method not allowed",
    "!": "error",
}
COMPANY_READERS = ("defender", "arbiter", "organiser")
# the roles that see most; only the organiser is checked in every run
HEAD_ROLES = ("defender", "arbiter", "organiser", "operator")
STABLE_HEADERS = (
    "Content-Type",
    "Content-Disposition",
    "Content-Language",
    "Location",
    "Cache-Control",
    "Vary",
    "Allow",
)


def test_every_route_is_in_the_table():
    rows = table()
    missing = sorted(routes() - {row.route for row in rows})
    gone = sorted({row.route for row in rows} - routes())
    assert not missing, f"add to tests/permissions/table.txt: {', '.join(missing)}"
    assert not gone, f"remove from tests/permissions/table.txt: {', '.join(gone)}"
    letters = [pattern for row in rows for pattern in row.expected.values()]
    assert all(re.fullmatch(r"[.L34]{8}", pattern) for pattern in letters), "a row needs a letter for each role"


@dataclass
class WalkResult:
    """The results of a walk: cells by page or API, by method and by outcome."""

    cells: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  # more or less than the table says
    read: list[str] = field(default_factory=list)  # secrets found in responses
    heads: int = 0  # HEAD requests

    def summary(self, kind: str) -> str:
        by_method: Counter[str] = Counter()
        by_outcome: Counter[str] = Counter()
        for (of, method, what), count in self.cells.items():
            if of == kind:
                by_method[method] += count
                by_outcome[what] += count
        methods = ", ".join(f"{method} {count}" for method, count in by_method.items())
        outcomes = ", ".join(f"{OUTCOME_NAMES[what]} {count}" for what, count in sorted(by_outcome.items()))
        return f"{kind}: {by_method.total()} cells ({methods}): {outcomes}"


def walk_table(world, roles, rows_of, heads_of=HEAD_ROLES) -> WalkResult:
    """Request each cell of the table in these roles.

    Also check that methods of a route without an entry are refused.
    """
    found = WalkResult()
    for role in roles:
        client, at, seen = client_of(world, role), ROLES.index(role), set()
        for row in rows_of(role):
            path = address(row.route, world.cases[row.case])
            kind, methods = ("API", METHODS) if path.startswith("/api/") else ("pages", METHODS[:2])
            without_entry = [
                method for method in methods if method not in row.expected and (row.route, method) not in seen
            ]
            seen |= {(row.route, method) for method in methods}
            for request in [*row.expected, *without_entry]:
                method, _, data = request.partition(":")
                answer, body = ask(client, method, path, data)
                got, expected = outcome(answer), row.expected[request][at] if request in row.expected else "5"
                fits = got == expected if request in row.expected else got in "5L34"
                if not fits:
                    case = f"{request} {row.route} of {row.case}"
                    found.wrong.append(f"{role} {case}: {expected} expected, {got} ({answer.status_code})")
                found.read += [
                    f"{role}: {request} {path} shows {what}" for what in _secrets_in(world, role, path, body)
                ]
                found.cells[kind, method, got] += 1
                if method == "GET" and request in row.expected and role in heads_of and (row.route, "HEAD") not in seen:
                    seen.add((row.route, "HEAD"))
                    found.heads += 1
                    found.wrong += [
                        f"{role} {row.route} of {row.case}: {how}" for how in _head_differences(answer, client, path)
                    ]
    return found


def _head_differences(got, client, path):
    """Return how the response to HEAD differs from that to GET, apart from the missing body."""
    head, body = ask(client, "HEAD", path)
    if got.status_code != head.status_code or body:
        yield f"GET {got.status_code}, HEAD {head.status_code} with a body of {len(body)}"
    if difference := _stable_headers(got) ^ _stable_headers(head):
        yield f"GET and HEAD differ by {difference}"


def _stable_headers(answer):
    """Return the headers, without values that depend on the time or on a token."""
    return {
        (name, value if name in STABLE_HEADERS else "")
        for name, value in answer.headers.items()
        if name != "Content-Length"
    }


def roles_for(row) -> set[str]:
    """Return the roles that request the row in every run: one of all, and one refused role with an account, if any.

    Both are chosen by a hash, so they stay when rows come and go. A refusal is much faster than a page.
    """
    name, letters_by_role = f"{row.route} {row.case}", [*zip(*row.expected.values(), strict=True)]
    refused = [role for role, letters in zip(ROLES, letters_by_role, strict=True) if {*letters} & {"3", "4"}]
    groups = [group for group in (ROLES, refused) if group]
    return {group[stable_number(name, len(group))] for group in groups}


@pytest.mark.parametrize("role", ROLES)
def test_every_route_follows_the_table_for_sampled_roles(world, role, lines, caplog, monkeypatch):
    """One or two roles request each row, the same in every run. The proof uses all roles."""
    monkeypatch.setattr(caplog.handler, "level", logging.ERROR)  # a report would list every refusal
    found = walk_table(
        world, [role], lambda role: [row for row in table() if role in roles_for(row)], heads_of=["organiser"]
    )
    assert not found.wrong, "\n".join(found.wrong)
    assert not found.read, "\n".join(found.read)
    assert (found.heads > 20) == (role == "organiser")
    logged, log_text = len(lines.of("muster.requests")), lines.text.getvalue()
    assert logged >= found.cells.total()
    keys = {str(value) for case in world.cases.values() for name, value in case.items() if "key" in name}
    secrets = {*world.secrets, *world.keys, *keys}
    assert len(secrets) > 40
    assert [secret for secret in secrets if secret in log_text] == []


@pytest.mark.proof
def test_every_route_follows_the_table_for_every_role(world, caplog):
    for logger in ("django.request", "muster.requests"):
        caplog.set_level("ERROR", logger)
    found = walk_table(world, ROLES, lambda role: table())
    paths = [address(row.route, world.cases[row.case]) for row in table()]
    of_the_api = {row.route for row, path in zip(table(), paths, strict=True) if path.startswith("/api/")}
    print(f"\n{len(routes())} routes ({len(of_the_api)} of the API), {len(table())} cases, {len(ROLES)} roles")
    print(f"{found.summary('pages')}\n{found.summary('API')}")
    print(f"{found.cells.total()} cells, {len(found.wrong)} other than the table says, {len(found.read)} secrets read")
    assert not found.wrong, "\n".join(found.wrong)
    assert not found.read, "\n".join(found.read)


def _secrets_in(world, role, path, body):
    """Return the secrets that the role must not see and that are in this response."""
    found = ["the secret of fair dice or a salt" for secret in world.secrets if secret in body]
    found += [
        f"a key of the {whose}"
        for key, whose in world.keys.items()
        if key in body and role != whose and key not in path
    ]
    may = role == "attacker" or (role in COMPANY_READERS and COMPANY_PAGES.match(path))
    return [*found, "a unit of a submitted list"] if SECRET_UNIT in body and not may else found


def test_world_has_secrets_to_protect(world):
    """Otherwise the walk would find nothing because there is nothing to find."""
    assert len(world.secrets) >= 2 * len(SubmittedList.objects.filter(opened_at=None)) > 0
    company = reverse("rosters:company", args=[world.cases["company"]["pk"]])
    assert SECRET_UNIT in ask(client_of(world, "defender"), "GET", company)[1]
    forces = reverse("campaigns:match_forces", args=[world.cases["public-match"]["key"]])
    assert SECRET_UNIT in ask(client_of(world, "attacker"), "GET", forces)[1]


@pytest.mark.parametrize("role", in_every_run(("organiser", "operator"), ROLES, pytest.mark.slow))
def test_only_operators_open_the_admin(world, role):
    client = client_of(world, role)
    paths = [reverse("admin:index")]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        paths += [reverse(f"{name}_changelist"), reverse(f"{name}_add")]
        paths += [reverse(f"{name}_change", args=[row.pk]) for row in model._default_manager.all()[:2]]
    for path in paths:
        answer, body = ask(client, "GET", path)
        if role == "operator":
            assert answer.status_code in (200, 403), path  # some models can't be changed or added in the admin
            assert not [secret for secret in world.secrets if secret in body], path
        else:
            assert "/admin/login/" in answer["Location"], path
