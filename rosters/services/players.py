"""Changes by players to their own accounts, and checks of player names.

A name is refused if it is reserved for the people who run the site, or if it can be mistaken for another player's name:
the same name in another case, in another script, or with other characters between the words.
"""

from __future__ import annotations

import re
import unicodedata
import zoneinfo
from collections.abc import Collection, Iterable
from datetime import timedelta
from functools import cache

from django.db import transaction

from rosters import hooks
from rosters.models import AccessToken, PaperSize, Player
from rosters.scopes import Scope
from rosters.services.base import clean_text
from rosters.site.exceptions import RefusedError
from rosters.site.player_data import NAME_OF_DELETED

SAME = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s"})  # in most fonts


def confusable_key(name: str) -> str:
    """Return a key that is equal for names that look alike: lower-case ASCII letters and digits if possible."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    latin = "".join(map(_latin, bare)).casefold()
    letters = "".join(char for char in latin if char.isalnum() or char == "|").translate(SAME)
    return letters.replace("rn", "m").replace("vv", "w") or latin


def _latin(char: str) -> str:
    """Return the ASCII letter or digit that the character looks like, or the character itself if there is none."""
    if char.isascii():
        return char
    from confusable_homoglyphs.confusables import confusables_data  # takes 6 MB of memory; few processes need it

    alike = (found["c"] for found in confusables_data.get(char, ()))
    return next((each for each in alike if each.isascii() and each.isalnum()), char)


RESERVED = frozenset(
    map(
        confusable_key,
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
FILLERS = frozenset(
    map(confusable_key, ("a", "account", "at", "club", "desk", "of", "official", "site", "team", "the"))
)
IS_RESERVED = "is reserved, so that nobody passes for those who run this site. Choose another."


def is_reserved(name: str) -> bool:
    """Return whether the name consists only of reserved words, like "Admin", "The Muster Team" or "admin_2"."""
    words = [confusable_key(word) for word in re.findall(r"[^\W_]*[^\W\d_][^\W_]*", name)]
    bare = [confusable_key(word) for word in re.findall(r"[^\W\d_]+", name)]
    return confusable_key(name) in RESERVED or any(
        not RESERVED.isdisjoint(found) and set(found) <= RESERVED | FILLERS for found in (words, bare)
    )


def refuse_unfit_player_name(field: str, name: str) -> None:
    """Raise RefusedError for `field` if no player may have this name."""
    if is_reserved(name):
        raise RefusedError(field, IS_RESERVED)
    if confusable_key(name) == confusable_key(NAME_OF_DELETED):
        raise RefusedError(field, "is what players who left are called. Choose another.")


def find_lookalike(name: str, players: Iterable[Player]) -> Player | None:
    """Return the first of the players whose display name or username looks like `name`."""
    alike = confusable_key(name)
    return next((each for each in players if alike in (confusable_key(str(each)), confusable_key(each.username))), None)


def username_looks_taken(username: str) -> bool:
    """Return whether an existing username looks like this one. Reads all usernames."""
    alike = confusable_key(username)
    rows = Player.objects.filter(is_guest=False).values_list("username", flat=True)
    return any(confusable_key(each) == alike for each in rows.iterator())


MAX_TOKENS = 20
TOKEN_DAYS, MAX_TOKEN_DAYS = 90, 365


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of all time zones that a player can choose, sorted."""
    return tuple(sorted(zoneinfo.available_timezones()))


@transaction.atomic
def player_change(*, player: Player, name_shown: str, time_zone: str, paper: str) -> Player:
    """Change the player's display name, time zone and paper size."""
    clubmates = (
        hooks.clubmates_of(player) if name_shown != player.name_shown else []
    )  # locks clubs, which must be locked before the player
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
    """Add names to the player's earlier names, which activity logs and gazettes still contain; don't save the row."""
    known = {"", player.username, player.name_shown, *player.names_before}
    player.names_before = [*player.names_before, *(name for name in dict.fromkeys(before) if name not in known)]


@transaction.atomic
def token_create(
    *, player: Player, name: str = "", scopes: Collection[str] = (Scope.READ,), days: int = TOKEN_DAYS
) -> str:
    """Create an API token and return it. Only its digest is stored, so it can't be shown again later."""
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
    """Revoke all API tokens of the player; return how many there were."""
    ended, _each = AccessToken.objects.filter(user=player_pk).delete()
    return int(ended)


def token_revoke(*, player: Player, token_key: str) -> bool:
    """Revoke one API token of this player; return whether it existed."""
    if not token_key.isalnum():
        return False
    deleted, _ = AccessToken.objects.filter(user=player, token_key=token_key).delete()
    return bool(deleted)
