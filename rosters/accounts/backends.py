"""Backends of authentication and sessions. Accounts are found by username or mail address.

Sessions are Django's database sessions with a prepared query, because each page reads the session of a signed-in user.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from rosters.database.queries import PreparedQuery
from rosters.models import Player

MAX_ACCOUNTS = 2  # accounts that are tried for a name or address; also the passwords hashed at each failure
BY_ID = PreparedQuery(lambda pk: Player.objects.filter(pk=pk), pk=int)


def find_players(login: str) -> list[Player]:
    """Return the player with that username, then those with that mail address, oldest first; at most MAX_ACCOUNTS.

    If nobody has confirmed the address, those who claim it are returned. Attempts count against all of them, so that
    nobody can guess the password of one account through another's name.
    """
    if not login:
        return []
    by_name = Player.objects.filter(username=login).first() or get_user_by_username(login)
    by_mail = sorted(filter_users_by_email(login, prefer_verified=True, for_login=True), key=lambda player: player.pk)
    return list(dict.fromkeys([*([by_name] if by_name else []), *by_mail]))[:MAX_ACCOUNTS]


class SignInBackend(AuthenticationBackend):
    """The only authentication backend.

    A second one would hash the password again, and the time that takes would reveal which addresses have an account.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: str) -> AbstractBaseUser | None:
        login = credentials.get("username") or credentials.get("email") or ""
        password = credentials.get("password")
        if not login or not password:
            return None
        named = find_players(login)
        for player in named:
            if found := self._check_password(player, password):
                return found
        for _ in range(MAX_ACCOUNTS - len(named)):
            make_password(password)
        return None

    def get_user(self, user_id: int) -> AbstractBaseUser | None:
        """Return the user like Django's backend, but with a prepared query, because every signed-in page needs it."""
        player = BY_ID.row(pk=user_id)
        return player if player and self.user_can_authenticate(player) else None


BACKEND_BEFORE_0_9 = "rosters.doors.backend.SignInBackend"
OPEN = PreparedQuery(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), key=str, now=datetime
)


class SessionStore(db.SessionStore):
    """Django's session store with a prepared query; it also accepts sessions from before version 0.9."""

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        found: dict[str, Any] = super().decode(session_data)
        if found.get(BACKEND_SESSION_KEY) == BACKEND_BEFORE_0_9:
            found[BACKEND_SESSION_KEY] = f"{SignInBackend.__module__}.{SignInBackend.__qualname__}"
        return found

    def _get_session_from_db(self) -> Session | None:
        found = OPEN.row(key=self.session_key or "", now=timezone.now())
        if found is None:
            self._session_key = None
        return found
