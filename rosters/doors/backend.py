"""Whom a name or an address of the sign-in form means, and whether the password is his."""

from __future__ import annotations

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from rosters.models import Player
from rosters.site.compiled import Compiled

MAX_ACCOUNTS = 2  # accounts that one name or address is tried for; passwords that each refusal hashes
BY_ID = Compiled(lambda pk: Player.objects.filter(pk=pk), pk=int)


def players_named(login: str) -> list[Player]:
    """Who has the name, then who has the address: those who have confirmed it, else those who say so, oldest first.

    Limits count against all of them, so that nobody guesses at one under the name of another.
    """
    if not login:
        return []
    by_name = Player.objects.filter(username=login).first() or get_user_by_username(login)
    by_mail = sorted(filter_users_by_email(login, prefer_verified=True, for_login=True), key=lambda player: player.pk)
    return list(dict.fromkeys([*([by_name] if by_name else []), *by_mail]))[:MAX_ACCOUNTS]


class SignInBackend(AuthenticationBackend):
    """The only one: a second would hash once more, and by the time tell a known address from an unknown one."""

    def authenticate(self, request: HttpRequest | None, **credentials: str) -> AbstractBaseUser | None:
        login = credentials.get("username") or credentials.get("email") or ""
        password = credentials.get("password")
        if not login or not password:
            return None
        named = players_named(login)
        for player in named:
            if found := self._check_password(player, password):
                return found
        for _ in range(MAX_ACCOUNTS - len(named)):
            make_password(password)
        return None

    def get_user(self, user_id: int) -> AbstractBaseUser | None:
        """As Django's, whose question is written once: every page of who is signed in asks it."""
        player = BY_ID.row(pk=user_id)
        return player if player and self.user_can_authenticate(player) else None
