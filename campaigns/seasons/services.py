"""Create, join, begin and finish a season; its campaigns, players and teams; notifications of proposed games.

Locks are taken in this order: club, season, then its campaigns.

A side's opponent is notified of its first proposal at once, and of no other for a while, so that a player who changes
their mind often doesn't flood the opponent. If the proposal then differs from the last notification, they are notified
again. Pages always show the current proposal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.db import transaction
from django.utils import timezone

from campaigns.activity_log import log_activity
from campaigns.arbiters import organiser_own_case
from campaigns.locks import campaign_lock, club_lock
from campaigns.models import (
    Campaign,
    CampaignState,
    Club,
    PairingState,
    RoundState,
    Season,
    SeasonEntrant,
    SeasonGame,
    SeasonPairing,
    SeasonRoundState,
    SeasonState,
    SettleRule,
)
from campaigns.notifications import notify
from campaigns.policy import TAKES_COMPANIES
from campaigns.scoring import SEASON_SCORING
from campaigns.seasons.queries import GameRow, common_games, entrants_of, games_of, pairings_of, playable_companies
from campaigns.seasons.tables import is_undecided
from campaigns.standings.table import SEASON_TIE_BREAKERS, parse_tie_breakers
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_lines, clean_text
from rosters.site.heartbeats import skip_unreadable
from systems import roster_rules
from systems.legality import join_words

MAX_ABOUT_LENGTH = 2000
MAX_SEASONS = 50  # of a club
MIN_GAMES = 2
MIN_ENTRANTS, MAX_ENTRANTS = 2, 80
MAX_TEAMS = 16
BOUNDS = {  # of numeric settings: minimum and maximum
    "agree_days": (1, 30),
    "pace_days": (2, 90),
    "cup_size": (0, 32),
}
FIXED_ONCE_RUNNING = (
    *SEASON_SCORING,
    "tie_breakers",
    "points_may_differ",
)  # once a season runs
BOOLEAN_FIELDS = ("has_third_place", "points_may_differ")
CUP_FIELDS = ("cup_size", "has_third_place")  # fixed once it has begun


def season_lock(season: Season) -> Season:
    """Return the season's row with its club, locked until the transaction ends, so that acts follow one another."""
    return Season.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=season.pk)


def season_running(season: Season) -> None:
    """Raise RefusedError unless the season is running."""
    if season.state != SeasonState.RUNNING:
        raise RefusedError("season", f"{season} is {season.get_state_display()}, not running.")


def log_season_activity(season: Season, text: str, by: Player | None) -> None:
    """Write an entry about the season to the activity log."""
    log_activity(club=season.club, text=f"{season}: {text}", by=by)


# --- settings ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def season_create(*, club: Club, by: Player, name: str, **settings: Any) -> Season:
    """Create a season, which campaigns and players can join."""
    locked = club_lock(club)
    if locked.seasons.count() >= MAX_SEASONS:
        raise RefusedError("name", f"A club can have at most {MAX_SEASONS} seasons.")
    row = Season(club=locked, tie_breakers=["direct", "buchholz", "wins"])
    _set(row, {"name": name, **settings})
    row.save()
    log_season_activity(row, "A new season", by)
    return row


@transaction.atomic
def season_change(*, season: Season, by: Player, **settings: Any) -> Season:
    """Change the settings of a season; the points for a result are fixed once it runs."""
    club_lock(season.club)
    locked = season_lock(season)
    if locked.state == SeasonState.FINISHED:
        raise RefusedError("name", f"{locked} is finished, so it can't be changed.")
    before = {field: getattr(locked, field) for field in settings}
    _set(locked, settings)
    changed = [field for field, value in before.items() if getattr(locked, field) != value]
    if locked.state == SeasonState.RUNNING and (fixed := [field for field in changed if field in FIXED_ONCE_RUNNING]):
        raise RefusedError(fixed[0], "Points for results and companies can't be changed once the season is running.")
    if cup_began(locked) and (fixed := [field for field in changed if field in CUP_FIELDS]):
        raise RefusedError(fixed[0], "The cup has started, so its settings can't be changed.")
    own_case = order_own_case(locked, by) if "settle_rule" in changed else ""
    if any(field in changed and getattr(locked, field) < before[field] for field in ("pace_days", "agree_days")):
        own_case = _taking_part(locked, by, "pace_days") or own_case
    if changed:
        locked.save(update_fields=changed)
        what = ", ".join(sorted(field.replace("_", " ") for field in changed))
        log_season_activity(locked, f"Changed {what}{own_case}", by)
    return locked


@transaction.atomic
def season_delete(*, season: Season, by: Player) -> None:
    """Delete a season that hasn't begun; its campaigns stay."""
    locked = season_lock(season)
    _check_gathering(locked)
    log_activity(club=locked.club, text=f"Deleted the season {locked}", by=by)
    locked.delete()


# --- campaigns --------------------------------------------------------------------------------------------------------


@transaction.atomic
def game_add(*, season: Season, campaign: Campaign, by: Player) -> SeasonGame:
    """Add a campaign to the season. Its points, companies and rules stay its own."""
    locked = season_lock(season)
    _check_unfinished(locked)
    row = campaign_lock(campaign)
    game = roster_rules(row.system).name
    if row.club_id != locked.club_id:
        raise RefusedError("campaign", f"{row.name} belongs to another club.")
    other = SeasonGame.objects.filter(campaign=row).select_related("season").first()
    if other is not None:
        where = "already in this season" if other.season_id == locked.pk else f"already in the season {other.season}"
        raise RefusedError("campaign", f"{row.name} is {where}. A campaign can only be in one season.")
    if row.state not in TAKES_COMPANIES:
        raise RefusedError(
            "campaign", f"{row.name} is {row.get_state_display()}. Add one that is open for sign-ups or running."
        )
    _check_pairing_method(row)
    twin = locked.games.filter(campaign__system=row.system).select_related("campaign").first()
    if twin is not None:
        raise RefusedError(
            "campaign",
            f"{locked} already has a campaign for {game}: {twin.campaign.name}. A "
            "season can have one campaign per game.",
        )
    if locked.state == SeasonState.RUNNING:
        _check_playable(row)
        _check_equal_points(locked, [*games_of(locked), row])
    last = locked.games.order_by("-position").first()
    made = SeasonGame.objects.create(season=locked, campaign=row, position=(last.position if last else 0) + 1)
    log_season_activity(locked, f"Added {row.name} ({game})", by)
    return made


@transaction.atomic
def game_remove(*, season: Season, game: int, by: Player) -> None:
    """Remove a campaign from a season, if no pairing has been settled to be played in it."""
    locked = season_lock(season)
    _check_unfinished(locked)
    row = _game(locked, game)
    if SeasonPairing.objects.filter(game=row).exists():
        raise RefusedError(
            "campaign", f"Matches of {locked} have been played in {row.campaign.name}, so you can't remove it."
        )
    if locked.state == SeasonState.RUNNING and locked.games.count() <= MIN_GAMES:
        raise RefusedError("campaign", f"A season needs at least {MIN_GAMES} games.")
    row.delete()
    log_season_activity(locked, f"Removed {row.campaign.name}", by)


@transaction.atomic
def games_order(*, season: Season, games: Sequence[int], by: Player) -> None:
    """Set the season's order of games, by id; it decides the game if players don't agree."""
    locked = season_lock(season)
    _check_unfinished(locked)
    rows = {row.pk: row for row in locked.games.all()}
    if sorted(rows) != sorted(games):
        raise RefusedError("games", "The season's games have changed. Look at them again.")
    if list(rows) == list(games):
        return
    own_case = order_own_case(locked, by)
    for at, pk in enumerate(games, start=1):
        SeasonGame.objects.filter(pk=pk).update(position=1000 + at)
    for at, pk in enumerate(games, start=1):
        SeasonGame.objects.filter(pk=pk).update(position=at)
    log_season_activity(locked, f"Changed the order of the games{own_case}", by)


# --- its course -------------------------------------------------------------------------------------------------------


@transaction.atomic
def season_start(*, season: Season, by: Player) -> Season:
    """Begin the season: it now pairs its players, and its campaigns draw no rounds of their own."""
    locked = season_lock(season)
    _check_gathering(locked)
    games = list(locked.games.select_related("campaign"))
    if len(games) < MIN_GAMES:
        raise RefusedError("season", f"A season needs at least {MIN_GAMES} games. For a single game, use a campaign.")
    _check_equal_points(locked, [_lock_playable(game) for game in games])
    if (obstacle := players_obstacle(locked)) is not None:
        raise RefusedError("season", obstacle)
    locked.state, locked.started_at = SeasonState.RUNNING, timezone.now()
    locked.save(update_fields=["state", "started_at"])
    log_season_activity(locked, "Season started", by)
    return locked


@transaction.atomic
def season_finish(*, season: Season, by: Player) -> Season:
    """Finish the season; its campaigns go on by themselves."""
    locked = season_lock(season)
    check_can_finish(locked)
    locked.state, locked.finished_at = SeasonState.FINISHED, timezone.now()
    locked.save(update_fields=["state", "finished_at"])
    log_season_activity(locked, "Season finished", by)
    return locked


def check_can_finish(season: Season) -> None:
    """Raise RefusedError if the season has a planned round or undecided pairings."""
    season_running(season)
    pairings = pairings_of(season)
    if any(row.is_planned for row in pairings) or season.rounds.filter(state="planned").exists():
        raise RefusedError("season", "A round is planned. Publish or discard it first.")
    entrants = entrants_of(season)
    waiting = [row for row in pairings if is_undecided(row)]
    if waiting:
        named = [f"{entrants[row.one].name} against {entrants[row.two or 0].name}" for row in waiting]
        verb = "is" if len(named) == 1 else "are"
        raise RefusedError("season", f"{join_words(named)} {verb} not decided yet.")


def players_obstacle(season: Season) -> str | None:
    """Return why the season can't begin with these players: too few, or one without a possible opponent; else None."""
    entrants = [row for row in entrants_of(season).values() if row.is_in]
    if len(entrants) < MIN_ENTRANTS:
        return f"A season needs at least {MIN_ENTRANTS} players."
    games, plays = games_of(season), playable_companies(season)
    alone = [
        row.name
        for row in entrants
        if not any(common_games(games, plays, row.player, other.player) for other in entrants if other is not row)
    ]
    if alone:
        verb = "has" if len(alone) == 1 else "have"
        return f"{join_words(alone)} {verb} no game in common with anybody. Add a company for them, or remove them."
    return None


def cup_began(season: Season) -> bool:
    """Return whether a round of the cup was drawn."""
    return SeasonEntrant.objects.filter(season=season, seed__isnull=False).exists()


# --- parts ------------------------------------------------------------------------------------------------------------

SELF_PAIRING = ("knock-out", "groups", "arc")  # cups and campaign stories, whose rounds depend on each other


def _set(row: Season, settings: Mapping[str, object]) -> None:
    for field, value in settings.items():
        setattr(row, field, _clean_setting(field, value))
    if row.agree_days >= row.pace_days:
        raise RefusedError(
            "agree_days", "The players must agree on a game before the round's deadline. Allow fewer days."
        )
    if not row.win_points > row.loss_points or not row.win_points >= row.draw_points >= row.loss_points:
        raise RefusedError("win_points", "A win must be worth more than a loss, with a draw in between.")
    if row.cup_size == 1:
        raise RefusedError("cup_size", "A cup needs at least two players. Enter 0 for no cup.")
    twins = Season.objects.filter(club=row.club, name__iexact=row.name).exclude(pk=row.pk)
    if twins.exists():
        raise RefusedError("name", f"{row.club.name} already has a season of that name. Choose another name.")


def _clean_setting(field: str, value: object) -> object:
    if field == "name":
        return clean_text("name", value, longest=60)
    if field == "about":
        return clean_lines("about", value, longest=MAX_ABOUT_LENGTH)
    if field in SEASON_SCORING:
        return SEASON_SCORING[field].clean(value)
    if field in BOUNDS:
        least, most = BOUNDS[field]
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise RefusedError(field, f"must be a whole number from {least} to {most}.")
        return value
    if field == "settle_rule":
        if value not in SettleRule.values:
            raise RefusedError(field, "This isn't one of the choices.")
        return SettleRule(str(value))
    if field in BOOLEAN_FIELDS:
        return bool(value)
    if field == "tie_breakers":
        return parse_tie_breakers(list(value) if isinstance(value, list | tuple) else [], SEASON_TIE_BREAKERS)
    raise RefusedError(field, "A season has no such setting.")


def _check_pairing_method(campaign: Campaign) -> None:
    """Raise RefusedError for a campaign whose rounds depend on each other."""
    if campaign.pairing in SELF_PAIRING:
        way = campaign.get_pairing_display().partition(":")[0]
        raise RefusedError("campaign", f"{campaign.name} is paired as {way}, not by a season.")


def _check_playable(campaign: Campaign) -> None:
    """Raise RefusedError if a season can't pair in the campaign now."""
    _check_pairing_method(campaign)  # the pairing can be changed until the campaign runs
    if campaign.state != CampaignState.RUNNING:
        raise RefusedError("campaign", f"{campaign.name} is {campaign.get_state_display()}. Start it first.")
    if campaign.rounds.filter(state=RoundState.PLANNED).exists():
        raise RefusedError("campaign", f"A round of {campaign.name} is planned. Publish or discard it first.")


def _lock_playable(game: SeasonGame) -> Campaign:
    """Return the locked campaign of that game; raise RefusedError if a season can't pair in it now."""
    campaign = campaign_lock(game.campaign)
    _check_playable(campaign)
    return campaign


def _check_equal_points(season: Season, campaigns: Sequence[Campaign | GameRow]) -> None:
    """Raise RefusedError for campaigns with different points, unless the season's settings allow it."""
    if season.points_may_differ or len({each.points for each in campaigns}) <= 1:
        return
    points = join_words([f"{each.points} points in {each.name}" for each in campaigns])
    otherwise = (
        ". Different points can only be allowed before it starts."
        if season.state == SeasonState.RUNNING
        else ", or allow different points in its settings."
    )
    raise RefusedError(
        "points_may_differ",
        f"The campaigns have different points per company: {points}. Use campaigns with the same points{otherwise}",
    )


def _check_gathering(season: Season) -> None:
    if season.state != SeasonState.GATHERING:
        raise RefusedError("season", f"{season} is already {season.get_state_display()}.")


def _check_unfinished(season: Season) -> None:
    if season.state == SeasonState.FINISHED:
        raise RefusedError("season", f"{season} is finished, so it can't be changed.")


def _taking_part(season: Season, by: Player, field: str) -> str:
    """Return a note for the log if an organiser who takes part acts on a running season.

    Raise RefusedError if an organiser who doesn't take part could.
    """
    if season.state != SeasonState.RUNNING:
        return ""
    players = set(season.entrants.filter(is_in=True).values_list("player", flat=True))
    return organiser_own_case(season.club, by, players, field=field, what=f"You play in {season}")


def order_own_case(season: Season, by: Player) -> str:
    """Return a note for the log if an organiser changes how games are settled while a pairing of theirs has no game."""
    rows = SeasonPairing.objects.filter(round__season=season, round__state="open", state="agreeing", two__isnull=False)
    players = {pk for pair in rows.values_list("one__player", "two__player") for pk in pair}
    return organiser_own_case(season.club, by, players, field="games", what="You still have to agree on a game")


def _verb(who: str, verb: str) -> str:
    """Return the verb's form for that name, or for "You"."""
    return verb if who == "You" else {"have": "has", "do": "does"}.get(verb, f"{verb}s")


def _game(season: Season, pk: int) -> SeasonGame:
    row = season.games.filter(pk=pk).select_related("campaign").first()
    if row is None:
        raise RefusedError("game", f"{season} has no such game.")
    return row


MIN_INTERVAL = timedelta(minutes=30)


class _LastNotice(TypedDict):
    """The last notification to a side's opponent."""

    game: int | None  # None: the opponent has proposed another since, so it is out of date
    at: str


def notify_proposal(row: SeasonPairing) -> bool:
    """Notify the other side of a locked pairing's proposal, unless that is done or too soon. Return whether it was
    done.

    The caller saves the row.
    """
    side, now = str(row.proposing_side), timezone.now()
    other: _LastNotice | None = row.last_notices.get(str(1 - (row.proposing_side or 0)))
    if other is not None:
        other["game"] = None
    last: _LastNotice | None = row.last_notices.get(side)
    if last is not None and (
        last["game"] == row.proposed_id or now < datetime.fromisoformat(last["at"]) + MIN_INTERVAL
    ):
        return False
    row.last_notices[side] = _LastNotice(game=row.proposed_id, at=now.isoformat())
    notify.season_game_proposed(row)
    return True


def notify_due_proposals() -> int:
    """Send the notifications of proposals that are due. Return how many.

    Run by the timer; running it twice does no harm.
    """
    rows = SeasonPairing.objects.filter(
        state=PairingState.AGREEING,
        proposed__isnull=False,
        round__state=SeasonRoundState.OPEN,
        round__season__state=SeasonState.RUNNING,
    )
    found = rows.select_related("round__season").order_by("pk")
    number = 0
    for row in found:
        with skip_unreadable(f"proposal of pairing {row.key}"):
            number += _needs_notice(row) and _notify_due(row)
    return number


@transaction.atomic
def _notify_due(pairing: SeasonPairing) -> bool:
    season_lock(pairing.round.season)
    sides = ("one__player", "two__player")
    rows = SeasonPairing.objects.select_related("round__season__club", "proposed__campaign", *sides)
    is_open = {"round__state": SeasonRoundState.OPEN, "round__season__state": SeasonState.RUNNING}
    row = rows.filter(pk=pairing.pk, **is_open).first()
    if (
        row is None
        or row.state != PairingState.AGREEING
        or row.proposed is None
        or not _needs_notice(row)
        or not notify_proposal(row)
    ):
        return False
    row.save(update_fields=["last_notices"])
    return True


def _needs_notice(row: SeasonPairing) -> bool:
    last: _LastNotice | None = row.last_notices.get(str(row.proposing_side))
    return last is None or last["game"] != row.proposed_id
