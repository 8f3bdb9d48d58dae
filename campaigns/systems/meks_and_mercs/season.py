"""Seasons of Meks & Mercs: the table, and the house that lends Meks to a company that has none to field."""

from collections.abc import Mapping, Sequence

from campaigns.systems.base import SeasonGame, SeasonRow, ranked
from rosters.systems.base import CompanyMember, PilotSpec
from rosters.systems.meks_and_mercs import SYSTEM as ROSTERS
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE
from rosters.systems.meks_and_mercs.spec import MekSpec

from .aftermath import SEASON_POINTS

LOAN_DESIGN = "wasp"  # MM-S10
LOAN_LEVEL = "green"
LOAN_MOST = 12  # a side fields no more


def season_table(games: Sequence[SeasonGame]) -> tuple[SeasonRow, ...]:
    """Season points, then Meks destroyed less lost, then points of Meks destroyed, then name. MM-S12."""
    return ranked(games, SEASON_POINTS, lambda row: row.destroyed_points)


def house_loan(
    scenario: str,
    members: Sequence[CompanyMember[MekSpec]],
    *,
    side: str | None = None,
    options: Mapping[str, object] | None = None,
) -> int:
    """How many WASPs with Green pilots the house lends, so that the company can field a legal force. MM-S10.

    `members` are all who could be fielded; without a scenario a single legal Mek is a force. None are lent where
    WASPs would not help: Opening Shots wants a Medium too.
    """
    rules = {**(options or {}), "season-mode": "standing-company"}
    lent = [loan_member(number) for number in range(1, LOAN_MOST + 1)]
    for count in range(LOAN_MOST + 1):
        if _can_field(scenario, [*members, *lent[:count]], side, rules):
            return count
    return 0


def loan_member(number: int) -> CompanyMember[MekSpec]:
    """A lent WASP with its Green pilot."""
    design = ROSTERS.published[LOAN_DESIGN]
    return CompanyMember(f"{design.name} {number}", design.spec, PilotSpec(LOAN_LEVEL), is_new_pilot=True)


def _can_field(
    scenario: str, members: Sequence[CompanyMember[MekSpec]], side: str | None, options: Mapping[str, object]
) -> bool:
    """Whether some of these are a legal force: the cheapest of each size asked for, or any one of them."""
    terms = CATALOGUE.scenarios.get(scenario)
    wanted = (terms.defender if side == "defender" else terms.attacker).composition if terms else {}
    if not wanted:
        return any(_is_legal(scenario, [member], side, options) for member in members)
    manned = [member for member in members if member.pilot is not None]
    manned.sort(key=lambda member: ROSTERS.check_design(member.spec, options).points)
    force = [
        member
        for size, count in wanted.items()
        for member in [member for member in manned if member.spec.chassis == size][:count]
    ]
    return _is_legal(scenario, force, side, options)


def _is_legal(
    scenario: str, force: Sequence[CompanyMember[MekSpec]], side: str | None, options: Mapping[str, object]
) -> bool:
    check = ROSTERS.check_company(scenario, force, options, side=side)
    return check.legal if scenario else all(problem.place == "scenario" for problem in check.problems)
