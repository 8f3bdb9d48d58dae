"""The legality of a squad, and of a company from which squads are picked: every problem at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from systems.documents import DocumentError
from systems.force_limits import SideLimits, force_wrong
from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.catalogue.types import SquadSize
from systems.hex_core.options import BY_THE_BOOK, Options
from systems.legality import BillLine, Check, Problem
from systems.roster import CompanyMember

from .legality import check_machine, problem_of
from .pilots import check_pilot, learned_cost
from .scenario import BOUNDS, parse_given, read_limits
from .spec import MachineSpec


def check_squad(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[MachineSpec]],
    options: Options = BY_THE_BOOK,
    side: str | None = None,
    extra_points: int = 0,
) -> Check:
    """Return cost and every problem of a squad, or of a company if no mission is given. HX-054, HX-174."""
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
    """Return the most units and points of a squad: the scenario's limits override those of its size. HX-054."""
    return limits.units_most or size.units, limits.points_most or size.points


def _squad_problems(
    number: int, points: int, size: SquadSize, limits: SideLimits, extra_points: int
) -> Iterator[Problem]:
    if not number:
        yield problem_of("squad-empty", "A squad has one unit at least.", "members")
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
            yield Problem("HX-163", f"There is no mission {ascii(given[:60])}.", "scenario")
        return
    try:
        parse_given(given)
    except DocumentError as error:
        yield Problem("HX-163", f"The scenario can't be read ({error.path}: {error.reason}).", "scenario")
