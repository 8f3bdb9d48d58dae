"""What the sides of a match do about its handicap: ask, agree, withdraw."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.handicaps import services
from campaigns.models import Match
from campaigns.pages import for_match
from campaigns.rows import own_side
from rosters.view_helpers import player, row_id, say


@require_POST
@for_match
def handicap(request: HttpRequest, match: Match) -> HttpResponse:
    """Run `act`: ask, agree or back. The last two name the handicap the reader saw."""
    side, by, act = own_side(request, match), player(request), request.POST.get("act", "")
    if act in ("agree", "back"):
        kind, value = request.POST.get("kind", ""), row_id(request.POST.get("value", ""))
        said = (
            "You have agreed. It counts once your opponent agrees too."
            if act == "agree"
            else "You no longer agree to it."
        )
        say(
            request,
            lambda: services.handicap_answer(
                match=match, side=side, agrees=act == "agree", kind=kind, value=value, by=by
            ),
            lambda row: "Both sides have agreed: the handicap counts." if row.is_agreed else said,
        )
    else:
        said = "The handicap is being calculated. Look again in a moment."
        say(request, lambda: services.handicap_ask(match=match, by=by), said)
    return redirect("campaigns:match", key=match.key)
