"""What takes a fresh proof that somebody is himself: acts on the site ask for the password, the API for a token's scope."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request

from rosters.models import AccessToken

from .scopes import Scope
from .tokens import need_scope

SENSITIVE = "allauth.account"  # whose setting says that such acts ask for the password again


def need_token_scope(request: Request, scope: Scope) -> None:
    """Refuses a token without the scope where reading takes more than `read`: keys that let somebody in."""
    if isinstance(request.auth, AccessToken):
        need_scope(request.auth, scope)


def need_proof(request: Request, scope: Scope) -> None:
    """Refuses a token without the scope, which was made by who had proven himself; and who is signed in on the site and has
    not given his password there lately."""
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
    """Nothing, for who has proven himself."""
