"""PostgreSQL, with moments, and with plans that are kept."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper
from psycopg.pq import TransactionStatus
from psycopg.types.numeric import Int8

from rosters.database.moments import MomentsMixin


class PlannedCursor(base.ServerBindingCursor):
    """The server keeps the plan of what is executed, as long as the connection lives (if `prepare_threshold` is set)."""

    def execute(self, query: str, params: Sequence[object] | None = None, **options: object) -> object:
        sized = [Int8(value) if type(value) is int else value for value in params or ()]  # else a plan for each size
        return super().execute(query, sized, prepare=True, **options)  # type: ignore[misc]


class DatabaseWrapper(MomentsMixin, base.DatabaseWrapper):
    """A moment is the snapshot that REPEATABLE READ takes at its first read; reads in it never fail to serialize."""

    BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    def _is_in_transaction(self) -> bool:
        return self.connection.pgconn.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR)

    def planned_cursor(self) -> CursorWrapper:
        self.ensure_connection()
        usual = self.connection.cursor_factory
        self.connection.cursor_factory = PlannedCursor
        try:
            return self.cursor()
        finally:
            self.connection.cursor_factory = usual
