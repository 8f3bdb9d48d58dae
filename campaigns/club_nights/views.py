"""The page of a club night."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.club_nights import services
from campaigns.club_nights.selectors import ClubNightSheet, club_night_sheet, game_of
from campaigns.models import Club
from campaigns.shortcuts import club_or_404, require_permission
from rosters.models import Company, Player
from rosters.view_helpers import player, row_id, run_and_flash, run_for_form
from systems.scenarios import SIDES


class ReadyForm(forms.Form):
    """A company of the player, and how long it waits."""

    company = forms.ChoiceField(label="Company")
    hours = forms.TypedChoiceField(
        choices=[(str(n), f"{n} hours" if n > 1 else "1 hour") for n in range(1, services.MAX_HOURS + 1)],
        coerce=int,
        initial="3",
        label="For",
    )

    def __init__(self, data: object, *, sheet: ClubNightSheet) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["company"].choices = [(str(pk), name) for pk, name in sheet.companies]  # type: ignore[attr-defined]


@login_required
@require_http_methods(["GET", "POST"])
def club_night(request: HttpRequest, slug: str) -> HttpResponse:
    """Show ready companies and proposed games. A POST (`act`: ready, away, accept or decline) is a player's answer."""
    club = club_or_404(request, slug)
    role, by = policy.role_in(request.user, club), player(request)
    require_permission(role is not None)
    act = request.POST.get("act", "")
    if act in ("away", "accept", "decline"):
        _run_act(request, club, by, act)
        return redirect("campaigns:club_night", slug=slug)
    sheet = club_night_sheet(club, by)
    form = ReadyForm(request.POST if request.method == "POST" else None, sheet=sheet)
    if request.method == "POST" and form.is_valid():
        company, hours = Company.objects.get(pk=form.cleaned_data["company"]), form.cleaned_data["hours"]
        if run_for_form(form, lambda: services.ready_set(club=club, company=company, hours=hours, by=by)):
            messages.success(request, f"{company.name} is looking for a game. Suggestions come every few minutes.")
            return redirect("campaigns:club_night", slug=slug)
    context = {
        "club": club,
        "role": role,
        "sheet": sheet,
        "form": form,
        "minutes": services.ANSWER_TIMEOUT.seconds // 60,
    }
    return render(request, "campaigns/club_night.html", context, status=422 if form.is_bound else 200)


def _run_act(request: HttpRequest, club: Club, by: Player, act: str) -> None:
    if act == "away":
        company = Company.objects.filter(pk=row_id(request.POST.get("company", "")), owner=by).first()
        if company is None:
            messages.error(request, "You have no such company here. Reload the page.")
            return
        message = f"{company.name} has stopped looking."
        run_and_flash(request, lambda: services.ready_withdraw(club=club, company=company, by=by), message)
        return
    side = request.POST.get("side", "")
    try:
        game = game_of(club, UUID(request.POST.get("game", "")))
    except ValueError:
        game = None
    if game is None or side not in SIDES:
        messages.error(request, "This suggestion no longer exists. Reload the page.")
        return
    at, found = SIDES.index(side), game
    run_and_flash(
        request,
        lambda: services.game_answer(game=found, side=at, accepts=act == "accept", by=by),
        lambda row: f"You {'accepted' if act == 'accept' else 'declined'} {row}.",
    )
