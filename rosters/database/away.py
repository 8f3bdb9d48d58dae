"""Tell an unavailable database from a bug of ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from django.db import InterfaceError, OperationalError

AWAY_STATES = ("08", "53", "57P")  # PostgreSQL: no connection, no room, shut down
AWAY_CODES = {  # SQLite
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}  # fmt: skip


def is_database_unavailable(error: BaseException | None) -> bool:
    """Return whether the error, or one of its causes, means that the database can't be reached or can't write now."""
    return any(isinstance(each, OperationalError | InterfaceError) and _is_unavailable(each) for each in _chain(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
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
