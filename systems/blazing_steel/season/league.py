"""Leagues of Blazing Steel: what breaks ties, who is fielded where nobody chose, what the house lends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.blazing_steel.build.legality import FORCE_MAX
from systems.blazing_steel.build.spec import WarmechSpec
from systems.blazing_steel.options import Options
from systems.roster import CompanyMember

TIE_BREAKERS = ("score-difference", "score", "fewest-lost")  # BS-C07; after league points, and before the name
LOAN_DESIGN = "darter"


def house_loan(members: Sequence[CompanyMember[WarmechSpec]]) -> int:
    """How many Warmechs the house lends: one to a company that has none ready."""
    return 0 if members else 1


def standing_force(
    members: Sequence[CompanyMember[WarmechSpec]], options: Mapping[str, object], most: int
) -> tuple[int, ...]:
    """Places of the force with the most points within the limit, then of the fewest Warmechs, then the first. BS-C02.

    Points are few, so the best force of each sum is kept.
    """
    most = min(most, FORCE_MAX)
    limit = Options.read(options).points_limit or sum(member.spec.points for member in members)
    best: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}  # by points and number
    for place, member in enumerate(members):
        for (points, number), places in list(best.items()):
            now = (points + member.spec.points, number + 1)
            if now[0] <= limit and now[1] <= most and now not in best:
                best[now] = (*places, place)
    return best[max(best, key=lambda found: (found[0], -found[1]))]
