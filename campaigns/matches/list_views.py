"""The page on which a side submits its list for a match."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from battles.forms.orders import results_offered, standing_form, standing_offered
from campaigns.army_lists.documents import autoplay_units
from campaigns.army_lists.handicaps import calculated_units
from campaigns.army_lists.purchases import buys_units_per_match
from campaigns.army_lists.selectors import sealed_sides, submitted_list_rows, unit_choices
from campaigns.army_lists.services import list_submit, list_submit_by_orders, list_withdraw
from campaigns.army_lists.views import preparation_view
from campaigns.locks import side_enrolment
from campaigns.matches.forms import SubmitListForm
from campaigns.models import Match
from campaigns.shortcuts import match_or_404, own_side
from campaigns.view_helpers import for_match
from rosters.view_helpers import locked_for_edit, player, run_and_flash, run_for_form
from systems.scenarios import SIDES

SUBMITTED_MESSAGES = {  # whether the lists are revealed now, and whether they are hidden until then
    (True, True): "Both forces are in and open now.",
    (True, False): "Both forces are in and open now.",
    (False, True): "Sealed. The opponent sees the hash, and no more.",
    (False, False): "Sealed. The opponent sees it; the forces open when both are in.",
}


@login_required
@require_http_methods(["GET", "POST"])
def match_forces(request: HttpRequest, key: UUID) -> HttpResponse:
    """Choose the units, the AI style and words for the dice; the list is revealed when both sides have submitted."""
    match = match_or_404(request, key)
    side = own_side(request, match, done=sealed_sides(match))
    if match.defender is None or match.setup is not None:
        messages.info(request, "There is nothing to seal: the forces of this match are open.")
        return redirect("campaigns:match", key=key)
    with locked_for_edit(request, match):
        if buys_units_per_match(match.round.campaign):
            return preparation_view(request, match, side, SUBMITTED_MESSAGES)
        return _force_page(request, match, side)


def _force_page(request: HttpRequest, match: Match, side: int) -> HttpResponse:
    enrolment = side_enrolment(match, side)
    campaign, rows = match.round.campaign, unit_choices(enrolment)
    first = match.sealed.filter(side=side).first()
    own = first if first is not None and not first.fell else None
    units = own.document["units"] if own else autoplay_units(match, side)
    if not units and calculated_units(match, side) is None:
        units = [row.id for row in rows if not row.refusal]
    form = SubmitListForm(
        request.POST or None,
        sealed=own.document if own else None,
        system=campaign.system,
        units=[(str(row.id), row.name) for row in rows if not row.refusal],
        support=results_offered(campaign.system, match.scenario),
        initial={
            "units": [str(pk) for pk in units],
            "doctrine": own.document["doctrine"] if own else enrolment.orders.get("doctrine", ""),
        },
    )
    if first:
        del form.fields["words"]  # fixed by the first list
    standing = standing_form(
        request.POST or None,
        what=standing_offered(campaign.system, match.scenario, side),
        who=[(str(row.id), row.name) for row in rows if not row.refusal],
        kept=own.document.get("standing", {}) if own else enrolment.orders.get("standing", {}),
    )
    if request.method == "POST" and form.is_valid() and standing.is_valid():
        given = form.cleaned_data
        sealed = run_for_form(
            form,
            lambda: list_submit(
                match=match,
                side=side,
                units=form.unit_ids(),
                doctrine=given["doctrine"],
                orders=form.orders(),
                standing=standing.given(given["units"]),
                words=given.get("words", ""),
                by=player(request),
            ),
        )
        if sealed is not None:
            messages.success(request, SUBMITTED_MESSAGES[sealed.setup is not None, campaign.seals_forces])
            return redirect("campaigns:match", key=match.key)
    chosen = {str(value) for value in form["units"].value() or []}
    context = {
        "match": match,
        "campaign": campaign,
        "club": campaign.club,
        "form": form,
        "standing": standing,
        "rows": [(row, str(row.id) in chosen) for row in rows],
        "lines": submitted_list_rows(match),
        "side": side,
        "own": own,
        "first": first,
        "company": enrolment.company_id,
        "brings": enrolment.company.name,
        "side_word": SIDES[side],
    }
    return render(
        request, "campaigns/match_forces.html", context, status=422 if form.errors or standing.errors else 200
    )


@require_POST
@for_match
def match_forces_withdraw(request: HttpRequest, match: Match) -> HttpResponse:
    """Take the reader's submitted list back."""
    side, by = own_side(request, match, done={0, 1} - sealed_sides(match)), player(request)
    run_and_flash(request, lambda: list_withdraw(match=match, side=side, by=by), "Your seal is taken back.")
    return redirect("campaigns:match_forces" if match.setup is None else "campaigns:match", key=match.key)


@require_POST
@for_match
def match_forces_orders(request: HttpRequest, match: Match) -> HttpResponse:
    """Submit the list that the reader's autoplay orders bring."""
    side, by = own_side(request, match, done=sealed_sides(match)), player(request)
    hidden = match.round.campaign.seals_forces
    run_and_flash(
        request,
        lambda: list_submit_by_orders(match=match, side=side, by=by),
        lambda sealed: SUBMITTED_MESSAGES[sealed.setup is not None, hidden],
    )
    return redirect("campaigns:match", key=match.key)
