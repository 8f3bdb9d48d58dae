"""The page of a match, refusals to play, and consents."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.services.dice import has_key
from campaigns.dates.forms import DateForm
from campaigns.dice.services import musters_without_key
from campaigns.judges import consent_give, consent_withdraw
from campaigns.matches.selectors import match_page
from campaigns.models import Match
from campaigns.musters.purchase import buys_units_per_match
from campaigns.pages import for_match, match_context
from campaigns.results.forms import ReasonForm
from campaigns.results.services import match_refuse, match_withdraw_refusal
from campaigns.rows import match_or_404, own_side
from rosters.view_helpers import attempt, player, say


@require_GET
def match(request: HttpRequest, key: UUID) -> HttpResponse:
    row = match_or_404(request, key)
    page = match_page(row, request.user, with_evenings="evenings" in request.GET)
    typed = DateForm({"at": request.GET["at"]}, auto_id="id_date_%s") if "at" in request.GET else None
    context = match_context(row, page=page, lost_dice=page.is_open and _has_lost_dice(row), typed_date=typed)
    return render(request, "campaigns/match.html", context)


def _has_lost_dice(match: Match) -> bool:
    """Return whether the server has lost the key of the match's dice, or of those its sides roll for support with."""
    if match.dice is not None and not has_key(match.dice):
        return True
    return buys_units_per_match(match.round.campaign) and bool(musters_without_key(match))


@require_http_methods(["GET", "POST"])
@for_match
def refuse(request: HttpRequest, match: Match) -> HttpResponse:
    """Let a side refuse to play, or (`do` = play) agree to play after all."""
    is_back = request.POST.get("do") == "play"
    side = own_side(request, match, done={at for at in (0, 1) if is_back and at != match.refusing_side})
    by = player(request)
    if is_back:
        say(request, lambda: match_withdraw_refusal(match=match, side=side, by=by), "So it will be played.")
        return redirect("campaigns:match", key=match.key)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        if attempt(form, lambda: match_refuse(match=match, side=side, reason=reason, by=by)):
            messages.success(request, "Said. An arbiter or the organiser decides what becomes of the match.")
            return redirect("campaigns:match", key=match.key)
    status = 422 if form.is_bound else 200
    return render(request, "campaigns/match_refuse.html", match_context(match, form=form, side=side), status=status)


@require_POST
@for_match
def consent(request: HttpRequest, match: Match) -> HttpResponse:
    """Let a side allow the other side's player to judge the match, if nobody else can.

    `do` = withdraw takes that back.
    """
    side, by = own_side(request, match), player(request)
    if request.POST.get("do") == "withdraw":
        say(request, lambda: consent_withdraw(match=match, side=side, by=by), "Your consent is taken back.")
    else:
        said = "Said. It holds for one ruling, and you can take it back until then."
        say(request, lambda: consent_give(match=match, side=side, by=by), said)
    return redirect("campaigns:match", key=match.key)
