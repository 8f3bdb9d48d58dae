"""The PostgreSQL backend with read snapshots and cached query plans."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap
from psycopg.pq import TransactionStatus
from psycopg.types.datetime import TimestamptzLoader
from psycopg.types.numeric import Int8

from rosters.database.transactions import SnapshotMixin


class UtcLoader(TimestamptzLoader):
    """Loads times with Python's own parser, which takes a tenth of the time of psycopg's."""

    timezone = UTC  # required by Django

    def load(self, data: Buffer) -> datetime:
        try:
            parsed = datetime.fromisoformat(bytes(data).decode())
        except ValueError:
            return super().load(data)
        return parsed.astimezone(UTC)


class PlannedCursor(base.ServerBindingCursor):
    """A cursor that lets the server keep query plans as long as the connection lives, if `prepare_threshold` is set."""

    def execute(self, query: str, params: Sequence[object] | None = None, **options: object) -> object:
        sized = [
            Int8(value) if type(value) is int else value for value in params or ()
        ]  # otherwise there would be a plan for each size
        return super().execute(query, sized, prepare=True, **options)  # type: ignore[misc]


class DatabaseWrapper(SnapshotMixin, base.DatabaseWrapper):
    """A backend whose snapshot is that of REPEATABLE READ, taken at the first read; no read fails to serialize."""

    BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    def get_connection_params(self) -> dict[str, Any]:
        params = super().get_connection_params()
        if self.timezone is UTC:
            params["context"] = adapters = AdaptersMap(params["context"])
            adapters.register_loader("timestamptz", UtcLoader)
        return params

    def init_connection_state(self) -> None:
        """Turn off JIT compilation, which took seconds for a query of a millisecond on tables with poor statistics.

        If plans are cached, also make the server use generic plans; it planned larger queries again each time. Both are
        set by statements, because a pooler may refuse connection options.
        """
        super().init_connection_state()
        self.connection.execute("SET jit = off")
        if self.connection.prepare_threshold is not None:
            self.connection.execute("SET plan_cache_mode = force_generic_plan")
        if not self.get_autocommit():
            self.connection.commit()

    def _is_in_transaction(self) -> bool:
        return self.connection.pgconn.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR)

    def planned_cursor(self) -> CursorWrapper:
        self.ensure_connection()
        connection = self.connection  # if it breaks, `self.connection` is None afterwards
        usual = connection.cursor_factory
        connection.cursor_factory = PlannedCursor
        try:
            return self.cursor()
        finally:
            connection.cursor_factory = usual
