"""The page of a game's catalogue versions and rules versions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from rosters.releases.selectors import describe_releases, released_systems
from systems import ROSTERS


@require_GET
def releases(request: HttpRequest, system: str) -> HttpResponse:
    """Show the versions of a game's catalogue and of its rules."""
    if system not in ROSTERS:
        raise Http404
    history = describe_releases(system)
    return render(
        request, "rosters/releases.html", {"history": history, "system": history.rules, "systems": released_systems()}
    )
