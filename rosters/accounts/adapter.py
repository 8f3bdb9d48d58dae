"""Adapters for allauth: usernames, mails, limits, sign-up, and the second factor.

MUSTER_SIGN_UP decides who may create an account: everybody, people with a club's link, or nobody.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import re
import secrets
import unicodedata
from functools import cache
from smtplib import SMTPException

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailConfirmation
from allauth.core import context as allauth
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import clear
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.shortcuts import redirect

from rosters import hooks
from rosters.accounts import limits
from rosters.accounts.backends import find_players
from rosters.accounts.sign_ins import sign_in_note
from rosters.models import Player, SignInOutcome
from rosters.services.players import IS_RESERVED, is_reserved, username_looks_taken
from rosters.site.kept_forms import kept_page
from rosters.site.mails import address_of, site_of_mails
from rosters.site.visitors import client_address
from systems.text import text_problem


def may_sign_up(request: HttpRequest) -> bool:
    """Return whether the request may create an account."""
    if settings.SIGN_UP == "invited":
        goes_to = request.POST.get("next") or request.GET.get("next") or ""
        return any(answer(request, goes_to) for answer in hooks.sign_up_links)
    return bool(settings.SIGN_UP == "open")


log = logging.getLogger(__name__)

CONFIRMATION_MAILS = (
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
    "account/email/account_already_exists",  # same response as for any other sign-up
)
OF_ONE_WHO_LEFT = re.compile(r"left-\d+(-\d+)?", re.IGNORECASE)
OF_A_GUEST = re.compile(r"guest-[0-9a-z]+", re.IGNORECASE)
OF_A_PLACE = re.compile(r"place-[0-9a-z]+", re.IGNORECASE)
NO_CONFIRMATION = (
    "The confirmation mail to {email} couldn't be sent: the mail server didn't take it. Everything else is "
    "saved. Send it again from your Email page."
)
NO_CONFIRMATION_YET = (
    "Your account is ready, but the confirmation mail to {email} couldn't be sent: the mail server didn't "
    "take it. Sign in again later to resend it."
)
NO_ADDRESS = "A username can't contain an @, because others see it. Choose another."


class AccountAdapter(DefaultAccountAdapter):
    """Checks usernames, copes with an unavailable mail server, and counts wrong passwords."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the normalized name; ValidationError if it is unprintable, reserved or taken."""
        username = unicodedata.normalize("NFKC", username)
        if reason := text_problem(username):
            raise ValidationError(f"This {reason}")
        if "@" in username:
            raise ValidationError(NO_ADDRESS)
        if OF_ONE_WHO_LEFT.fullmatch(username):
            raise ValidationError("This name is reserved for players who left. Choose another.")
        if OF_A_GUEST.fullmatch(username):
            raise ValidationError("This name is reserved for guests. Choose another.")
        if OF_A_PLACE.fullmatch(username):
            raise ValidationError("This name is reserved for restored clubs. Choose another.")
        if is_reserved(username):
            raise ValidationError(f"This name {IS_RESERVED}")
        cleaned: str = super().clean_username(username, shallow=shallow)
        if not shallow and username_looks_taken(cleaned):
            raise ValidationError("Somebody has a username that looks like this one. Choose another.")
        return cleaned

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """Send the mail, or tell the user that it couldn't be sent."""
        try:
            super().send_mail(template_prefix, email, {"current_site": site_of_mails(), **context})
        except (OSError, SMTPException):
            log.exception("the mail %s was not sent", template_prefix)
            self._report_unsent(template_prefix, email)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: EmailConfirmation) -> str:
        return address_of("account_confirm_email", emailconfirmation.key)

    def get_reset_password_from_key_url(self, key: str) -> str:
        return address_of("account_reset_password_from_key", *key.split("-", 1))

    def send_account_already_exists_mail(self, email: str) -> None:
        links: dict[str, object] = {
            "signup_url": address_of("account_signup"),
            "password_reset_url": address_of("account_reset_password"),
        }
        self.send_mail("account/email/account_already_exists", email, links)

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: object, **kwargs: object
    ) -> None:
        """Add allauth's message, except "confirmation sent" when the mail couldn't be sent."""
        is_sent = message_template == "account/messages/email_confirmation_sent.txt"
        if not (is_sent and getattr(request, "mail_failed", False)):
            super().add_message(request, level, message_template, *args, **kwargs)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return the page to show after signing in: the page of a kept form, or allauth's default."""
        url: str = kept_page(request.user.pk) or super().get_login_redirect_url(request)
        return url

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: str) -> None:
        """Count the attempt. This replaces allauth's limit, which is per account only and would lock out its owner."""
        login = credentials.get("username") or credentials.get("email") or ""
        self.meant = find_players(login)
        self.accounts = limits.account_keys(self.meant, login)
        try:
            self.attempt = limits.count_password_attempt(request, self.accounts)
        except limits.TooManyAttemptsError as refused:
            raise ImmediateHttpResponse(limits.too_many(request, refused.wait)) from refused

    def authenticate(self, request: HttpRequest, **credentials: str) -> AbstractBaseUser | None:
        player: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if player:
            self.attempt.give_back()
        return player

    def authentication_failed(self, request: HttpRequest, **credentials: str) -> None:
        limits.password_wrong(request, self.accounts)
        noted: list[Player | None] = [*self.meant] or [None]
        for player in noted:
            sign_in_note(request=request, player=player, outcome=SignInOutcome.WRONG_PASSWORD)

    def _report_unsent(self, template_prefix: str, email: str) -> None:
        request = allauth.request
        if template_prefix in CONFIRMATION_MAILS:
            request.mail_failed = True
            clear(request, action="confirm_email", key=email.lower())  # an unsent mail must not delay the next
            if settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory" and not request.user.is_authenticated:
                messages.error(request, NO_CONFIRMATION_YET.format(email=email))
                raise ImmediateHttpResponse(redirect("account_login"))
            messages.error(request, NO_CONFIRMATION.format(email=email))


class FactorAdapter(DefaultMFAAdapter):
    """Encrypts second-factor secrets with the keys of the dice, so that nobody can sign in with a database dump."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": "Turn off two-factor sign-in first, then add an address.",
        "incorrect_code": "That code is wrong. Enter the code that the app shows now; it changes every 30 seconds.",
        "unverified_email": "Confirm your email addresses first, or remove the ones you can't confirm.",
    }

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as an inline SVG without styles."""
        return segno.make(url, error="m").svg_inline(dark="#000", light="#fff", border=3, omitsize=True)

    def encrypt(self, text: str) -> str:
        return _box(settings.DICE_KEYS).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret; if its key is lost, a random one that no code matches."""
        try:
            return _box(settings.DICE_KEYS).decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()


@cache
def _box(keys: tuple[str, ...]) -> MultiFernet:
    """Return the cipher. It encrypts with the first key and decrypts with any."""
    digests = (hmac.digest(key.encode(), b"second factors", hashlib.sha256) for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
