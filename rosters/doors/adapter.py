"""What the house does otherwise than allauth would: addresses, limits that lock nobody out."""

from __future__ import annotations

from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from rosters.doors import accounts, limits
from rosters.doors.backend import players_named
from rosters.models import Player, SignInOutcome
from rosters.services.sign_ins import sign_in_note
from rosters.site.address import client_address
from rosters.views.doors import too_many


class AccountAdapter(accounts.AccountAdapter):
    """Signing in too, by the rules of this house."""

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: str) -> None:
        """Counts the try in place of allauth's own count, which is by account alone and so locks its owner out."""
        login = credentials.get("username") or credentials.get("email") or ""
        self.meant = players_named(login)
        self.accounts = limits.account_keys(self.meant, login)
        try:
            self.password_try = limits.password_try(request, self.accounts)
        except limits.TooManyError as refused:
            raise ImmediateHttpResponse(too_many(request, refused.wait)) from refused

    def authenticate(self, request: HttpRequest, **credentials: str) -> AbstractBaseUser | None:
        player: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if player:
            self.password_try.give_back()
        return player

    def authentication_failed(self, request: HttpRequest, **credentials: str) -> None:
        limits.password_wrong(request, self.accounts)
        noted: list[Player | None] = [*self.meant] or [None]
        for player in noted:
            sign_in_note(request=request, player=player, outcome=SignInOutcome.WRONG_PASSWORD)
