"""PostgreSQL, with moments."""

from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from rosters.database.moments import MomentsMixin


class DatabaseWrapper(MomentsMixin, base.DatabaseWrapper):
    """A moment is the snapshot that REPEATABLE READ takes at its first read; reads in it never fail to serialize."""

    BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    def _is_in_transaction(self) -> bool:
        return self.connection.pgconn.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR)
