"""The legality of units, forces and companies: all problems at once, each with its code and rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from systems.documents import DocumentError
from systems.legality import BillLine, Check, Problem, pluralize
from systems.mech_campaign.build.datasheet import action_points
from systems.mech_campaign.build.scenario import check_scenario, parse_given
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE, DAMAGE_TO_ELIMINATE
from systems.mech_campaign.options import Options
from systems.roster import CompanyMember, PilotSpec

SIZE_MIN = CATALOGUE.force_limits["size-min"].value
SIZE_MAX = CATALOGUE.force_limits["size-max"].value
COMPANY_UNITS = CATALOGUE.force_limits["company-units"].value
SCENARIO_PLACE = "scenario"


@dataclass(frozen=True, slots=True)
class ForceUnit:
    """A unit of a proposed force; its kind may be unknown."""

    name: str
    kind: str
    damage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceLine:
    """The totals of a force, as in a roster's last line."""

    units: int
    mechs: int
    points: int
    least: int  # fewest action points per turn
    mean: Fraction
    most: int
    basic: int  # action points for one action by each unit
    full: int  # the same, plus both shots by each heavy mech

    def __str__(self) -> str:
        return (
            f"{pluralize(self.units, 'unit')}, {pluralize(self.mechs, 'mech')}, {pluralize(self.points, 'point')}, "
            f"action points {self.least}–{self.most} (mean {float(self.mean):g}), basic {self.basic}, full {self.full}"
        )


def check_unit(spec: UnitSpec) -> Check:
    """Return points and problems of one unit. MC-005, MC-011, MC-014."""
    kind = spec.unit_kind
    problems = []
    if spec.base_vehicle and not kind.has_base_vehicle:
        message = f"A {kind.name.lower()} has no base vehicle. Only drones have one."
        problems.append(Problem("MC-014", message, "base_vehicle"))
    notes = ("Its armament is just a name: the rules treat all weapons alike.",) if spec.armament else ()
    return Check(kind.points, tuple(problems), (), (BillLine(kind.name, kind.points),), notes)


def check_force(units: Sequence[ForceUnit], cap: int, place: str = "units", *, heavy_limit: bool = False) -> Check:
    """Return points and problems of a force, in the order of `refusals.toml`. MC-002 to MC-005, MC-013, MC-028.

    `heavy_limit`: the house rule that at most half the units are heavy mechs.
    """
    known = [CATALOGUE.unit_kinds[unit.kind] for unit in units if unit.kind in CATALOGUE.unit_kinds]
    bill = tuple(
        BillLine(unit.name, CATALOGUE.unit_kinds[unit.kind].points)
        for unit in units
        if unit.kind in CATALOGUE.unit_kinds
    )
    points = sum(line.points for line in bill)
    size, mechs = len(units), sum(kind.is_mech for kind in known)
    heavies = sum(kind.slug == "heavy-mech" for kind in known)
    problems = []
    for at, unit in enumerate(units):
        if unit.kind not in CATALOGUE.unit_kinds:
            message = f"{unit.name} has an unknown kind: {ascii(unit.kind[:60])}."
            problems.append(_problem("unknown-unit-kind", message, f"{place}[{at}]"))
    if size < SIZE_MIN:
        message = f"A force needs at least {SIZE_MIN} units; this one has {pluralize(size, 'unit')}."
        problems.append(_problem("force-too-small", message, place))
    if size > SIZE_MAX:
        problems.append(too_many_units_problem(size, place))
    if 2 * mechs <= size:
        message = f"More than half of a force must be mechs; {mechs} of {pluralize(size, 'unit')} isn't enough."
        problems.append(_problem("mechs-not-majority", message, place))
    if heavy_limit and heavies > max_heavy_mechs(size):
        message = f"A force of {size} has {max_heavy_mechs(size)} heavy mechs at most, not {heavies}."
        problems.append(_problem("too-many-heavy-mechs", message, place))
    for at, unit in enumerate(units):
        if not 0 <= unit.damage < DAMAGE_TO_ELIMINATE:
            message = f"{unit.name} can't start with {unit.damage} damage. Enter 0 to {DAMAGE_TO_ELIMINATE - 1}."
            problems.append(_problem("damage-out-of-range", message, f"{place}[{at}]"))
    if cap and points > cap:
        problems.append(_problem("points-over-cap", f"The force is worth {points} points; the cap is {cap}.", place))
    return Check(points, tuple(problems), (), bill, (str(force_line(known_kinds(units))),) if known else ())


def too_many_units_problem(size: int, place: str = "units") -> Problem:
    """Return the problem of a force with too many units. MC-002."""
    return _problem("force-too-large", f"A force has {SIZE_MAX} units at most, not {size}.", place)


def max_heavy_mechs(size: int) -> int:
    """Return how many heavy mechs a force of this size may have with the house rule heavy-limit. MC-004."""
    return (size + 1) // 2


def known_kinds(units: Sequence[ForceUnit]) -> list[str]:
    return [unit.kind for unit in units if unit.kind in CATALOGUE.unit_kinds]


def force_line(kinds: Sequence[str]) -> ForceLine:
    """Return the totals of a force of these unit kinds."""
    units = [CATALOGUE.unit_kinds[slug] for slug in kinds]
    least, mean, most = action_points(len(units))
    second_shots = sum(unit.shooting_actions > 1 for unit in units)
    second_cost = CATALOGUE.action_costs["second"].cost
    return ForceLine(
        units=len(units),
        mechs=sum(unit.is_mech for unit in units),
        points=sum(unit.points for unit in units),
        least=least,
        mean=mean,
        most=most,
        basic=len(units),
        full=len(units) + second_cost * second_shots,
    )


def can_field(kinds: Sequence[str], cap: int = 0, *, heavy_limit: bool = False) -> bool:
    """Return whether any legal force can be made from these units. MC-201."""
    counts = [kinds.count(slug) for slug in CATALOGUE.unit_kinds]
    for chosen in product(*(range(min(count, SIZE_MAX) + 1) for count in counts)):
        if not SIZE_MIN <= sum(chosen) <= SIZE_MAX:
            continue
        units = [
            ForceUnit(slug, slug)
            for slug, count in zip(CATALOGUE.unit_kinds, chosen, strict=True)
            for _ in range(count)
        ]
        if check_force(units, cap, heavy_limit=heavy_limit).legal:
            return True
    return False


def check_pilot(pilot: PilotSpec, spec: UnitSpec | None) -> tuple[Problem, ...]:
    """Return a pilot's problems in this unit. MC-202."""
    if spec is None or spec.unit_kind.is_piloted:
        return ()
    return (Problem("MC-202", f"A {spec.unit_kind.name.lower()} takes no pilot.", ""),)


def check_company(
    given: str | Mapping[str, object],
    members: Sequence[CompanyMember[UnitSpec]],
    options: Options,
    extra_points: int,
) -> Check:
    """Return points and problems of a force in a scenario, or of a company if there is no scenario."""
    problems: list[Problem] = []
    for at, member in enumerate(members):
        problems += (problem.moved(f"members[{at}]") for problem in check_unit(member.spec).problems)
        if member.pilot is None and member.spec.unit_kind.is_piloted:  # MC-202
            problems.append(Problem("MC-202", f"{member.name} has no pilot.", f"members[{at}].pilot"))
    if given == "":
        return _company(members, problems, options)
    problems += _scenario_problems(given)
    cap = scenario_cap(given) or options.points_cap
    units = [ForceUnit(member.name, member.spec.kind) for member in members]
    force = check_force(units, cap + extra_points if cap else 0, "members", heavy_limit=options.heavy_limit)
    return Check(force.points, (*problems, *force.problems), (), force.bill, force.notes)


def scenario_cap(given: str | Mapping[str, object]) -> int:
    """Return a side's points limit in the scenario, which overrides the house rule; 0: none. MC-005."""
    if isinstance(given, str):
        return 0
    try:
        return parse_given(given)[1].force_points
    except DocumentError:
        return 0  # the scenario check reports that it is unreadable


def _company(members: Sequence[CompanyMember[UnitSpec]], problems: list[Problem], options: Options) -> Check:
    """Return points and problems of a company. MC-201."""
    cap = options.points_cap
    bill = tuple(BillLine(member.name, member.spec.unit_kind.points) for member in members)
    if len(members) > COMPANY_UNITS:
        message = f"A company has {COMPANY_UNITS} units at most, not {len(members)}."
        problems.append(Problem("MC-201", message, "members"))
    elif not can_field([member.spec.kind for member in members], cap, heavy_limit=options.heavy_limit):
        within = f" within the cap of {cap} points" if cap else ""
        message = (
            f"No legal force can be made of these units{within}: "
            f"{SIZE_MIN} to {SIZE_MAX} units, more than half of them mechs"
            f"{', heavy mechs at most half of the units, rounded up' if options.heavy_limit else ''}."
        )
        problems.append(Problem("MC-201", message, "members"))
    return Check(sum(line.points for line in bill), tuple(problems), (), bill)


def _scenario_problems(given: str | Mapping[str, object]) -> list[Problem]:
    if isinstance(given, str):
        if given in CATALOGUE.scenarios:
            return []
        return [Problem("MC-122", f"There's no scenario {ascii(given[:60])}.", SCENARIO_PLACE)]
    try:
        name, spec = parse_given(given)
    except DocumentError as error:
        message = f"The scenario can't be read ({error.path}: {error.reason})."
        return [Problem("MC-122", message, SCENARIO_PLACE)]
    return [
        Problem(problem.rule, f"{name} can't be played yet: {problem.message}", SCENARIO_PLACE)
        for problem in check_scenario(spec).problems
    ]


def _problem(code: str, message: str, place: str) -> Problem:
    return Problem(CATALOGUE.refusals[code].rule, message, place, code)
