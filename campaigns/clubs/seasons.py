"""The seasons of a club, as its page lists them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from campaigns.models import Club, Role, Season, SeasonEntrant, SeasonState
from rosters.database.columns import columns
from rosters.site.compiled import PreparedQuery
from rosters.site.listed import count_query
from systems import roster_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonListRow:
    """A season in its club's list."""

    id: int
    name: str
    state: str
    state_name: str
    games: tuple[str, ...]
    players: int
    since: datetime


def seasons_of(club: Club, role: Role | None) -> tuple[SeasonListRow, ...]:
    """Return the seasons of a club that this role may see, newest first. One query."""
    found: dict[int, SeasonListRow] = {}
    rows = SEASON_LIST.rows(club=club.pk)
    hidden = {row.pk for row in rows if row.is_public is not None and not row.is_public and role is None}
    for row in rows:
        if row.pk in hidden:
            continue
        games = found[row.pk].games if row.pk in found else ()
        found[row.pk] = SeasonListRow(
            id=row.pk,
            name=row.name,
            state=row.state,
            state_name=str(SeasonState(row.state).label),
            games=(*games, roster_rules(row.system).name) if row.system else games,
            players=row.players,
            since=row.created_at,
        )
    return tuple(found.values())


class _Row(NamedTuple):
    """The columns read of a season, joined with one of its games, if it has any."""

    pk: int
    name: str
    state: str
    created_at: datetime
    system: str | None
    players: int
    is_public: bool | None


def _season_list(club: int) -> QuerySet[Season, object]:
    players = count_query(SeasonEntrant.objects.filter(season=OuterRef("pk"), is_in=True))
    rows = Season.objects.filter(club=club).annotate(players=Coalesce(Subquery(players), 0))
    return rows.order_by("-pk", "games__position").values_list(
        *columns(_Row, system="games__campaign__system", is_public="games__campaign__is_public")
    )


SEASON_LIST = PreparedQuery(_season_list, _Row, club=int)
