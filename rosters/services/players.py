"""What players change about themselves: how they are shown, and their API tokens."""

from __future__ import annotations

import zoneinfo
from functools import cache

from django.db import transaction
from knox.models import AuthToken

from rosters.models import Paper, Player

from ._base import RefusedError, clean_text

TOKENS_MOST = 20


@cache
def time_zones() -> tuple[str, ...]:
    """Every time zone that a player can choose, by name."""
    return tuple(sorted(zoneinfo.available_timezones()))


@transaction.atomic
def player_change(*, player: Player, name_shown: str, time_zone: str, paper: str) -> Player:
    """Name shown, time zone and paper."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    player.name_shown = clean_text("name_shown", name_shown, longest=60, may_be_empty=True)
    if time_zone and time_zone not in time_zones():
        raise RefusedError("time_zone", f"There is no time zone {ascii(time_zone[:40])}.")
    if paper not in Paper.values:
        raise RefusedError("paper", f"must be one of {', '.join(Paper.values)}.")
    player.time_zone, player.paper = time_zone, paper
    player.save(update_fields=["name_shown", "time_zone", "paper"])
    return player


@transaction.atomic
def token_create(*, player: Player) -> str:
    """A new API token; only its digest is kept, so this is the one time it can be shown."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if AuthToken.objects.filter(user=player).count() >= TOKENS_MOST:
        raise RefusedError("token", f"A player has {TOKENS_MOST} tokens at most; revoke one first.")
    _, token = AuthToken.objects.create(user=player)
    return str(token)


def token_revoke(*, player: Player, token_key: str) -> bool:
    """Whether there was such a token of this player."""
    if not token_key.isalnum():
        return False
    deleted, _ = AuthToken.objects.filter(user=player, token_key=token_key).delete()
    return bool(deleted)
