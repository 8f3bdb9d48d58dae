"""Lists by key that many readers turn the pages of: each kind of page is a question written once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from django.db.models import Count, Model, QuerySet, Value

from rosters.site.compiled import Compiled, Given
from rosters.site.keyset import Keyset, PlaceError, Slice, beyond

ModelT = TypeVar("ModelT", bound=Model)


class Listed(Generic[ModelT]):
    """The rows of a question in an order; `kinds` as of `Compiled`, `place` those of what the order names before the id."""

    def __init__(
        self,
        question: Callable[..., QuerySet[ModelT]],
        order: Keyset,
        length: int,
        place: tuple[type, ...] = (),
        **kinds: type,
    ) -> None:
        self._question, self._order, self._length = question, order, length
        self._kinds = kinds
        self._place = {f"place_{at}": kind for at, kind in enumerate((*place, int))}
        self._pages: dict[tuple[tuple[str, ...], bool], Compiled[ModelT]] = {}

    def asked(
        self, address: Mapping[str, str], prefix: str = "", count: int | None = None, **given: Given
    ) -> Slice[ModelT]:
        """The page that an address asks for, as `Keyset.asked` tells it."""

        def rows(order: tuple[str, ...], place: list[Any]) -> list[ModelT]:
            return self._page(order, bool(place)).rows(**given, **self._read(place))

        return self._order.asked(rows, self._length, address, prefix, count)

    def _page(self, order: tuple[str, ...], has_place: bool) -> Compiled[ModelT]:
        found = self._pages.get((order, has_place))
        if found is None:

            def question(**given: Given) -> QuerySet[ModelT]:
                place = [given.pop(name) for name in self._place] if has_place else []
                return beyond(self._question(**given), order, place)[: self._length + 1]

            kinds = self._kinds | (self._place if has_place else {})
            found = self._pages[order, has_place] = Compiled(question, **kinds)
        return found

    def _read(self, place: list[Any]) -> dict[str, Given]:
        try:
            return {name: kind(value) for (name, kind), value in zip(self._place.items(), place, strict=False)}
        except ValueError:
            raise PlaceError(".".join(map(str, place))) from None


def counted(rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    """The number of the rows as a question of one row, to be compiled."""
    return rows.order_by().annotate(all=Value(1)).values("all").annotate(count=Count("*")).values_list("count")
