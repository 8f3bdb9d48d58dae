"""Keyset pagination, with which late pages of a list are as fast as early ones, and lists as prepared queries.

A place in a list is the ID of a row, followed by the other values by which the list is ordered, e.g. `1204` or
`1204.Iron Dogs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, Generic, TypeVar, overload

from django.core.exceptions import ValidationError
from django.db.models import Count, Model, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from rosters.database.queries import Given, PreparedQuery, columns

RowT = TypeVar("RowT")
Place = list[str | int]  # the values by which the list is ordered; the ID is the last
IDS = range(1, 2**63)
Rows = Callable[
    [tuple[str, ...], Place], list[RowT]
]  # returns the rows in that order after a place, or all rows if it is empty


class PlaceError(ValueError):
    """Raised if a text is not a place in this list."""


@dataclass(frozen=True, slots=True)
class Slice(Generic[RowT]):
    """A page of a list. `before` and `after` are the places with which to request its neighbours; empty at an end."""

    rows: list[RowT]
    before: str = ""
    after: str = ""
    prefix: str = ""  # of the query parameters, if a page shows several lists
    count: int | None = None  # of the whole list, if it was counted

    def __iter__(self) -> Iterator[RowT]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def has_others(self) -> bool:
        return bool(self.before or self.after)


@dataclass(frozen=True, slots=True)
class Keyset:
    """A unique order of rows, like `Keyset("name", "pk")` or `Keyset("-pk")`; the last field is the ID."""

    order: tuple[str, ...]

    def __init__(self, *order: str) -> None:
        object.__setattr__(self, "order", order)

    @property
    def _fields(self) -> tuple[str, ...]:
        return tuple(name.removeprefix("-") for name in self.order)

    def place(self, row: object) -> str:
        """Return the row's place as text."""
        *before, pk = (str(getattr(row, name)) for name in self._fields)
        return ".".join([pk, *before])

    def slice(
        self,
        rows: QuerySet[Model, RowT] | Rows[RowT],
        length: int,
        *,
        after: str = "",
        before: str = "",
        prefix: str = "",
        count: int | None = None,
    ) -> Slice[RowT]:
        """Return the page after a place, the page before a place, or the first page; PlaceError for an invalid place.

        If fewer rows than a page are left before a place, the first page is returned, so that it is always full.
        """
        ask = rows if callable(rows) else _rows_of(rows, length + 1)
        if before:
            turned = tuple(name[1:] if name.startswith("-") else f"-{name}" for name in self.order)
            above = ask(turned, self._read(before))
            if len(above) >= length:
                rows_of_page = above[:length][::-1]
                return Slice(
                    rows_of_page,
                    self.place(rows_of_page[0]) if len(above) > length else "",
                    self.place(rows_of_page[-1]),
                    prefix,
                    count,
                )
            after = ""
        found = ask(self.order, self._read(after) if after else [])
        rows_of_page = found[:length]
        return Slice(
            rows_of_page,
            (self.place(rows_of_page[0]) if rows_of_page else after) if after else "",
            self.place(rows_of_page[-1]) if len(found) > length else "",
            prefix,
            count,
        )

    def asked(
        self,
        rows: QuerySet[Model, RowT] | Rows[RowT],
        length: int,
        given: Mapping[str, str],
        prefix: str = "",
        count: int | None = None,
    ) -> Slice[RowT]:
        """Return the page that the query parameters `after` or `before` request; the first page if they are invalid."""
        after, before = (given.get(f"{prefix}{name}", "")[:200] for name in ("after", "before"))
        try:
            return self.slice(rows, length, after=after, before=before, prefix=prefix, count=count)
        except PlaceError:
            return self.slice(rows, length, prefix=prefix, count=count)

    def _read(self, place: str) -> Place:
        pk, *others = place.split(".", len(self.order) - 1)
        if not (pk.isascii() and pk.isdecimal()) or len(pk) > 19 or int(pk) not in IDS:
            raise PlaceError(place)
        if len(others) != len(self.order) - 1 or "\x00" in place:
            raise PlaceError(place)
        return [*others, int(pk)]


def _rows_of(rows: QuerySet[Model, RowT], most: int) -> Rows[RowT]:
    def ask(order: tuple[str, ...], place: Place) -> list[RowT]:
        try:
            return list(beyond(rows, order, place)[:most])
        except (ValueError, ValidationError):
            raise PlaceError(str(place)) from None

    return ask


def beyond(rows: QuerySet[Model, RowT], order: tuple[str, ...], place: Sequence[object]) -> QuerySet[Model, RowT]:
    """Return the rows in that order; only those after the place, if one is given."""
    rows = rows.order_by(*order)
    if not place:
        return rows
    beyond, same = Q(pk__in=()), Q()
    for name, value in zip(order, place, strict=True):
        field, further = name.removeprefix("-"), "lt" if name.startswith("-") else "gt"
        beyond |= same & Q(**{f"{field}__{further}": value})
        same &= Q(**{field: value})
    first = order[0].removeprefix("-")
    within = "lte" if order[0].startswith("-") else "gte"  # logically redundant, but the database can use an index
    return rows.filter(Q(**{f"{first}__{within}": place[0]}) & beyond)


ModelT = TypeVar("ModelT", bound=Model)


class KeysetList(Generic[RowT]):
    """An ordered list as a prepared query; for `kinds` and `read`, see `PreparedQuery`.

    `place` has the types of the fields before the ID by which the list is ordered. `beside` adds everything else that
    is needed for the rows of a page, after these are selected.
    """

    @overload
    def __init__(
        self,
        question: Callable[..., QuerySet[Model, RowT]],
        order: Keyset,
        length: int,
        place: tuple[type, ...] = (),
        **kinds: type,
    ) -> None: ...

    @overload
    def __init__(
        self,
        question: Callable[..., QuerySet[ModelT]],
        order: Keyset,
        length: int,
        place: tuple[type, ...] = (),
        *,
        beside: Callable[[QuerySet[ModelT]], QuerySet[ModelT, object]],
        read: Callable[..., RowT],
        **kinds: type,
    ) -> None: ...

    def __init__(
        self,
        question: Callable[..., QuerySet[Model, Any]],
        order: Keyset,
        length: int,
        place: tuple[type, ...] = (),
        *,
        beside: Callable[[QuerySet[Any]], QuerySet[Model, Any]] | None = None,
        read: Callable[..., RowT] | None = None,
        **kinds: type,
    ) -> None:
        self._question, self._order, self._length = question, order, length
        self._beside, self._read_row, self._kinds = beside, read, kinds
        self._place = {f"place_{at}": kind for at, kind in enumerate((*place, int))}
        self._pages: dict[tuple[tuple[str, ...], bool], PreparedQuery[RowT]] = {}

    def asked(
        self, address: Mapping[str, str], prefix: str = "", count: int | None = None, **given: Given
    ) -> Slice[RowT]:
        """Return the page that the query parameters request; see `Keyset.asked`."""

        def rows(order: tuple[str, ...], place: Place) -> list[RowT]:
            return self._page(order, bool(place)).rows(**given, **self._read(place))

        return self._order.asked(rows, self._length, address, prefix, count)

    def _page(self, order: tuple[str, ...], has_place: bool) -> PreparedQuery[RowT]:
        found = self._pages.get((order, has_place))
        if found is None:

            def question(**given: Given) -> QuerySet[Model, object]:
                place = [given.pop(name) for name in self._place] if has_place else []
                page = beyond(self._question(**given), order, place)[: self._length + 1]
                return self._beside(page).order_by(*order) if self._beside else page

            kinds = self._kinds | (self._place if has_place else {})
            found = self._pages[order, has_place] = PreparedQuery(question, self._read_row, **kinds)
        return found

    def _read(self, place: Place) -> dict[str, Given]:
        try:
            return {name: kind(value) for (name, kind), value in zip(self._place.items(), place, strict=False)}
        except ValueError:
            raise PlaceError(".".join(map(str, place))) from None


def count_query(rows: QuerySet[Model]) -> QuerySet[Model, tuple[int]]:
    """Return a query for compilation that has one row, with the number of these rows."""
    one = rows.order_by().annotate(all=Value(1)).values("all")
    found: QuerySet[Model, tuple[int]] = one.annotate(count=Count("*")).values_list("count")
    return found


def tallied(
    one: QuerySet[ModelT], row: Callable[..., object], /, **each: Sequence[QuerySet[Model]]
) -> QuerySet[ModelT, object]:
    """Return a query for compilation that has one row, with a number for each field of `row`.

    The number is the total number of rows of the queries that are given under the field's name. `one` is a query of a
    row that exists.
    """
    numbers = {f"number_of_{name}": reduce(add, map(_number, queries)) for name, queries in each.items()}
    found: QuerySet[ModelT, object] = one.order_by().annotate(**numbers)
    return found.values_list(*columns(row, **{name: f"number_of_{name}" for name in each}))


def _number(rows: QuerySet[Model]) -> Combinable:
    return Coalesce(Subquery(count_query(rows)), 0)
