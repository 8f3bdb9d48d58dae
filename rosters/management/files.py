"""Reading what a command was given, and refusing it in one line."""

from __future__ import annotations

import sys
from pathlib import Path

from django.core.management.base import CommandError

from rosters.models import Player
from systems.documents import MAX_BYTES


def read_file(name: str, most: int = MAX_BYTES) -> bytes:
    """The file's bytes, or those of standard input for `-`; no more than it may have and one."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(most + 1)
        with Path(name).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(f"{ascii(name)}: {reason}") from None


def player_named(argument: str, username: str) -> Player:
    """Whom that argument of a command names."""
    player = Player.objects.filter(username=username.replace("\x00", "")).first()
    if player is None:
        raise refusal(f"{argument}: there is no player {ascii(username[:60])}")
    return player


def refusal(text: object) -> CommandError:
    """Ends a command with exit code 2 and one line that says why."""
    return CommandError(" ".join(str(text).split()), returncode=2)
