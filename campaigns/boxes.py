"""Texts that rows keep under a key which is not in the database: a dump of it opens none."""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


def boxed(text: str, purpose: str) -> str:
    """The text as a row keeps it, under the newest of the server's keys for sealed dice."""
    return _box(settings.DICE_KEYS, purpose).encrypt(text.encode()).decode()


def unboxed(text: str, purpose: str) -> str:
    """The text that was put away; empty where its key is lost, or the purpose another."""
    try:
        return _box(settings.DICE_KEYS, purpose).decrypt(text.encode()).decode()
    except InvalidToken:
        return ""


@cache
def _box(keys: tuple[str, ...], purpose: str) -> MultiFernet:
    """The first key hides, any of them shows."""
    digests = (hmac.digest(key.encode(), purpose.encode(), hashlib.sha256) for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
