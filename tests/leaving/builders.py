"""A player who leaves, and helpers to check what remains of their name."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from rosters.accounts.deletion import account_deletion_request, leave
from rosters.models import Player
from tests.builders import a_player
from tests.permissions.world import World, the_world

NAME, DISPLAY_NAME, ADDRESS = "tomasz-w", "Tomasz Wolff", "tomasz@example.com"


def ask_to_leave(player: Player, name: str = "Player who left") -> Player:
    """Ask to leave under that name."""
    return account_deletion_request(player=player, name=name, typed=player.username)


def end_account(player: Player, name: str = "Player who left") -> Player:
    """End the player's account under that name, and return the remaining row."""
    ask_to_leave(player, name)
    assert leave(player_pk=player.pk, now=timezone.now() + timedelta(days=8))
    player.refresh_from_db()
    return player


def a_leaver() -> Player:
    """Create a player with an address and with names that occur nowhere else."""
    player = a_player(NAME)
    player.name_shown, player.email = DISPLAY_NAME, ADDRESS
    player.save()
    return player


def a_world_with(player: Player) -> World:
    """Create the world of the permissions tests, with the player as its attacker, who takes part in everything."""
    return the_world(player)


def names_in(text: str) -> list[str]:
    """Return the player's names and addresses that the text contains."""
    return [word for word in (NAME, DISPLAY_NAME, ADDRESS) if word.casefold() in text.casefold()]
