"""Pages on which arbiters correct decided matches and adjust companies."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.campaign.views import enrolment_with_adjustment
from campaigns.corrections import selectors
from campaigns.corrections.adjustment_plan import AdjustmentPreview
from campaigns.corrections.effects import CorrectionPreview
from campaigns.corrections.forms import (
    BYE,
    VERDICTS_WITHOUT_BATTLE,
    AdjustForm,
    ConfirmForm,
    edit_form,
    pack_report,
    parse_choice,
    unpack_report,
)
from campaigns.corrections.plan import CorrectedResult, check_correctable, describe_verdict
from campaigns.corrections.services import (
    adjustment_create,
    adjustment_preview,
    correction_apply,
    correction_preview,
)
from campaigns.models import CorrectionMode, Enrolment, Match, MatchState, Ruling
from campaigns.results.forms import ReportForms
from campaigns.shortcuts import campaign_or_404, match_or_404, require_permission
from rosters.ledger.records import company_record
from rosters.services import RefusedError
from rosters.view_helpers import player
from systems.documents import DocumentError

UNREADABLE_LINK_ERROR = (
    "",
    "",
    "This link is no longer valid, so the form shows the current result. Enter the correction again.",
)


@login_required
@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show a correction and its previews. The request is in the URL, so that a preview can be sent to another arbiter.

    POST takes the grid, which leads to such a URL, or the mode and reason on the preview, which make the correction.
    """
    match = match_or_404(request, key)
    require_permission(policy.can_rule(request.user, match.round.campaign))
    if why := policy.judge_refusal(request.user, match):
        messages.error(request, why)
        return redirect("campaigns:match", key=key)
    try:
        check_correctable(match)
    except RefusedError as error:
        return _page(request, match, refusal=error.reason)
    if request.POST.get("do") == "edit" and match.setup:
        return _redirect_to_preview(request, match)
    choice, packed = request.GET.get("do", ""), request.GET.get("said", "")
    report = unpack_report(match, packed) if packed else None
    edit = edit_form(match, report=report) if match.setup else None
    is_readable, after = parse_choice(choice, report)
    if not is_readable:
        return _page(request, match, edit=edit, errors=[UNREADABLE_LINK_ERROR] if packed and report is None else [])
    try:
        previews = [
            correction_preview(match=match, after=after, mode=mode, by=player(request)) for mode in CorrectionMode
        ]
    except (RefusedError, DocumentError) as error:
        if edit is None:
            return _page(request, match, errors=[("", "", error.reason)])
        edit.refuse(error)
        return _page(request, match, edit=edit, errors=edit.errors)
    if all(each.refusal for each in previews):
        return _page(request, match, edit=edit, errors=[("", "", previews[0].refusal)])
    return _preview_correction(request, match, after, previews)


def _redirect_to_preview(request: HttpRequest, match: Match) -> HttpResponse:
    """Redirect from the grid to the URL of its correction."""
    form = edit_form(match, request.POST)
    if not form.is_valid():
        return _page(request, match, edit=form, errors=form.errors)
    try:
        report = form.report()
    except DocumentError as error:
        form.refuse(error)
        return _page(request, match, edit=form, errors=form.errors)
    packed = pack_report(match, report)
    return redirect(f"{request.path}?{urlencode({'do': 'edit', 'said': packed})}")


def _preview_correction(
    request: HttpRequest, match: Match, after: CorrectedResult, previews: list[CorrectionPreview]
) -> HttpResponse:
    form = ConfirmForm(request.POST or None)
    errors: list[tuple[str, str, str]] = []
    if request.method == "POST" and form.is_valid():
        mode = form.mode_chosen()
        try:
            correction_apply(
                match=match,
                after=after,
                mode=mode,
                reason=form.cleaned_data["reason"],
                by=player(request),
                token=request.POST.get(f"token-{mode}", ""),
            )
        except (RefusedError, DocumentError) as error:
            errors.append(("", "", error.reason))
        else:
            messages.success(request, f"{match.round}, {match} is corrected. The ledgers show what changed and why.")
            return redirect("campaigns:match", key=match.key)
    elif request.method == "POST":
        errors = [
            (form[name].auto_id, str(form[name].label), str(why)) for name, all_ in form.errors.items() for why in all_
        ]
    open_ones = [each for each in previews if not each.refusal]
    context = {
        "match": match,
        "campaign": match.round.campaign,
        "columns": selectors.mode_columns(previews),
        "tables": selectors.company_tables(previews),
        "standings": selectors.standing_changes(previews),
        "later": selectors.later_matches(previews),
        "outcomes": (open_ones[0].outcome_before, open_ones[0].outcome_after),
        "territory": open_ones[0].territory,
        "advances": open_ones[0].advances,
        "war": open_ones[0].war,
        "season": open_ones[0].season,
        "form": form,
        "errors": errors,
        "back": f"?{request.GET.urlencode()}".replace("do=edit", "do=change"),
        "match_url": reverse("campaigns:match", args=[match.key]),
    }
    return render(request, "campaigns/correct.html", context, status=422 if errors else 200)


def _page(
    request: HttpRequest,
    match: Match,
    *,
    edit: ReportForms | None = None,
    refusal: str = "",
    errors: list[tuple[str, str, str]] | None = None,
) -> HttpResponse:
    context = {
        "match": match,
        "campaign": match.round.campaign,
        "edit": edit,
        "stands_as": describe_verdict(match.state, match.outcome),
        "refusal": refusal,
        "errors": errors or [],
        "can_undo": match.state != MatchState.VOID,
        "unfought": [(slug, _unfought_text(match, slug)) for slug in _unfought(match)],
        "corrections": selectors.corrections_of(match),
        "match_url": reverse("campaigns:match", args=[match.key]),
    }
    return render(request, "campaigns/correct.html", context, status=422 if errors else 200)


def _unfought(match: Match) -> list[str]:
    """Return the slugs of the verdicts without a battle that the match can get."""
    if match.defender is not None:
        return list(VERDICTS_WITHOUT_BATTLE)
    return list(BYE) if match.state == MatchState.VOID else []


def _unfought_text(match: Match, slug: str) -> str:
    names = {"attacker-wins": match.attacker, "defender-wins": match.defender}
    if slug in BYE:
        return f"A bye for {match.attacker.company}"
    winner = names.get(slug)
    return f"{winner.company} wins by forfeit" if winner else "Refused: no winner"


@login_required
@require_http_methods(["GET", "POST"])
def adjust(request: HttpRequest, pk: int, enrolment_pk: int) -> HttpResponse:
    """Show the form on the company's page. POST previews the ruling; with `do=make` and the preview's token, it is made."""
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
            messages.success(request, f"Ruled: {made.title}. The ledger shows what changed and why.")
            return redirect("campaigns:ruling", pk=pk, ruling_pk=made.pk)
    adjustment = {"form": form, "preview": preview}
    return enrolment_with_adjustment(request, row, adjustment, status=422 if form.errors else 200)


def _preview_adjustment(request: HttpRequest, row: Enrolment, form: AdjustForm) -> AdjustmentPreview | None:
    try:
        return adjustment_preview(enrolment=row, asked=form.asked(), by=player(request))
    except (RefusedError, DocumentError) as error:
        form.refuse(error)
        return None


def _make_adjustment(request: HttpRequest, row: Enrolment, form: AdjustForm) -> Ruling | None:
    try:
        return adjustment_create(
            enrolment=row,
            asked=form.asked(),
            reason=form.cleaned_data["reason"],
            by=player(request),
            token=request.POST.get("token", ""),
        )
    except (RefusedError, DocumentError) as error:
        form.refuse(error)
        return None
