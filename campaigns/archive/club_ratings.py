"""The rated matches of a club's document: the same ones as from the database. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from campaigns.archive.club_document import ClubDocument, ClubOdds
from campaigns.ratings.rule import SCORES, RatedMatch, StoredOdds
from campaigns.states import MatchState


def matches_of(document: ClubDocument) -> Iterator[RatedMatch]:
    """Yield the matches of closed rounds that were fought."""
    for place, campaign in enumerate(document.campaigns):
        owners = {company.key: company.owner for company in campaign.companies}
        for round_ in campaign.rounds:
            if round_.closed_at is None:
                continue
            for match in round_.matches:
                if match.state in MatchState.fought() and match.defender is not None and match.outcome in SCORES:
                    yield RatedMatch(
                        closed_at=datetime.fromisoformat(round_.closed_at),
                        campaign=place,
                        round=round_.number,
                        table=match.number,
                        system=campaign.system,
                        attacker=owners[match.attacker],
                        defender=owners[match.defender],
                        outcome=match.outcome,
                        odds=_odds(match.odds) if match.odds else None,
                        margin=match.margin,
                    )


def _odds(odds: ClubOdds) -> StoredOdds:
    return StoredOdds(
        runs=odds.runs,
        attacker_wins=odds.attacker_wins,
        defender_wins=odds.defender_wins,
        margins={int(margin): count for margin, count in odds.margins.items()},
    )
