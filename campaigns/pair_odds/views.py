"""How far the odds of a round's pairs are; the page polls this."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from campaigns import policy
from campaigns.models import RoundState
from campaigns.pair_odds.pairings import pairing_notes
from campaigns.rounds.selectors import DRAW, MATCHES, round_of
from campaigns.rows import campaign_or_404

from .selectors import PAIR_ODDS, round_odds_status


@require_GET
@never_cache
def pairing_odds(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show progress and the notes of the tables; redirect to the page for a browser without the script."""
    campaign = campaign_or_404(request, pk)
    row = round_of(campaign, number)
    if row is None or not policy.can_run_campaign(request.user, campaign):
        raise Http404("No such round")
    page = reverse("campaigns:round", args=[pk, number])
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(page)
    if row.state != RoundState.PLANNED:
        return HttpResponse(headers={"HX-Redirect": page})
    matches, draw, job = MATCHES.rows(round=row.pk), DRAW.row(round=row.pk), PAIR_ODDS.row(round=row.pk)
    notes = pairing_notes(campaign, matches, row.number, draw, job)
    context = {
        "campaign": campaign,
        "sheet": row,
        "odds": round_odds_status(matches, draw, job),
        "beside": [(match, notes[match.pk]) for match in matches if match.pk in notes],
    }
    return render(request, "campaigns/_pair_odds.html", context)
