"""The second factor: how its secret is stored and shown."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from functools import cache

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class FactorAdapter(DefaultMFAAdapter):
    """Secrets are encrypted with the keys for sealed dice, so that a dump of the database lets nobody sign in."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": "Turn the second factor off first, then add an address.",
        "incorrect_code": "That code is not right. It is new every half minute: take the one that the app shows now.",
        "unverified_email": "Confirm your e-mail addresses first, or remove those that you can't confirm.",
    }

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code as an inline SVG without styles."""
        return segno.make(url, error="m").svg_inline(dark="#000", light="#fff", border=3, omitsize=True)

    def encrypt(self, text: str) -> str:
        return _box(settings.DICE_KEYS).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret; if its key is lost, a random one, so that no code fits."""
        try:
            return _box(settings.DICE_KEYS).decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()


@cache
def _box(keys: tuple[str, ...]) -> MultiFernet:
    """Return the cipher: the first key encrypts, all keys decrypt."""
    digests = (hmac.digest(key.encode(), b"second factors", hashlib.sha256) for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
