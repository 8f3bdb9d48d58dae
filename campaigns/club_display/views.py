"""The club display, and changes of its link."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from campaigns import policy
from campaigns.club_display import selectors as reads
from campaigns.clubs import services
from campaigns.models import Club
from campaigns.shortcuts import club_or_404, require_permission
from rosters.view_helpers import player, run_and_flash

SCRIPT = "js/club-display.js"


@require_GET
def club_display(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show the display, for everybody who has the link."""
    return _no_store(render(request, "campaigns/club_display.html", _context(key)))


@require_GET
def club_display_part(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the sheets as they are now: the display asks for them every few seconds."""
    return _no_store(render(request, "campaigns/_club_display_sheets.html", _context(key)))


@login_required
@require_http_methods(["GET", "POST"])
def club_display_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Create, replace or remove the link of the club display, and redirect to it in the club's settings."""
    club = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, club))
    if request.method == "POST":
        _act(request, club)
    return redirect(reverse("campaigns:club_settings", args=[slug], fragment="club-display"))


def _act(request: HttpRequest, club: Club) -> None:
    by, what = player(request), request.POST.get("do")
    if what == "drop":
        run_and_flash(
            request, lambda: services.display_link_delete(club=club, by=by), "Link removed. The display is off."
        )
    elif what in ("make", "replace"):
        run_and_flash(
            request,
            lambda: services.display_link_create(club=club, by=by, replace=what == "replace"),
            "Link created. Open it on the screen at your venue.",
        )
    else:
        messages.error(request, "Unknown action. Reload the page and try again.")


def _context(key: UUID) -> dict[str, object]:
    club = reads.club_with_display_key(key)
    if club is None:
        raise Http404("No such wall")
    return {"display": reads.club_display(club), "at": timezone.now(), "version": static(SCRIPT)}


def _no_store(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response
