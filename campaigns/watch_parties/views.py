"""A watch party on the page of its match: its form, its context, and the stage as it is now."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from campaigns.models import Match, MatchState, RoundState, WatchParty
from campaigns.shortcuts import match_or_404
from campaigns.watch_parties.selectors import WatchPartyNote, render_stage, watch_party_row
from campaigns.watch_parties.services import PACES
from campaigns.watch_party_holds import live_watch_party
from rosters.site.forms import LocalTimeField

QUARTER_HOUR = timedelta(minutes=15)
FIELD_IDS = "party_%s"


class WatchPartyForm(forms.Form):
    at = LocalTimeField(
        label="Start",
        help_text="In your time zone. Others see it in theirs.",
    )
    pace = forms.TypedChoiceField(
        coerce=int,
        choices=[(pace, f"{pace} seconds") for pace in PACES],
        label="Time per step",
    )


def watch_party_initial(match: Match, party: WatchParty | None) -> dict[str, object]:
    """Return the form's initial values: the announced time, or the first quarter of an hour that is allowed."""
    if party is not None:
        return {"at": timezone.localtime(party.starts_at), "pace": party.pace}
    return {"at": first_allowed_time(match, timezone.now()), "pace": PACES[1]}


def first_allowed_time(match: Match, now: datetime) -> datetime:
    """Return a time at least 15 minutes after the deadline, on a quarter of an hour by the reader's clock."""
    deadline = match.round.deadline if match.round.state == RoundState.OPEN else None
    there = timezone.localtime(max(now, deadline or now) + QUARTER_HOUR)
    past = timedelta(minutes=there.minute % 15, seconds=there.second, microseconds=there.microsecond)
    return there - past + (QUARTER_HOUR if past else timedelta())


def watch_party_context(
    match: Match, note: WatchPartyNote | None, form: WatchPartyForm | None = None
) -> dict[str, object]:
    """Return the context of the watch party on the page of a match, with a refused form if one is given."""
    row, last = live_watch_party(match), getattr(match, "watch_party", None)
    is_decided = match.state not in MatchState.undecided()
    party = watch_party_row(row) if row else None
    can_change = row is None or (row.began_at is None and not row.is_cancelled)
    if form is None and note is not None and note.may_announce and can_change:
        form = WatchPartyForm(initial=watch_party_initial(match, row), auto_id=FIELD_IDS)
    return {
        "note": note,
        "party": party,
        "party_form": form,
        "party_over": row is None and last is not None and (is_decided or note is None),
        "party_ended": last.ended or last.failure if last is not None else "",
        "stage": render_stage(row, party) if row and party else "",
    }


@never_cache
@require_GET
def watch_party_part(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the stage as it is now; nothing (204) while it is still at `?step=` of `?state=`."""
    match = match_or_404(request, key)
    row = live_watch_party(match)
    if row is None:
        return _wait(HttpResponse(status=205), 0)  # it has ended: the page leaves on a 205
    party = watch_party_row(row)
    if (str(party.step), party.state) == (request.GET.get("step"), request.GET.get("state")):
        return _wait(HttpResponse(status=204), party.next_ms)
    return _wait(HttpResponse(render_stage(row, party)), party.next_ms)


def _wait(response: HttpResponse, milliseconds: int) -> HttpResponse:
    response["Premiere-Next"] = str(milliseconds)
    response["Premiere-Now"] = timezone.now().isoformat(timespec="milliseconds")
    return response
