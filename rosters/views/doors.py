"""Sign-in pages: an owner's log of sign-ins, and ending sessions."""

from __future__ import annotations

from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from rosters.models import SignIn, SignInOutcome
from rosters.view_helpers import player

MAX_SIGN_INS = 50


@login_required
@require_safe
def sign_ins(request: HttpRequest) -> HttpResponse:
    """Show the owner's log of sign-ins, newest first. Successful ones are shown however many attempts failed."""
    own = SignIn.objects.filter(player=player(request)).order_by("-at", "-pk")
    came_in, refused = own.filter(outcome=SignInOutcome.OK)[:MAX_SIGN_INS], own.exclude(outcome=SignInOutcome.OK)[:MAX_SIGN_INS]
    rows = sorted([*came_in, *refused], key=lambda row: (row.at, row.pk), reverse=True)
    context = {"sign_ins": rows, "shown": MAX_SIGN_INS, "days": settings.KEEP_SIGN_INS_DAYS}
    return render(request, "rosters/sign_ins.html", context)


@login_required
@require_POST
def session_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of the owner's sessions, which may be the current one."""
    session = get_object_or_404(UserSession, pk=pk, user=player(request))
    end_sessions(request, [session])
    messages.success(request, "That session is over.")
    return redirect("usersessions_list")
