"""Pages on which organisers name the phases of a campaign."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaigns import policy
from campaigns.models import Campaign, Phase
from campaigns.phases import services
from campaigns.phases.forms import PhaseChangeForm, PhaseForm
from campaigns.phases.selectors import phases_of
from campaigns.rows import campaign_or_404, require_permission
from rosters.view_helpers import attempt, edited, player, say


@login_required
@require_http_methods(["GET", "POST"])
def phases(request: HttpRequest, pk: int) -> HttpResponse:
    """Show all phases; POST adds one."""
    campaign = _campaign_for_organiser(request, pk)
    known = phases_of(campaign)
    last = campaign.rounds.order_by("-number").values_list("number", flat=True).first() or 0
    form = PhaseForm(request.POST or None, initial={"first_round": last + 1 if known else 1})
    if form.is_bound and form.is_valid():
        by = player(request)
        made = attempt(form, lambda: services.phase_add(campaign=campaign, by=by, **form.cleaned_data))
        if made is not None:
            messages.success(request, f"{made.name} begins with round {made.first_round}.")
            return redirect("campaigns:phases", pk=pk)
    context = {**_phase_context(campaign), "phases": known, "form": form}
    return render(request, "campaigns/phases.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
def phase(request: HttpRequest, pk: int, phase_pk: int) -> HttpResponse:
    """Change a phase."""
    campaign = _campaign_for_organiser(request, pk)
    _phase_or_404(campaign, phase_pk)
    with edited(request, campaign) as locked:  # lock the campaign first, as every act on phases does
        row = _phase_or_404(locked, phase_pk)
        initial = {"name": row.name, "first_round": row.first_round, "text": row.text}
        form = PhaseChangeForm(request.POST or None, initial=initial)
        if form.is_bound and form.is_valid():
            by = player(request)
            if attempt(form, lambda: services.phase_change(phase=row, by=by, **form.cleaned_data)) is not None:
                messages.success(request, "Saved.")
                return redirect("campaigns:phases", pk=pk)
    context = {**_phase_context(campaign), "phase": row, "form": form}
    return render(request, "campaigns/phase.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def phase_remove(request: HttpRequest, pk: int, phase_pk: int) -> HttpResponse:
    """Remove a phase."""
    row = _phase_or_404(_campaign_for_organiser(request, pk), phase_pk)
    say(request, lambda: services.phase_remove(phase=row, by=player(request)), f"{row.name} was removed.")
    return redirect("campaigns:phases", pk=pk)


def _campaign_for_organiser(request: HttpRequest, pk: int) -> Campaign:
    campaign = campaign_or_404(request, pk)
    require_permission(policy.can_run_campaign(request.user, campaign))
    return campaign


def _phase_or_404(campaign: Campaign, pk: int) -> Phase:
    row = campaign.phases.filter(pk=pk).first()
    if row is None:
        raise Http404("No such phase")
    return row


def _phase_context(campaign: Campaign) -> dict[str, object]:
    return {"campaign": campaign, "club": campaign.club, "can_run": True}
