"""Helpers of commands: read their arguments, and end with a one-line error."""

from __future__ import annotations

from django.core.management.base import CommandError

from rosters.models import Player
from systems.documents import MAX_BYTES, DocumentError
from systems.simulation import commands


def read_file(name: str, most: int = MAX_BYTES) -> bytes:
    """Return the bytes of the file, or of standard input for `-`; at most one byte more than `most`."""
    try:
        return commands.read_file(name, most)
    except DocumentError as error:
        raise refusal(error) from None


def player_named(argument: str, username: str) -> Player:
    """Return the player with this username; CommandError, which names the argument, if there is none."""
    player = Player.objects.filter(username=username.replace("\x00", "")).first()
    if player is None:
        raise refusal(f"{argument}: there is no player {ascii(username[:60])}")
    return player


def refusal(text: object) -> CommandError:
    """Return the error that ends a command with exit code 2 and a reason in one line."""
    return CommandError(" ".join(str(text).split()), returncode=2)
