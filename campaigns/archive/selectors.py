"""Archives, and the places reserved for their players, as pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from campaigns.models import Club, ClubArchive, ClubRestore, Membership, Placeholder, Role
from rosters.models import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRow:
    """A player in an archive whose place isn't taken. `username`: from the archive; `role`: empty for non-members."""

    pk: int
    key: UUID
    name: str
    username: str
    role: str
    companies: int


_players_exist: list[bool] = []  # not empty if a player exists; the answer never changes back


def has_players() -> bool:
    """Return whether anybody has ever signed up; queries the database only until somebody has."""
    if not _players_exist and Player.objects.exists():
        _players_exist.append(True)
    return bool(_players_exist)


def newest_archive(club: Club) -> ClubArchive | None:
    return ClubArchive.objects.filter(club=club).order_by("-pk").first()


def newest_restore(player: Player) -> ClubRestore | None:
    return ClubRestore.objects.filter(asked_by=player).select_related("club").order_by("-pk").first()


def places_of(club: Club) -> list[PlaceRow]:
    """Return the reserved places, members first, each group by name; three queries."""
    rows = list(Placeholder.objects.filter(club=club).select_related("player"))
    roles = dict(Membership.objects.filter(club=club).values_list("player", "role"))
    owners = club.campaigns.model._default_manager.filter(club=club).values_list(
        "enrolments__company__owner", "enrolments__company"
    )
    companies: dict[int, set[int]] = {}
    for owner, company in owners:
        companies.setdefault(owner, set()).add(company)
    found = [
        PlaceRow(
            pk=row.pk,
            key=row.key,
            name=str(row.player),
            username=row.username,
            role=Role(roles[row.player_id]).label if row.player_id in roles else "",
            companies=len(companies.get(row.player_id, ())),
        )
        for row in rows
    ]
    return sorted(found, key=lambda row: (not row.role, row.name.casefold(), row.pk))


def place_by_key(key: UUID) -> Placeholder | None:
    return Placeholder.objects.select_related("player", "club").filter(key=key).first()
