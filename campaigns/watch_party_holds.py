"""Checks of whether a watch party withholds the decision of a match.

This module uses rows only. Everything that decides a match uses it.
"""

from __future__ import annotations

from django.utils import timezone

from campaigns.models import Match, MatchState, Round, RoundState, WatchParty
from rosters.jobs import JobStatus

NOTHING_TO_FIELD = "One player had no list to field."


def live_watch_party(match: Match) -> WatchParty | None:
    """Return the upcoming or running watch party of the match."""
    found: WatchParty | None = getattr(match, "watch_party", None)
    return found if found is not None and found.is_live else None


def watch_party_drop(match: Match, why: str = "It was decided earlier.") -> None:
    """Call off the watch party of a locked match that is being decided; nothing happens if it has ended already."""
    WatchParty.objects.filter(match=match, status__in=WatchParty.LIVE).update(
        status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now(), ended=why
    )


def count_live_watch_parties(round_: Round) -> int:
    """Return how many matches of the round wait for their watch parties."""
    return WatchParty.objects.filter(
        match__round=round_, match__state__in=MatchState.awaiting_reports(), status__in=WatchParty.LIVE
    ).count()


def hold_reason(match: Match) -> str:
    """Return why nothing else may decide the match; empty if it may be decided.

    Until its round is closed the match is played and reported like any other. After that it is simulated with
    autoplay orders, at the announced time.
    """
    party = live_watch_party(match)
    if party is None:
        return ""
    if party.began_at is not None:
        return "This match's watch party is on. It is decided when that ends."
    if match.round.state != RoundState.CLOSED:
        return ""
    if party.is_cancelled:
        return "This match is being simulated."
    return "The round is closed, and this match is simulated at its watch party. An organiser can cancel that."
