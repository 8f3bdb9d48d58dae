"""The SQLite backend with read snapshots."""

from django.db.backends.sqlite3 import base

from rosters.database.transactions import SnapshotMixin


class DatabaseWrapper(SnapshotMixin, base.DatabaseWrapper):
    """A backend whose snapshot is a reader's view of the write-ahead log, which takes no lock."""

    BEGIN = "BEGIN DEFERRED"

    def _is_in_transaction(self) -> bool:
        return bool(self.connection.in_transaction)
