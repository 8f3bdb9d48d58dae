"""Every read route shows one snapshot: nothing committed after its first read is in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection, transaction
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Club, Territory
from rosters.database.transactions import SnapshotMixin
from rosters.models import Company, Design, Player, Scenario
from tests.concurrent_commits import act_between, other_connection

from .routes import address, client_of, table
from .world import ROLES, the_world

pytestmark = pytest.mark.django_db(transaction=True)
ROLES_BY_ACCESS = ("organiser", "attacker", "arbiter", "defender", "member", "operator", "stranger", "anonymous")
# Routes that write between two reads, with the reason; reads before and after may differ.
WRITE_BETWEEN = {
    "battles:quick-battle": "seals the reader's next dice if none wait; the form is read before, the rest after",
    "campaigns:guest_link": "counts the visitor, who may be guessing, before it reads the link",
}
NAME_FIELDS = {**dict.fromkeys((Club, Campaign, Company, Design, Scenario, Territory), "name"), Player: "username"}


@dataclass
class Reading:
    """The reads of a response."""

    snapshots: int = 0  # snapshots begun
    loose: int = 0  # reads outside any snapshot and transaction
    in_transactions: int = 0  # reads in a transaction that changes rows


@contextmanager
def count_reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reading]:
    reading = Reading()
    begin = SnapshotMixin.begin_snapshot

    def begin_snapshot(self: Any) -> None:
        reading.snapshots += 1
        begin(self)

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        if sql.startswith("SELECT"):
            reading.in_transactions += connection.in_atomic_block
            reading.loose += not connection.in_atomic_block and not connection.has_snapshot()
        return result

    with monkeypatch.context() as patched, connection.execute_wrapper(watch):
        patched.setattr(SnapshotMixin, "begin_snapshot", begin_snapshot)
        yield reading


def rename(number: int) -> None:
    """Rename everything that has a name, in one commit."""
    with transaction.atomic():
        for model, field in NAME_FIELDS.items():
            name = Concat(Value(f"Renamed {number}: "), Cast("pk", CharField()))
            model._default_manager.update(**{field: name})


def pages(world: Any, each_case: bool) -> Iterator[tuple[str, Client, str]]:
    """Yield name, reader and path of every readable page, in a role that sees most of it.

    Of each case, or of one.
    """
    clients = {role: client_of(world, role) for role in ROLES}
    seen = set()
    for row in table():
        letters = row.expected.get("GET", "")
        role = next((role for role in ROLES_BY_ACCESS if letters and letters[ROLES.index(role)] == "."), None)
        if role and (each_case or row.route not in seen):
            seen.add(row.route)
            yield row.route, clients[role], address(row.route, world.cases[row.case])
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield name, clients["operator"], reverse(f"{name}_changelist")
        for found in model._default_manager.all()[:1]:
            yield name, clients["operator"], reverse(f"{name}_change", args=[found.pk])


@pytest.mark.slow
@pytest.mark.parametrize("each_case", [False, pytest.param(True, marks=pytest.mark.proof)])
def test_every_page_and_answer_shows_one_snapshot(monkeypatch, each_case):
    wrong, names = [], 0
    world = the_world()
    assert connection.features.supports_json_field  # SQLite runs a query for this, once per process
    with other_connection() as elsewhere:
        elsewhere(lambda: rename(0))
        for number, (route, client, path) in enumerate(pages(world, each_case), 1):
            with (
                count_reads(monkeypatch) as reading,
                act_between(lambda at=number: elsewhere(lambda: rename(at))) as other,
            ):
                answer = client.get(path)
            body = answer.getvalue()
            names += b"Renamed" in body
            if not other.is_done:
                elsewhere(lambda at=number: rename(at))
            if answer.status_code >= 500:
                wrong.append(f"{path} answers {answer.status_code}")
            elif reading.loose:
                wrong.append(f"{path} ({route}) has {reading.loose} reads outside any snapshot")
            elif reading.snapshots + bool(reading.in_transactions) > 1 and route not in WRITE_BETWEEN:
                wrong.append(f"{path} ({route}) reads {reading.snapshots} snapshots, and writes between them")
            elif f"Renamed {number}:".encode() in body and route not in WRITE_BETWEEN:
                wrong.append(f"{path} ({route}) shows something committed after its first read")
    assert not wrong, "\n".join(wrong)
    assert names > 100, "too few pages show names for this test to find anything"
