"""Pages of catalogue versions: their changes, and the effects of the newest on the player's company."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from rosters import hooks, selectors
from rosters.releases.selectors import company_offer, describe_releases, released_systems
from rosters.releases.services import release_adopt
from rosters.shortcuts import own_company
from rosters.view_helpers import company_context, player, run_and_flash
from systems import ROSTERS, roster_rules


@require_GET
def releases(request: HttpRequest, system: str) -> HttpResponse:
    """Show the versions of a game's catalogue and of its rules."""
    if system not in ROSTERS:
        raise Http404
    history = describe_releases(system)
    return render(
        request, "rosters/releases.html", {"history": history, "system": history.rules, "systems": released_systems()}
    )


@login_required
@require_http_methods(["GET", "POST"])
def company_release(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the effects of the newest version on the company; a POST changes to it."""
    row = own_company(request, pk)
    if request.method == "POST":
        run_and_flash(
            request,
            lambda: release_adopt(company=row, by=player(request), release=request.POST.get("release", "")[:20]),
            lambda company: f"{company.name} now uses catalogue version {company.catalogue_release}.",
            of=row,
        )
        return redirect("rosters:company_release", pk=pk)
    offer = company_offer(row)
    context = {
        **company_context(request, row, selectors.company_sheet(row)),
        "offer": offer,
        "rules": roster_rules(row.system),
        "kept": hooks.release_kept(row) if offer.change else "",
    }
    return render(request, "rosters/company_release.html", context)
