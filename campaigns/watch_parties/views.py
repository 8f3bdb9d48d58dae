"""The page of a watch party and its form."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from campaigns import policy
from campaigns.models import Match, MatchState, RoundState, WatchParty
from campaigns.shortcuts import match_or_404, require_permission
from campaigns.view_helpers import match_context
from campaigns.watch_parties import services
from campaigns.watch_parties.selectors import render_stage, watch_party_note, watch_party_row
from campaigns.watch_parties.services import PACES
from campaigns.watch_party_holds import live_watch_party
from rosters.site.forms import LocalTimeField
from rosters.view_helpers import player, run_and_flash, run_for_form

QUARTER_HOUR = timedelta(minutes=15)


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


@never_cache
@require_http_methods(["GET", "POST"])
def watch_party(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a match's watch party so far; its organiser announces it here, or calls it off (`do`: off)."""
    match = match_or_404(request, key)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        require_permission(policy.can_run_campaign(request.user, match.round.campaign))
        return _act(request, match)
    return _page(request, match, None)


def _act(request: HttpRequest, match: Match) -> HttpResponse:
    by = player(request)
    if request.POST.get("do") == "off":
        run_and_flash(request, lambda: services.watch_party_cancel(match=match, by=by), "Watch party cancelled.")
        return redirect("campaigns:match", key=match.key)
    form = WatchPartyForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        if run_for_form(form, lambda: services.watch_party_announce(match=match, by=by, **given)):
            messages.success(request, "Watch party announced. All members are notified.")
            return redirect("campaigns:watch_party", key=match.key)
    return _page(request, match, form)


def _page(request: HttpRequest, match: Match, form: WatchPartyForm | None) -> HttpResponse:
    note = watch_party_note(match, policy.rights_in(request.user, match.round.campaign.club))
    row = live_watch_party(match)
    last, is_decided = getattr(match, "watch_party", None), match.state not in MatchState.undecided()
    if row is None and last is not None and (is_decided or note is None):
        ended = last.ended or last.failure
        context = match_context(match, is_over=True, is_decided=is_decided, ended=ended)
        return render(request, "campaigns/watch_party.html", context)
    if note is None:
        raise Http404("No watch party is announced")
    if note.may_announce and (row is None or (row.began_at is None and not row.is_cancelled)):
        form = form or WatchPartyForm(initial=watch_party_initial(match, row))
    party = watch_party_row(row) if row else None
    context = match_context(
        match, note=note, form=form, party=party, stage=render_stage(row, party) if row and party else ""
    )
    return render(request, "campaigns/watch_party.html", context, status=422 if form and form.errors else 200)


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
