"""The player row of a guest."""

from __future__ import annotations

import secrets

from django.contrib.auth.hashers import make_password

from rosters.models import Player


def guest_player(name: str) -> Player:
    """Create a guest: a player without a usable password or a mail address."""
    return Player.objects.create(
        username=_free_username(), name_shown=name, is_guest=True, password=make_password(None)
    )


def _free_username() -> str:
    """Return an unused `guest-` name with random letters, which nobody can sign up with."""
    while True:
        name = f"guest-{secrets.token_hex(5)}"
        if not Player.objects.filter(username=name).exists():
            return name
