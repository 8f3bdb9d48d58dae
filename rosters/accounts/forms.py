"""Account forms, the mail for a forgotten password, and codes of second factors.

The forms don't reveal, by their texts or the time they take, which addresses have an account; the mail takes the same
time whether there is one or not. A code is valid once, and wrong codes count like wrong passwords.
"""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    ChangePasswordForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
    default_token_generator,
)
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.utils import user_pk_to_url_str
from allauth.core import context
from allauth.core.context import request_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from rosters.accounts import limits
from rosters.accounts.sign_ins import sign_in_note
from rosters.models import Player, SignInOutcome
from rosters.services.players import tokens_end
from rosters.site.job_runs import wake
from rosters.site.mails import address_of, mail_server_answers, site_of_mails

NO_RESET = (
    "The mail server isn't responding, so no mail could be sent. Nothing was changed. Try again in a few minutes."
)


class ResetForm(ResetPasswordForm):
    """Form to reset a password. A worker looks up the account, and sends either the link or a mail that there is none.

    The mail server is checked before any lookup, so its failure is shown to everybody alike.
    """

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "Email address"

    def clean_email(self) -> str:
        email: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        return email

    def save(self, request: HttpRequest, **_more: object) -> str:
        email: str = self.cleaned_data["email"]
        if not mail_server_answers():
            messages.error(request, NO_RESET)
            raise ImmediateHttpResponse(redirect("account_reset_password"))
        reset_ask(email=email)
        return email


class ChangeForm(ChangePasswordForm):
    """Form to change a password. Wrong old passwords count as sign-ins, so that an open session can't guess faster."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        labels = ("Current password", "New password", "Repeat new password")
        for name, label in zip(("oldpassword", "password1", "password2"), labels, strict=True):
            self.fields[name].label = label
        self.fields["password1"].help_text = f"{NEW_PASSWORD} {ENDS}"

    def clean_oldpassword(self) -> str:
        request = context.request
        accounts = [limits.account_key(self.user)]
        try:
            attempt = limits.count_password_attempt(request, accounts)
        except limits.TooManyAttemptsError as refused:
            raise ImmediateHttpResponse(limits.too_many(request, refused.wait)) from refused
        try:
            given: str = super().clean_oldpassword()
        except ValidationError:
            limits.password_wrong(request, accounts)
            sign_in_note(request=request, player=self.user, outcome=SignInOutcome.WRONG_PASSWORD)
            raise
        attempt.give_back()
        return given


class ResetKeyForm(ResetPasswordKeyForm):
    """Form for a new password, for a player who follows the link in a mail."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = f"{NEW_PASSWORD} {ENDS}"


class SignUpForm(SignupForm):
    """Form to sign up. It hashes the password even if the account exists, because hashing takes most of the time."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "Email address"
        self.fields["password1"].help_text = NEW_PASSWORD

    def try_save(self, request: HttpRequest) -> tuple[AbstractBaseUser | None, HttpResponse | None]:
        if self.account_already_exists:
            make_password(self.cleaned_data.get("password1"))
        saved: tuple[AbstractBaseUser | None, HttpResponse | None] = super().try_save(request)
        return saved


NEW_PASSWORD = "At least 8 characters, not like your name or email address, and not a common password."
ENDS = "Changing it signs you out everywhere else and cancels your API tokens."


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


class _Once:
    """Makes codes valid only once.

    allauth marks a used code for one period, but with the tolerance it is accepted for three.
    """

    def clean_code(self: Any) -> str:
        """Return the code if it is right and unused. Wrong codes are counted here, because allauth doesn't."""
        try:
            attempt = limits.count_factor_attempt(context.request, self.user)
        except limits.TooManyAttemptsError as refused:
            raise ImmediateHttpResponse(limits.too_many(context.request, refused.wait)) from refused
        try:
            code = self._first_use()
        except ValidationError:
            limits.factor_wrong(context.request, self.user)
            raise
        attempt.give_back()
        return str(code)

    def _first_use(self: Any) -> str:
        code: str = super().clean_code()  # type: ignore[misc]
        if self.authenticator.type == Authenticator.Type.TOTP and not self._is_first_use(code):
            self._emit_authentication_failed(self.authenticator)
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code

    def _is_first_use(self: Any, code: str) -> bool:
        fits_for = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        key = f"rosters.accounts.second_factors:{self.user.pk}:{normalize_user_code(code)}"
        return cache.add(key, True, timeout=fits_for)


class AuthenticateForm(_Once, mfa_forms.AuthenticateForm):
    """The form for a code at sign-in."""


class ReauthenticateForm(_Once, mfa_forms.ReauthenticateForm):
    """The form for another code before sensitive actions."""
