"""Orders for a side's support: when and where each result is used, as far as its game allows orders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django import forms

from battles.choices import Choices, ScenarioReference
from battles.forms.terms import FormData
from systems import battle_rules
from systems.documents import DocumentError
from systems.orders import MAX_TURN, SupportOrderField, SupportOrders

LEFT_TO_DOCTRINE = ("", "left to the doctrine")
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
    """Return the results that a roll may bring in that scenario and that take orders; none if nobody rolls for support."""
    rules = battle_rules(system)
    try:
        return tuple(rules.support_orders) if rules.terms(scenario) is not None else ()
    except DocumentError:  # an own scenario that can't be read any more
        return ()


class OrderFields:
    """The fields for orders, added to a form. `units`: the side's units by their values in it."""

    def __init__(self, form: forms.BaseForm, *, system: str, results: Collection[str], units: Choices) -> None:
        self.form, rules = form, battle_rules(system)
        self.known = {slug: fields for slug, fields in rules.support_orders.items() if slug in results}
        self.names = {slug: rules.support_results[slug].name for slug in self.known}
        for slug, fields in self.known.items():
            for each in fields:
                form.fields[order_name(slug, each.name)] = _order_field(each, units)

    @property
    def groups(self) -> Groups:
        """The orders that can be given, by the name of the result."""
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
    """The orders of a side as a form of its own."""

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
        made = forms.ChoiceField(choices=[LEFT_TO_DOCTRINE, *(units if order.kind == "unit" else order.choices)], required=False)
    made.label, made.help_text = order.label, order.about
    return made
