"""The orders for support results, and how the state holds them. MM-014: when and where is up to the players."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from systems.documents import DocumentError
from systems.meks_and_mercs.battle import state as codes
from systems.meks_and_mercs.battle.setup import ROLL
from systems.meks_and_mercs.battle.state import Side
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import Scenario
from systems.orders import SupportOrderField, SupportOrders, check_support_orders

ZONES = tuple((str(zone), f"Zone {zone}") for zone in range(1, codes.LAST_ZONE + 1))
TARGET_CODES = {
    "dearest": codes.DEAREST,
    "cheapest": codes.CHEAPEST,
    "weakest": codes.WEAKEST,
    "toughest": codes.TOUGHEST,
}
TARGETS = (
    ("dearest", "the one that costs most"),
    ("cheapest", "the one that costs least"),
    ("weakest", "the one with the fewest Hits left"),
    ("toughest", "the one with the most Hits left"),
)
_FROM = SupportOrderField(name="from", label="Not before turn", kind="turn", about="Left open, as soon as it is of use.")
_TARGET = SupportOrderField(name="target", label="Target", kind="choice", choices=TARGETS)


def _unit(label: str, *, hides: bool = False) -> SupportOrderField:
    return SupportOrderField(name="unit", label=label, kind="unit", hides=hides)


ORDERS: Mapping[str, Sequence[SupportOrderField]] = {
    "ambush": (_unit("Who springs it"),),
    "battle-damage": (_TARGET,),
    "support-fire": (_TARGET, _FROM),
    "air-strike": (_TARGET, _FROM),
    "minefield": (SupportOrderField(name="zone", label="Where it lies", kind="zone", choices=ZONES),),
    "hidden-mek": (_unit("Who hides", hides=True),),
    "recon-drone": (SupportOrderField(name="zone", label="Where it looks", kind="zone", choices=ZONES), _FROM),
    "repair-truck": (_unit("Whom it mends"),),
    "digging-in": (_unit("Who digs in"),),
}
RULES = {slug: CATALOGUE.support[slug].rule for slug in ORDERS}
UNIT_ORDER_FIELDS = {
    "ambush": "order_ambush",
    "hidden-mek": "order_hide",
    "repair-truck": "order_truck",
    "digging-in": "order_dig",
}
OFF_BOARD_ORDERS = {"support-fire": "fire", "air-strike": "strike"}


def check_side_orders(
    scenario: Scenario | None,
    at: int,
    orders: SupportOrders,
    *,
    has: Collection[str] | None,
    units: Collection[str],
    path: str,
) -> None:
    """Raise DocumentError for orders that a side of the scenario can't give; a fight in one zone has none."""
    if scenario is None:
        raise DocumentError(
            path, "a zone battle is fought without support results, so there are none to order (MM-014)"
        )
    known = None if has is None or ROLL in has else has  # a roll may bring any result
    check_support_orders(ORDERS, orders, has=known, units=units, rules=RULES, path=path)
    arrival = (scenario.attacker, scenario.defender)[at].arrival
    if arrival is not None and "unit" in orders.get("hidden-mek", {}):
        reason = "this side arrives during the game, and nobody of it starts hidden (MM-082, MM-098)"
        raise DocumentError(f"{path}.hidden-mek.unit", reason, "MM-082")


def apply_side_orders(side: Side, orders: SupportOrders, places: Mapping[str, int]) -> None:
    """Put a side's orders into its state; `places` are the places of its units in the list, by key."""
    for slug, field in UNIT_ORDER_FIELDS.items():
        if "unit" in orders.get(slug, {}):
            setattr(side, field, places[str(orders[slug]["unit"])] + 1)
    if "zone" in orders.get("minefield", {}):
        side.mine_zone = _number(orders["minefield"]["zone"])
    drone = orders.get("recon-drone", {})
    side.order_drone_zone, side.order_drone_from = _number(drone.get("zone", 0)), _number(drone.get("from", 0))
    side.order_damage = TARGET_CODES.get(str(orders.get("battle-damage", {}).get("target", "")), 0)
    for slug, name in OFF_BOARD_ORDERS.items():
        given = orders.get(slug, {})
        setattr(side, f"order_{name}", TARGET_CODES.get(str(given.get("target", "")), 0))
        setattr(side, f"order_{name}_from", _number(given.get("from", 0)))


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
