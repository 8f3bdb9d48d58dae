"""The page on which a side seals what it brings to a match."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns.forms_campaigns import ForceForm
from campaigns.models import Match
from campaigns.reads.forces import seal_lines, unit_choices
from campaigns.reports import SIDES
from campaigns.services.forces import force_seal, side_enrolment, standing_units
from rosters.services import RefusedError
from rosters.views._parts import player

from ._matches import own_side
from ._parts import match_or_404


@login_required
@require_http_methods(["GET", "POST"])
def match_forces(request: HttpRequest, key: UUID) -> HttpResponse:
    """Which units come, how they fight, and words for the dice; sealed until both sides are in."""
    match = match_or_404(request, key)
    side = own_side(request, match, done=set(match.sealed.values_list("side", flat=True)))
    if match.defender is None or match.setup is not None:
        messages.info(request, "There is nothing to seal: the forces of this match are open.")
        return redirect("campaigns:match", key=key)
    enrolment = side_enrolment(match, side)
    rows = unit_choices(enrolment)
    own = match.sealed.filter(side=side).first()
    units = own.document["units"] if own else standing_units(match, side) or [r.id for r in rows if not r.refusal]
    form = ForceForm(
        request.POST or None,
        system=match.round.campaign.system,
        units=[(str(row.id), row.name) for row in rows if not row.refusal],
        initial={
            "units": [str(pk) for pk in units],
            "doctrine": own.document["doctrine"] if own else enrolment.orders.get("doctrine", ""),
            "words": own.words if own else "",
        },
    )
    if own:
        del form.fields["words"]  # sealed with the first force
    if request.method == "POST" and form.is_valid():
        sealed = _seal(request, match, side, form)
        if sealed is not None:
            opened = sealed.setup is not None
            text = "Both forces are in and open now." if opened else "Sealed. The opponent sees the hash, and no more."
            messages.success(request, text)
            return redirect("campaigns:match", key=key)
    chosen = {str(value) for value in form["units"].value() or []}
    context = {
        "match": match,
        "campaign": match.round.campaign,
        "club": match.round.campaign.club,
        "form": form,
        "rows": [(row, str(row.id) in chosen) for row in rows],
        "lines": seal_lines(match),
        "own": own,
        "company": enrolment.company_id,
        "brings": enrolment.company.name,
        "side_word": SIDES[side],
    }
    return render(request, "campaigns/match_forces.html", context, status=422 if form.errors else 200)


def _seal(request: HttpRequest, match: Match, side: int, form: ForceForm) -> Match | None:
    try:
        return force_seal(
            match=match,
            side=side,
            units=form.unit_ids(),
            doctrine=form.cleaned_data["doctrine"],
            words=form.cleaned_data.get("words", ""),
            by=player(request),
        )
    except RefusedError as error:
        form.add_error(error.field if error.field in form.fields else None, error.reason)
        return None
