"""Telling visitors without an account apart, without keeping who they are."""

import hashlib
import hmac

from django.conf import settings
from django.http import HttpRequest


def visitor_mark(request: HttpRequest) -> str:
    """A keyed hash of the visitor's address."""
    address = request.META.get("REMOTE_ADDR", "")
    if settings.HTTPS:  # behind a proxy, which appends the address it saw
        address = request.META.get("HTTP_X_FORWARDED_FOR", address).split(",")[-1].strip()
    return hmac.new(settings.SECRET_KEY.encode(), f"visitor {address}".encode(), hashlib.sha256).hexdigest()[:32]
