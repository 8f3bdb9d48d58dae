"""Ends an account's tokens when its password changes, and mails players who have forgotten their password.

Requesting that mail takes the same time whether there is an account or not.
"""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.utils import user_pk_to_url_str
from allauth.core.context import request_context
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from rosters.models import Player
from rosters.services.players import tokens_end
from rosters.site.job_runs import wake
from rosters.site.mails import address_of, site_of_mails

NEW_PASSWORD = "Eight characters or more, unlike your name and address, and none of those that everybody takes."
ENDS = "Changing it ends all other sessions and the API tokens that you have."


class EndTokensValidator:
    """A validator that accepts every password. Django calls it for changed passwords, but not for rehashed ones."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        return None

    def get_help_text(self) -> str:
        return ENDS

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        if user is not None and user.pk is not None:
            tokens_end(player_pk=user.pk)


MAX_MAILS = 5  # the most mails that one request sends; any number of accounts may claim the same unconfirmed address


def reset_ask(*, email: str) -> None:
    """Queue the mail for a forgotten password."""
    wake("rosters.tasks.reset_mail", email)


def reset_send(*, email: str) -> int:
    """Mail a link for each account with the address, or that there is no account; return the number of accounts."""
    request = _request()
    with request_context(request):
        players = _of_address(email)
        adapter = get_adapter()
        for player in players:
            key = f"{user_pk_to_url_str(player)}-{default_token_generator.make_token(player)}"
            link = adapter.get_reset_password_from_key_url(key)
            _send_reset_mail(
                email,
                "account/email/password_reset_key",
                request,
                {"user": player, "password_reset_url": link, "username": player.username},
            )
        if not players:
            _send_reset_mail(
                email, "account/email/unknown_account", request, {"signup_url": address_of("account_signup")}
            )
    return len(players)


def _of_address(email: str) -> list[Player]:
    """Return the players who confirmed the address, else those who claim it; latest sign-in first, up to MAX_MAILS."""
    named: list[Player] = filter_users_by_email(email, is_active=True, prefer_verified=True, for_login=True)
    return sorted(named, key=lambda player: player.last_login or player.date_joined, reverse=True)[:MAX_MAILS]


def _send_reset_mail(email: str, template: str, request: HttpRequest, context: dict[str, object]) -> None:
    context = {"request": request, "email": email, "current_site": site_of_mails(), **context}
    get_adapter().render_mail(template, email, context).send()


def _request() -> HttpRequest:
    """Return a request with just enough data to render links and texts."""
    request = HttpRequest()
    request.META = {"HTTP_HOST": site_of_mails()["domain"], "HTTP_X_FORWARDED_PROTO": "https"}  # if the site has TLS
    request.user = AnonymousUser()
    return request
