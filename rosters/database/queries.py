"""Prepared queries for frequent pages, and columns by the names of the fields that they fill.

Each parameter has a name and a type; the type decides which placeholder stands for it while the query is built. All
other values are passed to PostgreSQL as literals, so that one plan fits every call. Columns are given by name, so that
they can't be swapped.
"""

from __future__ import annotations

import inspect
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Generic, TypeVar, cast, overload

from django.core.exceptions import FieldError
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, JSONField, Model, QuerySet
from django.db.models.fields.json import KeyTransform
from django.db.models.query import ModelIterable, ValuesListIterable, get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from pydantic_core import from_json

from rosters.database.transactions import get_connection

RowT = TypeVar("RowT")
HELD = range(-(2**63), 2**63)
Given = int | str | uuid.UUID | datetime


class Small(int):
    """A parameter for a column that can't store large or negative numbers."""


# The placeholders of parameters while the query is built, by type; no real value equals them.
STANDS_FOR: dict[type, Callable[[int], Given]] = {
    int: lambda at: -7_316_450_918 - at,
    Small: lambda at: 1_731_645_091 - at,
    str: lambda at: f"\x1fplace {at}\x1f",
    uuid.UUID: lambda at: uuid.UUID(int=0x7316_4509_18F1_4E2A_0000_0000_0000_0000 + at),
    datetime: lambda at: datetime(1066, 10, 14, 9, at, tzinfo=UTC),
}


class PreparedQuery(Generic[RowT]):
    """A query with named parameters that is compiled once. It returns models, or the rows of a `values_list`.

    Parameters can't be None or a list, which would change the query itself. Text parameters can also be used with
    `contains`. `read` is called with the values of each row.
    """

    @overload
    def __init__(self, question: Callable[..., QuerySet[Model, RowT]], /, **kinds: type) -> None: ...

    @overload
    def __init__(
        self, question: Callable[..., QuerySet[Model, object]], read: Callable[..., RowT] | None, /, **kinds: type
    ) -> None: ...

    def __init__(
        self,
        question: Callable[..., QuerySet[Model, object]],
        read: Callable[..., RowT] | None = None,
        /,
        **kinds: type,
    ) -> None:
        self._question, self._read, self._kinds = question, read, kinds
        self._written: dict[str, _Written] = {}  # by database vendor

    def rows(self, **given: Given) -> list[RowT]:
        """Return the rows that the query set would return; none for a number that no database can store."""
        if any(isinstance(value, int) and int(value) not in HELD for value in given.values()):
            return []
        connection = get_connection()
        written = self._written.get(connection.vendor)
        if written is None:
            places = {name: STANDS_FOR[kind](at) for at, (name, kind) in enumerate(self._kinds.items())}
            written = self._written[connection.vendor] = _Written(connection, self._question(**places), places)
        with connection.planned_cursor() if written.has_one_plan else connection.cursor() as cursor:
            cursor.execute(written.sql, written.params(connection, given))
            found = cursor.fetchall()
        rows = written.read(found)
        return [self._read(*row) for row in rows] if self._read else cast(list[RowT], rows)

    def row(self, **given: Given) -> RowT | None:
        """Return the first row; None if there is none."""
        return next(iter(self.rows(**given)), None)


class _Written:
    """The SQL of a query for one kind of database, with the converters for its rows."""

    def __init__(
        self, connection: BaseDatabaseWrapper, question: QuerySet[Model, object], places: dict[str, Given]
    ) -> None:
        self._compiler = question.query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = self._compiler.as_sql()
        named = {_sent(connection, place): (name, False) for name, place in places.items()}
        named |= {f"%{place}%": (name, True) for name, place in places.items() if isinstance(place, str)}
        self._params = [_Param(value, *_named(named, value)) for value in params]
        if {param.name for param in self._params} - {""} != set(places):
            raise FieldError(f"of {', '.join(places)} not all stand in the query")
        self.sql = sql
        if connection.vendor == "postgresql":
            self.sql = _with_literals(connection, sql, self._params)
            self._params = [param for param in self._params if param.name]
        self.has_one_plan = " LIKE " not in sql  # the best plan for a search depends on how rare the word is
        self._converters = {
            at: ([_faster(converter, column) for converter in converters], column)
            for at, (converters, column) in self._compiler.get_converters(
                [column for column, *_ in self._compiler.select]
            ).items()
        }
        self._models = question._iterable_class is ModelIterable
        if self._models:
            self._head = _Head(self._compiler, question)
        elif question._iterable_class is not ValuesListIterable:
            raise FieldError("only models and values_list are read")

    def params(self, connection: BaseDatabaseWrapper, given: dict[str, Given]) -> list[Any]:
        return [param.sent(connection, given) for param in self._params]

    def read(self, rows: Sequence[Sequence[object]]) -> list[Any]:
        if self._converters:
            rows = list(self._compiler.apply_converters(rows, self._converters))
        return [self._head.model(row) for row in rows] if self._models else [tuple(row) for row in rows]


@dataclass(frozen=True, slots=True)
class _Param:
    """A parameter of the SQL."""

    value: object
    name: str  # empty if it always has the same value
    is_contained: bool = False  # whether it is used with `contains`

    def sent(self, connection: BaseDatabaseWrapper, given: dict[str, Given]) -> object:
        if not self.name:
            return self.value
        value = _sent(connection, given[self.name])
        return f"%{connection.ops.prep_for_like_query(str(value))}%" if self.is_contained else value


def _named(named: dict[object, tuple[str, bool]], value: object) -> tuple[str, bool]:
    """Return a placeholder's parameter, and whether it is used with `contains`; an empty name for other values."""
    return named.get(value, ("", False)) if isinstance(value, (int, str, uuid.UUID, datetime)) else ("", False)


class _Head:
    """Makes model instances, with their related objects, from rows."""

    def __init__(self, compiler: SQLCompiler, question: QuerySet[Model, object]) -> None:
        klass, select = compiler.klass_info, compiler.select
        first, last = klass["select_fields"][0], klass["select_fields"][-1] + 1
        self._class, self._own = klass["model"], slice(first, last)
        self._names = [column[0].target.attname for column in select[first:last]]
        fetch_mode = [question._fetch_mode] if hasattr(question, "_fetch_mode") else []  # since Django 6.1
        self._beside = get_related_populators(klass, select, DEFAULT_DB_ALIAS, *fetch_mode)
        self._annotations = tuple((compiler.annotation_col_map or {}).items())

    def model(self, row: Sequence[object]) -> Model:
        made: Model = self._class.from_db(DEFAULT_DB_ALIAS, self._names, row[self._own])
        for beside in self._beside:
            beside.populate(row, made)
        for name, at in self._annotations:
            setattr(made, name, row[at])
        return made


def _faster(converter: Callable[..., object], column: Expression) -> Callable[..., object]:
    """Return the converter, or for JSON one that is three times as fast."""
    field = getattr(converter, "__self__", None)
    if type(field) is not JSONField or field.decoder is not None or isinstance(column, KeyTransform):
        return converter

    def read(value: Any, column: Expression, connection: BaseDatabaseWrapper) -> object:
        try:
            return from_json(value)
        except (TypeError, ValueError):  # None, or JSON that only Python's own parser accepts
            return converter(value, column, connection)

    return read


def _sent(connection: BaseDatabaseWrapper, value: Given) -> object:
    """Return the value in the form in which it is sent to the database."""
    if isinstance(value, uuid.UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return int(value) if isinstance(value, Small) else value


def _with_literals(connection: Any, sql: str, params: Sequence[_Param]) -> str:
    """Return the SQL with all unnamed parameters as literals."""

    def pieces() -> Iterator[str]:
        for param, after in zip(params, after_each, strict=True):
            yield "%s" if param.name else connection.ops.compose_sql("%s", [param.value]).replace("%", "%%")
            yield after

    first, *after_each = [part.replace("\0", "%%") for part in sql.replace("%%", "\0").split("%s")]
    return first + "".join(pieces())


def columns(row: Callable[..., object], /, **paths: str) -> tuple[str, ...]:
    """Return the columns for `values_list`, in the order of the arguments of `row`.

    `row` is the class or function that is called with the values of each row. `paths` are the columns of its arguments;
    an argument without a path is filled from the column with its own name. TypeError if `row` has no such argument.
    """
    names = _arguments(row)
    if unknown := paths.keys() - set(names):
        raise TypeError(f"{row.__qualname__} takes no {', '.join(sorted(unknown))}")
    return tuple(paths.get(name, name) for name in names)


@cache
def _arguments(row: Callable[..., object]) -> tuple[str, ...]:
    return tuple(inspect.signature(row).parameters)
