"""The apps' combined answers about a leaving player: obstacles, what happens to their things, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from allauth.account.models import EmailAddress
from django.db.models import Q

from rosters import hooks
from rosters.models import Player
from rosters.site.leaving import NAME_OF_DELETED, Farewell, Fate, Obstacle, DeletionPart

OF_A_REMOVAL = (  # words for the player, and the same about an account that an operator removes
    ("kept for others to play with, unless deleted first", "deleted"),
    ("the name that you choose", f"the name “{NAME_OF_DELETED}”"),
    ("you are no member any more", "no member any more"),
    ("that you asked for", "that they asked for"),
    ("your own", "their own"),
    ("of yours", "of theirs"),
)


def leaving_parts() -> Sequence[DeletionPart]:
    """Return the part of each app, those above first."""
    return tuple(hooks.leaving_parts)[::-1]


def obstacles(player: Player) -> list[Obstacle]:
    """Return everything that keeps the player from leaving."""
    return [found for part in leaving_parts() for found in part.obstacles(player)]


def kept_companies(player: Player) -> frozenset[int]:
    """Return the player's companies that other players' history needs."""
    kept: frozenset[int] = frozenset()
    for part in leaving_parts():
        kept = part.kept(player, kept)
    return kept


def fates(player: Player) -> list[Fate]:
    """Return what would happen to each kind of the player's things, skipping kinds without any."""
    kept = kept_companies(player)
    return [fate for part in leaving_parts() for fate in part.fates(player, kept) if fate.number]


def removal_fates(player: Player) -> list[str]:
    """Return the same for the operator who removes the account, one line each."""
    lines = []
    for fate in fates(player):
        line = f"{fate.number} {fate.what}: {fate.becomes}"
        for to_player, about_player in OF_A_REMOVAL:
            line = line.replace(to_player, about_player)
        lines.append(line)
    return lines


def farewell(player: Player, name: str, *, is_removal: bool = False) -> Farewell:
    """Return the facts about a player that are needed when they leave."""
    known = {
        player.username,
        player.name_shown,
        f"{player.first_name} {player.last_name}".strip(),
        *player.names_before,
    }
    known -= {"", name}
    others = Player.objects.exclude(pk=player.pk)
    shared = {each for each in known if others.filter(Q(username=each) | Q(name_shown=each)).exists()}
    addresses = {player.email, *EmailAddress.objects.filter(user=player).values_list("email", flat=True)} - {""}
    return Farewell(
        player=player,
        name=name,
        names=frozenset(known - shared),
        shared=frozenset(shared),
        addresses=frozenset(addresses),
        kept=kept_companies(player),
        is_removal=is_removal,
        longer=frozenset(_longer_names(player, known - shared)),
    )


def _longer_names(player: Player, names: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for model, name_field in hooks.names:
        for name in names:
            rows = model._default_manager.filter(**{f"{name_field}__contains": name})
            rows = rows.exclude(pk=player.pk) if model is Player else rows
            found |= set(rows.values_list(name_field, flat=True))
    return found
