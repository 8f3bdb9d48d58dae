"""Forms for second-factor codes. Each code is valid once, and wrong codes count like wrong passwords."""

from __future__ import annotations

from typing import Any

from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.core.exceptions import ValidationError

from rosters.accounts import limits


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
            raise get_adapter().validation_error("incorrect_code")
        return code

    def _is_first_use(self: Any, code: str) -> bool:
        fits_for = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        key = f"rosters.accounts.second_factors:{self.user.pk}:{normalize_user_code(code)}"
        return cache.add(key, True, timeout=fits_for)


class AuthenticateForm(_Once, forms.AuthenticateForm):
    """The form for a code at sign-in."""


class ReauthenticateForm(_Once, forms.ReauthenticateForm):
    """The form for another code before sensitive actions."""
