"""Leagues of Hex Core: tie-breakers, default line-ups, and units that the house lends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.hex_core.build.pilots import FIRST_RANK, learned_cost
from systems.hex_core.build.scenario import read_limits
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.build.squads import check_squad, squad_limits
from systems.hex_core.options import Options
from systems.roster import CompanyMember, PilotSpec

TIE_BREAKERS = ("destroyed-points", "fewest-points-lost")  # HX-183; after league points
LOAN_DESIGN = "trooper"
LOAN_PILOT = PilotSpec(FIRST_RANK)


def house_loan(members: Sequence[CompanyMember[MachineSpec]]) -> int:
    """Return how many units the house lends: one if a company has none ready."""
    return 0 if members else 1


def is_legal(member: CompanyMember[MachineSpec], options: Mapping[str, object]) -> bool:
    """Return whether a unit of a company may be fielded as it is built and crewed. HX-174."""
    return check_squad("", [member], Options.read(options)).legal


def standing_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[MachineSpec]],
    options: Mapping[str, object],
    side: str,
    most: int,
) -> tuple[int, ...]:
    """Return the places of the squad that costs most within its limits. HX-054, HX-174.

    Among equals it is the one with the fewest units, then the first: as limits are small, the first squad of each cost and
    number is kept.
    """
    limits = read_limits(scenario, side)
    units, limit = squad_limits(Options.read(options).size, limits)
    most = min(most, units)
    best: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}  # by cost and number
    for place, member in enumerate(members):
        cost = member.spec.cost + learned_cost(member.pilot)
        for (points, number), places in list(best.items()):
            now = (points + cost, number + 1)
            if now[0] <= limit and now[1] <= most and now not in best:
                best[now] = (*places, place)
    enough = [found for found in best if found[1] >= limits.units_least]
    return best[max(enough, key=lambda found: (found[0], -found[1]))] if enough else ()
