"""Leaving Muster: what happens to the player's data, the name that stays, and cancelling."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from rosters.doors.proof import SENSITIVE
from rosters.forms import LeaveForm
from rosters.services.farewells import fates, obstacles
from rosters.services.leaving import leave_ask, leave_take_back
from rosters.site.leaving import NAME_OF_DELETED
from rosters.view_helpers import attempt, player, say


@login_required
@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    """Show what leaving does to the player's things, and obstacles; for a leaving player, until when they can stay."""
    return _leave_page(request, LeaveForm(initial={"name": NAME_OF_DELETED}))


@login_required
@require_POST
@reauthentication_required(app=SENSITIVE)
def leave_begin(request: HttpRequest) -> HttpResponse:
    """Schedule the player's leaving, after they have confirmed their password and typed their name."""
    form = LeaveForm(request.POST)
    if form.is_valid():
        leaving = attempt(form, lambda: leave_ask(player=player(request), **form.cleaned_data))
        if leaving is not None:
            return redirect("rosters:leave")
    return _leave_page(request, form, status=422)


@login_required
@require_POST
def leave_undo(request: HttpRequest) -> HttpResponse:
    """Cancel the player's leaving."""
    say(request, lambda: leave_take_back(player=player(request)), "You stay. Nothing has changed.")
    return redirect("rosters:profile")


def _leave_page(request: HttpRequest, form: LeaveForm, status: int = 200) -> HttpResponse:
    own = player(request)
    if request.method == "POST":
        own.refresh_from_db(fields=["leaves_at", "leaves_as"])
    found = obstacles(own)
    told = fates(own)
    context = {
        "form": form,
        "obstacles": found,
        "goes": [fate for fate in told if fate.goes],
        "stays": [fate for fate in told if not fate.goes],
        "days": settings.LEAVE_DAYS,
        "player": own,
    }
    if found and status != 200:
        messages.error(request, "You can't leave yet.")
    return render(request, "rosters/leave.html", context, status=status)
