"""Pages on which an arbiter or organiser adjusts a company and undoes such a ruling."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.adjustments.forms import AdjustForm, UndoForm
from campaigns.adjustments.plan import AdjustmentPreview
from campaigns.adjustments.services import (
    adjustment_make,
    adjustment_preview,
    adjustment_undo,
    describe_entries,
    adjustment_undo_refusal,
    unreversed_entries,
)
from campaigns.models import Campaign, Enrolment, Ruling
from campaigns.results.selectors import ruling_of
from campaigns.rows import campaign_or_404, require_permission
from rosters.ledger.records import company_record
from rosters.services import RefusedError
from rosters.view_helpers import attempt, player
from systems.documents import DocumentError


@login_required
@require_http_methods(["GET", "POST"])
def adjust(request: HttpRequest, pk: int, enrolment_pk: int) -> HttpResponse:
    """Show the form. POST previews the ruling; POST with `do=make` and the preview's token makes it."""
    campaign = campaign_or_404(request, pk)
    rows = Enrolment.objects.filter(campaign=campaign, pk=enrolment_pk).select_related(
        "company__owner", "campaign__club"
    )
    row = rows.first()
    if row is None:
        raise Http404("No such company")
    require_permission(policy.can_rule(request.user, campaign))
    form = AdjustForm(request.POST or None, system=campaign.system, record=company_record(row.company))
    preview = _preview_adjustment(request, row, form) if form.is_bound and form.is_valid() else None
    if preview is not None and request.POST.get("do") == "make":
        made = _make_adjustment(request, row, form)
        if made is not None:
            messages.success(request, f"Ruled: {made.title}. Its ledger says what changed and why.")
            return redirect("campaigns:ruling", pk=pk, ruling_pk=made.pk)
    context = {
        "campaign": campaign,
        "can_run": policy.can_run_campaign(request.user, campaign),
        "row": row,
        "form": form,
        "preview": preview,
        "is_own": row.company.owner_id == player(request).pk,
    }
    return render(request, "campaigns/adjust.html", context, status=422 if form.errors else 200)


def _preview_adjustment(request: HttpRequest, row: Enrolment, form: AdjustForm) -> AdjustmentPreview | None:
    try:
        return adjustment_preview(enrolment=row, asked=form.asked(), by=player(request))
    except (RefusedError, DocumentError) as error:
        form.refuse(error)
        return None


def _make_adjustment(request: HttpRequest, row: Enrolment, form: AdjustForm) -> Ruling | None:
    try:
        return adjustment_make(
            enrolment=row,
            asked=form.asked(),
            reason=form.cleaned_data["reason"],
            by=player(request),
            token=request.POST.get("token", ""),
        )
    except (RefusedError, DocumentError) as error:
        form.refuse(error)
        return None


@login_required
@require_http_methods(["GET", "POST"])
def undo_adjustment(request: HttpRequest, pk: int, ruling_pk: int) -> HttpResponse:
    """Show what undoing a ruling on a company would reverse. POST with a reason undoes it."""
    campaign, row = _ruling_or_404(request, pk, ruling_pk)
    require_permission(policy.can_rule(request.user, campaign))
    company = Enrolment.objects.select_related("company").get(pk=row.decision["enrolment"]).company
    form = UndoForm(request.POST or None)
    if form.is_bound and form.is_valid():
        reason, by = form.cleaned_data["reason"], player(request)
        made = attempt(form, lambda: adjustment_undo(ruling=row, reason=reason, by=by))
        if made is not None:
            messages.success(request, f"Taken back. The ledger of {company.name} says so.")
            return redirect("campaigns:ruling", pk=pk, ruling_pk=made.pk)
    context = {
        "campaign": campaign,
        "can_run": policy.can_run_campaign(request.user, campaign),
        "ruling": row,
        "company": company,
        "form": form,
        "told": describe_entries(company, unreversed_entries(row, company)),
        "refusal": adjustment_undo_refusal(row),
    }
    return render(request, "campaigns/adjustment_undo.html", context, status=422 if form.errors else 200)


def _ruling_or_404(request: HttpRequest, pk: int, ruling_pk: int) -> tuple[Campaign, Ruling]:
    campaign = campaign_or_404(request, pk)
    row = ruling_of(campaign, ruling_pk)
    if row is None or row.kind != Ruling.Kind.ADJUSTMENT or not row.decision.get("enrolment"):
        raise Http404("No such ruling")
    return campaign, row
