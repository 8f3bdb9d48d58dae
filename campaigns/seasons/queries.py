"""Rows of a season as the database has them: games, players, teams, rounds and pairings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from campaigns.cups.bracket import CupState, Draw
from campaigns.models import (
    Enrolment,
    EnrolmentState,
    Season,
    SeasonEntrant,
    SeasonGame,
    SeasonPairing,
    SeasonRound,
    SeasonRoundState,
    SeasonTeam,
)
from campaigns.scoring import season_scoring
from campaigns.seasons import tables
from campaigns.seasons.tables import PairingFacts, TeamTie, pairing_status
from campaigns.standings.selectors import Entrant
from campaigns.standings.table import TIE_BREAKERS, TableRow
from rosters.database.queries import PreparedQuery, columns
from rosters.models import player_display_name
from systems import roster_rules


class GameRow(NamedTuple):
    """A game of a season, with the campaign that it is played in."""

    id: int
    position: int
    campaign: int
    name: str
    system: str
    state: str
    points: int
    is_public: bool

    @property
    def game(self) -> str:
        """Return the name of the game."""
        return roster_rules(self.system).name


class EntrantRow(NamedTuple):
    id: int
    player: int
    name: str
    team: int | None
    is_in: bool
    seed: int | None


class TeamRow(NamedTuple):
    id: int
    name: str


class PairingRow(NamedTuple):
    """A pairing and its progress; state and outcome as of a match in which `one` is the attacker."""

    id: int
    key: UUID
    round: int
    number: int
    is_planned: bool
    one: int
    two: int | None
    tie: int | None
    board: int
    place: int | None
    state: str
    outcome: str
    refusing: int | None
    step: str  # progress until it has its match
    proposed: int | None
    proposing: int | None
    game: int | None
    settled_by: str
    obstacle: str
    reason: str
    match: UUID | None
    scenario: str


class RoundRow(NamedTuple):
    """A round, joined with one of its matches of teams, if it has any."""

    number: int
    way: str
    state: str
    agree_by: datetime | None
    deadline: datetime | None
    dice: UUID | None
    tie: int | None
    tie_number: int | None
    one: int | None
    two: int | None


class PlayableCompany(NamedTuple):
    """A company that a player can play in a game of the season."""

    player: int
    game: int
    enrolment: int
    company: str


def games_of(season: Season) -> list[GameRow]:
    """Return the games in the season's order."""
    return GAMES.rows(season=season.pk)


def entrants_of(season: Season) -> dict[int, EntrantRow]:
    """Return everybody who has ever been in the season, by id."""
    return {row.id: row for row in ENTRANTS.rows(season=season.pk)}


def pairings_of(season: Season, *, with_planned: bool = True) -> list[PairingRow]:
    """Return the pairings in the order of rounds."""
    return [row for row in PAIRINGS.rows(season=season.pk) if with_planned or not row.is_planned]


def rounds_of(season: Season, *, with_planned: bool = True) -> tuple[list[RoundRow], list[TeamTie]]:
    """Return the rounds in order, and the matches of teams in them."""
    rounds: dict[int, RoundRow] = {}
    ties: list[TeamTie] = []
    for row in ROUNDS.rows(season=season.pk):
        is_open = row.state == SeasonRoundState.OPEN
        if not is_open and not with_planned:
            continue
        rounds.setdefault(row.number, row)
        if row.tie is not None and row.tie_number is not None and row.one is not None:
            tie = TeamTie(
                id=row.tie, number=row.tie_number, round=row.number, is_open=is_open, one=row.one, two=row.two
            )
            ties.append(tie)
    return list(rounds.values()), ties


def playable_companies(season: Season) -> dict[int, dict[int, PlayableCompany]]:
    """Return by player and game the company that they play with: the first that asked to take part."""
    found: dict[int, dict[int, PlayableCompany]] = {}
    for row in PLAYS.rows(season=season.pk):
        found.setdefault(row.player, {}).setdefault(row.game, row)
    return found


def common_games(
    games: Sequence[GameRow], plays: Mapping[int, Mapping[int, PlayableCompany]], one: int, two: int
) -> list[GameRow]:
    """Return the games that two players can both play, in the season's order."""
    return [game for game in games if game.id in plays.get(one, {}) and game.id in plays.get(two, {})]


def players_table(
    season: Season, entrants: Mapping[int, EntrantRow], pairings: Sequence[PairingRow], *, is_part: bool = False
) -> tuple[TableRow, ...]:
    """Return the table of the players: those who are in, and those who have played and left.

    `is_part`: `pairings` are only some of the season's; the table has only the players in them.
    """
    met = {pk for each in pairings for pk in (each.one, each.two) if each.place is None and not each.is_planned}
    names = {pk: row.name for pk, row in entrants.items() if pk in met or (row.is_in and not is_part)}
    return tables.players_table(names, pairings, season_scoring(season), season.tie_breakers)


def teams_tables(season: Season, versions: Iterable[Sequence[PairingRow]]) -> tuple[tuple[TableRow, ...], ...]:
    """Return the table of the teams for each of these versions of the season's pairings. Two queries."""
    teams, (_, ties) = {row.id: row.name for row in TEAMS.rows(season=season.pk)}, rounds_of(season)
    worth = season_scoring(season)
    return tuple(tables.team_table(teams, tables.tie_results(ties, pairings), worth) for pairings in versions)


def current_cup(season: Season, entrants: Mapping[int, EntrantRow], pairings: Sequence[PairingRow]) -> CupState | None:
    """Return the current state of the cup; None before it begins."""
    seeds = tuple(row.id for row in sorted(entrants.values(), key=lambda row: row.seed or 0) if row.seed is not None)
    if not seeds:
        return None
    draw = Draw(
        seeds=seeds,
        has_third_place=season.has_third_place,
        tie_breakers=tuple(season.tie_breakers),
        words=TIE_BREAKERS,
        worth=season_scoring(season),
        names={pk: row.name for pk, row in entrants.items()},
        gone=frozenset(pk for pk, row in entrants.items() if not row.is_in),
    )
    return tables.build_cup(draw, pairings)


def _as_enrolments(entrants: Mapping[int, EntrantRow]) -> dict[int, Entrant]:
    """Return players as entries of a cup page, which shows companies; nobody outside the cup is marked as missing."""
    return {
        pk: Entrant(
            id=pk, state=EnrolmentState.WITHDRAWN, company=0, name=row.name, colour="", emblem="", player=row.name,
            visibility="",
        )
        for pk, row in entrants.items()
    }  # fmt: skip


def _games(season: int) -> QuerySet[SeasonGame, object]:
    rows = SeasonGame.objects.filter(season=season).order_by("position")
    return rows.values_list(
        *columns(
            GameRow,
            id="pk",
            name="campaign__name",
            system="campaign__system",
            state="campaign__state",
            points="campaign__points",
            is_public="campaign__is_public",
        )
    )


def _entrants(season: int) -> QuerySet[SeasonEntrant, object]:
    rows = (
        SeasonEntrant.objects.filter(season=season).order_by("pk").annotate(display_name=player_display_name("player"))
    )
    return rows.values_list(*columns(EntrantRow, id="pk", name="display_name"))


def _teams(season: int) -> QuerySet[SeasonTeam, object]:
    return SeasonTeam.objects.filter(season=season).order_by("pk").values_list("pk", "name")


def _rounds(season: int) -> QuerySet[SeasonRound, object]:
    rows = SeasonRound.objects.filter(season=season).order_by("number", "ties__number")
    return rows.values_list(
        *columns(
            RoundRow,
            dice="dice__key",
            tie="ties__pk",
            tie_number="ties__number",
            one="ties__one",
            two="ties__two",
        )
    )


def _pairings(season: int) -> QuerySet[SeasonPairing, object]:
    rows = SeasonPairing.objects.filter(round__season=season).order_by("round__number", "number")
    return rows.values_list(
        *columns(
            _pairing_row,
            round_="round__number",
            round_state="round__state",
            step="state",
            proposing="proposing_side",
            obstacle="blocked_reason",
            match_state="match__state",
            match_outcome="match__outcome",
            refusing="match__refusing_side",
            match="match__key",
            scenario="match__scenario_name",
        )
    )


def _pairing_row(
    pk: int,
    key: UUID,
    round_: int,
    number: int,
    round_state: str,
    one: int,
    two: int | None,
    tie: int | None,
    board: int,
    place: int | None,
    step: str,
    awarded: int | None,
    one_attacks: bool,
    match_state: str | None,
    match_outcome: str | None,
    refusing: int | None,
    proposed: int | None,
    proposing: int | None,
    game: int | None,
    settled_by: str,
    obstacle: str,
    reason: str,
    match: UUID | None,
    scenario: str | None,
) -> PairingRow:
    is_open = round_state == SeasonRoundState.OPEN
    stands = pairing_status(PairingFacts(step, is_open, awarded, one_attacks, match_state, match_outcome, refusing))
    return PairingRow(
        id=pk, key=key, round=round_, number=number, is_planned=not is_open, one=one, two=two, tie=tie, board=board,
        place=place, state=stands.state, outcome=stands.outcome, refusing=stands.refusing, step=step, proposed=proposed,
        proposing=proposing, game=game, settled_by=settled_by, obstacle=obstacle, reason=reason, match=match,
        scenario=scenario or "",
    )  # fmt: skip


def _plays(season: int) -> QuerySet[Enrolment, object]:
    rows = Enrolment.objects.filter(campaign__season_game__season=season, state=EnrolmentState.ACCEPTED).order_by("pk")
    return rows.values_list(
        *columns(
            PlayableCompany,
            player="company__owner",
            game="campaign__season_game",
            enrolment="pk",
            company="company__name",
        )
    )


GAMES = PreparedQuery(_games, GameRow, season=int)
ENTRANTS = PreparedQuery(_entrants, EntrantRow, season=int)
TEAMS = PreparedQuery(_teams, TeamRow, season=int)
PAIRINGS = PreparedQuery(_pairings, _pairing_row, season=int)
PLAYS = PreparedQuery(_plays, PlayableCompany, season=int)
ROUNDS = PreparedQuery(_rounds, RoundRow, season=int)
