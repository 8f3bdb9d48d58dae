"""Consistent reads: what they see of changes, their own and others', and when they end."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from rosters.database.transactions import read_snapshot
from rosters.models import Company
from tests.builders import a_company, a_player
from tests.concurrent_commits import other_connection

pytestmark = pytest.mark.django_db(transaction=True)


def names():
    return set(Company.objects.values_list("name", flat=True))


@pytest.fixture
def elsewhere():
    with other_connection() as act:
        yield act


def test_consistent_read_ignores_later_commits(elsewhere):
    owner = a_player()
    with read_snapshot():
        elsewhere(lambda: a_company(owner, name="Before"))
        assert names() == {"Before"}
        elsewhere(lambda: a_company(owner, name="After"))
        assert names() == {"Before"}
    assert names() == {"Before", "After"}


@pytest.mark.parametrize("in_transaction", [True, False])
def test_change_ends_the_consistent_read_for_all(elsewhere, in_transaction):
    company = a_company(name="Old")
    with read_snapshot():
        assert names() == {"Old"}
        if in_transaction:
            with transaction.atomic():
                Company.objects.filter(pk=company.pk).update(name="New")
        else:
            Company.objects.filter(pk=company.pk).update(name="New")
        assert elsewhere(names) == {"New"}
        assert names() == {"New"}
        elsewhere(lambda: Company.objects.update(name="Newer"))
        assert names() == {"New"}


def test_on_commit_runs_before_the_consistent_read_ends():
    calls = []
    with read_snapshot():
        names()
        with transaction.atomic():
            transaction.on_commit(lambda: calls.append("written"))
            names()
        assert calls == ["written"]


def test_rolled_back_change_keeps_later_reads_consistent(elsewhere):
    a_company(name="Old")
    with read_snapshot():
        names()
        with transaction.atomic():
            Company.objects.update(name="New")
            transaction.set_rollback(True)
        assert names() == {"Old"}
        elsewhere(lambda: Company.objects.update(name="Later"))
        assert names() == {"Old"}


def test_failed_read_does_not_break_the_next_one():
    a_company(name="Here")
    with read_snapshot():
        names()
        with pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")
        assert names() == {"Here"}


def test_nested_consistent_read_is_the_same_one(elsewhere):
    owner = a_player()
    with read_snapshot():
        names()
        elsewhere(lambda: a_company(owner, name="After"))
        with read_snapshot():
            assert names() == set()
        assert names() == set()


def test_consistent_read_in_a_transaction_changes_nothing():
    with transaction.atomic():
        a_company(name="Mine")
        with read_snapshot():
            assert names() == {"Mine"}
            Company.objects.update(name="Still mine")
        assert names() == {"Still mine"}
    assert names() == {"Still mine"}


def test_consistent_read_without_reads_opens_no_connection():
    connection.close()
    with read_snapshot():
        pass
    assert connection.connection is None


def test_lost_connection_is_opened_again():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no connection to lose")
    a_company(name="Here")
    with read_snapshot():
        names()
        connection.connection.close()
        with pytest.raises(DatabaseError):
            names()
    connection.close_if_unusable_or_obsolete()  # as after each request
    with read_snapshot():
        assert names() == {"Here"}


@pytest.mark.parametrize("path", ["/companies/", "/companies/0/", "/no-such-page/"])
def test_request_leaves_no_consistent_read_open(path):
    client = Client()
    client.force_login(a_player())
    client.get(path)
    assert not connection.has_snapshot()
    assert connection.execute_wrappers == []
