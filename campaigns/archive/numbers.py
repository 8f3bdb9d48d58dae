"""Numbers for rows that are written together: given before any is written, so that they can name one another."""

from __future__ import annotations

from django.db import connection, models


def numbers_for(model: type[models.Model], count: int) -> list[int]:
    """So many numbers that no row of the table has or ever had, rising. Inside a transaction that writes."""
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
