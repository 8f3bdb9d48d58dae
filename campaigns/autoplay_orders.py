"""Autoplay orders of companies: kept with an enrolment for when its player is absent, or submitted with a list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from campaigns.models import Match
from rosters.documents.snapshots import unit_key
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError
from systems.orders import AutoplayOrder, GivenOrders, OrderValue, check_given_orders
from systems.setups import SIDE_LETTERS

WHOLE_SIDE = "all"  # the whole side; a unit is named by its ID, or by its position among what is bought
Standing = Mapping[str, GivenOrders]


def general_orders(system: str) -> tuple[AutoplayOrder, ...]:
    """Return the orders that a company can have for any match; those that belong to one set-up go with its list."""
    return tuple(order for order in battle_rules(system).autoplay_orders if not order.of_a_unit)


def parse_orders(
    system: str, given: Standing, *, who: Collection[str], opened: Sequence[AutoplayOrder] | None = None
) -> dict[str, dict[str, OrderValue]]:
    """Return the orders in stored form; raise RefusedError with what is wrong with them.

    `who` are the units that can have some, besides the whole side; without `opened`, orders for any match are allowed.
    """
    known = battle_rules(system).autoplay_orders
    can = general_orders(system) if opened is None else opened
    for whom, orders in given.items():
        if whom != WHOLE_SIDE and whom not in who:
            raise RefusedError("standing", f"“{whom[:20]}” isn't a unit that can have orders.")
        if not isinstance(orders, Mapping):
            raise RefusedError("standing", f"The orders of “{whom[:20]}” must be an object of names and values.")
        try:
            beside = None if whom == WHOLE_SIDE else given.get(WHOLE_SIDE, {})
            check_given_orders(known, can, orders, path=f"standing.{whom}", beside=beside)
        except DocumentError as error:
            raise RefusedError("standing", str(error)) from None
    return {whom: dict(orders) for whom, orders in given.items() if orders}


def orders_for_match(
    match: Match, side: int, kept: Standing, units: Collection[int]
) -> dict[str, dict[str, OrderValue]]:
    """Return the company's orders that apply to a match: for units that come, and as far as its scenario "
    "allows them."""
    opened = {
        order.name: order for order in battle_rules(match.round.campaign.system).standing_open(match.scenario, side)
    }
    come = {WHOLE_SIDE, *(str(pk) for pk in units)}

    def follows(given: GivenOrders, beside: GivenOrders) -> dict[str, OrderValue]:
        fit = {name: value for name, value in given.items() if name in opened and not opened[name].objection(value)}
        both = {**beside, **fit}
        return {name: value for name, value in fit.items() if not opened[name].needs or opened[name].needs in both}

    of_all = follows(kept.get(WHOLE_SIDE, {}), {})
    found = {whom: follows(given, of_all) for whom, given in kept.items() if whom in come and whom != WHOLE_SIDE}
    return {whom: given for whom, given in {WHOLE_SIDE: of_all, **found}.items() if given}


def add_orders_to_document(
    side: int, document: dict[str, object], units: Sequence[dict[str, object]], standing: Standing
) -> None:
    """Write a list's orders into its side of a set-up document. `units` are that side's."""
    if standing.get(WHOLE_SIDE):
        document["standing"] = dict(standing[WHOLE_SIDE])
    for unit in units:
        key = str(unit["key"])
        whom = next((each for each in standing if key in (f"{SIDE_LETTERS[side]}{each}", setup_key(each))), None)
        if whom is not None:
            unit["standing"] = dict(standing[whom])


def setup_key(whom: str) -> str:
    """Return the set-up key of a unit named by its ID; empty for other names."""
    return unit_key(int(whom)) if whom.isdecimal() else ""
