"""The autoplay orders of Meks and vehicles for the phases of a battle, and how the state holds them. MM-A43."""

from __future__ import annotations

from collections.abc import Sequence

from systems.meks_and_mercs.battle import state as codes
from systems.meks_and_mercs.battle.state import Unit
from systems.meks_and_mercs.catalogue.types import Scenario
from systems.orders import GivenOrders, StandingOrder

RULE = "MM-A43"
SET_UP, MOVING, FIGHT, FIRE = "Set-up", "Movement on the map", "Movement in a fight", "Fire and heat"
RANGES = {"short": codes.SHORT, "medium": codes.MEDIUM, "long": codes.LONG}
TARGETS = {
    "dearest": codes.DEAREST,
    "cheapest": codes.CHEAPEST,
    "weakest": codes.WEAKEST,
    "toughest": codes.TOUGHEST,
    "nearest": codes.NEAREST,
}
HEAT = {"cool": codes.COOL, "hot": codes.HOT}
MAX_HITS = 6
_ZONES = tuple((f"zone-{zone}", f"Zone {zone}") for zone in range(1, codes.LAST_ZONE + 1))
START = StandingOrder(
    name="start", label="Starts in", phase=SET_UP, told="starts in {}", rule="MM-013", choices=_ZONES, of_a_unit=True,
    about="Where the scenario leaves it open.",
)  # fmt: skip
MOVE = StandingOrder(
    name="move",
    label="Movement",
    phase=MOVING,
    told="{}",
    rule=RULE,
    choices=(
        ("hold", "Stays where it is"),
        ("hunt", "Goes for the nearest enemy"),
        ("leave", "Makes for a way out"),
        *((value, f"Goes to zone {value[-1]} and holds it") for value, _ in _ZONES),
    ),
    about="It goes through with it, and doesn't turn aside to help a friend.",
)
UNTIL = StandingOrder(
    name="until", needs="move", label="Until turn", phase=MOVING, told="until turn {}", rule=RULE, most=99, zero="to the end",
    about="From then on it moves as its doctrine has it. 0: to the end.",
)  # fmt: skip
ORDERS: Sequence[StandingOrder] = (
    START,
    MOVE,
    UNTIL,
    StandingOrder(
        name="range", label="Range", phase=FIGHT, told="{} if it can", rule=RULE,
        choices=(("short", "Closes to Short"), ("medium", "Keeps at Medium"), ("long", "Keeps away at Long")),
    ),
    StandingOrder(
        name="retreat", label="Breaks contact at Hits left", phase=FIGHT, told="breaks contact when its Hits are down to {}", rule=RULE,
        most=MAX_HITS, zero="never breaks contact", about="0: never.",
    ),
    StandingOrder(
        name="preserve", label="Pilot", phase=FIGHT, told="{}", rule=RULE,
        choices=(("pilot", "Preserves the pilot: gets away with the first damage"),),
    ),
    StandingOrder(
        name="target", label="Target", phase=FIRE, told="aims at {}", rule=RULE,
        choices=(
            ("dearest", "The one that costs most"),
            ("cheapest", "The one that costs least"),
            ("weakest", "The one with the fewest Hits left"),
            ("toughest", "The one with the most Hits left"),
            ("nearest", "The nearest one"),
        ), about="Of those that its fire can hurt.",
    ),
    StandingOrder(
        name="heat", label="Heat", phase=FIRE, told="{}", rule=RULE,
        choices=(("cool", "Never fires hotter than its heat rating"), ("hot", "Fires 1 hotter whenever that does more")),
    ),
)  # fmt: skip
ON_THE_MAP = frozenset({"start", "move", "until"})


def available_orders(scenario: Scenario | None, side: int) -> Sequence[StandingOrder]:
    """Return the orders that a side can be given.

    In one zone that is nothing of the map; on the map only the zones and ways out that exist.
    """
    if scenario is None:
        return tuple(order for order in ORDERS if order.name not in ON_THE_MAP)
    terms = (scenario.attacker, scenario.defender)[side]
    zones = {f"zone-{zone}" for step in terms.setup for zone in step.zones}
    found: list[StandingOrder] = []
    for order in ORDERS:
        if order is START:
            if terms.arrival is None and len(zones) > 1:
                found.append(order.limited(zones))
        elif order is MOVE and not scenario.exit_zones:
            found.append(order.limited(value for value, _ in order.choices if value != "leave"))
        else:
            found.append(order)
    return tuple(found)


def apply_unit_orders(unit: Unit, given: GivenOrders) -> None:
    """Put a unit's orders into its state, except its start and its move, which belong to the map."""
    unit.told = 1
    if "range" in given:
        unit.told_range = RANGES[str(given["range"])] + 1
    if "retreat" in given:
        unit.told_retreat = int(given["retreat"]) + 1
    unit.told_target = TARGETS.get(str(given.get("target", "")), 0)
    unit.told_heat = HEAT.get(str(given.get("heat", "")), 0)
    if "preserve" in given:
        unit.told_preserve = 1
        unit.told_heat = unit.told_heat or codes.COOL


def apply_movement_order(unit: Unit, given: GivenOrders) -> None:
    """Put a unit's movement order into its state, with what it does afterwards; for a game on the map."""
    move = str(given.get("move", ""))
    if not move:
        return
    unit.told_move, unit.told_until = 1, int(given.get("until", 0))
    unit.later_order, unit.later_goal = unit.order, unit.goal
    if move in ("hold", "hunt", "leave"):
        unit.order, unit.goal = {"hold": codes.HOLD, "hunt": codes.HUNT, "leave": codes.RUN}[move], 0
    else:
        unit.order, unit.goal = codes.ASSAULT, int(move.removeprefix("zone-"))


def start_zone_of(given: GivenOrders) -> int:
    """Return the zone in which a unit is ordered to start; 0 if the AI chooses."""
    return int(str(given["start"]).removeprefix("zone-")) if "start" in given else 0
