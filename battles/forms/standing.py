"""Autoplay orders of a side, line by line: for which units, and what. Each line offers what its game allows there."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from django import forms

from battles.choices import MAX_OFFERED, Choices, ScenarioReference, SharedChoices, standing_choices
from battles.forms.terms import FormData
from systems import battle_rules
from systems.standing import GivenOrders, StandingOrder

LINES, LINES_SHOWN, MAX_LINES = 8, 2, 100
WHOLE_SIDE = "all"
ByWhom = Mapping[str, GivenOrders]  # orders by whom they are for: WHOLE_SIDE or a unit


class OrdersOffered(SharedChoices):
    """The choices of a line of orders, and the larger numbers it also accepts."""

    def __init__(self, orders: Sequence[StandingOrder]) -> None:
        super().__init__(standing_choices(orders))
        self.numbers = {order.name: order for order in orders if not order.choices}

    def beside(self, what: str) -> SharedChoices:
        """Return the same choices plus that order, if it is possible and its number is only too large to be offered."""
        name, _, number = what.partition(":")
        order = self.numbers.get(name)
        is_number = number.isascii() and number.isdecimal() and len(number) <= len(str(order.most if order else 0))
        if order is None or not is_number or int(number) <= MAX_OFFERED or order.objection(int(number)):
            return self
        line = (f"{name}:{int(number)}", f"{order.label}: {int(number)}")
        return SharedChoices(
            [
                (phase, [*lines, line] if phase == order.phase and not isinstance(lines, str) else lines)
                for phase, lines in self
            ]
        )


@lru_cache(maxsize=256)
def _offered(system: str, scenario: str, side: int) -> SharedChoices:
    return OrdersOffered(battle_rules(system).standing_open(json.loads(scenario), side))


def standing_offered(system: str, scenario: ScenarioReference, side: int) -> SharedChoices:
    """Return the orders that a side can have in that scenario."""
    return _offered(system, json.dumps(scenario), side)


class StandingForm(forms.Form):
    """Lines of orders. `who`: the units by their names in the form; the whole side comes first.

    `lines`: the least number of lines, filled or empty. A page that can ask for more begins with few.
    """

    def __init__(
        self,
        data: FormData,
        *,
        prefix: str,
        what: SharedChoices,
        who: Choices,
        initial: Mapping[str, object] | None,
        lines: int = LINES,
    ) -> None:
        super().__init__(data, prefix=prefix, initial=dict(initial or {}))
        whom = SharedChoices([(WHOLE_SIDE, "Whole side"), *who])
        self.lines = max(lines, self._last_line(data)) if len(what) > 1 else 0
        self.folds = lines > LINES_SHOWN  # folds the empty ones, except the first
        for number in range(1, self.lines + 1):
            self.fields[f"{number}-who"] = forms.ChoiceField(choices=whom, required=False, label=f"Order {number}, who")
            name = f"{number}-what"
            given = self.initial.get(name) if data is None else data.get(self.add_prefix(name))
            offers = what.beside(str(given)) if given and isinstance(what, OrdersOffered) else what
            self.fields[name] = forms.ChoiceField(choices=offers, required=False, label=f"Order {number}")

    def _last_line(self, data: FormData) -> int:
        """Return the last line that was sent, with gaps; for initial values, with an empty one after the last order."""
        if data is not None:
            said = [number for number in range(1, MAX_LINES + 1) if self.add_prefix(f"{number}-what") in data]
            return max(said, default=0)
        lines = {number: self.initial.get(f"{number}-what") for number in range(1, MAX_LINES + 1)}
        needed = (number + bool(what) for number, what in lines.items() if what is not None)
        return min(max(needed, default=0), MAX_LINES)

    def clean(self) -> dict[str, object]:
        """Refuse two orders of one kind for the same units."""
        seen: set[tuple[str, str]] = set()
        for number in range(1, self.lines + 1):
            what = str(self.cleaned_data.get(f"{number}-what") or "")
            if not what:
                continue
            key = (str(self.cleaned_data.get(f"{number}-who") or WHOLE_SIDE), what.partition(":")[0])
            if key in seen:
                self.add_error(f"{number}-what", "The same was ordered a line above: one of the two has to go.")
            seen.add(key)
        return self.cleaned_data

    def given(self, come: Collection[str] | None = None) -> dict[str, dict[str, str | int]]:
        """Return the orders by whom they are for; `come` limits them to these units and the whole side. Only if valid."""
        found: dict[str, dict[str, str | int]] = {}
        for number in range(1, self.lines + 1):
            what = str(self.cleaned_data.get(f"{number}-what") or "")
            who = str(self.cleaned_data.get(f"{number}-who") or WHOLE_SIDE)
            if what and (come is None or who == WHOLE_SIDE or who in come):
                name, _, value = what.partition(":")
                found.setdefault(who, {})[name] = int(value) if value.isdecimal() else value
        return found

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The unit field and the order field of each line."""
        return [(self[f"{number}-who"], self[f"{number}-what"]) for number in range(1, self.lines + 1)]

    @property
    def rows_shown(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return self.rows[: self._row_count]

    @property
    def rows_more(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return self.rows[self._row_count :]

    @property
    def _row_count(self) -> int:
        if not self.folds:
            return self.lines
        used = [at for at, (_who, what) in enumerate(self.rows, start=1) if what.value()]
        return min(self.lines, max(LINES_SHOWN, max(used, default=0) + 1))

    @property
    def is_open(self) -> bool:
        """Whether the lines are unfolded: something is ordered or refused, or more lines were asked for."""
        return bool(self.count or self.errors or (not self.folds and self.lines > LINES_SHOWN))

    @property
    def count(self) -> int:
        """The number of orders given so far."""
        return sum(1 for _who, what in self.rows if what.value())


def standing_form(data: FormData, *, what: SharedChoices, who: Choices, kept: ByWhom) -> StandingForm:
    """Return the order lines of a page with a single side; `kept` are the orders given so far.

    Orders of a unit that can't be chosen there get no line: a browser would show the first possible unit instead.
    """
    known = {WHOLE_SIDE, *(whom for whom, _ in who)}
    there = {whom: given for whom, given in kept.items() if whom in known}
    return StandingForm(data, prefix="standing", what=what, who=who, initial=lines_of(there))


def lines_of(orders: ByWhom) -> dict[str, object]:
    """Return orders as the first values of the form."""

    def pairs() -> Iterator[tuple[str, str]]:
        for who, given in orders.items():
            for name, value in given.items():
                yield who, f"{name}:{value}"

    found: dict[str, object] = {}
    for number, (who, what) in enumerate(pairs(), start=1):
        found |= {f"{number}-who": who, f"{number}-what": what}
    return found


def with_lines_more(said: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a form's lines, and LINES_SHOWN empty ones after the last."""
    last = max((number for number in range(1, MAX_LINES + 1) if f"{number}-what" in said), default=0)
    more = range(last + 1, min(last + LINES_SHOWN, MAX_LINES) + 1)
    return {**said, **{f"{number}-what": "" for number in more}}
