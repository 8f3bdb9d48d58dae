"""Forms for autoplay orders, support, orders for support, and house rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from django import forms

from battles.choices import MAX_OFFERED, Choices, ScenarioReference, SharedChoices, standing_choices, support_choices
from rosters.site.forms import chosen_options, house_rule_fields
from systems import battle_rules
from systems.documents import DocumentError
from systems.orders import MAX_TURN, AutoplayOrder, GivenOrders, SupportOrderField, SupportOrders

FormData = Mapping[str, object] | None  # the data a form was sent
SUPPORT_ROLL = "roll"  # one support roll with the battle's own dice
NO_SUPPORT = "none"


class SupportForm(forms.Form):
    """The support results of one side, a field for each roll it has."""

    def __init__(
        self, data: FormData, *, prefix: str, system: str, rolls: int, is_log: bool, initial: dict[str, object] | None
    ) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        self.known = {SUPPORT_ROLL} | {value for _, group in support_choices(system) for value, _ in group}
        self.default = NO_SUPPORT if is_log else SUPPORT_ROLL
        first = [(NO_SUPPORT, "nothing")] if is_log else [(SUPPORT_ROLL, "roll"), (NO_SUPPORT, "nothing")]
        for number in range(1, rolls + 1):
            self.fields[str(number)] = forms.ChoiceField(
                choices=[*first, *support_choices(system)],
                required=False,
                initial=self.default,
                label="Support roll" if rolls == 1 else f"Support roll {number}",
            )

    def picked(self) -> tuple[str, ...]:
        """Return the known results for the set-up document; a field that wasn't sent has its default."""
        values = [self[name].value() or self.default for name in self.fields]
        return tuple(value for value in values if value in self.known)


class HouseRulesForm(forms.Form):
    """The house rules that a system declares, each at its default."""

    def __init__(
        self, data: FormData, *, prefix: str | None, system: str, initial: dict[str, object] | None = None
    ) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        self.system = system
        self.rules = house_rule_fields(system)
        self.fields.update(self.rules)

    def options(self) -> dict[str, object]:
        """Return the options of a set-up document: those not at their default. Only for valid forms."""
        return chosen_options(self.system, self.cleaned_data)

    @cached_property
    def options_so_far(self) -> dict[str, object]:
        """The options of a form that may still be invalid, without wrong values."""
        probe = HouseRulesForm(
            {self.add_prefix(slug): value for slug in self.rules if (value := self[slug].value()) not in (None, False)},
            prefix=self.prefix,
            system=self.system,
        )
        probe.is_valid()
        return probe.options()

    @property
    def folded(self) -> list[forms.BoundField]:
        """The fields in the details of house rules."""
        return list(self)

    @property
    def changed_count(self) -> int:
        """The number of rules not at their defaults."""
        return len(self.options_so_far)


LINES, LINES_SHOWN, MAX_LINES = 8, 2, 100
WHOLE_SIDE = "all"
ByWhom = Mapping[str, GivenOrders]  # orders by recipient: WHOLE_SIDE or a unit


class OrdersOffered(SharedChoices):
    """The choices for one line of orders, and the larger numbers that it also accepts."""

    def __init__(self, orders: Sequence[AutoplayOrder]) -> None:
        super().__init__(standing_choices(orders))
        self.numbers = {order.name: order for order in orders if not order.choices}

    def beside(self, what: str) -> SharedChoices:
        """Return these choices plus that order, if it is possible and only its number is too large to be listed."""
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
    """Lines of orders. `who`: the units by their values in the form; the whole side comes first.

    `lines`: the minimum number of lines, filled or empty. Pages that can add lines start with few.
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
            self.fields[f"{number}-who"] = forms.ChoiceField(
                choices=whom, required=False, label=f"Order {number}: unit"
            )
            name = f"{number}-what"
            given = self.initial.get(name) if data is None else data.get(self.add_prefix(name))
            offers = what.beside(str(given)) if given and isinstance(what, OrdersOffered) else what
            self.fields[name] = forms.ChoiceField(choices=offers, required=False, label=f"Order {number}")

    def _last_line(self, data: FormData) -> int:
        """Return the number of the last line: of those sent, or one after the last initial order."""
        if data is not None:
            sent = [number for number in range(1, MAX_LINES + 1) if self.add_prefix(f"{number}-what") in data]
            return max(sent, default=0)
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
                self.add_error(f"{number}-what", "The line above has the same order. Remove one of them.")
            seen.add(key)
        return self.cleaned_data

    def given(self, come: Collection[str] | None = None) -> dict[str, dict[str, str | int]]:
        """Return the orders by recipient. `come` limits them to these units and the whole side. Only if valid."""
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
    def visible_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return self.rows[: self._row_count]

    @property
    def hidden_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
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
    """Return the order lines for a page with a single side; `kept` are the present orders.

    Orders of a unit that can't be chosen there get no line: a browser would show the first unit instead.
    """
    known = {WHOLE_SIDE, *(whom for whom, _ in who)}
    there = {whom: given for whom, given in kept.items() if whom in known}
    return StandingForm(data, prefix="standing", what=what, who=who, initial=lines_of(there))


def lines_of(orders: ByWhom) -> dict[str, object]:
    """Return orders as initial values of the form."""

    def pairs() -> Iterator[tuple[str, str]]:
        for who, given in orders.items():
            for name, value in given.items():
                yield who, f"{name}:{value}"

    found: dict[str, object] = {}
    for number, (who, what) in enumerate(pairs(), start=1):
        found |= {f"{number}-who": who, f"{number}-what": what}
    return found


def with_lines_more(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of the lines, followed by LINES_SHOWN empty ones."""
    last = max((number for number in range(1, MAX_LINES + 1) if f"{number}-what" in values), default=0)
    more = range(last + 1, min(last + LINES_SHOWN, MAX_LINES) + 1)
    return {**values, **{f"{number}-what": "" for number in more}}


LEFT_TO_DOCTRINE = ("", "AI decides")
Groups = list[tuple[str, list[forms.BoundField]]]


def order_name(slug: str, field: str) -> str:
    """Return the name of a form's field for an order."""
    return f"order-{slug}-{field}"


def order_values(orders: SupportOrders, value_of: Callable[[str], str]) -> dict[str, object]:
    """Return the field values for these orders; `value_of` turns a unit's key into its value in the form."""
    return {
        order_name(slug, name): value_of(str(value)) if name == "unit" else str(value)
        for slug, given in orders.items()
        for name, value in given.items()
    }


def results_offered(system: str, scenario: ScenarioReference) -> Collection[str]:
    """Return the support results that take orders and can be rolled in that scenario; none without support rolls."""
    rules = battle_rules(system)
    try:
        return tuple(rules.support_orders) if rules.terms(scenario) is not None else ()
    except DocumentError:  # a player's scenario that can't be read any more
        return ()


class OrderFields:
    """Fields for orders to support, added to a form. `units`: the side's units by their values in it."""

    def __init__(self, form: forms.BaseForm, *, system: str, results: Collection[str], units: Choices) -> None:
        self.form, rules = form, battle_rules(system)
        self.known = {slug: fields for slug, fields in rules.support_orders.items() if slug in results}
        self.names = {slug: rules.support_results[slug].name for slug in self.known}
        for slug, fields in self.known.items():
            for each in fields:
                form.fields[order_name(slug, each.name)] = _order_field(each, units)

    @property
    def groups(self) -> Groups:
        """The fields of the possible orders, by the name of the result."""
        return [
            (self.names[slug], [self.form[order_name(slug, each.name)] for each in fields])
            for slug, fields in self.known.items()
        ]

    @property
    def count(self) -> int:
        """The number of orders given so far."""
        return sum(bool(field.value()) for _, fields in self.groups for field in fields)

    @property
    def has_errors(self) -> bool:
        return any(field.errors for _, fields in self.groups for field in fields)

    def given(self, key_of: Callable[[str], str]) -> dict[str, dict[str, object]]:
        """Return the orders in set-up form; `key_of` turns a unit's value into its key. Only for valid forms."""
        found: dict[str, dict[str, object]] = {}
        for slug, fields in self.known.items():
            for each in fields:
                value: Any = self.form.cleaned_data.get(order_name(slug, each.name))
                if value in (None, ""):
                    continue
                value = key_of(value) if each.kind == "unit" else value
                found.setdefault(slug, {})[each.name] = int(value) if each.kind in ("zone", "turn") else value
        return found


class SupportOrdersForm(forms.Form):
    """The support orders of a side, as a separate form."""

    def __init__(
        self,
        data: FormData,
        *,
        prefix: str,
        system: str,
        results: Collection[str],
        units: Choices,
        initial: Mapping[str, object] | None,
    ) -> None:
        super().__init__(data, prefix=prefix, initial=dict(initial or {}))
        self.orders = OrderFields(self, system=system, results=results, units=units)


def _order_field(order: SupportOrderField, units: Choices) -> forms.Field:
    made: forms.Field
    if order.kind == "turn":
        made = forms.IntegerField(min_value=1, max_value=MAX_TURN, required=False)
        made.widget.attrs["inputmode"] = "numeric"
    else:
        made = forms.ChoiceField(
            choices=[LEFT_TO_DOCTRINE, *(units if order.kind == "unit" else order.choices)], required=False
        )
    made.label, made.help_text = order.label, order.about
    return made
