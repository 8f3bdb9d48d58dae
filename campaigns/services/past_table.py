"""The table of a campaign and the holder of a territory, as they are and as they would be with one match otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battles.documents import read_setup
from battles.models import Battle
from campaigns.models import Campaign, Match, MatchState, Outcome
from campaigns.systems import SYSTEMS
from campaigns.systems.base import Result, SeasonGame, SeasonRow
from rosters.models import LedgerEntry

from ._base import FOUGHT
from .aftermath import losses

COUNTED = (*FOUGHT, MatchState.FORFEITED)
RESULTS: Mapping[str, tuple[Result, Result]] = {
    Outcome.ATTACKER: ("won", "lost"),
    Outcome.DEFENDER: ("lost", "won"),
    Outcome.DRAW: ("drawn", "drawn"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a match ended, or would have."""

    state: str
    outcome: str
    battle: Battle | None

    @property
    def counts(self) -> bool:
        """Whether it gives points."""
        return self.state in COUNTED and self.outcome in RESULTS


def decided_matches(campaign: Campaign) -> list[Match]:
    """The campaign's matches that have an opponent, in order of play."""
    rows = Match.objects.filter(round__campaign=campaign, defender__isnull=False)
    return list(
        rows.select_related("round", "attacker__company", "defender__company", "battle").order_by(
            "round__number", "number"
        )
    )


def table(campaign: Campaign, matches: Sequence[Match], instead: Mapping[int, Verdict]) -> tuple[SeasonRow, ...]:
    """The table after these matches, with other verdicts for some (by id of the match)."""
    rules = SYSTEMS.get(campaign.system)
    if rules is None:
        return ()
    verdicts = {match.pk: instead.get(match.pk) or verdict_of(match) for match in matches}
    booked = _booked([each.battle for each in verdicts.values() if each.battle is not None])
    games: list[SeasonGame] = []
    for match in matches:
        verdict = verdicts[match.pk]
        if not verdict.counts or match.defender is None:
            continue
        for at, enrolment in enumerate((match.attacker, match.defender)):
            destroyed, lost, points = _losses(verdict.battle, at, enrolment.company_id, booked)
            games.append(
                SeasonGame(
                    company=enrolment.company.name,
                    result=RESULTS[verdict.outcome][at],
                    destroyed=destroyed,
                    lost=lost,
                    destroyed_points=points,
                )
            )
    return rules.season_table(games)


def holder(matches: Sequence[Match], territory: int, instead: Mapping[int, Verdict]) -> str:
    """Who won the last match that was fought for the territory; empty: nobody yet."""
    held = ""
    for match in matches:
        if match.territory_id != territory or match.defender is None:
            continue
        verdict = instead.get(match.pk) or verdict_of(match)
        if verdict.counts and verdict.outcome != Outcome.DRAW:
            winner = match.attacker if verdict.outcome == Outcome.ATTACKER else match.defender
            held = winner.company.name
    return held


def verdict_of(match: Match) -> Verdict:
    """How the match ended."""
    return Verdict(state=match.state, outcome=match.outcome, battle=match.battle)


def _booked(battles: Sequence[Battle]) -> dict[tuple[str, int], tuple[int, int, int]]:
    """Units destroyed and lost and points destroyed, by battle and company, as the ledgers have them."""
    rows = LedgerEntry.objects.filter(
        kind=LedgerEntry.Kind.GAME,
        cause_ref__in=[str(battle.key) for battle in battles if battle.pk],
        reverses=None,
        reversed_by=None,
    ).values_list("cause_ref", "company", "facts")
    return {
        (ref, company): (facts["destroyed"], facts["lost"], facts["destroyed_points"]) for ref, company, facts in rows
    }


def _losses(
    battle: Battle | None, at: int, company: int, booked: Mapping[tuple[str, int], tuple[int, int, int]]
) -> tuple[int, int, int]:
    if battle is None or battle.result is None:
        return 0, 0, 0
    known = booked.get((str(battle.key), company))
    if known is not None:
        return known
    setup = read_setup(battle.setup)
    return losses(battle, setup, setup.sides[at].name)
