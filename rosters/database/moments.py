"""What is told in several reads is told of one moment, whoever commits meanwhile.

A moment is a transaction that only reads. It lies beneath Django's autocommit and gives way to every change: a change
ends it first and is committed by itself, and the next read begins a moment that has seen the change. So nothing that
writes needs to know of moments, no reader holds up a writer, and no read fails because somebody else was quicker.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper


class MomentsMixin(BaseDatabaseWrapper):
    """A backend that can hold a moment. The driver knows whether it does: there is no second account to go wrong."""

    BEGIN: str

    def has_moment(self) -> bool:
        """Whether a moment is held now."""
        return self.connection is not None and not self.in_atomic_block and self._is_in_transaction()

    def begin_moment(self) -> None:
        """From now on reads see the database as the first of them does. A cursor has made sure of the connection."""
        with self.wrap_database_errors:
            self.connection.execute(self.BEGIN)

    def end_moment(self) -> None:
        """Ends the moment, if there is one."""
        if self.has_moment():
            with self.wrap_database_errors:
                self.connection.commit()

    def planned_cursor(self) -> CursorWrapper:
        """A cursor for SQL that is asked again and again, with all that differs as its parameters."""
        return self.cursor()

    def set_autocommit(self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False) -> None:
        """As Django's; a transaction that may write begins after the moment."""
        if not autocommit:
            self.end_moment()
        super().set_autocommit(autocommit, force_begin_transaction_with_broken_autocommit)

    def _is_in_transaction(self) -> bool:
        raise NotImplementedError


@contextlib.contextmanager
def one_moment() -> Iterator[None]:
    """All reads in it see one moment, as long as nothing is written between them; a decorator too.

    Costs nothing until the first read. Inside another one, or inside a transaction, it changes nothing.
    """
    database = the_database()
    if _in_moment in database.execute_wrappers:
        yield
        return
    with database.execute_wrapper(_in_moment):
        try:
            yield
        finally:
            _end(database)


def the_database() -> MomentsMixin:
    """The one database that there is, as this thread reaches it."""
    database = connections[DEFAULT_DB_ALIAS]
    assert isinstance(database, MomentsMixin)
    return database


def _in_moment(
    execute: Callable[..., object], sql: str, params: object, many: bool, context: dict[str, object]
) -> object:
    database = context["connection"]
    assert isinstance(database, MomentsMixin)
    if database.in_atomic_block:
        return execute(sql, params, many, context)
    if not str(sql).lstrip("( \n").startswith("SELECT"):
        database.end_moment()
    elif not database.has_moment():
        database.begin_moment()
    try:
        return execute(sql, params, many, context)
    except DatabaseError:
        _end(database)  # PostgreSQL would refuse every further read in it
        raise


def _end(database: MomentsMixin) -> None:
    """Ends the moment, also on a connection that is gone: what was read in it stays read."""
    try:
        database.end_moment()
    except DatabaseError:
        database.close()
