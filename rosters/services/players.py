"""A player's changes to their own account: how they are shown, and their API tokens."""

from __future__ import annotations

import zoneinfo
from collections.abc import Collection
from datetime import timedelta
from functools import cache

from django.db import transaction

from rosters import hooks
from rosters.models import AccessToken, PaperSize, Player
from rosters.scopes import Scope
from rosters.site.refusals import RefusedError

from ._base import clean_text
from .player_names import find_lookalike, refuse_unfit_player_name

MAX_TOKENS = 20
TOKEN_DAYS, MAX_TOKEN_DAYS = 90, 365


@cache
def time_zones() -> tuple[str, ...]:
    """Return all time zones that a player can choose, by name."""
    return tuple(sorted(zoneinfo.available_timezones()))


@transaction.atomic
def player_change(*, player: Player, name_shown: str, time_zone: str, paper: str) -> Player:
    """Change display name, time zone and paper."""
    clubmates = (
        hooks.clubmates_of(player) if name_shown != player.name_shown else []
    )  # locks clubs, so it comes before the player
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    before = player.name_shown
    player.name_shown = clean_text("name_shown", name_shown, longest=60, may_be_empty=True, now=before)
    if player.name_shown != before:
        refuse_unfit_player_name("name_shown", player.name_shown)
        if found := find_lookalike(str(player), clubmates):
            raise RefusedError(
                "name_shown", f"looks like {found}, who is in a club with you. Add what tells the two of you apart."
            )
    if time_zone and time_zone not in time_zones():
        raise RefusedError("time_zone", f"There is no time zone {ascii(time_zone[:40])}.")
    if paper not in PaperSize.values:
        raise RefusedError("paper", f"must be one of {', '.join(PaperSize.values)}.")
    player.time_zone, player.paper = time_zone, paper
    name_remember(player, before)
    player.save(update_fields=["name_shown", "time_zone", "paper", "names_before"])
    return player


def name_remember(player: Player, *before: str) -> None:
    """Record a player's earlier names, without saving: activity logs and gazettes still contain them."""
    known = {"", player.username, player.name_shown, *player.names_before}
    player.names_before = [*player.names_before, *(name for name in dict.fromkeys(before) if name not in known)]


@transaction.atomic
def token_create(
    *, player: Player, name: str = "", scopes: Collection[str] = (Scope.READ,), days: int = TOKEN_DAYS
) -> str:
    """Create an API token; only its digest is stored, so it can be shown only now."""
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.is_guest:
        raise RefusedError("token", "A token takes an account.")
    name = clean_text("name", name, longest=60, may_be_empty=True)
    if unknown := sorted(set(scopes) - set(Scope.values)):
        raise RefusedError(
            "scopes", f"There is no scope {ascii(unknown[0][:40])}; there are {', '.join(Scope.values)}."
        )
    if not 1 <= days <= MAX_TOKEN_DAYS:
        raise RefusedError("days", f"A token is good for 1 to {MAX_TOKEN_DAYS} days.")
    if AccessToken.objects.filter(user=player).count() >= MAX_TOKENS:
        raise RefusedError("token", f"A player has {MAX_TOKENS} tokens at most; revoke one first.")
    words = [scope for scope in Scope.values if scope == Scope.READ or scope in scopes]
    _, token = AccessToken.objects.create(user=player, expiry=timedelta(days=days), name=name, scopes=" ".join(words))
    return str(token)


def tokens_end(*, player_pk: int) -> int:
    """Revoke all tokens of the player; return how many there were."""
    ended, _each = AccessToken.objects.filter(user=player_pk).delete()
    return int(ended)


def token_revoke(*, player: Player, token_key: str) -> bool:
    """Revoke a token of this player; return whether it existed."""
    if not token_key.isalnum():
        return False
    deleted, _ = AccessToken.objects.filter(user=player, token_key=token_key).delete()
    return bool(deleted)
