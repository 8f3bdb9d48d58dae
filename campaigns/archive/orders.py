"""Read the autoplay orders of a company and the scenario of a match, as an archive holds them. No database access."""

from __future__ import annotations

from typing import Annotated

import pydantic

from systems import battle_rules, roster_rules
from systems.documents import Document, DocumentError, read_value, refuse_unknown, within
from systems.setups import SetupScenario, Standing
from systems.standing import check_given_orders

WHOLE_SIDE = "all"  # key of orders for the whole company; other keys are ids of units


class StandingOrders(Document):
    """How the AI plays a company when its player is absent."""

    doctrine: Annotated[str, pydantic.Field(max_length=40)] | None = None
    standing: dict[Annotated[str, pydantic.Field(max_length=40)], Standing] = {}


_ORDERS, _OWN_SCENARIO = pydantic.TypeAdapter(StandingOrders), pydantic.TypeAdapter(SetupScenario)


def read_orders(system: str, value: object) -> StandingOrders:
    """Return a company's autoplay orders after checking them by the rules of its game. Raise DocumentError."""
    rules = battle_rules(system)
    orders = read_value(_ORDERS, value)
    if orders.doctrine is not None:
        refuse_unknown("doctrine", "doctrine", orders.doctrine, rules.doctrines)
    for whom, given in orders.standing.items():
        if whom != WHOLE_SIDE and not (whom.isascii() and whom.isdecimal()):
            raise DocumentError("standing", f"“{whom[:20]}” is none of the units that can be ordered")
        beside = None if whom == WHOLE_SIDE else orders.standing.get(WHOLE_SIDE, {})
        check_given_orders(rules.standing_orders, rules.standing_orders, given, path=f"standing.{whom}", beside=beside)
    return orders


def read_scenario(system: str, value: object, path: str = "") -> object:
    """Check a scenario: the slug of a published one, or the name and spec of a player's own. Raise DocumentError."""
    if isinstance(value, str):
        refuse_unknown(path, "scenario", value, battle_rules(system).scenarios)
        return value
    with within(path):
        own = read_value(_OWN_SCENARIO, value)
        return roster_rules(system).parse_scenario(own.spec, "spec")
