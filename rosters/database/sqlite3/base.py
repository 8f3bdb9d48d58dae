"""SQLite backend with moments."""

from django.db.backends.sqlite3 import base

from rosters.database.transactions import SnapshotMixin


class DatabaseWrapper(SnapshotMixin, base.DatabaseWrapper):
    """A moment is the reader's snapshot of the write-ahead log; unlike a writing transaction it takes no lock."""

    BEGIN = "BEGIN DEFERRED"

    def _is_in_transaction(self) -> bool:
        return bool(self.connection.in_transaction)
