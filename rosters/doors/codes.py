"""Codes of the second factor, each good for once."""

from __future__ import annotations

from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from django.core.cache import cache


class _Once:
    """allauth marks a used code for one period; with the tolerance it fits for three."""

    def clean_code(self: Any) -> str:
        code: str = super().clean_code()  # type: ignore[misc]
        if self.authenticator.type == Authenticator.Type.TOTP and not self._is_first_use(code):
            self._emit_authentication_failed(self.authenticator)
            raise get_adapter().validation_error("incorrect_code")
        return code

    def _is_first_use(self: Any, code: str) -> bool:
        fits_for = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        key = f"rosters.doors.codes:{self.user.pk}:{normalize_user_code(code)}"
        return cache.add(key, True, timeout=fits_for)


class AuthenticateForm(_Once, forms.AuthenticateForm):
    """Asked of who signs in."""


class ReauthenticateForm(_Once, forms.ReauthenticateForm):
    """Asked again before what is sensitive."""
