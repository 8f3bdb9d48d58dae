"""Names of players: none reserved for those who run a site, and none that can be mistaken for another player's."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rosters.models import Player
from rosters.site.leaving import NAME_OF_DELETED
from rosters.site.likeness import likeness
from rosters.site.refusals import RefusedError

RESERVED = frozenset(
    map(
        likeness,
        (
            *(
                "admin",
                "administrator",
                "admins",
                "arbiter",
                "arbiters",
                "demo",
                "mod",
                "moderator",
                "moderators",
                "muster",
            ),
            *("operator", "organiser", "organisers", "organizer", "organizers", "owner", "root", "security", "staff"),
            *("support", "sysadmin", "system", "webmaster"),
        ),
    )
)
FILLERS = frozenset(map(likeness, ("a", "account", "at", "club", "desk", "of", "official", "site", "team", "the")))
IS_RESERVED = "is reserved, so that nobody passes for those who run this site. Choose another."


def is_reserved(name: str) -> bool:
    """Return whether the name is a reserved word, or only such words: "Admin", "The Muster Team", "admin_2"."""
    words = [likeness(word) for word in re.findall(r"[^\W_]*[^\W\d_][^\W_]*", name)]
    bare = [likeness(word) for word in re.findall(r"[^\W\d_]+", name)]
    return likeness(name) in RESERVED or any(
        not RESERVED.isdisjoint(found) and set(found) <= RESERVED | FILLERS for found in (words, bare)
    )


def refuse_unfit_player_name(field: str, name: str) -> None:
    """Refuse a name that no player may have."""
    if is_reserved(name):
        raise RefusedError(field, IS_RESERVED)
    if likeness(name) == likeness(NAME_OF_DELETED):
        raise RefusedError(field, "is what players who left are called. Choose another.")


def find_lookalike(name: str, players: Iterable[Player]) -> Player | None:
    """Return the first of the players whose display name or user name looks like this one."""
    alike = likeness(name)
    return next((each for each in players if alike in (likeness(str(each)), likeness(each.username))), None)


def username_looks_taken(username: str) -> bool:
    """Return whether a user name on this site looks like this one. Reads all user names."""
    alike = likeness(username)
    rows = Player.objects.filter(is_guest=False).values_list("username", flat=True)
    return any(likeness(each) == alike for each in rows.iterator())
