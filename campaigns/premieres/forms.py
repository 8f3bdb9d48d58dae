"""The form for when a watch party begins, and how fast it is shown."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone

from campaigns.models import Match, WatchParty, RoundState
from rosters.site.forms.local_times import LocalTimeField

from .services import PACES

QUARTER_HOUR = timedelta(minutes=15)


class PremiereForm(forms.Form):
    at = LocalTimeField(
        label="Begins",
        help_text="In your time zone. Everybody else sees it in theirs.",
    )
    pace = forms.TypedChoiceField(
        coerce=int,
        choices=[(pace, f"{pace} seconds") for pace in PACES],
        label="Each step is shown for",
    )


def premiere_initial(match: Match, premiere: WatchParty | None) -> dict[str, object]:
    """Return the form's initial values: the announced time, or the first quarter of an hour that is allowed."""
    if premiere is not None:
        return {"at": timezone.localtime(premiere.at), "pace": premiere.pace}
    return {"at": first_allowed_time(match, timezone.now()), "pace": PACES[1]}


def first_allowed_time(match: Match, now: datetime) -> datetime:
    """Return a time at least 15 minutes after the deadline, on a quarter of an hour by the reader's clock."""
    deadline = match.round.deadline if match.round.state == RoundState.OPEN else None
    there = timezone.localtime(max(now, deadline or now) + QUARTER_HOUR)
    past = timedelta(minutes=there.minute % 15, seconds=there.second, microseconds=there.microsecond)
    return there - past + (QUARTER_HOUR if past else timedelta())
