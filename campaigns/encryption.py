"""Encryption of texts with a key that isn't in the database, so that a dump of it can't reveal them."""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


def encrypt(text: str, purpose: str) -> str:
    """Encrypt the text for storing, under the newest of the server's keys for provably fair dice."""
    return _fernet(settings.DICE_KEYS, purpose).encrypt(text.encode()).decode()


def decrypt(text: str, purpose: str) -> str:
    """Decrypt a stored text; empty if its key is lost or the purpose is another."""
    try:
        return _fernet(settings.DICE_KEYS, purpose).decrypt(text.encode()).decode()
    except InvalidToken:
        return ""


@cache
def _fernet(keys: tuple[str, ...], purpose: str) -> MultiFernet:
    """Return the cipher of a purpose: the first key encrypts, any of them decrypts."""
    digests = (hmac.digest(key.encode(), purpose.encode(), hashlib.sha256) for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
