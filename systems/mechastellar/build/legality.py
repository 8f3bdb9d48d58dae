"""The legality of profiles and forces, and a company's maximum size and its costs between battles.

Company: ST-400, ST-406, ST-411.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from systems.documents import DocumentError
from systems.legality import BillLine, Check, Problem, pluralize
from systems.mechastellar.build.datasheet import Condition, parse_condition
from systems.mechastellar.build.scenario import parse_given
from systems.mechastellar.build.spec import UnitSpec, half_inches_to_inches, mode_figures, profile_points
from systems.mechastellar.catalogue import CATALOGUE, HP_BOX, Limit, Weapon
from systems.mechastellar.options import BY_THE_BOOK, Options
from systems.roster import CompanyMember, PilotSpec

LEVELS = ("basic", "skilled", "ace")
LOCKED = ("boost", "power", "havoc", "catapult", "repair_hp")
FORCE = CATALOGUE.limits["force"]


def check_unit(spec: UnitSpec) -> Check:
    """Return points and problems of a profile. ST-002 to ST-012, ST-015."""
    points = profile_points(spec)
    crew = spec.crewed_by
    label = f"{spec.unit_kind.name}, {crew.name}" if crew else spec.unit_kind.name
    warnings = []
    if spec.has("improvised-weapons"):
        warnings.append(
            _problem("improvised-weapons", "Improvised weapons do nothing: the rules give no effect.", "traits")
        )
    return Check(points, tuple(_problems(spec)), tuple(warnings), (BillLine(label, points),))


def crew_level(spec: UnitSpec, pilot: PilotSpec | None) -> int:
    """Return a unit's level: its profile's or its pilot's, whichever is higher. ST-008, ST-404."""
    own = LEVELS.index(pilot.experience) if pilot is not None and pilot.experience else 0
    return max(spec.level, own)


def is_own_pilot(spec: UnitSpec) -> bool:
    """Return whether a unit is its own pilot, as a Kaiju is. ST-008."""
    return spec.crew == "kaiju"


def at_crew_level(spec: UnitSpec, pilot: PilotSpec | None) -> UnitSpec:
    """Return the unit at its crew's level."""
    return dataclasses.replace(spec, level=crew_level(spec, pilot))


def _problems(spec: UnitSpec) -> Iterator[Problem]:
    for name, limit in CATALOGUE.limits.items():
        if limit.of == "profile" and name != "weapons":
            yield from _range_problems(limit, getattr(spec, name), _place(name), halved=name == "move_half")
    yield from _kind_problems(spec)
    yield from _mode_problems(spec)
    yield from _weapon_count_problems(spec)
    for at, weapon in enumerate(spec.weapons):
        yield from _weapon_problems(weapon, f"weapons[{at}]")


def _place(name: str) -> str:
    return "move_in" if name == "move_half" else name


def _range_problems(limit: Limit, value: int, place: str, *, halved: bool = False) -> Iterator[Problem]:
    """Yield a problem if a figure is outside its limits. ST-011."""
    number, least, most = (half_inches_to_inches(each) if halved else each for each in (value, limit.least, limit.most))
    if not limit.least <= value <= limit.most:
        message = f"{limit.name} goes from {least} to {most}, not {number}."
        yield Problem(limit.rule, message, place, "out-of-range")
    elif value % limit.step:
        message = f"{limit.name} goes by steps of {limit.step}, not {number}."
        yield Problem(limit.rule, message, place, "out-of-range")


def _kind_problems(spec: UnitSpec) -> Iterator[Problem]:
    """Yield the problems with figures that its kind doesn't allow. ST-007 to ST-009, ST-280."""
    kind = spec.unit_kind
    has = {
        "boost": kind.has_boost,
        "power": kind.has_power,
        "havoc": kind.has_havoc,
        "catapult": kind.is_ship,
        "repair_hp": kind.is_ship,
    }
    for name in LOCKED:
        if getattr(spec, name) and not has[name]:
            who = " and ".join(_kinds_with(name))
            message = f"{CATALOGUE.limits[name].name} is only for {who}; this is {_a(kind.name)}."
            yield _problem("kind-locked", message, name)
    if spec.crew != kind.crew:
        message = f"A{_a(kind.name)[1:]} is flown by {_a(kind.crew)}, not by {_a(spec.crew)}."
        yield _problem("crew-of-kind", message, "crew")
    if spec.crew == "kaiju" and spec.level < 1:
        yield _problem("kaiju-level", "A Kaiju is its own pilot, of level 1 or 2.", "level")
    if spec.orders and (spec.crew != "captain" or spec.level < 1):
        names = " and ".join(CATALOGUE.orders[slug].name for slug in spec.orders)
        message = f"{names}: orders are given by a Captain of level 1 or 2."
        yield _problem("orders-without-captain", message, "orders")
    if spec.aboard and spec.is_warship:
        yield _problem("aboard-without-ship", "A Warship can't start on board another.", "aboard")


def _kinds_with(name: str) -> list[str]:
    flag = {"boost": "has_boost", "power": "has_power", "havoc": "has_havoc"}.get(name, "is_ship")
    plural = {"MS": "MS", "Kaiju": "Kaiju"}
    return [plural.get(each.name) or _many(each.name) for each in CATALOGUE.kinds.values() if getattr(each, flag)]


def _many(name: str) -> str:
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def _a(name: str) -> str:
    return f"an {name}" if name[0] in "AEIOU" or name == "MS" else f"a {name}"


def _mode_problems(spec: UnitSpec) -> Iterator[Problem]:
    """Yield the problems with the other mode. ST-087."""
    if spec.has("transform") and not (spec.alt_mode and mode_figures(spec.alt_mode)):
        yield _problem("mode-without-transform", "A unit that transforms needs another mode.", "alt_mode")
    if spec.alt_mode is None:
        return
    if not spec.has("transform"):
        yield _problem("mode-without-transform", "Another mode needs the trait Transform.", "traits")
    for name, value in mode_figures(spec.alt_mode).items():
        limit = CATALOGUE.limits[name]
        yield from _range_problems(limit, value, f"alt_mode.{_place(name)}", halved=name == "move_half")


def _weapon_count_problems(spec: UnitSpec) -> Iterator[Problem]:
    limit = CATALOGUE.limits["weapons"]
    if not limit.least <= len(spec.weapons) <= limit.most:
        has = pluralize(len(spec.weapons), "weapon")
        message = f"A profile has {limit.least} to {limit.most} weapons; this one has {has}."
        yield _problem("no-weapon", message, "weapons")
    seen: set[str] = set()
    for at, weapon in enumerate(spec.weapons):
        if weapon.slug in seen:
            message = f'Two weapons are both called "{weapon.slug}"; give one of them another slug.'
            yield _problem("weapon-slug-twice", message, f"weapons[{at}].slug")
        seen.add(weapon.slug)


def _weapon_problems(weapon: Weapon, place: str) -> Iterator[Problem]:
    """Yield the problems with a weapon. ST-004, ST-011, ST-092."""
    for name in ("dice", "hits", "rf_dice", "rf_hits", "dmg", "finisher"):
        yield from _range_problems(CATALOGUE.limits[name], getattr(weapon, name), f"{place}.{name}")
    if weapon.pen is not None:
        yield from _range_problems(CATALOGUE.limits["pen"], weapon.pen, f"{place}.pen")
    elif weapon.pen_tag:
        message = f"{weapon.name} needs a PEN to stun or push."
        yield _problem("pen-tag-without-pen", message, f"{place}.pen_tag")
    changes = bool(weapon.rf_dice or weapon.rf_hits)
    if weapon.is_melee:
        for name in ("range_in", "rf_in", "rf_dice", "rf_hits"):
            if getattr(weapon, name):
                message = f"{weapon.name} is a melee weapon and has no {CATALOGUE.limits[name].name}."
                yield _problem("melee-range", message, f"{place}.{name}")
        return
    yield from _range_problems(CATALOGUE.limits["range_in"], weapon.range_in, f"{place}.range_in")
    if weapon.rf_in < 0 or (weapon.rf_in and weapon.rf_in >= weapon.range_in):
        message = f"{weapon.name}: Rapid Fire begins below the range of {weapon.range_in} in, not at {weapon.rf_in} in."
        yield _problem("rapid-fire-too-far", message, f"{place}.rf_in")
    if changes != bool(weapon.rf_in):
        field = "rf_in" if changes else "rf_dice"
        message = f"{weapon.name}: a Rapid Fire range and what changes inside it go together."
        yield _problem("rapid-fire-change", message, f"{place}.{field}")


def check_pilot(pilot: PilotSpec, spec: UnitSpec | None = None) -> tuple[Problem, ...]:
    """Return no problems, because any pilot may crew any unit. ST-008."""
    return ()


def check_company(
    given: str | Mapping[str, object],
    members: Sequence[CompanyMember[UnitSpec]],
    options: Options = BY_THE_BOOK,
    extra_points: int = 0,
) -> Check:
    """Return points and problems of a force in a scenario, or of a company if there is none. ST-013, ST-404."""
    checks = [check_unit(at_crew_level(member.spec, member.pilot)) for member in members]
    problems = [each.moved(f"members[{at}]") for at, check in enumerate(checks) for each in check.problems]
    bill = tuple(BillLine(member.name, check.points) for member, check in zip(members, checks, strict=True))
    points = sum(line.points for line in bill)
    if given != "":
        problems += _scenario_problems(given)
        problems += _force_problems(members, points, options, points_limit(given, options), extra_points)
    return Check(points, tuple(problems), (), bill)


def _force_problems(
    members: Sequence[CompanyMember[UnitSpec]], points: int, options: Options, most: int, extra_points: int
) -> Iterator[Problem]:
    if len(members) < FORCE.least:
        yield _problem("force-too-small", "A force needs at least one unit.", "members")
    if len(members) > FORCE.most:
        yield too_many_units_problem(len(members))
    limit = most + extra_points
    if most and points > limit:
        message = f"The force is worth {points} points; the limit is {limit}."
        yield _problem("points-over-limit", message, "members")
    if not options.is_advanced:
        for at, member in enumerate(members):
            if member.spec.is_warship:
                message = f"{member.name} is a Warship. To use Warships, set the house rule “Rules” to “advanced”."
                yield _problem("warship-in-core", message, f"members[{at}]")


def points_limit(given: str | Mapping[str, object], options: Options) -> int:
    """Return a force's points limit: the scenario's, otherwise the house rules'; 0: none. ST-013."""
    if isinstance(given, str):
        return options.points_limit
    try:
        return parse_given(given)[1].force_points or options.points_limit
    except DocumentError:
        return options.points_limit


def too_many_units_problem(size: int) -> Problem:
    """Return the problem of a force with too many units. ST-013."""
    return _problem("force-too-large", f"A force has {FORCE.most} units at most, not {size}.", "members")


def _scenario_problems(given: str | Mapping[str, object]) -> Iterator[Problem]:
    if isinstance(given, str):
        if given not in CATALOGUE.scenarios:
            yield Problem("ST-360", f"There's no scenario {ascii(given[:60])}.", "scenario")
        return
    try:
        parse_given(given)
    except DocumentError as error:
        yield Problem("ST-360", f"The scenario can't be read ({error.path}: {error.reason}).", "scenario")


def _problem(code: str, message: str, place: str) -> Problem:
    return Problem(CATALOGUE.refusals[code].rule, message, place, code)


def hp_left(spec: UnitSpec, condition: Condition) -> int:
    return spec.hp if condition.hits is None else min(spec.hp, condition.hits)


def replacement_spec(spec: UnitSpec) -> UnitSpec:
    """Return the unit that a company can buy after its first battle, with a crew of level 0. ST-407.

    A Kaiju is its own pilot and keeps its level.
    """
    return spec if is_own_pilot(spec) else replace(spec, level=0, orders=())


def repair_bill(spec: UnitSpec, data: Mapping[str, object]) -> tuple[BillLine, ...]:
    """Return the cost of repairs: one point per 500 HP missing, rounded up."""
    missing = spec.hp - hp_left(spec, parse_condition(data))
    return (BillLine(f"{missing} HP", -(-missing // HP_BOX)),) if missing > 0 else ()


def condition_after_battle(
    spec: UnitSpec, began: Mapping[str, object], after: Mapping[str, object], now: Mapping[str, object]
) -> dict[str, object]:
    """Return a unit's condition after a battle that changed it from `began` to `after`.

    The battle's losses are subtracted from its present condition `now`; a unit that came home keeps at least 1 HP.
    """
    first, last, here = (parse_condition(each) for each in (began, after, now))
    left = hp_left(spec, here) + hp_left(spec, last) - hp_left(spec, first)
    left = max(min(1, hp_left(spec, last)), min(spec.hp, left))
    return condition_with_hp(spec, left)


def condition_with_hp(spec: UnitSpec, left: int) -> dict[str, object]:
    """Return a unit's condition with `left` HP. ST-406."""
    found: dict[str, object] = {"hits": left} if left < spec.hp else {}
    return found | ({"unfit": True} if 2 * left < spec.hp else {})


def hits_to_lose(spec: UnitSpec, data: Mapping[str, object]) -> int:
    """Return the HP that it can lose without being destroyed."""
    return hp_left(spec, parse_condition(data)) - 1


def condition_with_damage(spec: UnitSpec, data: Mapping[str, object], count: int) -> dict[str, object]:
    """Return its condition with `count` fewer HP."""
    return condition_with_hp(spec, hp_left(spec, parse_condition(data)) - count)


def roster_limit(granted: int, games: int) -> int:
    """Return the maximum value of a company's units after `games` battles. ST-400, ST-411.

    At first it is the founding points less those to keep in hand, or the limit at the founding if that is higher; it
    rises over time.
    """
    limits = CATALOGUE.limits
    at_first = max(limits["company-roster"].most, granted - limits["company-treasury"].most)
    return at_first + limits["roster-rise"].most * (games // limits["roster-rise-after"].most)
