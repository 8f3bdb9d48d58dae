"""User names: which ones an archive gives its players, and which ones they get where it is restored.

Nobody gets a user name by an archive: what its players are called there is what they are shown as here, and free for
whoever signs up first. Who takes his place chooses one.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence

from campaigns.models import Placeholder
from rosters.doors.adapter import OF_A_GUEST, OF_A_PLACE, OF_ONE_WHO_LEFT
from rosters.models import Player
from systems.names import shorten_name

from .fields import cleaned
from .scope import Scope

LONGEST_SHOWN = 60


def names_by_player(scope: Scope) -> Mapping[int, tuple[str, str]]:
    """User name and name shown of each player as the archive has them, by id; two queries at most.

    Who still has a place that is kept has the user name of the archive that he came with, unless another has it by now.
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
        found[pk] = username, "" if shown == name_shown(username, "") else shown
    return found


def names_given(usernames: Sequence[str], gone: Collection[int], ids: Sequence[int]) -> list[str]:
    """The user names that the players of an archive get here, whose ids will be these: none that anybody could sign up
    with. `gone`: by number from 1, who left before it was packed.
    """
    left = Player.objects.filter(username__istartswith="left-").values_list("username", flat=True)
    taken = {name.lower() for name in left} if gone else set()
    found = []
    for number, (username, pk) in enumerate(zip(usernames, ids, strict=True), start=1):
        if number not in gone:
            found.append(f"place-{secrets.token_hex(8)}")
            continue
        free = _free(username if OF_ONE_WHO_LEFT.fullmatch(username) else f"left-{pk}", taken)
        taken.add(free.lower())
        found.append(free)
    return found


def name_shown(username: str, shown: str) -> str:
    """What a player of an archive is shown as."""
    return str(shorten_name(str(cleaned(shown or username)), longest=LONGEST_SHOWN))


def name_offered(place: Placeholder) -> str:
    """The user name that who takes the place had, if it can be his here; else none."""
    name = place.username
    is_kept = any(kind.fullmatch(name) for kind in (OF_A_GUEST, OF_A_PLACE, OF_ONE_WHO_LEFT))
    return "" if is_kept or Player.objects.filter(username__iexact=name).exists() else name


def _free(name: str, taken: Collection[str]) -> str:
    """The name of one who left, numbered where another who left has it."""
    stem, free, number = "-".join(name.split("-")[:2]), name, 1
    while free.lower() in taken:
        number += 1
        free = f"{stem}-{number}"
    return free
