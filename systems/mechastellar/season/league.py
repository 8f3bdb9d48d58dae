"""Leagues of MechaStellar: tie-breakers, default line-ups, and units that the house lends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.mechastellar.build.legality import FORCE, at_crew_level, points_limit
from systems.mechastellar.build.points import profile_points
from systems.mechastellar.build.spec import UnitSpec
from systems.mechastellar.options import Options
from systems.roster import CompanyMember, PilotSpec
from systems.season import richest_force

TIE_BREAKERS = ("score-difference", "score")  # ST-402; after league points, and before the name
LOAN_DESIGN = "green-viking"
LOAN_PILOT = PilotSpec("basic")


def house_loan(members: Sequence[CompanyMember[UnitSpec]]) -> int:
    """Return how many units the house lends: one if a company has none ready."""
    return 0 if members else 1


def standing_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[UnitSpec]],
    options: Mapping[str, object],
    most: int,
) -> tuple[int, ...]:
    """Return the places of the force with the most points within the limit. ST-013.

    Among equals it is the one with the fewest units, then the first.
    """
    rules = Options.read(options)
    places = [at for at, member in enumerate(members) if rules.is_advanced or not member.spec.is_warship]
    points = [profile_points(at_crew_level(members[at].spec, members[at].pilot)) for at in places]
    chosen = richest_force(points, points_limit(scenario, rules) or sum(points), min(most, FORCE.most))
    return tuple(places[at] for at in chosen)
