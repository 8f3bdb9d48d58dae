"""SQLite, with moments."""

from django.db.backends.sqlite3 import base

from rosters.database.moments import MomentsMixin


class DatabaseWrapper(MomentsMixin, base.DatabaseWrapper):
    """A moment is the snapshot that the write-ahead log gives a reader; unlike what writes it takes no lock."""

    BEGIN = "BEGIN DEFERRED"

    def _is_in_transaction(self) -> bool:
        return bool(self.connection.in_transaction)
