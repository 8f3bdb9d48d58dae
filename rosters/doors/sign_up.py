"""Who may create an account: everybody, users with a club's link, or nobody (MUSTER_SIGN_UP)."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from rosters import hooks


def may_sign_up(request: HttpRequest) -> bool:
    """Return whether the request may create an account."""
    if settings.SIGN_UP == "invited":
        goes_to = request.POST.get("next") or request.GET.get("next") or ""
        return any(answer(request, goes_to) for answer in hooks.sign_up_links)
    return bool(settings.SIGN_UP == "open")
