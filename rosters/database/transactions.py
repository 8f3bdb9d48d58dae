"""Consistent reads (snapshots), named locks, and a test whether an error means that the database is unavailable.

A snapshot is a read-only transaction that Django's autocommit doesn't know about. A change ends it first and is then
committed separately; the next read starts a new snapshot, which includes the change. So code that writes doesn't depend
on snapshots, readers don't block writers, and no read fails because of another transaction. Named locks last until the
end of the transaction.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator

from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper


class SnapshotMixin(BaseDatabaseWrapper):
    """A backend that can hold a snapshot. Only the driver's state says whether it does, so the two can't disagree."""

    BEGIN: str

    def has_snapshot(self) -> bool:
        """Return whether there is a snapshot now."""
        return self.connection is not None and not self.in_atomic_block and self._is_in_transaction()

    def begin_snapshot(self) -> None:
        """Start a snapshot: all further reads see the same state as the first. The connection must be open."""
        with self.wrap_database_errors:
            self.connection.execute(self.BEGIN)

    def end_snapshot(self) -> None:
        """End the snapshot, if there is one."""
        if self.has_snapshot():
            with self.wrap_database_errors:
                self.connection.commit()

    def planned_cursor(self) -> CursorWrapper:
        """Return a cursor for SQL that is executed often and differs only in its parameters."""
        return self.cursor()

    def set_autocommit(self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False) -> None:
        """Set autocommit; before a transaction that may write, end the snapshot."""
        if not autocommit:
            self.end_snapshot()
        super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)

    def _is_in_transaction(self) -> bool:
        raise NotImplementedError


@contextlib.contextmanager
def read_snapshot() -> Iterator[None]:
    """Let all reads inside see the same state, unless something is written in between; also usable as a decorator.

    It costs nothing before the first read, and has no effect inside another snapshot or a transaction.
    """
    database = get_connection()
    if _execute_in_snapshot in database.execute_wrappers:
        yield
        return
    with database.execute_wrapper(_execute_in_snapshot):
        try:
            yield
        finally:
            _end_snapshot(database)


def get_connection() -> SnapshotMixin:
    """Return this thread's connection to the only database."""
    database = connections[DEFAULT_DB_ALIAS]
    assert isinstance(database, SnapshotMixin)
    return database


def _execute_in_snapshot(
    execute: Callable[..., object], sql: str, params: object, many: bool, context: dict[str, object]
) -> object:
    database = context["connection"]
    assert isinstance(database, SnapshotMixin)
    if database.in_atomic_block:
        return execute(sql, params, many, context)
    if not str(sql).lstrip("( \n").startswith("SELECT"):
        database.end_snapshot()
    elif not database.has_snapshot():
        database.begin_snapshot()
    try:
        return execute(sql, params, many, context)
    except DatabaseError:
        _end_snapshot(database)  # PostgreSQL would refuse all further reads in it
        raise


def _end_snapshot(database: SnapshotMixin) -> None:
    """End the snapshot, even if the connection is lost."""
    try:
        database.end_snapshot()
    except DatabaseError:
        database.close()


def lock_named(name: str, *, waits: bool = True) -> bool:
    """Take a lock until the transaction ends. If `waits` is False and it is taken, return False instead of waiting.

    On SQLite the transaction itself is the lock, because writing transactions wait for each other.
    """
    if connection.vendor != "postgresql":
        return True
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    lock = "pg_advisory_xact_lock" if waits else "pg_try_advisory_xact_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {lock}(%s)", [number])
        (held,) = cursor.fetchone()
    return waits or bool(held)


AWAY_STATES = ("08", "53", "57P")  # PostgreSQL: no connection, insufficient resources, shut down
AWAY_CODES = {  # SQLite
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip


def is_database_unavailable(error: BaseException | None) -> bool:
    """Return whether the error or one of its causes means that the database can't be reached or written now."""
    return any(
        isinstance(each, OperationalError | InterfaceError) and _is_unavailable(each) for each in error_chain(error)
    )


def error_chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and its causes."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _is_unavailable(error: BaseException) -> bool:
    driver = error.__cause__
    state = getattr(driver, "sqlstate", None)
    if isinstance(state, str):
        return state.startswith(AWAY_STATES)
    code = getattr(driver, "sqlite_errorcode", None)
    return code is None or code & 0xFF in AWAY_CODES
