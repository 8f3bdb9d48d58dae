"""The checks of Meks, pilots and companies: all problems at once, each with its rule."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from systems.documents import DocumentError
from systems.legality import BillLine, Check, Problem, join_words, pluralize
from systems.meks_and_mercs.build.spec import mek_bill, mek_points, published_as, purchases
from systems.meks_and_mercs.catalogue import CATALOGUE, SIZES, Scenario, ScenarioSide
from systems.meks_and_mercs.options import Options
from systems.roster import CompanyMember, PilotSpec
from systems.setups import MAX_UNITS

from .scenario import build_scenario, parse_named_scenario
from .scenario_check import check_scenario
from .spec import MekSpec


def mounts_used(spec: MekSpec, options: Options) -> dict[str, int]:
    """Return the mounts used, by size. MM-005, MM-008.

    With the house rule, massive weapons without a massive mount use free huge ones.
    """
    used = {"massive": 0, "huge": 0, "small": 0}
    for slug, count in Counter(spec.weapons).items():
        weapon = spec.catalogue.weapons[slug]
        used[weapon.size] += purchases(weapon, count)
    if options.massive_in_huge_mount:
        too_many = max(0, used["massive"] - spec.frame.massive_mounts)
        moved = min(too_many, max(0, spec.frame.huge_mounts - used["huge"]))
        used["massive"] -= moved
        used["huge"] += moved
    return used


def slots_used(spec: MekSpec) -> int:
    return sum(system.slots for system in spec.fittings)


def check_mek(spec: MekSpec, options: Options) -> Check:
    """Return points and problems of a Mek. MM-001 to MM-009."""
    problems = [
        *_mount_problems(spec, options),
        *_small_mount_problems(spec),
        *_slot_problems(spec),
        *_size_problems(spec),
        *_repeat_problems(spec),
    ]
    warnings = []
    if not spec.weapons:  # MM-009
        warnings.append(Problem("MM-009", f"This {spec.frame.name} has no weapon. That's legal.", "weapons"))
    bill = mek_bill(spec, options)
    points = sum(line.points for line in bill)
    published = published_as(spec)
    notes = (f"{published.name}: {published.note}",) if published and published.printed_points != points else ()
    return Check(points, tuple(problems), tuple(warnings), bill, notes)


def _mount_problems(spec: MekSpec, options: Options) -> list[Problem]:
    """Return problems with huge and massive mounts. MM-005."""
    problems = []
    used = mounts_used(spec, options)
    for size, has in (("huge", spec.frame.huge_mounts), ("massive", spec.frame.massive_mounts)):
        if used[size] <= has:
            continue
        names = [weapon.name for weapon in spec.armament if weapon.size == size]
        if has == 0:
            message = f"A {spec.frame.name} has no {size} mount for the {join_words(_names_with_counts(names))}."
        else:
            message = (
                f"A {spec.frame.name} has {pluralize(has, f'{size} mount')}; "
                f"the {join_words(_names_with_counts(names))} would need {len(names)}."
            )
        problems.append(Problem("MM-005", message, "weapons"))
    return problems


def _small_mount_problems(spec: MekSpec) -> list[Problem]:
    """Return problems with small mounts. MM-008."""
    problems = []
    counts = Counter(weapon.slug for weapon in spec.armament if weapon.size == "small")
    parts = []
    for slug, count in counts.items():
        weapon = spec.catalogue.weapons[slug]
        if count % weapon.pack:
            message = f"{weapon.name} come in pairs. Take an even number, not {count}."
            problems.append(Problem("MM-008", message, "weapons"))
        bought = purchases(weapon, count)
        parts += [f"{weapon.name} pair" if weapon.pack == 2 else weapon.name] * bought
    if len(parts) > spec.frame.small_mounts:
        message = (
            f"A {spec.frame.name} has {pluralize(spec.frame.small_mounts, 'small mount')}; "
            f"the {join_words(_names_with_counts(parts))} would need {len(parts)}."
        )
        problems.append(Problem("MM-008", message, "weapons"))
    return problems


def _slot_problems(spec: MekSpec) -> list[Problem]:
    """Return problems with system slots. MM-003."""
    needed, has = slots_used(spec), spec.frame.system_slots
    if needed <= has:
        return []
    names = _names_with_counts([system.name for system in spec.fittings])
    message = f"A {spec.frame.name} has {pluralize(has, 'system slot')}; the {join_words(names)} would need {needed}."
    return [Problem("MM-003", message, "systems")]


def _size_problems(spec: MekSpec) -> list[Problem]:
    """Return problems with systems that don't fit the chassis. MM-004."""
    problems = []
    for at, system in enumerate(spec.fittings):
        if spec.chassis in system.sizes:
            continue
        smallest, biggest = system.sizes[0], system.sizes[-1]
        if SIZES.index(spec.chassis) < SIZES.index(smallest):
            allowed = f"{spec.catalogue.chassis[smallest].name} or bigger"
        else:
            allowed = f"{spec.catalogue.chassis[biggest].name} or smaller"
        message = f"The {system.name} needs a chassis that is {allowed}; this one is {spec.frame.name}."
        problems.append(Problem("MM-004", message, f"systems[{at}]"))
    return problems


def _repeat_problems(spec: MekSpec) -> list[Problem]:
    """Return problems with systems taken too often. MM-006."""
    problems = []
    for slug, count in Counter(spec.systems).items():
        system = spec.catalogue.systems[slug]
        if count > 1 and not system.is_repeatable:
            second = [at for at, other in enumerate(spec.systems) if other == slug][1]
            times = "twice" if count == 2 else f"{count} times"
            message = f"{system.name} is taken {times}, but a Mek can have it only once."
            problems.append(Problem("MM-006", message, f"systems[{second}]"))
    sensors = [system.name for system in spec.fittings if system.sensor]
    armors = [system.name for system in spec.fittings if system.is_armor]
    for what, names in (("sensor", sensors), ("armor system", armors)):
        kinds = list(dict.fromkeys(names))
        if len(kinds) > 1:
            problems.append(Problem("MM-006", f"A Mek has one {what} at most, not {join_words(kinds)}.", "systems"))
    return problems


def check_pilot(pilot: PilotSpec) -> tuple[Problem, ...]:
    """Return a pilot's problems, in any Mek. MM-101, MM-102."""
    problems = []
    level = CATALOGUE.levels[pilot.experience]
    if pilot.skills and level.skill_roll is None:
        names = join_words([CATALOGUE.skills[slug].name for slug in pilot.skills])
        problems.append(Problem("MM-102", f"A {level.name} pilot has no skills, so not {names}.", "skills"))
    for slug, count in Counter(pilot.skills).items():
        if count > 1:
            second = [at for at, other in enumerate(pilot.skills) if other == slug][1]
            message = f"{CATALOGUE.skills[slug].name} is listed {count} times, but a pilot gains a skill only once."
            problems.append(Problem("MM-101", message, f"skills[{second}]"))
    return tuple(problems)


def check_company(
    given: str | Mapping[str, object],
    members: Sequence[CompanyMember[MekSpec]],
    options: Options,
    side: str | None,
    extra_points: int,
) -> Check:
    """Return points and problems of a company in a scenario. MM-010, MM-011, MM-087."""
    problems: list[Problem] = []
    warnings: list[Problem] = []
    for at, member in enumerate(members):
        mek = check_mek(member.spec, options)
        problems += (problem.moved(f"members[{at}]") for problem in mek.problems)
        warnings += (warning.moved(f"members[{at}]") for warning in mek.warnings)
        problems += _seat_problems(member, at)
    if not members:
        problems.append(Problem("MM-010", "The company has no Mek.", "members"))
    if len(members) > MAX_UNITS:
        problems.append(too_many_units_problem(len(members)))
    bill = [BillLine(member.name, mek_points(member.spec, options)) for member in members]
    scenario, refusal = _scenario(given)
    terms = _side_terms(scenario, side) if scenario else None
    bill += _hiring_bill(members, terms, options)
    points = sum(line.points for line in bill)
    if scenario is None:
        problems.append(Problem("MM-010", refusal, "scenario"))
    elif terms is None:
        problems.append(Problem("MM-010", f"There's no side {ascii((side or '')[:60])}.", "side"))
    else:
        problems += _size_limit_problems(scenario, members)
        problems += _composition_problems(scenario, terms, members)
        allowed = terms.points + extra_points  # MM-087: Rich Uncle pays before the Meks are bought
        if points > allowed:
            message = f"The company costs {points} points; {scenario.name} allows {allowed}."
            problems.append(Problem("MM-010", message, "members"))
    return Check(points, tuple(problems), tuple(warnings), tuple(bill))


def too_many_units_problem(size: int) -> Problem:
    """Return the problem of too many units for a battle, the only limit that isn't the book's. MM-010."""
    return Problem(
        "MM-010",
        f"Muster plays battles of up to {MAX_UNITS} units a side. Leave out {size - MAX_UNITS} of {size}.",
        "members",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceLimits:
    """A scenario's limits for one side's force."""

    points: int
    sizes: tuple[str, ...]
    composition: Mapping[str, int]  # exact number of Meks of each size; empty: any


def force_limits(given: str | Mapping[str, object], side: str | None) -> ForceLimits | None:
    """Return a side's limits; None if there are none, or no such scenario. MM-010."""
    scenario, _ = _scenario(given)
    terms = _side_terms(scenario, side) if scenario else None
    if scenario is None or terms is None:
        return None
    sizes = SIZES[: SIZES.index(scenario.max_size) + 1]
    return ForceLimits(points=terms.points, sizes=sizes, composition=terms.composition)


def _scenario(given: str | Mapping[str, object]) -> tuple[Scenario | None, str]:
    """Return the scenario, or None and the reason why not."""
    if isinstance(given, str):
        scenario = CATALOGUE.scenarios.get(given)
        return scenario, "" if scenario else f"There's no scenario {ascii(given[:60])}."
    try:
        name, spec = parse_named_scenario(given)
    except DocumentError as error:
        return None, f"The scenario can't be read ({error.path}: {error.reason})."
    problems = check_scenario(spec).problems
    if problems:
        return None, f"{name} can't be played yet ({problems[0].rule}): {problems[0].message}"
    return build_scenario(name, spec), ""


def _side_terms(scenario: Scenario, side: str | None) -> ScenarioSide | None:
    sides = {"attacker": scenario.attacker, "defender": scenario.defender}
    if side is None:
        return max(sides.values(), key=lambda terms: terms.points)
    return sides.get(side)


def _seat_problems(member: CompanyMember[MekSpec], at: int) -> list[Problem]:
    """Return problems with a Mek's pilot. MM-011."""
    if member.pilot is None:
        return [Problem("MM-011", f"{member.name} has no pilot.", f"members[{at}].pilot")]
    level = CATALOGUE.levels[member.pilot.experience]
    problems = [problem.moved(f"members[{at}].pilot") for problem in check_pilot(member.pilot)]
    if member.is_new_pilot and level.hire_points is None:
        message = f"{member.name}: a new pilot is Green or Regular, never {level.name}."
        problems.append(Problem("MM-011", message, f"members[{at}].pilot"))
    if member.is_new_pilot and member.pilot.skills and level.hire_points is not None and level.skill_roll is not None:
        message = f"{member.name}: a new pilot has no skills yet."
        problems.append(Problem("MM-101", message, f"members[{at}].pilot.skills"))
    return problems


def _hiring_bill(
    members: Sequence[CompanyMember[MekSpec]], terms: ScenarioSide | None, options: Options
) -> list[BillLine]:
    """Return the bill lines for new pilots paid from the scenario's points. MM-011, MM-S07."""
    if options.pays_from_bank:
        return []
    lines = []
    hired = Counter(member.pilot.experience for member in members if member.pilot and member.is_new_pilot)
    for slug, count in hired.items():
        level = CATALOGUE.levels[slug]
        paid = max(0, count - (terms.free_pilots.get(slug, 0) if terms else 0))
        if level.hire_points and paid:
            lines.append(BillLine(f"{paid} new {level.name}", level.hire_points * paid))
    return lines


def _size_limit_problems(scenario: Scenario, members: Sequence[CompanyMember[MekSpec]]) -> list[Problem]:
    """Return problems with Meks above the scenario's size limit. MM-010."""
    limit = SIZES.index(scenario.max_size)
    return [
        Problem(
            "MM-010",
            f"{member.name} is {member.spec.frame.name}; "
            f"{scenario.name} allows {CATALOGUE.chassis[scenario.max_size].name} at most.",
            f"members[{at}]",
        )
        for at, member in enumerate(members)
        if SIZES.index(member.spec.chassis) > limit
    ]


def _composition_problems(
    scenario: Scenario, terms: ScenarioSide, members: Sequence[CompanyMember[MekSpec]]
) -> list[Problem]:
    """Return the problem of a company without exactly the sizes that the scenario requires. MM-010."""
    if not terms.composition:
        return []
    has = Counter(member.spec.chassis for member in members)
    if has == Counter(terms.composition):
        return []
    wanted = join_words([f"{count} {CATALOGUE.chassis[size].name}" for size, count in terms.composition.items()])
    found = join_words([f"{has[size]} {CATALOGUE.chassis[size].name}" for size in SIZES if has[size]]) or "no Mek"
    return [Problem("MM-010", f"{scenario.name} is played with {wanted}; the company has {found}.", "members")]


def _names_with_counts(names: Sequence[str]) -> list[str]:
    return [name if count == 1 else f"{count} {name}" for name, count in Counter(names).items()]
