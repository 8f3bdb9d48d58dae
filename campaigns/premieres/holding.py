"""What a premiere keeps from a match until it is over. Knows rows alone; everything that decides a match asks here."""

from __future__ import annotations

from django.utils import timezone

from campaigns.models import Match, MatchState, Premiere, Round, RoundState
from rosters.jobs import JobStatus

NOTHING_TO_FIELD = "A side had nothing to field."
PLAYED = (MatchState.SCHEDULED, MatchState.REPORTED)  # what can still be told: nobody has decided it, or differs


def premiere_of(match: Match) -> Premiere | None:
    """The premiere of the match that is to come, or on."""
    found: Premiere | None = getattr(match, "premiere", None)
    return found if found is not None and found.is_live else None


def premiere_drop(match: Match, why: str = "It was decided before.") -> None:
    """Does away with the premiere of a locked match that is being decided; of one that was told nothing is left to drop."""
    Premiere.objects.filter(match=match, status__in=Premiere.LIVE).update(
        status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now(), ended=why
    )


def premieres_waited_for(round_: Round) -> int:
    """How many matches of the round wait for their premieres."""
    return Premiere.objects.filter(match__round=round_, match__state__in=PLAYED, status__in=Premiere.LIVE).count()


def why_held(match: Match) -> str:
    """Why nothing else decides the match; empty if it may be decided.

    Until its round is closed it is played and reported as any other. From then on it is fought by orders, at its hour.
    """
    premiere = premiere_of(match)
    if premiere is None:
        return ""
    if premiere.began_at is not None:
        return "The premiere of this match is on; it is decided when that is over."
    if match.round.state != RoundState.CLOSED:
        return ""
    if premiere.is_off:
        return "This match is being fought by orders."
    return "The round is closed, and this match is fought by orders at its premiere. An organiser can call that off."
