"""Leagues of Blazing Steel: what breaks ties, who is fielded where nobody chose, what the house lends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.blazing_steel.build.legality import FORCE_MAX
from systems.blazing_steel.build.spec import WarmechSpec
from systems.blazing_steel.options import Options
from systems.roster import CompanyMember
from systems.season import richest_force

TIE_BREAKERS = ("score-difference", "score", "fewest-lost")  # BS-C07; after league points, and before the name
LOAN_DESIGN = "darter"


def house_loan(members: Sequence[CompanyMember[WarmechSpec]]) -> int:
    """How many Warmechs the house lends: one to a company that has none ready."""
    return 0 if members else 1


def standing_force(
    members: Sequence[CompanyMember[WarmechSpec]], options: Mapping[str, object], most: int
) -> tuple[int, ...]:
    """Places of the force with the most points within the limit, then of the fewest Warmechs, then the first. BS-C02."""
    points = [member.spec.points for member in members]
    return richest_force(points, Options.read(options).points_limit or sum(points), min(most, FORCE_MAX))
