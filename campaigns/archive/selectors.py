"""What pages show of archives, and of places that are kept for those who came along with one."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from campaigns.models import Club, ClubArchive, Membership, Placeholder, Role
from rosters.models import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRow:
    """A player who came along and has not come yet; `username` is the one he had, `role` empty for who is no member."""

    pk: int
    key: UUID
    name: str
    username: str
    role: str
    companies: int


_seen: list[bool] = []  # once somebody is there, somebody always is


def has_players() -> bool:
    """Whether anybody has ever signed up; asks the database until somebody has."""
    if not _seen and Player.objects.exists():
        _seen.append(True)
    return bool(_seen)


def newest_archive(club: Club) -> ClubArchive | None:
    return ClubArchive.objects.filter(club=club).order_by("-pk").first()


def places_of(club: Club) -> list[PlaceRow]:
    """Members first, each in the order of their names; three queries."""
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
