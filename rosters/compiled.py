"""Questions asked on many pages, written once a process and planned once a connection: Django takes longer to write such
a query, and PostgreSQL to plan it, than it takes to answer.

What may differ from one asking to the next has a name, and a kind that says how it is told from what always stands in
the query. PostgreSQL is given all else as literals, so that one plan fits every asking.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

from django.core.exceptions import FieldError
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet
from django.db.models.query import ModelIterable, ValuesListIterable, get_related_populators

RowT = TypeVar("RowT")
HELD = range(-(2**63), 2**63)
Given = int | str | uuid.UUID | datetime
# By kind, what stands for a thing of that kind while the query is written; nothing in the database is like it.
STANDS_FOR: dict[type, Callable[[int], Given]] = {
    int: lambda at: -7_316_450_918 - at,
    str: lambda at: f"\x1fplace {at}\x1f",
    uuid.UUID: lambda at: uuid.UUID(int=0x7316_4509_18F1_4E2A_0000_0000_0000_0000 + at),
    datetime: lambda at: datetime(1066, 10, 14, 9, at, tzinfo=UTC),
}


class Compiled(Generic[RowT]):
    """A query of models or of `values_list`, in which the named things alone differ from one asking to the next.

    None of them may be None, a list or part of a LIKE: these are written into the query itself.
    """

    def __init__(self, question: Callable[..., QuerySet[Any, RowT]], **kinds: type) -> None:
        self._question, self._kinds = question, kinds
        self._written: dict[str, _Written] = {}  # by the kind of database

    def rows(self, **given: Given) -> list[RowT]:
        """The answer, as the query set would give it; nothing is found by a number that no database holds."""
        if any(isinstance(value, int) and value not in HELD for value in given.values()):
            return []
        connection: Any = connections[DEFAULT_DB_ALIAS]
        written = self._written.get(connection.vendor)
        if written is None:
            places = {name: STANDS_FOR[kind](at) for at, (name, kind) in enumerate(self._kinds.items())}
            written = self._written[connection.vendor] = _Written(connection, self._question(**places), places)
        with connection.planned_cursor() as cursor:
            cursor.execute(written.sql, written.params(connection, given))
            found = cursor.fetchall()
        return cast(list[RowT], written.read(found, connection))

    def row(self, **given: Given) -> RowT | None:
        """The first of the answer; None if there is nothing."""
        return next(iter(self.rows(**given)), None)


class _Written:
    """The query as SQL of one kind of database, and how its rows are read."""

    def __init__(self, connection: Any, question: QuerySet[Any, Any], places: dict[str, Given]) -> None:
        self._compiler = question.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = self._compiler.as_sql()
        named = {_sent(connection, place): name for name, place in places.items()}
        self._params = [(named.get(value) if isinstance(value, (int, str, uuid.UUID, datetime)) else None, value)
                        for value in params]  # fmt: skip
        if {name for name, _ in self._params} - {None} != set(places):
            raise FieldError(f"of {', '.join(places)} not all stand in the query")
        self.sql = sql
        if connection.vendor == "postgresql":
            self.sql = _with_literals(connection, sql, self._params)
            self._params = [(name, value) for name, value in self._params if name]
        self._converters = self._compiler.get_converters([column for column, *_ in self._compiler.select])
        self._models = question._iterable_class is ModelIterable
        if self._models:
            self._head = _Head(self._compiler)
        elif question._iterable_class is not ValuesListIterable:
            raise FieldError("only models and values_list are read")

    def params(self, connection: Any, given: dict[str, Given]) -> list[Any]:
        return [value if name is None else _sent(connection, given[name]) for name, value in self._params]

    def read(self, rows: Sequence[Any], connection: Any) -> list[Any]:
        if self._converters:
            rows = list(self._compiler.apply_converters(rows, self._converters))
        return [self._head.model(row) for row in rows] if self._models else [tuple(row) for row in rows]


class _Head:
    """What makes a model, with those that were selected beside it, out of a row."""

    def __init__(self, compiler: Any) -> None:
        klass, select = compiler.klass_info, compiler.select
        first, last = klass["select_fields"][0], klass["select_fields"][-1] + 1
        self._class, self._own = klass["model"], slice(first, last)
        self._names = [column[0].target.attname for column in select[first:last]]
        self._beside = get_related_populators(klass, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        self._annotations = tuple((compiler.annotation_col_map or {}).items())

    def model(self, row: Sequence[Any]) -> Any:
        made = self._class.from_db(DEFAULT_DB_ALIAS, self._names, row[self._own])
        for beside in self._beside:
            beside.populate(row, made)
        for name, at in self._annotations:
            setattr(made, name, row[at])
        return made


def _sent(connection: Any, value: Given) -> Any:
    """The value as the database gets it."""
    if isinstance(value, uuid.UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value


def _with_literals(connection: Any, sql: str, params: Sequence[tuple[str | None, Any]]) -> str:
    """The SQL with all that has no name written into it."""

    def pieces() -> Iterator[str]:
        for (name, value), after in zip(params, after_each, strict=True):
            yield "%s" if name else connection.ops.compose_sql("%s", [value]).replace("%", "%%")
            yield after

    first, *after_each = [part.replace("\0", "%%") for part in sql.replace("%%", "\0").split("%s")]
    return first + "".join(pieces())
