"""Leagues of Blazing Steel: tie-breakers, default line-ups, and units that the house lends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.blazing_steel.build.legality import FORCE_MAX, side_limits
from systems.blazing_steel.build.spec import WarmechSpec
from systems.blazing_steel.options import Options
from systems.roster import CompanyMember
from systems.season import richest_force

TIE_BREAKERS = ("score-difference", "score", "fewest-lost")  # BS-C07; after league points, and before the name
LOAN_DESIGN = "darter"


def house_loan(members: Sequence[CompanyMember[WarmechSpec]]) -> int:
    """Return how many Warmechs the house lends: one if a company has none ready."""
    return 0 if members else 1


def standing_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[WarmechSpec]],
    options: Mapping[str, object],
    side: str,
    most: int,
) -> tuple[int, ...]:
    """Return the places of the force with the most points within the limits. BS-C02.

    Among equals it is the one with the fewest Warmechs, then the first.
    """
    points = [member.spec.points for member in members]
    limits = side_limits(scenario, side, Options.read(options))
    most = min(most, limits.units_most or FORCE_MAX)
    return richest_force(points, limits.points_most or sum(points), most, limits.units_least)
