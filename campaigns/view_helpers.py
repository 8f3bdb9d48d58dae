"""Parts shared by the pages of campaigns and matches."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from campaigns import policy
from campaigns.models import Campaign, CampaignState, Match, TerritoryMap
from campaigns.shortcuts import match_or_404
from systems.scenarios import SIDES

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


def campaign_context(request: HttpRequest, row: Campaign, *, can_run: bool | None = None) -> dict[str, object]:
    """Return the context that every page of a campaign needs."""
    return {
        "campaign": row,
        "club": row.club,
        "can_run": policy.can_run_campaign(request.user, row) if can_run is None else can_run,
        "has_map": row.map_kind != TerritoryMap.NONE,
        "has_run": row.state in (CampaignState.RUNNING, CampaignState.FINISHED),
    }
