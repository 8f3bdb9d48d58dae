"""The player's own page: name shown, time zone, paper, API tokens."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from rosters import selectors, services
from rosters.forms import ProfileForm
from rosters.models import Player
from rosters.services.players import TOKENS_MOST, time_zones

from ._parts import attempt, edited, player


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Settings of the player, and the list of tokens."""
    with edited(request, Player.objects.get(pk=player(request).pk)) as row:
        form = ProfileForm(request.POST or None, instance=row)
        if request.method == "POST" and form.is_valid():
            changed = attempt(form, lambda: services.player_change(player=player(request), **form.cleaned_data))
            if changed:
                messages.success(request, "Saved.")
                return redirect("rosters:profile")
    return _page(request, form=form, status=422 if form.errors else 200)


@login_required
@require_POST
def token_create(request: HttpRequest) -> HttpResponse:
    """A new token, shown this once."""
    try:
        token = services.token_create(player=player(request))
    except services.RefusedError as error:
        messages.error(request, error.reason)
        return redirect("rosters:profile")
    response = _page(request, token=token)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def token_revoke(request: HttpRequest, token_key: str) -> HttpResponse:
    """Takes a token out of use."""
    if not services.token_revoke(player=player(request), token_key=token_key):
        raise Http404
    messages.success(request, f"The token {token_key}… is revoked.")
    return redirect("rosters:profile")


def _page(request: HttpRequest, *, form: ProfileForm | None = None, token: str = "", status: int = 200) -> HttpResponse:
    context = {
        "form": form or ProfileForm(instance=player(request)),
        "tokens": selectors.tokens_of(player(request)),
        "token": token,
        "tokens_most": TOKENS_MOST,
        "zones": time_zones(),
    }
    return render(request, "rosters/profile.html", context, status=status)
