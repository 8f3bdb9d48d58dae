"""Seasons of Meks & Mercs: tie-breakers, the force fielded without a player, and the Meks that the house lends."""

from collections.abc import Mapping, Sequence

from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.legality import force_limits
from systems.meks_and_mercs.build.spec import MekSpec
from systems.roster import CompanyMember, PilotSpec

TIE_BREAKERS = ("destroyed", "destroyed-points")  # MM-S12; after season points, and before the name
LOAN_DESIGN = "wasp"  # MM-S10
LOAN_LEVEL = "green"
SEASON_MODES_HELP = (  # MM-S06
    "Fresh build, as the text has it: Meks are bought anew for each match, out of its scenario’s points, and pilots are what "
    "stays. Standing company: Meks, damage and money go from match to match."
)
MAX_LOAN = 12  # the most that a side fields


def house_loan(scenario: str, members: Sequence[CompanyMember[MekSpec]], *, side: str | None = None) -> int:
    """Return the number of WASPs with Green pilots that the house lends so that a company has a legal force. MM-S10.

    `members` are all units that could be fielded; without a scenario a single legal Mek is a force. None are lent where
    WASPs would not help: Opening Shots wants a Medium too.
    """
    rules = {"season-mode": "standing-company"}
    lent = [loan_member(number) for number in range(1, MAX_LOAN + 1)]
    for count in range(MAX_LOAN + 1):
        if best_force(scenario, [*members, *lent[:count]], rules, side=side):
            return count
    return 0


def loan_member(number: int) -> CompanyMember[MekSpec]:
    """Return a lent WASP with its Green pilot."""
    design = ROSTERS.published[LOAN_DESIGN]
    return CompanyMember(f"{design.name} {number}", design.spec, PilotSpec(LOAN_LEVEL), is_new_pilot=True)


def best_force(
    scenario: str | Mapping[str, object],
    members: Sequence[CompanyMember[MekSpec]],
    options: Mapping[str, object],
    *,
    side: str | None = None,
    most: int = MAX_LOAN,
) -> tuple[int, ...]:
    """Return the places of the legal force worth the most points. MM-010.

    Of several, it is the one whose Meks come first; it is empty if there is no legal force. The search is exact: for each
    number of Meks (of each size, if the scenario says how many of each) and each sum of points, the first choice is kept. A
    place that is no scenario sets no limits.
    """
    limits = force_limits(scenario, side)
    wanted = limits.composition if limits else {}
    points = {
        place: ROSTERS.check_design(member.spec, options).points
        for place, member in enumerate(members)
        if _is_sound(member, options) and (limits is None or member.spec.chassis in limits.sizes)
    }
    allowed = limits.points if limits else sum(points.values())
    if not wanted and len(points) <= most and sum(points.values()) <= allowed:
        return tuple(points)
    if limits is None:
        return tuple(sorted(sorted(points, key=lambda place: (-points[place], place))[:most]))
    choices: dict[tuple[tuple[str, ...], int], tuple[int, ...]] = {((), 0): ()}
    for place, price in points.items():
        size = members[place].spec.chassis if wanted else ""
        for (sizes, total), chosen in list(choices.items()):
            if len(chosen) == most or total + price > allowed:
                continue
            if wanted and sizes.count(size) == wanted.get(size, 0):
                continue
            key, found = (tuple(sorted((*sizes, size))), total + price), (*chosen, place)
            choices[key] = min(choices.get(key, found), found)
    exact = tuple(sorted(size for size, count in wanted.items() for _ in range(count)))
    forces = [
        (total, chosen) for (sizes, total), chosen in choices.items() if chosen and (not wanted or sizes == exact)
    ]
    return min(forces, key=lambda force: (-force[0], force[1]), default=(0, ()))[1]


def _is_sound(member: CompanyMember[MekSpec], options: Mapping[str, object]) -> bool:
    """Return whether Mek and pilot are legal in any scenario."""
    return all(problem.place == "scenario" for problem in ROSTERS.check_company("", [member], options).problems)
