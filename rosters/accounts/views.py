"""Pages of a player's account: profile, tokens, sign-ins, sessions, data export, deletion; and the outbox.

The outbox shows the mails of a site without a mail server, to users on the same machine.
"""

from __future__ import annotations

import uuid

from allauth.account.decorators import reauthentication_required
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rosters import services
from rosters.accounts.data_export import data_export_expires_at, data_export_request
from rosters.accounts.deletion import account_deletion_request, account_deletion_withdraw, fates, obstacles
from rosters.accounts.tokens import SENSITIVE
from rosters.forms import LeaveForm, ProfileForm, TokenForm
from rosters.jobs import JobStatus
from rosters.models import AccessToken, DataExport, Player
from rosters.services.players import MAX_TOKENS, time_zones
from rosters.site.mails import MAX_MAILS, is_local, read_outbox
from rosters.site.player_data import NAME_OF_DELETED
from rosters.view_helpers import locked_for_edit, player, run_and_flash, run_for_form


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change the player's settings, and list their tokens."""
    with locked_for_edit(request, Player.objects.get(pk=player(request).pk)) as row:
        form = ProfileForm(request.POST or None, instance=row)
        if request.method == "POST" and form.is_valid():
            changed = run_for_form(form, lambda: services.player_change(player=player(request), **form.cleaned_data))
            if changed:
                messages.success(request, "Saved.")
                return redirect("rosters:profile")
    return _profile_page(request, form=form, status=422 if form.errors else 200)


@login_required
@require_POST
@reauthentication_required(app=SENSITIVE)
def token_create(request: HttpRequest) -> HttpResponse:
    """Create a token and show it once; requires the password."""
    form = TokenForm(request.POST)
    token = None
    if form.is_valid():
        token = run_for_form(form, lambda: services.token_create(player=player(request), **form.cleaned_data))
    response = _profile_page(
        request, token_form=None if token else form, token=token or "", status=200 if token else 422
    )
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


@login_required
@require_safe
def sign_ins(request: HttpRequest) -> HttpResponse:
    """Redirect to the player's sign-ins, which are shown with their sessions."""
    return redirect(reverse("usersessions_list", query=request.GET, fragment="sign-ins"))


@login_required
@require_POST
def session_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the player's sessions, which may be the current one."""
    session = get_object_or_404(UserSession, pk=pk, user=player(request))
    end_sessions(request, [session])
    messages.success(request, "Session ended.")
    return redirect("usersessions_list")


@login_required
@require_safe
def account_deletion(request: HttpRequest) -> HttpResponse:
    """Redirect to the deletion of the account, which is shown with the player's data."""
    return redirect(reverse("rosters:my_data", query=request.GET, fragment="delete"))


@login_required
@require_POST
@reauthentication_required(app=SENSITIVE)
def account_deletion_start(request: HttpRequest) -> HttpResponse:
    """Schedule the account's deletion; requires the password and the typed username."""
    form = LeaveForm(request.POST)
    if form.is_valid():
        leaving = run_for_form(form, lambda: account_deletion_request(player=player(request), **form.cleaned_data))
        if leaving is not None:
            return redirect(reverse("rosters:my_data", query=request.GET, fragment="delete"))
    return _my_data_page(request, form, status=422)


@login_required
@require_POST
def account_deletion_cancel(request: HttpRequest) -> HttpResponse:
    """Cancel the account's deletion."""
    run_and_flash(
        request, lambda: account_deletion_withdraw(player=player(request)), "Deletion cancelled. Nothing was changed."
    )
    return redirect("rosters:profile")


@login_required
@require_safe
def my_data(request: HttpRequest) -> HttpResponse:
    """Show the export of the player's data, and what deletes the account; htmx gets only the part that changes."""
    if request.htmx and request.htmx.target == "job":  # type: ignore[attr-defined]
        return render(request, "rosters/_my_data_job.html", _export_context(player(request)))
    return _my_data_page(request, LeaveForm(initial={"name": NAME_OF_DELETED}))


def _my_data_page(request: HttpRequest, form: LeaveForm, status: int = 200) -> HttpResponse:
    """Show the page: data export, what happens to the player's data when they leave, and obstacles to that."""
    own = player(request)
    if request.method == "POST":
        own.refresh_from_db(fields=["leaves_at", "leaves_as"])
    found = obstacles(own)
    everything = fates(own)
    context = {
        **_export_context(own),
        "form": form,
        "obstacles": found,
        "goes": [fate for fate in everything if fate.goes],
        "stays": [fate for fate in everything if not fate.goes],
        "days": settings.LEAVE_DAYS,
        "player": own,
    }
    if found and status != 200:
        messages.error(request, "You can't delete your account yet.")
    return render(request, "rosters/my_data.html", context, status=status)


def _export_context(own: Player) -> dict[str, object]:
    job = DataExport.objects.filter(player=own).first()
    kept_until = data_export_expires_at(job) if job else None
    return {"job": job, "is_over": job is None or job.is_over, "kept_until": kept_until}


@login_required
@require_POST
@reauthentication_required(app=SENSITIVE)
def my_data_request(request: HttpRequest) -> HttpResponse:
    """Request the data export; requires the password."""
    run_and_flash(request, lambda: data_export_request(player=player(request)), "Preparing your data export.")
    return redirect("rosters:my_data")


@login_required
@require_safe
def my_data_file(request: HttpRequest, key: uuid.UUID) -> HttpResponseBase:
    """Download the data export; requires the password."""
    return _data_export_response(
        request, get_object_or_404(DataExport, key=key, player=player(request), status=JobStatus.DONE)
    )


@reauthentication_required(app=SENSITIVE)
def _data_export_response(request: HttpRequest, job: DataExport) -> HttpResponseBase:
    if not job.file or not job.file.storage.exists(str(job.file.name)):
        raise Http404
    name = f"muster-{player(request).username}-{job.ended_at:%Y-%m-%d}.zip"
    return FileResponse(job.file.open("rb"), content_type="application/zip", as_attachment=True, filename=name)


@never_cache
@require_safe
def outbox(request: HttpRequest) -> HttpResponse:
    """Show the last mails with their links. 404 for other machines, because a mail can reset a password."""
    if not is_local(request):
        raise Http404
    return render(request, "rosters/outbox.html", {"mails": read_outbox(), "limit": MAX_MAILS})
