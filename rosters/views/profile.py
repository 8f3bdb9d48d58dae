"""The player's own page: display name, time zone, paper, API tokens."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from rosters import services
from rosters.doors.proof import SENSITIVE
from rosters.forms import ProfileForm, TokenForm
from rosters.models import AccessToken, Player
from rosters.services.players import MAX_TOKENS, time_zones
from rosters.view_helpers import attempt, edited, player


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change the player's settings, and list their tokens."""
    with edited(request, Player.objects.get(pk=player(request).pk)) as row:
        form = ProfileForm(request.POST or None, instance=row)
        if request.method == "POST" and form.is_valid():
            changed = attempt(form, lambda: services.player_change(player=player(request), **form.cleaned_data))
            if changed:
                messages.success(request, "Saved.")
                return redirect("rosters:profile")
    return _profile_page(request, form=form, status=422 if form.errors else 200)


@login_required
@require_POST
@reauthentication_required(app=SENSITIVE)
def token_create(request: HttpRequest) -> HttpResponse:
    """Create a token and show it this once, after the player has confirmed their password."""
    form = TokenForm(request.POST)
    token = None
    if form.is_valid():
        token = attempt(form, lambda: services.token_create(player=player(request), **form.cleaned_data))
    response = _profile_page(request, token_form=None if token else form, token=token or "", status=200 if token else 422)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def token_revoke(request: HttpRequest, token_key: str) -> HttpResponse:
    """Revoke a token."""
    if not services.token_revoke(player=player(request), token_key=token_key):
        raise Http404
    messages.success(request, f"The token {token_key}… is revoked.")
    return redirect("rosters:profile")


def _profile_page(
    request: HttpRequest,
    *,
    form: ProfileForm | None = None,
    token_form: TokenForm | None = None,
    token: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form or ProfileForm(instance=player(request)),
        "token_form": token_form or TokenForm(),
        "tokens": AccessToken.objects.filter(user=player(request)).order_by("-created"),
        "token": token,
        "tokens_most": MAX_TOKENS,
        "zones": time_zones(),
    }
    return render(request, "rosters/profile.html", context, status=status)
