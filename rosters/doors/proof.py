"""Reauthentication: sensitive actions ask for the password on the site, and for a token's scope in the API."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from rosters.models import AccessToken
from rosters.scopes import Scope

from .tokens import need_scope

SENSITIVE = "allauth.account"  # the app whose setting enables asking for the password again


def need_token_scope(request: Request, scope: Scope) -> None:
    """Refuse a token without the scope, for reading data that lets somebody in, which needs more than `read`."""
    if isinstance(request.auth, AccessToken):
        need_scope(request.auth, scope)


def need_proof(request: Request, scope: Scope) -> None:
    """Refuse a token without the scope, and a signed-in user who has not given their password on the site lately.

    Creating a token requires the password, so a token with the scope is proof enough.
    """
    if isinstance(request.auth, AccessToken):
        need_scope(request.auth, scope)
        return
    try:
        _proven(request._request)
    except ReauthenticationRequired:
        reason = f"Give your password on the site first, or use a token with the scope {scope.value!r}."
        raise PermissionDenied(reason, code="reauthentication") from None


@reauthentication_required(app=SENSITIVE)
def _proven(request: HttpRequest) -> None:
    """Do nothing, after a recent confirmation of the password."""
