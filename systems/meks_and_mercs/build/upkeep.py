"""The costs of a standing company between games: hiring, and repair of the damage a Mek carries home."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from systems.legality import BillLine, pluralize
from systems.meks_and_mercs.catalogue import CATALOGUE

from .datasheet import Condition, parse_condition
from .points import purchases
from .spec import MekSpec

HIRE_POINTS: Mapping[str, int] = MappingProxyType(  # MM-011
    {level.slug: level.hire_points for level in CATALOGUE.levels.values() if level.hire_points is not None}
)


def hired_as(experience: str) -> str:
    """Return the best level for hire that is not above this one."""
    levels = list(CATALOGUE.levels)
    return next(level for level in reversed(levels[: levels.index(experience) + 1]) if level in HIRE_POINTS)


def repair_bill(spec: MekSpec, data: Mapping[str, object]) -> tuple[BillLine, ...]:
    """Return the bill: one point for a Hit, a leg damage, a weapon (CIWS: a pair) and a system. MM-S09."""
    condition = parse_condition(data, spec)
    lines = []
    missing = 0 if condition.hits is None else spec.frame.hits - condition.hits
    if missing:
        lines.append(BillLine(pluralize(missing, "Hit"), missing))
    if condition.legs:
        lines.append(BillLine(pluralize(condition.legs, "leg damage", "leg damages"), condition.legs))
    lost = [spec.weapons[slot] for slot in sorted(set(condition.weapons_lost))]
    for slug in dict.fromkeys(lost):
        weapon = spec.catalogue.weapons[slug]
        price = purchases(weapon, lost.count(slug))
        lines.append(BillLine(weapon.name if lost.count(slug) == 1 else f"{lost.count(slug)} × {weapon.name}", price))
    for slot in sorted(set(condition.systems_lost)):
        lines.append(BillLine(spec.fittings[slot].name, 1))
    return tuple(lines)


def condition_home(
    spec: MekSpec, began: Mapping[str, object], after: Mapping[str, object], now: Mapping[str, object]
) -> dict[str, object]:
    """Return a Mek's condition after a game that turned condition `began` into `after`. Raises DocumentError.

    `now` is its present condition. If that is still `began`, the result is `after`. Else the game's changes, damage and
    repairs (MM-085), are applied to `now`; a Mek that came home keeps at least one Hit.
    """
    first, last, here = (parse_condition(data, spec) for data in (began, after, now))
    changed = _hits(spec, here) + _hits(spec, last) - _hits(spec, first)
    hits = max(min(1, _hits(spec, last)), min(spec.frame.hits, changed))
    weapons = _merge_lost_slots(first.weapons_lost, last.weapons_lost, here.weapons_lost)
    systems = _merge_lost_slots(first.systems_lost, last.systems_lost, here.systems_lost)
    legs = max(0, here.legs + last.legs - first.legs)
    found: dict[str, object] = {"hits": hits} if hits < spec.frame.hits else {}
    return found | {
        name: value for name, value in (("weapons_lost", weapons), ("systems_lost", systems), ("legs", legs)) if value
    }


def hits_to_lose(spec: MekSpec, data: Mapping[str, object]) -> int:
    """Return the Hits that a Mek can lose without being destroyed."""
    return _hits(spec, parse_condition(data, spec)) - 1


def harmed(spec: MekSpec, data: Mapping[str, object], count: int) -> dict[str, object]:
    """Return the condition with this many Hits less, and otherwise the same."""
    return {**data, "hits": _hits(spec, parse_condition(data, spec)) - count}


def _merge_lost_slots(began: Sequence[int], after: Sequence[int], now: Sequence[int]) -> list[int]:
    """Return the slots lost by now, without those that the game repaired and with those that it took."""
    return sorted((set(now) - (set(began) - set(after))) | (set(after) - set(began)))


def _hits(spec: MekSpec, condition: Condition) -> int:
    return spec.frame.hits if condition.hits is None else condition.hits


def describe_condition(condition: Mapping[str, object]) -> str:
    """Describe the damage of a Mek in a few words."""
    parts = []
    if "hits" in condition:
        parts.append(f"{condition['hits']} Hits left")
    for name, label in (("weapons_lost", "weapons lost"), ("systems_lost", "systems lost")):
        lost = condition.get(name)
        if isinstance(lost, Sequence) and lost:
            parts.append(f"{len(lost)} {label}")
    if condition.get("legs"):
        parts.append(f"leg damage {condition['legs']}")
    return ", ".join(parts)
