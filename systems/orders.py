"""Orders for support: when and where a side wants a result used. The AI decides what is left open."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from systems.documents import DocumentError, kind_of, unknown_slug

SupportOrders = Mapping[str, Mapping[str, object]]  # by the result's slug: field and value
MAX_TURN = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportOrderField:
    """Something that can be ordered for a support result."""

    name: str
    label: str
    kind: Literal["zone", "unit", "choice", "turn"]  # a unit is one of its own side's, by key
    choices: tuple[tuple[str, str], ...] = ()  # value and label, of zones and choices
    about: str = ""
    hides: bool = False  # of a unit: nobody else sees it from then on


@dataclass(frozen=True, slots=True)
class SupportOrderNote:
    """The orders for one support result, as they would be written on a slip of paper."""

    told: str
    hides: str = ""  # the key of the unit that it hides


def describe_support_orders(
    known: Mapping[str, Sequence[SupportOrderField]],
    orders: SupportOrders,
    *,
    has: Collection[str],
    results: Mapping[str, str],
    units: Mapping[str, str],
) -> list[SupportOrderNote]:
    """Describe the orders, one note per result; `results` and `units` are the names of support results and of units.

    A unit is hidden only if the side `has` the result: a roll may still bring something else.
    """
    notes = []
    for slug, given in orders.items():
        said, hides = [], ""
        for field in known.get(slug, ()):
            if field.name not in given:
                continue
            value = str(given[field.name])
            names = units if field.kind == "unit" else dict(field.choices)
            said.append(f"{field.label}: {names.get(value, value)}")
            hides = value if field.hides and slug in has else hides
        if said:
            notes.append(SupportOrderNote(f"{results.get(slug, slug)}. {'. '.join(said)}.", hides))
    return notes


def check_support_orders(
    known: Mapping[str, Sequence[SupportOrderField]],
    orders: SupportOrders,
    *,
    has: Collection[str] | None,
    units: Collection[str],
    rules: Mapping[str, str],
    path: str,
) -> None:
    """Raise DocumentError, naming field, reason and rule, for orders that can't be given.

    `has` are the results of the side, None if they have not been rolled; `units` the keys of its units.
    """
    for slug, given in orders.items():
        where = f"{path}.{slug[:40]}"
        if slug not in known:
            raise unknown_slug(path, "support result that takes orders", slug, known)
        if has is not None and slug not in has:
            raise DocumentError(where, f"this side has no such support to order ({rules[slug]})", rules[slug])
        fields = {field.name: field for field in known[slug]}
        for name, value in given.items():
            if name not in fields:
                raise unknown_slug(where, "order", name, fields)
            if reason := _support_order_problem(fields[name], value, units):
                raise DocumentError(f"{where}.{name}", f"{reason} ({rules[slug]})", rules[slug])


def _support_order_problem(field: SupportOrderField, value: object, units: Collection[str]) -> str:
    """Return what is wrong with the value; empty if nothing is."""
    if field.kind in ("zone", "turn"):
        most = len(field.choices) if field.kind == "zone" else MAX_TURN
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return "" if is_number and 1 <= int(str(value)) <= most else f"must be a whole number from 1 to {most}"
    if not isinstance(value, str):
        return f"must be a text, not {kind_of(value)}"
    if field.kind == "unit":
        return "" if value in units else f"{value[:30]!r} is none of this side's units"
    allowed = [choice for choice, _ in field.choices]
    return "" if value in allowed else f"must be one of {', '.join(allowed)}"
