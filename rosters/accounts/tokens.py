"""API authentication by token or session, and the proof that sensitive operations require.

On the site they require the password, and in the API a token with the right scope.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest
from django.utils import timezone
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.authentication import SessionAuthentication as BrowserAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from rosters import hooks
from rosters.accounts import limits
from rosters.models import AccessToken, Player
from rosters.scopes import Scope

USED_IS_NOTED_EVERY = timedelta(minutes=10)


class TokenAuthentication(KnoxAuthentication):
    """Authenticate by token: 401 for an unknown token, 403 with the code `scope` if it lacks the required scope."""

    def authenticate(self, request: Request) -> tuple[Player, AccessToken] | None:
        try:
            found: tuple[Player, AccessToken] | None = super().authenticate(request)
        except (AuthenticationFailed, UnicodeDecodeError) as error:
            if wait := limits.wrong_token(request):
                raise Throttled(wait) from error
            raise AuthenticationFailed("Invalid token.") from error
        if found is not None:
            _demand(request, found[1])
            _note_use(found[1])
        return found


class SessionAuthentication(BrowserAuthentication):
    """Authenticate users who are signed in on the site."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        found: tuple[Player, None] | None = super().authenticate(request)
        if found is not None:
            _guard(request, found[0])
        return found


def scope_demanded(request: Request, player: Player) -> Scope | None:
    """Return the scope that the operation demands of this player's token; None if the operation isn't listed."""
    if request.method in SAFE_METHODS:
        return Scope.READ
    route = route_of(request)
    demand = next((demands[route] for demands in hooks.demands if route in demands), None)
    return demand if isinstance(demand, Scope) or demand is None else demand(request, player)


def route_of(request: Request) -> str:
    """Return the name of the requested route; empty if there is none."""
    match = request._request.resolver_match
    return (match.url_name if match else None) or ""


def _demand(request: Request, token: AccessToken) -> None:
    scope = scope_demanded(request, token.user)
    if scope is None:
        raise PermissionDenied("You can't do this with a token. Sign in on the site.", code="scope")
    need_scope(token, scope)
    _guard(request, token.user)


def need_scope(token: AccessToken, scope: Scope) -> None:
    """Raise PermissionDenied if the token lacks the scope."""
    if scope not in token.scope_set:
        has = ", ".join(sorted(token.scope_set))
        raise PermissionDenied(
            (f"This needs a token with the scope {scope.value!r}; yours has {has}. Create one on your profile page."),
            code="scope",
        )


def _guard(request: Request, player: Player) -> None:
    if request.method not in SAFE_METHODS:
        for guard in hooks.guards:
            if reason := guard(request, player):
                raise PermissionDenied(reason, code="second_factor")


def _note_use(token: AccessToken) -> None:
    now = timezone.now()
    if token.used_at is None or now - token.used_at > USED_IS_NOTED_EVERY:
        AccessToken.objects.filter(pk=token.pk).update(used_at=now)


SENSITIVE = "allauth.account"  # the app whose setting enables asking for the password again


def need_token_scope(request: Request, scope: Scope) -> None:
    """Raise PermissionDenied if a token lacks the scope; for reading secrets, which needs more than `read`."""
    if isinstance(request.auth, AccessToken):
        need_scope(request.auth, scope)


def need_proof(request: Request, scope: Scope) -> None:
    """Raise PermissionDenied unless the token has the scope, or the signed-in user recently confirmed their password.

    A token with the scope is proof enough, because creating it required the password.
    """
    if isinstance(request.auth, AccessToken):
        need_scope(request.auth, scope)
        return
    try:
        _proven(request._request)
    except ReauthenticationRequired:
        reason = f"Confirm your password on the site first, or use a token with the scope {scope.value!r}."
        raise PermissionDenied(reason, code="reauthentication") from None


@reauthentication_required(app=SENSITIVE)
def _proven(request: HttpRequest) -> None:
    """Do nothing, after a recent confirmation of the password."""
