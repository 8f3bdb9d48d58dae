"""Reactions to allauth's signals about successful and failed sign-ins."""

from __future__ import annotations

from allauth.account.signals import password_reset, user_logged_in
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_used
from allauth.usersessions.internal.flows.sessions import end_other_sessions
from django.http import HttpRequest

from rosters.doors import limits
from rosters.models import Player, SignInOutcome
from rosters.services.sign_ins import sign_in_note


def connect_signals() -> None:
    """Connect the signals; called once, when the app starts."""
    user_logged_in.connect(signed_in, dispatch_uid="doors")
    authentication_failed.connect(wrong_code, dispatch_uid="doors")
    authenticator_used.connect(factor_used, dispatch_uid="doors")
    authenticator_added.connect(factor_added, dispatch_uid="doors")
    password_reset.connect(proven_by_mail, dispatch_uid="doors")


def signed_in(request: HttpRequest, user: Player, **_more: object) -> None:
    used = getattr(request, "second_factor_used", False)
    sign_in_note(request=request, player=user, outcome=SignInOutcome.OK, second_factor=used)


def factor_used(request: HttpRequest, **_more: object) -> None:
    request.second_factor_used = True  # type: ignore[attr-defined]  # by the request that then signs in


def wrong_code(request: HttpRequest, user: Player, **_more: object) -> None:
    sign_in_note(request=request, player=user, outcome=SignInOutcome.WRONG_CODE)


def factor_added(request: HttpRequest, user: Player, authenticator: Authenticator, **_more: object) -> None:
    """End sessions that were started without the factor."""
    if authenticator.type == Authenticator.Type.TOTP:
        end_other_sessions(request, user)


def proven_by_mail(request: HttpRequest, user: Player, **_more: object) -> None:
    """Reset the limits for a player who has reset their password: their wrong guesses no longer count."""
    limits.forgive(request, limits.account_key(user))
