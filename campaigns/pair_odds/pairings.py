"""Notes for the organiser on a planned match: previous meetings, standings and odds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaigns.models import Campaign, FairDraw, Match, MatchState, PairOdds
from campaigns.pair_odds.selectors import PairOddsRow, pair_odds_row
from campaigns.standings.selectors import standings
from rosters.site.compiled import PreparedQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingNote:
    """Notes on one planned match; attacker before defender."""

    rounds: tuple[int, ...]  # the rounds in which they have met
    places: tuple[int, int] | None  # in the table; None before anything was played
    points: tuple[int, int]
    odds: PairOddsRow


def pairing_notes(
    campaign: Campaign, matches: Iterable[Match], number: int, draw: FairDraw | None, job: PairOdds | None = None
) -> dict[int, PairingNote]:
    """Return the notes by match, without byes; `number` is the round's, and only earlier rounds count. Four queries."""
    met: dict[frozenset[int], list[int]] = {}
    for before, attacker, defender in MET.rows(campaign=campaign.pk):
        if before < number:
            met.setdefault(frozenset((attacker, defender)), []).append(before)
    rows = {each.row.entrant: each.row for each in standings(campaign)}
    has_played = any(row.played or row.byes for row in rows.values())
    notes = {}
    for match in matches:
        if match.defender_id is None or match.attacker_id not in rows or match.defender_id not in rows:
            continue
        one, two = rows[match.attacker_id], rows[match.defender_id]
        notes[match.pk] = PairingNote(
            rounds=tuple(met.get(frozenset((match.attacker_id, match.defender_id)), ())),
            places=(one.place, two.place) if has_played else None,
            points=(one.points, two.points),
            odds=pair_odds_row(match, draw, job),
        )
    return notes


MET = PreparedQuery(
    lambda campaign: (
        Match.objects.filter(round__campaign=campaign, defender__isnull=False)
        .filter(state__in=MatchState.meetings())
        .order_by("round__number")
        .values_list("round__number", "attacker", "defender")
    ),
    campaign=int,
)
