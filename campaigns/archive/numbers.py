"""Ids for rows that are written together, reserved before any row is written so that rows can refer to each other."""

from __future__ import annotations

from django.db import connection, models


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    """Return `count` rising ids that no row of the table has or ever had. Call it in a transaction that writes."""
    if not count:
        return []
    pk = model._meta.pk
    assert pk is not None
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
                [f'"{table}"', pk.column, count],
            )
            return sorted(int(row[0]) for row in cursor.fetchall())
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
    newest = model._default_manager.aggregate(newest=models.Max("pk"))["newest"] or 0
    first = max(int(found[0]) if found else 0, newest) + 1
    return list(range(first, first + count))
