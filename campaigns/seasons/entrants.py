"""Enter players into a season, and form teams."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from campaigns.models import (
    Membership,
    Season,
    SeasonEntrant,
    SeasonState,
    SeasonTeam,
    SeasonTie,
)
from campaigns.policy import can_run_club
from campaigns.seasons.queries import games_of, playable_companies
from campaigns.seasons.services import (
    MAX_ENTRANTS,
    MAX_TEAMS,
    _check_unfinished,
    _taking_part,
    _verb,
    cup_began,
    log_season_activity,
    season_lock,
)
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_text
from systems.legality import join_words
from systems.text import pluralize


@transaction.atomic
def season_enter(*, season: Season, player: Player, by: Player) -> SeasonEntrant:
    """Let a player take part: they enter themselves, or an organiser enters them."""
    locked = season_lock(season)
    _check_accepts_players(locked)
    who = "You" if player.pk == by.pk else str(player)
    if player.pk != by.pk and not can_run_club(by, locked.club):
        raise RefusedError("player", "Players join themselves, or an organiser adds them.")
    if not Membership.objects.filter(club=locked.club, player=player).exists():
        raise RefusedError("player", f"{who} {_verb(who, 'do')}n't belong to {locked.club.name}.")
    if player.pk not in playable_companies(locked):
        names = join_words([row.name for row in games_of(locked)])
        if not names:
            raise RefusedError("player", f"{locked} has no campaigns yet. Add one first.")
        raise RefusedError("player", f"{who} {_verb(who, 'have')} no company in {names}. Get one accepted there first.")
    row = SeasonEntrant.objects.filter(season=locked, player=player).first()
    if row is not None and row.is_in:
        raise RefusedError("player", f"{who} {_verb(who, 'have')} already joined.")
    if locked.entrants.filter(is_in=True).count() >= MAX_ENTRANTS:
        raise RefusedError("player", f"A season can have at most {MAX_ENTRANTS} players.")
    if row is None:
        row = SeasonEntrant(season=locked, player=player)
    row.is_in = True
    row.save()
    log_season_activity(locked, f"{player} joined", by)
    return row


@transaction.atomic
def season_enter_all(*, season: Season, by: Player) -> int:
    """Enter all players with a company in one of the games who have never been in. Return how many."""
    locked = season_lock(season)
    _check_accepts_players(locked)
    known = set(locked.entrants.values_list("player", flat=True))
    wanted = Player.objects.filter(
        pk__in=set(playable_companies(locked)) - known, is_active=True, memberships__club=locked.club
    )
    players = list(wanted.order_by("pk"))
    for player in players:
        season_enter(season=locked, player=player, by=by)
    return len(players)


@transaction.atomic
def season_leave(*, season: Season, entrant: int, by: Player) -> None:
    """Take a player out: no new pairings, existing ones stay to be played. Before the season begins, delete the row.

    Once it runs, an organiser who takes part can't take others out while another organiser doesn't take part.
    """
    locked = season_lock(season)
    _check_unfinished(locked)
    row = _entrant(locked, entrant)
    if row.player_id != by.pk and not can_run_club(by, locked.club):
        raise RefusedError("player", "Only the player or an organiser can do this.")
    if not row.is_in:
        raise RefusedError("player", f"{row.player} has already left.")
    own_case = ""
    if locked.state == SeasonState.GATHERING:
        row.delete()
    else:
        own_case = leave_own_case(locked, by) if row.player_id != by.pk else ""
        row.is_in = False
        row.save(update_fields=["is_in"])
    log_season_activity(locked, f"{row.player} left{own_case}", by)


@transaction.atomic
def team_add(*, season: Season, name: str, by: Player) -> SeasonTeam:
    """Add a team, without players yet."""
    locked = season_lock(season)
    _check_unfinished(locked)
    name = clean_text("team", name, longest=40)
    if locked.teams.count() >= MAX_TEAMS:
        raise RefusedError("team", f"A season can have at most {MAX_TEAMS} teams.")
    if locked.teams.filter(name__iexact=name).exists():
        raise RefusedError("team", f"{locked} already has a team of that name. Choose another name.")
    made = SeasonTeam.objects.create(season=locked, name=name)
    log_season_activity(locked, f"Added the team {name}", by)
    return made


@transaction.atomic
def team_remove(*, season: Season, team: int, by: Player) -> None:
    """Remove a team that has met no other; its players stay in the season."""
    locked = season_lock(season)
    _check_unfinished(locked)
    row = _team(locked, team)
    if SeasonTie.objects.filter(one=row).exists() or SeasonTie.objects.filter(two=row).exists():
        raise RefusedError("team", f"{row} already has matches, so it can't be removed.")
    row.delete()
    log_season_activity(locked, f"Removed the team {row}", by)


@transaction.atomic
def team_line_up(*, season: Season, teams: Mapping[int, int | None], by: Player) -> None:
    """Set the team of each of these players, by entrant id; None: no team."""
    locked = season_lock(season)
    _check_unfinished(locked)
    rows = {row.pk: row for row in locked.entrants.all()}
    known = {row.pk: row for row in locked.teams.all()}
    for pk, team in teams.items():
        if pk not in rows or (team is not None and team not in known):
            raise RefusedError("team", "The players or teams have changed. Look at them again.")
    changed = [rows[pk] for pk, team in teams.items() if rows[pk].team_id != team]
    own_case = line_up_own_case(locked, by) if changed else ""
    for row in changed:
        row.team_id = teams[row.pk]
        row.save(update_fields=["team"])
    if changed:
        log_season_activity(locked, f"Changed the teams of {pluralize(len(changed), 'players')}{own_case}", by)


def _check_accepts_players(season: Season) -> None:
    _check_unfinished(season)
    if cup_began(season):
        raise RefusedError("player", "The cup has started, so nobody can join any more.")


def leave_own_case(season: Season, by: Player) -> str:
    """Return a note for the log if an organiser who takes part takes somebody else out. See `_taking_part`."""
    return _taking_part(season, by, "player")


def line_up_own_case(season: Season, by: Player) -> str:
    """Return a note for the log if an organiser who takes part changes teams that have met. See `_taking_part`."""
    has_met = SeasonTie.objects.filter(round__season=season).exists()
    return _taking_part(season, by, "team") if has_met else ""


def _entrant(season: Season, pk: int) -> SeasonEntrant:
    row = season.entrants.filter(pk=pk).select_related("player").first()
    if row is None:
        raise RefusedError("player", f"There is no such player in {season}.")
    return row


def _team(season: Season, pk: int) -> SeasonTeam:
    row = season.teams.filter(pk=pk).first()
    if row is None:
        raise RefusedError("team", f"{season} has no such team.")
    return row
