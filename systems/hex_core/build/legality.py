"""The legality of machines, squads, companies and pilots, and the cost of changing a machine (HX-182).

All problems are found at once. Pilots' ranks and traits: HX-177.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from systems.documents import Document, DocumentError, object_of, parse_document, refuse_unknown
from systems.hex_core.build.scenario import BOUNDS, parse_given, read_limits
from systems.hex_core.build.spec import ROYROY, MachineSpec
from systems.hex_core.catalogue import BOTH, CATALOGUE, VITAL, Rank, SquadSize, System
from systems.hex_core.options import BY_THE_BOOK, Options
from systems.legality import BillLine, Check, Problem, join_words, pluralize
from systems.roster import CompanyMember, PilotSpec
from systems.scenarios import SideLimits, force_wrong

LIMITS = {slug: limit.value for slug, limit in CATALOGUE.limits.items()}
PARTS = {  # parts of the Deployment Cost, HX-042
    "core": "Core",
    "armour": "Armour",
    "srm": "S.R.M.",
    "weapons": "Weapons",
    "equipment": "Equipment",
    "systems": "Systems",
    "mods": "Mods",
    "traits": "Traits",
}


def check_machine(spec: MachineSpec, options: Options = BY_THE_BOOK) -> Check:
    """Return Deployment Cost and problems of a build, in the order of the ledger's refusals. HX-042, HX-052."""
    rules = [rule for rule in DESIGN_RULES if rule is not _two_hands or not options.one_hand]
    problems = tuple(problem for rule in rules for problem in rule(spec))
    bill = tuple(BillLine(_describe_part(spec, part), points) for part, points in spec.cost_parts.items() if points)
    return Check(spec.cost, problems, tuple(_warnings(spec, options)), bill)


def _describe_part(spec: MachineSpec, part: str) -> str:
    named: Mapping[str, list[str]] = {
        "core": [spec.frame.name],
        "armour": [],
        "srm": ["/".join(map(str, spec.srm))],
        "weapons": [armed.kind.tagged for armed in spec.weapons],
        "equipment": [
            *(held.kind.name for held in spec.shields),
            *(CATALOGUE.drones[slug].name for slug in spec.drones),
            *([pluralize(spec.royroy, ROYROY.name)] if spec.royroy else []),
        ],
        "systems": [CATALOGUE.systems[slug].name for slug in spec.systems],
        "mods": [CATALOGUE.mods[slug].name for slug in spec.mods],
        "traits": [CATALOGUE.traits[slug].name for slug in spec.traits],
    }
    return f"{PARTS[part]}: {', '.join(named[part])}" if named[part] else PARTS[part]


def _warnings(spec: MachineSpec, options: Options) -> Iterator[Problem]:
    for at, armed in enumerate(spec.weapons):
        if options.one_hand and armed.is_halved and not spec.is_vehicle:
            message = f"The {armed.kind.tagged} in one hand does half its damage, rounded up."
            yield Problem("HX-047", message, f"weapons[{at}].place")
    if len(spec.drones) > LIMITS["active-drones"]:
        message = f"Only {LIMITS['active-drones']} of its {len(spec.drones)} drones are active at a time; the others stay docked."
        yield Problem("HX-023", message, "drones")
    if spec.primary_at is None and not spec.drones:
        yield Problem("HX-048", "It has no weapon at hand, so it makes no Counter Rolls.", "weapons")


def _srm(spec: MachineSpec) -> Iterator[Problem]:
    most = LIMITS["srm-steps"]
    for at, (each, steps) in enumerate(zip(CATALOGUE.reductions.values(), spec.srm, strict=True)):
        if not 0 <= steps <= most:
            stat = CATALOGUE.stats[each.stat].short
            yield problem_of("srm-over-2", f"{stat} can be lowered by 0 to {most}, not by {steps}.", f"srm[{at}]")


def _armour(spec: MachineSpec) -> Iterator[Problem]:
    for area in spec.areas:
        base, more = spec.frame.dp[area.index], spec.armour[area.index]
        if not 0 <= more <= base // 2:
            message = f"{area.name} has {base} DP and takes 0 to {base // 2} more, not {more}."
            yield problem_of("armour-over-limit", message, f"armour.{area.slug}")


def _vehicle_hands(spec: MachineSpec) -> Iterator[Problem]:
    if not spec.is_vehicle:
        return
    for at, armed in enumerate(spec.weapons):
        if not armed.is_mounted:
            message = f"A vehicle has no hands and carries nothing: mount the {armed.kind.tagged} or leave it out."
            yield problem_of("vehicle-hands", message, f"weapons[{at}].place")
    for at, held in enumerate(spec.shields):
        message = f"A vehicle has no hands: leave the {held.kind.name} out."
        yield problem_of("vehicle-hands", message, f"shields[{at}]")


def _hands(spec: MachineSpec) -> Iterator[Problem]:
    if spec.is_vehicle:
        return
    in_hand: dict[str, list[str]] = {"right": [], "left": []}
    for at, armed in enumerate(spec.weapons):
        if not armed.is_in_hand:
            continue
        place = f"weapons[{at}].place"
        if armed.kind.hands == 0:
            yield problem_of("hands-full", f"No hand holds a {armed.kind.name}; it is only mounted.", place)
        elif armed.place == BOTH and armed.kind.hands == 1:
            yield problem_of("hands-full", f"The {armed.kind.name} is held in one hand, not in both.", place)
        for hand in in_hand if armed.place == BOTH else (armed.place,):
            in_hand[hand].append(armed.kind.tagged)
    for held in spec.shields:
        in_hand[held.place].append(held.kind.name)
    for hand, names in in_hand.items():
        if len(names) > 1:
            yield problem_of("hands-full", f"The {hand} hand holds one thing, not {join_words(names)}.", "weapons")


def _two_hands(spec: MachineSpec) -> Iterator[Problem]:
    """Yield the problems with two-handed weapons if a house rule requires both hands. HX-047."""
    for at, armed in enumerate(spec.weapons):
        if armed.is_halved and not spec.is_vehicle:
            message = f"The {armed.kind.tagged} needs both hands: hold it in both, mount it, or carry it."
            yield problem_of("two-hands", message, f"weapons[{at}].place")


def _shields(spec: MachineSpec) -> Iterator[Problem]:
    if len(spec.shields) > LIMITS["shields"]:
        yield problem_of("one-shield", f"A unit has one shield at most, not {len(spec.shields)}.", "shields")


def _carried(spec: MachineSpec) -> Iterator[Problem]:
    number = sum(armed.is_carried for armed in spec.weapons)
    if number > LIMITS["carried"]:
        yield problem_of(
            "carried-over-3", f"A mech carries {LIMITS['carried']} weapons at most, not {number}.", "weapons"
        )


def _mounts(spec: MachineSpec) -> Iterator[Problem]:
    on = Counter(armed.area for armed in spec.weapons if armed.is_mounted)
    for area in spec.areas:
        most = LIMITS["vital-mounts" if area.index == VITAL else "mounts"]
        if on[area.index] > most:
            message = f"{area.name} takes {pluralize(most, 'mounted weapon')}, not {on[area.index]}."
            yield problem_of("mount-slot", message, "weapons")


def _mountable(spec: MachineSpec) -> Iterator[Problem]:
    for at, armed in enumerate(spec.weapons):
        if armed.is_mounted and not armed.kind.mountable:
            yield problem_of("not-mountable", f"The {armed.kind.tagged} can't be mounted.", f"weapons[{at}].place")


def _jump(spec: MachineSpec) -> Iterator[Problem]:
    if spec.is_vehicle and "jump" in spec.systems:
        yield problem_of("vehicle-jump", "A vehicle never jumps.", f"systems[{spec.systems.index('jump')}]")


def is_allowed(system: System, spec: MachineSpec) -> bool:
    """Return whether the core can take that system."""
    return spec.core in system.cores if system.cores else system.vehicles or not spec.is_vehicle


def _options(spec: MachineSpec) -> Iterator[Problem]:
    for at, slug in enumerate(spec.systems):
        system = CATALOGUE.systems[slug]
        if not is_allowed(system, spec) and slug != "jump":
            message = f"{system.name} is not for the core {spec.frame.name}."
            if spec.frame.flies and slug == "flight" or spec.frame.swims and slug == "marine-kit":
                message = f"The core {spec.frame.name} has {system.name} built in."
            yield problem_of("option-not-allowed", message, f"systems[{at}]")
        if slug in spec.systems[:at]:
            yield problem_of("option-not-allowed", f"{system.name} is taken once.", f"systems[{at}]")
    for at, slug in enumerate(spec.mods):
        if CATALOGUE.mods[slug].mech_only and spec.is_vehicle:
            yield problem_of("option-not-allowed", f"{CATALOGUE.mods[slug].name} is for mechs.", f"mods[{at}]")
    for at, slug in enumerate(spec.traits):
        if slug in spec.traits[:at]:
            yield problem_of("option-not-allowed", f"{CATALOGUE.traits[slug].name} is taken once.", f"traits[{at}]")


def _transforms(spec: MachineSpec) -> Iterator[Problem]:
    forms = [CATALOGUE.systems[slug].name for slug in dict.fromkeys(spec.systems) if CATALOGUE.systems[slug].form]
    if len(forms) > 1:
        yield problem_of("two-transforms", f"A mech has one other form, not {join_words(forms)}.", "systems")


def _thrusters(spec: MachineSpec) -> Iterator[Problem]:
    names = [CATALOGUE.systems[slug].name for slug in dict.fromkeys(spec.systems) if CATALOGUE.systems[slug].thrust]
    if len(names) > 1:
        yield problem_of("two-thrusters", f"A unit has one kind of thrusters, not {join_words(names)}.", "systems")


def _mods(spec: MachineSpec) -> Iterator[Problem]:
    for slug, number in Counter(spec.mods).items():
        mod = CATALOGUE.mods[slug]
        if number > mod.limit:
            yield problem_of("mod-limit", f"{mod.name} is taken {_times(mod.limit)}, not {_times(number)}.", "mods")


def _traits(spec: MachineSpec) -> Iterator[Problem]:
    if len(spec.traits) > LIMITS["traits"]:
        message = f"A pilot has {LIMITS['traits']} traits at most, not {len(spec.traits)}."
        yield problem_of("traits-over-2", message, "traits")


def _primary(spec: MachineSpec) -> Iterator[Problem]:
    if spec.primary is not None and spec.weapons[spec.primary].is_carried:
        message = f"The {spec.weapons[spec.primary].kind.tagged} is carried; the primary weapon is at hand or mounted."
        yield problem_of("primary-not-ready", message, "primary")


def _royroy(spec: MachineSpec) -> Iterator[Problem]:
    if spec.royroy > len(spec.drones):
        message = f"There are {pluralize(spec.royroy, ROYROY.name)} for {pluralize(len(spec.drones), 'drone')}."
        yield problem_of("royroy-without-drone", message, "royroy")


def _class_problems(spec: MachineSpec) -> Iterator[Problem]:
    number = spec.unit_class.number
    if spec.stated_class not in (None, number):
        message = f"With {spec.total_dp} DP it is of Class {number}, not {spec.stated_class}."
        yield problem_of("class-mismatch", message, "stated_class")
    if spec.stated_cost not in (None, spec.cost):
        yield problem_of("cost-mismatch", f"It costs {spec.cost} points, not {spec.stated_cost}.", "stated_cost")
    for at, armed in enumerate(spec.weapons):
        if armed.written and armed.kind.is_two_handed and "[2H]" not in armed.written:
            message = f"The sheet writes {armed.written!r}: a two-handed weapon carries its tag, {armed.kind.tagged}."
            yield problem_of("tag-2h-missing", message, f"weapons[{at}].written")


DESIGN_RULES: tuple[Callable[[MachineSpec], Iterator[Problem]], ...] = (
    _srm,
    _armour,
    _vehicle_hands,
    _hands,
    _two_hands,
    _shields,
    _carried,
    _mounts,
    _mountable,
    _jump,
    _options,
    _transforms,
    _thrusters,
    _mods,
    _traits,
    _primary,
    _royroy,
    _class_problems,
)


def problem_of(code: str, message: str, place: str) -> Problem:
    return Problem(CATALOGUE.refusals[code].rule, message, place, code)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


FIRST_RANK = next(iter(CATALOGUE.ranks))


class PilotFields(Document):
    experience: str = FIRST_RANK
    skills: list[str] = []


def rank_of(experience: int) -> Rank:
    """Return the highest rank for this experience."""
    return [rank for rank in CATALOGUE.ranks.values() if experience >= rank.experience][-1]


def parse_pilot(data: object, path: str = "pilot") -> PilotSpec:
    """Return the pilot by rank and learned traits; None gives a Rookie. Raises DocumentError."""
    if data is None:
        return PilotSpec(FIRST_RANK)
    fields = parse_document(PilotFields, object_of(data, path), path)
    refuse_unknown(f"{path}.experience", "rank", fields.experience, CATALOGUE.ranks)
    for at, slug in enumerate(fields.skills):
        refuse_unknown(f"{path}.skills[{at}]", "trait", slug, CATALOGUE.traits)
    return PilotSpec(fields.experience, tuple(fields.skills))


def check_pilot(pilot: PilotSpec, spec: MachineSpec | None = None) -> tuple[Problem, ...]:
    """Return all problems with a pilot's learned traits, given the machine's own traits. HX-051, HX-177."""
    return tuple(_pilot_problems(pilot, spec))


def learned_cost(pilot: PilotSpec | None) -> int:
    """Return the Deployment Cost that a pilot's traits add to the machine. HX-177."""
    return sum(CATALOGUE.traits[slug].cost for slug in pilot.skills) if pilot else 0


def _pilot_problems(pilot: PilotSpec, spec: MachineSpec | None) -> Iterator[Problem]:
    rank = CATALOGUE.ranks[pilot.experience]
    if len(pilot.skills) > rank.traits:
        message = f"A {rank.name} has learned {pluralize(rank.traits, 'trait')}, not {len(pilot.skills)}."
        yield Problem(CATALOGUE.refusals["rank-traits"].rule, message, "pilot.skills", "rank-traits")
    traits = (*(spec.traits if spec else ()), *pilot.skills)
    if len(traits) > LIMITS["traits"] and pilot.skills:
        message = f"With the unit's own that's {len(traits)} traits; the limit is {LIMITS['traits']}."
        yield Problem("HX-051", message, "pilot.skills", "traits-over-2")
    for slug in dict.fromkeys(slug for slug in pilot.skills if traits.count(slug) > 1):
        yield Problem("HX-051", f"{CATALOGUE.traits[slug].name} is taken once.", "pilot.skills", "option-not-allowed")


def check_squad(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[MachineSpec]],
    options: Options = BY_THE_BOOK,
    side: str | None = None,
    extra_points: int = 0,
) -> Check:
    """Return cost and all problems of a squad, or of a company if there is no mission. HX-054, HX-174."""
    checks = [check_machine(member.spec, options) for member in members]
    costs = [check.points + learned_cost(member.pilot) for check, member in zip(checks, members, strict=True)]
    bill = tuple(BillLine(member.name, cost) for member, cost in zip(members, costs, strict=True))
    problems: list[Problem] = []
    for at, (check, member) in enumerate(zip(checks, members, strict=True)):
        learned = check_pilot(member.pilot, member.spec) if member.pilot else ()
        problems += (each.moved(f"members[{at}]") for each in (*check.problems, *learned))
    if scenario != "":
        limits = read_limits(scenario, side)
        problems += _squad_problems(len(members), sum(costs), options.size, limits, extra_points)
        problems += _mission_problems(scenario)
    warnings = [each.moved(f"members[{at}]") for at, check in enumerate(checks) for each in check.warnings]
    return Check(sum(costs), tuple(problems), tuple(warnings), bill)


def squad_limits(size: SquadSize, limits: SideLimits) -> tuple[int, int]:
    """Return a squad's maximum units and points; the scenario's limits override those of the squad's size. HX-054."""
    return limits.units_most or size.units, limits.points_most or size.points


def _squad_problems(
    number: int, points: int, size: SquadSize, limits: SideLimits, extra_points: int
) -> Iterator[Problem]:
    if not number:
        yield problem_of("squad-empty", "A squad needs at least one unit.", "members")
    yield from force_wrong(limits, number, points, BOUNDS, extra_points)
    if not limits.units_most and number > size.units:
        yield problem_of(
            "squad-too-many", f"A {size.name} squad has {size.units} units at most, not {number}.", "members"
        )
    _units, limit = squad_limits(size, limits)
    limit += extra_points
    if points > limit:
        whose = "the scenario allows" if limits.points_most else f"a {size.name} squad has"
        yield problem_of("squad-over-limit", f"The squad costs {points} points; {whose} {limit}.", "members")


def _mission_problems(given: str | Mapping[str, object]) -> Iterator[Problem]:
    if isinstance(given, str):
        if given not in CATALOGUE.missions:
            yield Problem("HX-163", f"There's no mission {ascii(given[:60])}.", "scenario")
        return
    try:
        parse_given(given)
    except DocumentError as error:
        yield Problem("HX-163", f"The scenario can't be read ({error.path}: {error.reason}).", "scenario")


def check_refit(before: MachineSpec, after: MachineSpec, options: Options = BY_THE_BOOK) -> Check:
    """Check and price a refit: additions cost their list price, removals refund half of it, rounded down.

    Core type and traits can't change.
    """
    problems = [*check_machine(after, options).problems]
    if before.core != after.core:
        problems.append(
            problem_of("refit-core", "A refit can't change the core type. Buy another unit instead.", "core")
        )
    if Counter(before.traits) != Counter(after.traits):
        message = "A refit can't change traits: they belong to the pilot and come with rank."
        problems.append(problem_of("refit-traits", message, "traits"))
    bill = tuple(_refit_bill(before, after))
    return Check(sum(line.points for line in bill), tuple(problems), (), bill)


def _refit_bill(before: MachineSpec, after: MachineSpec) -> Iterator[BillLine]:
    for each, was, now in zip(CATALOGUE.reductions.values(), before.srm, after.srm, strict=True):
        prices = (0, each.one, each.two)
        if was != now:
            steps = (min(max(count, 0), 2) for count in (was, now))
            old, new = (prices[count] for count in steps)
            yield _refit_line(f"{CATALOGUE.stats[each.stat].short}: {now} steps for {was}", new - old)
    if before.core == after.core:
        for area, was, now in zip(before.areas, before.armour, after.armour, strict=True):
            if was != now:
                yield _refit_line(f"{area.name}: armour {now} for {was}", now - was)
    old_parts, new_parts = Counter(_priced_parts(before)), Counter(_priced_parts(after))
    for (name, price), count in (new_parts - old_parts).items():
        yield BillLine(f"{name}{_count_suffix(count)}", price * count)
    for (name, price), count in (old_parts - new_parts).items():
        yield BillLine(f"{name}{_count_suffix(count)} taken off", -(price // 2) * count)


def _priced_parts(spec: MachineSpec) -> Iterator[tuple[str, int]]:
    """Yield everything on it that has a price of its own; places don't matter."""
    yield from ((armed.kind.tagged, armed.kind.cost) for armed in spec.weapons)
    yield from ((held.kind.name, held.kind.cost) for held in spec.shields)
    yield from ((CATALOGUE.drones[slug].name, CATALOGUE.drones[slug].cost) for slug in spec.drones)
    yield from [(ROYROY.name, ROYROY.cost)] * spec.royroy
    yield from ((CATALOGUE.systems[slug].name, CATALOGUE.systems[slug].cost) for slug in spec.systems)
    yield from ((CATALOGUE.mods[slug].name, CATALOGUE.mods[slug].cost) for slug in spec.mods)


def _refit_line(label: str, price: int) -> BillLine:
    """Return a line that charges an increase in full or refunds half of a reduction."""
    return BillLine(label, price if price > 0 else -(-price // 2))


def _count_suffix(count: int) -> str:
    return f" ×{count}" if count > 1 else ""
