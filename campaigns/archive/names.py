"""User names: which ones players have in an archive, and which ones they get where it is restored.

Restoring an archive gives nobody their user name. It becomes the player's display name and stays free for anybody who
signs up. Players choose a user name when they take their place.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence

from campaigns.models import Placeholder
from rosters.doors.adapter import OF_A_GUEST, OF_A_PLACE, OF_ONE_WHO_LEFT
from rosters.models import Player
from systems.names import shorten_name

from .fields import clean_json
from .scope import Scope

MAX_NAME_LENGTH = 60


def names_by_player(scope: Scope) -> Mapping[int, tuple[str, str]]:
    """Return the user name and display name of each player in the archive, by id; at most two queries.

    Players who haven't taken their place keep the user name of the archive they came with, unless somebody else has it.
    """
    kept = dict(Placeholder.objects.filter(player__in=scope.players).values_list("player", "username"))
    rows = Player.objects.filter(pk__in=scope.players).order_by("pk").values_list("pk", "username", "name_shown")
    taken = {username.lower() for pk, username, _ in rows if pk not in kept}
    found = {}
    for pk, username, shown in rows:
        before = kept.get(pk, "")
        if before and before.lower() not in taken:
            username = before
        taken.add(username.lower())
        found[pk] = username, "" if shown == display_name(username, "") else shown
    return found


def new_usernames(usernames: Sequence[str], gone: Collection[int], ids: Sequence[int]) -> list[str]:
    """Return the user names that the archive's players get here. None of them can be chosen at sign-up.

    `ids`: the ids that the players will have here. `gone`: the numbers, from 1, of players who had left before packing.
    """
    left = Player.objects.filter(username__istartswith="left-").values_list("username", flat=True)
    taken = {name.lower() for name in left} if gone else set()
    found = []
    for number, (username, pk) in enumerate(zip(usernames, ids, strict=True), start=1):
        if number not in gone:
            found.append(f"place-{secrets.token_hex(8)}")
            continue
        free = _free_username(username if OF_ONE_WHO_LEFT.fullmatch(username) else f"left-{pk}", taken)
        taken.add(free.lower())
        found.append(free)
    return found


def display_name(username: str, shown: str) -> str:
    """Return the display name of a player of an archive."""
    return str(shorten_name(str(clean_json(shown or username)), longest=MAX_NAME_LENGTH))


def suggested_username(place: Placeholder) -> str:
    """Return the user name the player had in the archive if it can be used here, or an empty string."""
    name = place.username
    is_kept = any(kind.fullmatch(name) for kind in (OF_A_GUEST, OF_A_PLACE, OF_ONE_WHO_LEFT))
    return "" if is_kept or Player.objects.filter(username__iexact=name).exists() else name


def _free_username(name: str, taken: Collection[str]) -> str:
    """Return the name for a player who left, with a number if another player who left has it."""
    stem, free, number = "-".join(name.split("-")[:2]), name, 1
    while free.lower() in taken:
        number += 1
        free = f"{stem}-{number}"
    return free
