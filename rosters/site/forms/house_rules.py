"""Form fields for a rule system's house rules, and their values."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms

from systems import roster_rules
from systems.options import HouseRule

MAX_HOUSE_RULE = 999  # for a number without a maximum in its rule


def house_rule_fields(system: str) -> dict[str, forms.Field]:
    """Return a field for each house rule of the system, by its slug, at its default."""
    return {slug: _field(rule) for slug, rule in roster_rules(system).house_rules.items()}


def chosen_options(system: str, values: Mapping[str, object]) -> dict[str, object]:
    """Return the options of a set-up document for cleaned values: everything not at its default."""
    rules = roster_rules(system).house_rules
    chosen = {slug: values.get(slug) for slug in rules}
    return {
        slug: value
        for slug, value in chosen.items()
        if value is not None and value != "" and value != rules[slug].default
    }


def _field(rule: HouseRule) -> forms.Field:
    field: forms.Field
    if rule.kind == "flag":
        field = forms.BooleanField(required=False)
    elif rule.kind == "choice":
        field = forms.ChoiceField(choices=_mark_default(rule.choices, rule.default), required=False)
    else:
        most = MAX_HOUSE_RULE if rule.maximum is None else rule.maximum
        field = forms.IntegerField(min_value=rule.minimum, max_value=most, required=False)
        field.widget.attrs["inputmode"] = "numeric"
    field.label, field.initial = rule.name, rule.default
    field.help_text = rule.effect + ("" if rule.kind == "choice" else f" Default: {rule.label_of(rule.default)}.")
    return field


def _mark_default(choices: tuple[tuple[str, str], ...], default: object) -> list[tuple[str, str]]:
    return [(value, f"{label} (default)" if value == default else label) for value, label in choices]
