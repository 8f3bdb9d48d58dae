"""Orders for support, and where units start in a game on the map. MM-013, MM-014.

Units without orders start where the AI chooses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from systems.documents import DocumentError
from systems.meks_and_mercs.battle import state as codes
from systems.meks_and_mercs.battle.setup import ROLL, field_units, require_scenario, scenario_of
from systems.meks_and_mercs.battle.state import Side
from systems.meks_and_mercs.battle.units import KINDS, RULE, start_zone_of
from systems.meks_and_mercs.build.spec import mek_points
from systems.meks_and_mercs.catalogue import CATALOGUE, Objective, Scenario, ScenarioSide
from systems.meks_and_mercs.options import Options
from systems.orders import SupportOrderField, SupportOrders, check_support_orders, orders_of
from systems.setups import Setup

ZONES = tuple((str(zone), f"Zone {zone}") for zone in range(1, codes.LAST_ZONE + 1))
TARGET_CODES = {
    "dearest": codes.DEAREST,
    "cheapest": codes.CHEAPEST,
    "weakest": codes.WEAKEST,
    "toughest": codes.TOUGHEST,
}
TARGETS = (
    ("dearest", "the most expensive"),
    ("cheapest", "the cheapest"),
    ("weakest", "the one with the fewest Hits left"),
    ("toughest", "the one with the most Hits left"),
)
_FROM = SupportOrderField(name="from", label="Not before turn", kind="turn", about="If blank, as soon as it is useful.")
_TARGET = SupportOrderField(name="target", label="Target", kind="choice", choices=TARGETS)


def _unit(label: str, *, hides: bool = False) -> SupportOrderField:
    return SupportOrderField(name="unit", label=label, kind="unit", hides=hides)


ORDERS: Mapping[str, Sequence[SupportOrderField]] = {
    "ambush": (_unit("Ambushing Mek"),),
    "battle-damage": (_TARGET,),
    "support-fire": (_TARGET, _FROM),
    "air-strike": (_TARGET, _FROM),
    "minefield": (SupportOrderField(name="zone", label="Laid in", kind="zone", choices=ZONES),),
    "hidden-mek": (_unit("Unit that hides", hides=True),),
    "recon-drone": (SupportOrderField(name="zone", label="Zone to search", kind="zone", choices=ZONES), _FROM),
    "repair-truck": (_unit("Mek to repair"),),
    "digging-in": (_unit("Mek that digs in"),),
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
    """Raise DocumentError for orders that a side can't give in the scenario; in a one-zone fight there are none."""
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
    """Write a side's orders into its state; `places` are its units' indexes in the list, by key."""
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


OBJECTIVES: Mapping[Objective, int] = {
    "occupy": codes.OCCUPY,
    "break-out": codes.BREAK_OUT,
    "clear-and-leave": codes.CLEAR_AND_LEAVE,
    "breach": codes.BREACH,
    "last-standing": codes.LAST_STANDING,
    "stronghold": codes.STRONGHOLD,
}


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a unit starts, and its movement order."""

    zone: int
    order: int
    goal: int = 0


def dearest_first(costs: Sequence[int]) -> list[int]:
    """Return the indexes of the Meks, most expensive first, ties in roster order."""
    return sorted(range(len(costs)), key=lambda place: -costs[place])


def first_group(terms: ScenarioSide, costs: Sequence[int], start_zones: Sequence[int] = ()) -> set[int]:
    """Return the indexes of the Meks that start in the zones of a side's first group (ledger 6.7). MM-013, MM-D76.

    `start_zones` is the zone in which each is ordered to start, 0 if none. Meks with such orders come first, then the
    most expensive.
    """
    sent = start_zones or [0] * len(costs)
    first, rest = terms.setup[0], terms.setup[-1]
    if first.who == "all":
        return set(range(len(costs)))
    group = {place for place, zone in enumerate(sent) if zone in first.zones and zone not in rest.zones}
    either = [place for place, zone in enumerate(sent) if zone in first.zones and zone in rest.zones]
    for place in (*either, *(place for place in dearest_first(costs) if not sent[place])):
        if first.who == "half-of-meks" and len(group) >= (len(costs) + 1) // 2:
            break
        if first.who == "half-of-points" and 2 * sum(costs[at] for at in group) >= sum(costs):
            break
        if first.who == "at-least-1-mek" and group and place not in either:
            break
        group.add(place)
    return group


def _start_order_problem(terms: ScenarioSide, costs: Sequence[int], start_zones: Sequence[int]) -> str:
    """Return what is wrong with the Meks' ordered start zones; empty if nothing is. MM-013, MM-D76."""
    first = terms.setup[0]
    group = first_group(terms, costs, start_zones)
    count, half = len(group), len(costs) // 2
    where = " or ".join(f"zone {zone}" for zone in sorted(first.zones))
    if first.who == "at-least-1-mek" and not group:
        return f"at least one Mek starts in {where}"
    if first.who == "half-of-meks" and not half <= count <= len(costs) - half:
        return f"half of the Meks start in {where}, and these orders would make it {count} of {len(costs)}"
    if first.who == "half-of-points":
        points, all_points = sum(costs[at] for at in group), sum(costs)
        if 2 * points < all_points:
            return f"Meks of at least half the points start in {where}, and these orders would leave {points} of {all_points}"
        if any(2 * (points - costs[at]) >= all_points for at in group):
            return f"no more Meks start in {where} than make up half the points, and these orders would put one too many there"
    if first.is_one_zone and len({start_zones[at] for at in group if start_zones[at]}) > 1:
        return "the first group starts in one zone, and these orders would put it into several"
    return ""


def middle_zone(zones: Sequence[int]) -> int:
    """Return the middle of a list of zones, the later one if there are two."""
    return sorted(zones)[len(zones) // 2]


def are_adjacent(one: int, other: int) -> bool:
    """Return True if two zones share a side (ledger 2.13)."""
    (row, column), (other_row, other_column) = divmod(one - 1, 3), divmod(other - 1, 3)
    return abs(row - other_row) + abs(column - other_column) == 1


def mek_placements(setup: Setup, at: int, costs: Sequence[int]) -> list[Placement]:
    """Return zone and order for each Mek of a side: as ordered, otherwise as the AI chooses (ledger 6.7)."""
    scenario = require_scenario(setup)
    terms = (scenario.attacker, scenario.defender)[at]
    objective = OBJECTIVES[scenario.objective]
    if terms.arrival is not None:
        return [_attack_placement(codes.OFF_MAP, objective, scenario.key_zone)] * len(costs)
    if at == codes.ATTACKER:
        first, rest = (
            _attack_placement(middle_zone(step.zones), objective, scenario.key_zone)
            for step in (terms.setup[0], terms.setup[-1])
        )
    else:
        first, rest = _defence_placements(setup, objective)
    start_zones = _start_orders(setup, at)
    group = first_group(terms, costs, start_zones)
    posts = [first if place in group else rest for place in range(len(costs))]
    if not any(start_zones):
        return posts
    if terms.setup[0].is_one_zone and (
        shared := next((start_zones[place] for place in sorted(group) if start_zones[place]), 0)
    ):
        start_zones = [shared if place in group else zone for place, zone in enumerate(start_zones)]
    return [replace(post, zone=zone) if zone else post for post, zone in zip(posts, start_zones, strict=True)]


def _start_orders(setup: Setup, at: int) -> list[int]:
    side = setup.sides[at]
    return [start_zone_of(orders_of(side, unit)) for unit in side.units]


def check_standing(setup: Setup) -> None:
    """Raise DocumentError for autoplay orders that a unit can't follow or that break the set-up rules. MM-013."""
    scenario = scenario_of(setup)
    for at in range(2):
        own = [fielded for fielded in field_units(setup) if fielded.side == at and not fielded.role]
        for place, fielded in enumerate(own):
            given, path = fielded.unit.standing, f"sides[{at}].units[{place}].standing"
            if given and fielded.chassis in KINDS:
                raise DocumentError(path, f"{fielded.name} takes no autoplay orders; leave it out ({RULE})", RULE)
        start_zones = _start_orders(setup, at)
        if scenario is None or not any(start_zones):
            continue
        costs = [mek_points(fielded.spec, Options.read(setup.options)) for fielded in own if fielded.spec]
        if reason := _start_order_problem((scenario.attacker, scenario.defender)[at], costs, start_zones):
            place = next(place for place, zone in enumerate(start_zones) if zone)
            raise DocumentError(f"sides[{at}].units[{place}].standing.start", f"{reason} (MM-013)", "MM-013")


def _attack_placement(zone: int, objective: int, key: int) -> Placement:
    if objective == codes.BREAK_OUT:
        return Placement(zone, codes.RUN)
    if objective in (codes.CLEAR_AND_LEAVE, codes.LAST_STANDING):
        return Placement(zone, codes.HUNT)
    return Placement(zone, codes.ASSAULT, key)


def _defence_placements(setup: Setup, objective: int) -> tuple[Placement, Placement]:
    """Return the orders for the defender's first group and for the rest."""
    scenario = require_scenario(setup)
    key, steps = scenario.key_zone, scenario.defender.setup
    middle = middle_zone(steps[-1].zones)
    if objective == codes.LAST_STANDING:
        return Placement(middle_zone(steps[0].zones), codes.HUNT), Placement(middle, codes.HUNT)
    first = Placement(key if key in steps[0].zones else middle_zone(steps[0].zones), codes.HOLD)
    near = Placement(key if key in steps[-1].zones else middle, codes.HOLD)
    cautious = setup.sides[codes.DEFENDER].doctrine == "cautious"
    if objective == codes.OCCUPY:
        return first, near if cautious else Placement(middle, codes.HUNT)
    if objective == codes.BREAK_OUT:
        beside = [zone for zone in steps[-1].zones if are_adjacent(zone, key)]
        return first, Placement(max(beside, default=middle), codes.ASSAULT, key) if cautious else Placement(
            middle, codes.HOLD
        )
    if objective == codes.CLEAR_AND_LEAVE:
        return first, Placement(middle, codes.HOLD)
    if objective == codes.STRONGHOLD and near.zone == key:
        return first, near
    return first, Placement(middle, codes.ASSAULT, key)


def placements(setup: Setup) -> tuple[Placement, ...]:
    """Return where each unit of `field_units` starts; support units start off the map and arrive later."""
    units = field_units(setup)
    scenario = require_scenario(setup)
    placed: list[Placement] = []
    options = Options.read(setup.options)
    for at in range(2):
        own = [fielded for fielded in units if fielded.side == at]
        meks = [mek_points(fielded.spec, options) for fielded in own if fielded.spec and not fielded.role]
        placed += mek_placements(setup, at, meks)
        extra = iter(
            [group.zone for group in (scenario.attacker, scenario.defender)[at].extra for _ in range(group.count)]
        )
        for fielded in own[len(meks) :]:
            zone = next(extra) if fielded.role == "scenario" else codes.OFF_MAP
            placed.append(Placement(zone, codes.HOLD))
    return tuple(placed)
