"""Questions asked on every page, whose SQL is written once a process: Django takes longer to write such a query than a
database to answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet

PLACE = -7_316_450_918  # stands for the id while the query is written; no row has it


class Compiled:
    """A query of values about one row's id, which is all that may differ from one asking to the next."""

    def __init__(self, question: Callable[[int], QuerySet[Any, Any]]) -> None:
        self._question = question
        self._written: dict[str, tuple[str, tuple[Any, ...], Any, Any]] = {}  # by the kind of database

    def rows(self, pk: int) -> Iterable[list[Any]]:
        """The answer about the row with that id, as `values_list` gives it."""
        connection = connections[DEFAULT_DB_ALIAS]
        if connection.vendor not in self._written:
            compiler = self._question(PLACE).query.get_compiler(DEFAULT_DB_ALIAS)
            sql, params = compiler.as_sql()
            converters = compiler.get_converters([column for column, *_ in compiler.select])
            self._written[connection.vendor] = sql, tuple(params), compiler, converters
        sql, params, compiler, converters = self._written[connection.vendor]
        with connection.cursor() as cursor:
            cursor.execute(sql, [pk if value == PLACE else value for value in params])
            rows = cursor.fetchall()
        return list(compiler.apply_converters(rows, converters)) if converters else rows
