"""What a company pays for between battles: the repair of what its units carry home. ST-406."""

from collections.abc import Mapping

from systems.legality import BillLine
from systems.mechastellar.catalogue.types import HP_BOX

from .datasheet import Condition, parse_condition
from .spec import UnitSpec


def hp_left(spec: UnitSpec, condition: Condition) -> int:
    return spec.hp if condition.hits is None else min(spec.hp, condition.hits)


def repair_bill(spec: UnitSpec, data: Mapping[str, object]) -> tuple[BillLine, ...]:
    """A point for each 500 HP that are missing, rounded up."""
    missing = spec.hp - hp_left(spec, parse_condition(data))
    return (BillLine(f"{missing} HP", -(-missing // HP_BOX)),) if missing > 0 else ()


def condition_home(
    spec: UnitSpec, began: Mapping[str, object], after: Mapping[str, object], now: Mapping[str, object]
) -> dict[str, object]:
    """The condition of a unit that is `now` so, after a battle that made `after` of `began`: what the battle did is done to
    it, and one that came home has some HP left."""
    first, last, here = (parse_condition(each) for each in (began, after, now))
    left = hp_left(spec, here) + hp_left(spec, last) - hp_left(spec, first)
    left = max(min(1, hp_left(spec, last)), min(spec.hp, left))
    found: dict[str, object] = {"hits": left} if left < spec.hp else {}
    return found | ({"misses": here.misses} if here.misses else {})
