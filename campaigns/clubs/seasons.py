"""The seasons of a club, as its page lists them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from campaigns.models import Club, Role, Season, SeasonEntrant, SeasonState
from rosters.site.compiled import Compiled
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
    hidden = {pk for pk, *_, is_public in rows if is_public is not None and not is_public and role is None}
    for pk, name, state, since, system, players, _ in rows:
        if pk in hidden:
            continue
        games = found[pk].games if pk in found else ()
        found[pk] = SeasonListRow(
            id=pk,
            name=name,
            state=state,
            state_name=str(SeasonState(state).label),
            games=(*games, roster_rules(system).name) if system else games,
            players=players,
            since=since,
        )
    return tuple(found.values())


def _season_list(club: int) -> QuerySet[Season, tuple[int, str, str, datetime, str | None, int, bool | None]]:
    players = count_query(SeasonEntrant.objects.filter(season=OuterRef("pk"), is_in=True))
    rows = Season.objects.filter(club=club).annotate(players=Coalesce(Subquery(players), 0))
    return rows.order_by("-pk", "games__position").values_list(
        "pk", "name", "state", "created_at", "games__campaign__system", "players", "games__campaign__is_public"
    )


SEASON_LIST = Compiled(_season_list, club=int)
