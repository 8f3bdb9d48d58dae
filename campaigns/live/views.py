"""The link from a match to its table."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.live.services import match_table_seat
from campaigns.models import Match
from campaigns.pages import for_match
from campaigns.rows import own_side
from rosters.services import RefusedError
from rosters.view_helpers import player
from systems.documents import DocumentError


@require_POST
@for_match
def live_table(request: HttpRequest, match: Match) -> HttpResponse:
    """Redirect to the reader's seat at the match's table, which is opened if there is none yet."""
    side, by = own_side(request, match), player(request)
    try:
        seat = match_table_seat(match=match, side=side, by=by)
    except (RefusedError, DocumentError) as error:
        messages.error(request, error.reason)
        return redirect("campaigns:match", key=match.key)
    return redirect("battles:seat", key=seat.key)
