"""Tell visitors without an account apart, without storing who they are."""

import hashlib
import hmac

from django.conf import settings
from django.http import HttpRequest

from rosters.site.address import client_network


def visitor_mark(request: HttpRequest) -> str:
    """Return a keyed hash of the visitor's address."""
    address = client_network(request)
    return hmac.new(settings.SECRET_KEY.encode(), f"visitor {address}".encode(), hashlib.sha256).hexdigest()[:32]
