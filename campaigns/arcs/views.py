"""The page of a campaign story: its scenarios in order for everybody, roles and points for its organisers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.arcs import services
from campaigns.arcs.forms import ArcForm
from campaigns.arcs.selectors import ArcPage, arc_page
from campaigns.models import Campaign, CampaignState
from campaigns.pages import campaign_context
from campaigns.rows import campaign_or_404, require_permission
from rosters.view_helpers import attempt, edited, player


@require_http_methods(["GET", "POST"])
def arc(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the story; POST changes its settings, for its organisers."""
    found = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, found)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method == "POST":
        require_permission(can_run)
    with edited(request, found) as row:
        sheet = arc_page(row, with_planned=can_run)
        if sheet is None:
            raise Http404("This campaign is no war")
        form = ArcForm(request.POST or None, sheet=sheet) if can_run and _is_editable(row, sheet) else None
        if form is None and request.method == "POST":
            messages.error(request, "The war has begun: its roles and points stand.")
        if form is not None and form.is_bound and form.is_valid():
            by, given = player(request), form.settings()
            if attempt(form, lambda: services.arc_set(campaign=row, by=by, **given)) is not None:
                messages.success(request, "Saved.")
                return redirect("campaigns:arc", pk=pk)
    context = {
        **campaign_context(request, row, can_run=can_run),
        "sheet": sheet,
        "form": form,
        "can_plan": can_run and row.state == CampaignState.RUNNING and sheet.is_ready,
    }
    return render(request, "campaigns/arc.html", context, status=422 if form is not None and form.errors else 200)


def _is_editable(row: Campaign, sheet: ArcPage) -> bool:
    """Return whether any of its settings can still change."""
    return row.state != CampaignState.FINISHED and (not sheet.has_begun or bool(sheet.unassigned))
