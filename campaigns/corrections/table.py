"""The standings of a campaign and the holder of a territory: now, and with another verdict for one match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battles.models import Battle
from campaigns.models import Campaign, Match, MatchState, Outcome, Territory
from campaigns.results.settling import battle_figures
from campaigns.standings.selectors import WON, entrant_names, points_scheme, score_with_outcome
from campaigns.standings.table import Score, TableRow
from campaigns.standings.table import table as table_of
from systems import season_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a match ended, or would have ended."""

    state: str
    outcome: str
    battle: Battle | None

    @property
    def counts(self) -> bool:
        """Whether it gives points."""
        return self.state in MatchState.counting() and self.outcome in WON


def decided_matches(campaign: Campaign) -> list[Match]:
    """Return the campaign's matches, including byes, in order of play."""
    rows = Match.objects.filter(round__campaign=campaign)
    return list(
        rows.select_related("round", "attacker__company", "defender__company", "battle").order_by(
            "round__number", "number"
        )
    )


def standings_with(
    campaign: Campaign, matches: Sequence[Match], instead: Mapping[int, Verdict]
) -> tuple[TableRow, ...]:
    """Return the standings after these matches. `instead`: other verdicts for some of them, by id of the match."""
    scores = []
    for match in matches:
        verdict, figures = instead.get(match.pk), match.figures
        if verdict is None:
            verdict = verdict_of(match)
        else:
            figures = battle_figures(verdict.battle) if verdict.battle else {}
        is_forfeit = verdict.state == MatchState.FORFEITED
        score = score_with_outcome(match, verdict.outcome, figures, is_forfeit=is_forfeit) if verdict.counts else None
        if score is not None:
            scores.append(score)
        elif is_forfeit and verdict.outcome == Outcome.NONE:
            scores.append(Score(match.attacker_id, match.defender_id, "nobody", is_forfeit=True))
    names = entrant_names(campaign, matches)
    shares = season_rules(campaign.system).shares_places
    return table_of(names, scores, points_scheme(campaign), campaign.tie_breakers, shares_places=shares)


def territory_holder(matches: Sequence[Match], territory: Territory, instead: Mapping[int, Verdict]) -> str:
    """Return the winner of the last match for the territory, else the company whose home it is; empty if nobody."""
    held = territory.home.company.name if territory.home else ""
    for match in matches:
        if match.territory_id != territory.pk or match.defender is None:
            continue
        verdict = instead.get(match.pk) or verdict_of(match)
        if verdict.counts and verdict.outcome != Outcome.DRAW:
            winner = match.attacker if verdict.outcome == Outcome.ATTACKER else match.defender
            held = winner.company.name
    return held


def verdict_of(match: Match) -> Verdict:
    """Return how the match ended."""
    return Verdict(state=match.state, outcome=match.outcome, battle=match.battle)
