"""Locks by name that last as long as the transaction they are taken in."""

from __future__ import annotations

import hashlib

from django.db import connection


def lock_named(name: str, *, waits: bool = True) -> bool:
    """Takes what nobody else has until the transaction ends, and waits for it; without waiting, False if somebody has it.

    On SQLite that is the transaction itself: one that writes waits for the others.
    """
    if connection.vendor != "postgresql":
        return True
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    lock = "pg_advisory_xact_lock" if waits else "pg_try_advisory_xact_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {lock}(%s)", [number])
        (held,) = cursor.fetchone()
    return waits or bool(held)
