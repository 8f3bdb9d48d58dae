"""Who leaves, from a world in which he had a part in everything."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from rosters.accounts.deletion import leave, leave_ask
from rosters.models import Player
from tests.builders import a_player
from tests.permissions.world import World, the_world

NAME, SHOWN, ADDRESS = "tomasz-w", "Tomasz Wolff", "tomasz@example.com"


def leaving(player: Player, name: str = "Player who left") -> Player:
    """The player, who has asked to leave under that name."""
    return leave_ask(player=player, name=name, typed=player.username)


def gone(player: Player, name: str = "Player who left") -> Player:
    """What is left of the player."""
    leaving(player, name)
    assert leave(player_pk=player.pk, now=timezone.now() + timedelta(days=8))
    player.refresh_from_db()
    return player


def him() -> Player:
    """A player with an address, whose names stand nowhere but where he is meant."""
    player = a_player(NAME)
    player.name_shown, player.email = SHOWN, ADDRESS
    player.save()
    return player


def a_world_with(player: Player) -> World:
    """The world of the walk over all routes, with the player as its attacker: he has a part in everything."""
    return the_world(player)


def is_named(text: str) -> list[str]:
    """Those of his names and addresses that can be read there."""
    return [word for word in (NAME, SHOWN, ADDRESS) if word.casefold() in text.casefold()]
