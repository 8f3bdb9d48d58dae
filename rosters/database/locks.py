"""Named locks that last until the end of the transaction."""

from __future__ import annotations

import hashlib

from django.db import connection


def lock_named(name: str, *, waits: bool = True) -> bool:
    """Take a lock until the transaction ends, waiting for it; with `waits` False, return False if somebody else has it.

    On SQLite the transaction itself is the lock: writing transactions wait for each other.
    """
    if connection.vendor != "postgresql":
        return True
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    lock = "pg_advisory_xact_lock" if waits else "pg_try_advisory_xact_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {lock}(%s)", [number])
        (held,) = cursor.fetchone()
    return waits or bool(held)
