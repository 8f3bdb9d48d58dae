"""Parts shared by the views of matches and results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from campaigns.models import Match
from campaigns.results.report import SIDES
from campaigns.rows import match_or_404

MatchView = Callable[[HttpRequest, Match], HttpResponse]
KeyView = Callable[[HttpRequest, UUID], HttpResponse]


def for_match(view: MatchView) -> KeyView:
    """Pass the view its match.

    Raise Http404 if the reader may not see it; redirect to the login if they aren't signed in.
    """

    @wraps(view)
    def inner(request: HttpRequest, key: UUID) -> HttpResponse:
        match = match_or_404(request, key)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        return view(request, match)

    return inner


def match_context(match: Match, side: int | None = None, **more: object) -> dict[str, object]:
    """Return the context that every page about a match needs."""
    of_side = {} if side is None else {"side": side, "side_word": SIDES[side]}
    return {"match": match, "campaign": match.round.campaign, **of_side, **more}
