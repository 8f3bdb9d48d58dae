"""A company's costs between battles, and its maximum size. ST-400, ST-406, ST-411."""

from collections.abc import Mapping
from dataclasses import replace

from systems.legality import BillLine
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.catalogue.types import HP_BOX

from .datasheet import Condition, parse_condition
from .legality import is_own_pilot
from .spec import UnitSpec


def hp_left(spec: UnitSpec, condition: Condition) -> int:
    return spec.hp if condition.hits is None else min(spec.hp, condition.hits)


def replacement_spec(spec: UnitSpec) -> UnitSpec:
    """Return the unit that a company can buy after its first battle: with a crew of level 0. ST-407.

    A Kaiju is its own pilot and keeps its level.
    """
    return spec if is_own_pilot(spec) else replace(spec, level=0, orders=())


def repair_bill(spec: UnitSpec, data: Mapping[str, object]) -> tuple[BillLine, ...]:
    """Return the cost of repairs: a point for each 500 HP missing, rounded up."""
    missing = spec.hp - hp_left(spec, parse_condition(data))
    return (BillLine(f"{missing} HP", -(-missing // HP_BOX)),) if missing > 0 else ()


def condition_after_battle(
    spec: UnitSpec, began: Mapping[str, object], after: Mapping[str, object], now: Mapping[str, object]
) -> dict[str, object]:
    """Return a unit's condition after a battle that changed it from `began` to `after`.

    Its losses in the battle come off its condition `now`; a unit that came home keeps at least 1 HP.
    """
    first, last, here = (parse_condition(each) for each in (began, after, now))
    left = hp_left(spec, here) + hp_left(spec, last) - hp_left(spec, first)
    left = max(min(1, hp_left(spec, last)), min(spec.hp, left))
    return condition_with_hp(spec, left)


def condition_with_hp(spec: UnitSpec, left: int) -> dict[str, object]:
    """Return the condition of a unit with `left` HP. ST-406."""
    found: dict[str, object] = {"hits": left} if left < spec.hp else {}
    return found | ({"unfit": True} if 2 * left < spec.hp else {})


def hits_to_lose(spec: UnitSpec, data: Mapping[str, object]) -> int:
    """Return the HP that it can lose without being destroyed."""
    return hp_left(spec, parse_condition(data)) - 1


def condition_with_damage(spec: UnitSpec, data: Mapping[str, object], count: int) -> dict[str, object]:
    """Return its condition with `count` fewer HP."""
    return condition_with_hp(spec, hp_left(spec, parse_condition(data)) - count)


def roster_limit(granted: int, games: int) -> int:
    """Return the greatest value of a company's units after `games` battles. ST-400, ST-411.

    At first it is the founding points less the points to keep in hand, or the limit at the founding if that is more; it
    rises with time.
    """
    limits = CATALOGUE.limits
    at_first = max(limits["company-roster"].most, granted - limits["company-treasury"].most)
    return at_first + limits["roster-rise"].most * (games // limits["roster-rise-after"].most)
