"""Keyset-paginated lists for frequent pages: each kind of page is a compiled query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any, Generic, TypeVar, overload

from django.db.models import Count, Model, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from rosters.database.columns import columns
from rosters.site.compiled import PreparedQuery, Given
from rosters.site.keyset import Keyset, Place, PlaceError, Slice, beyond

RowT = TypeVar("RowT")
ModelT = TypeVar("ModelT", bound=Model)


class KeysetList(Generic[RowT]):
    """An ordered list; `kinds` and `read` as for `PreparedQuery`, `place`: types of the ordering fields before the id.

    `beside` adds everything else that is needed for the rows of a page, after the page is selected.
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
        """Return the page that the query parameters request, see `Keyset.asked`."""

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
    """Return a query of one row with the number of rows, to be compiled."""
    one = rows.order_by().annotate(all=Value(1)).values("all")
    found: QuerySet[Model, tuple[int]] = one.annotate(count=Count("*")).values_list("count")
    return found


def tallied(
    one: QuerySet[ModelT], row: Callable[..., object], /, **each: Sequence[QuerySet[Model]]
) -> QuerySet[ModelT, object]:
    """Return a query of one row with a number for each field of `row`, to be compiled.

    The number is how many rows the queries of the field's name have in all. `one`: a row that exists.
    """
    numbers = {f"number_of_{name}": reduce(add, map(_number, queries)) for name, queries in each.items()}
    found: QuerySet[ModelT, object] = one.order_by().annotate(**numbers)
    return found.values_list(*columns(row, **{name: f"number_of_{name}" for name in each}))


def _number(rows: QuerySet[Model]) -> Combinable:
    return Coalesce(Subquery(count_query(rows)), 0)
