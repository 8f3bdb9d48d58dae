"""Seasons for pages, the API and drawing: tables, rounds, cup, and the games that each pairing can play.

Everything is calculated from the rows for each reader, with a fixed number of queries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef

from campaigns import policy
from campaigns.cups.selectors import CupSheet, build_cup_sheet
from campaigns.models import (
    Campaign,
    Enrolment,
    EnrolmentState,
    MatchState,
    PairingMethod,
    PairingState,
    Season,
    SeasonEntrant,
    SeasonPairing,
    SeasonRoundState,
    SeasonState,
    SettledBy,
)
from campaigns.policy import Reader
from campaigns.scoring import describe_bye, season_scoring
from campaigns.seasons import tables
from campaigns.seasons.queries import (
    TEAMS,
    EntrantRow,
    GameRow,
    PairingRow,
    PlayableCompany,
    RoundRow,
    _as_enrolments,
    common_games,
    current_cup,
    entrants_of,
    games_of,
    pairings_of,
    playable_companies,
    players_table,
    rounds_of,
)
from campaigns.seasons.tables import TieResult, is_undecided
from campaigns.standings.table import TIE_BREAKERS, TableRow
from rosters.models import Player
from systems import roster_rules

# --- views of the data ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingSideRow:
    """A side of a pairing."""

    entrant: int
    name: str
    company: str  # empty while no game is settled
    has_won: bool
    is_reader: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPairingRow:
    """A pairing in a list."""

    key: UUID
    number: int
    board: int
    one: PairingSideRow
    two: PairingSideRow | None
    step: str
    progress: str  # in words
    result: str  # empty until it counts
    game: str  # in which it is played
    settled: str  # how the game was settled
    choices: tuple[GameRow, ...]  # games both can play, while none is settled
    proposed: GameRow | None
    proposing: str  # name of the player who proposes it
    match: UUID | None
    obstacle: str
    reason: str
    waits_for_reader: bool  # must propose a game or answer
    is_open: bool  # not decided yet

    @property
    def others(self) -> tuple[GameRow, ...]:
        """Return the games that both play, without the proposed one."""
        return tuple(game for game in self.choices if game != self.proposed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TieRow:
    """A match of teams with its boards."""

    number: int
    one: str
    two: str  # empty: a bye
    points: str  # of the boards so far, "2½–½"
    is_over: bool
    boards: tuple[SeasonPairingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRoundRow:
    """A round of the season."""

    number: int
    way: str
    way_name: str
    state: str
    agree_by: datetime | None
    deadline: datetime | None
    dice: UUID | None  # sealed, for drawing games by lot
    pairings: tuple[SeasonPairingRow, ...]
    ties: tuple[TieRow, ...]
    resting: tuple[str, ...]  # players of the season without a pairing in it
    to_agree: int
    undecided: int

    @property
    def is_planned(self) -> bool:
        return self.state == SeasonRoundState.PLANNED


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStandingRow:
    """A player in the table."""

    row: TableRow
    team: str
    is_in: bool
    is_reader: bool

    @property
    def has_left(self) -> bool:
        return not self.is_in


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPlayerRow:
    """A player of the season and the games they can play."""

    id: int
    player: int
    name: str
    team: int | None
    team_name: str
    is_in: bool
    games: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPage:
    """A season as its page shows it."""

    games: tuple[GameRow, ...]
    chosen_game: GameRow | None  # the game to which table and rounds are limited; None: all
    table: tuple[PlayerStandingRow, ...]
    teams: tuple[TableRow, ...]  # their table, once they have met
    squads: tuple[tuple[int, str], ...]  # all teams: id and name
    rounds: tuple[SeasonRoundRow, ...]  # newest first
    cup: CupSheet | None
    entrants: tuple[SeasonPlayerRow, ...]
    waiting: tuple[SeasonPairingRow, ...]  # the reader's own pairings in which they must propose or answer
    own: int | None  # the reader as entrant, if they are in
    can_enter: bool  # the reader has a company in one of its games, and isn't in
    tie_breakers: tuple[str, ...]
    bye_worth: str  # "a win", or points

    @property
    def played(self) -> int:
        return sum(line.row.played for line in self.table) // 2

    @property
    def current(self) -> tuple[SeasonRoundRow, ...]:
        """Return the newest round, and all that have undecided pairings."""
        return tuple(row for at, row in enumerate(self.rounds) if at == 0 or row.undecided)

    @property
    def earlier(self) -> tuple[SeasonRoundRow, ...]:
        """Return the other rounds."""
        return tuple(row for at, row in enumerate(self.rounds) if at and not row.undecided)

    @property
    def open_round(self) -> SeasonRoundRow | None:
        """Return the newest open round with undecided pairings."""
        return next((row for row in self.rounds if not row.is_planned and row.undecided), None)

    @property
    def planned(self) -> SeasonRoundRow | None:
        return next((row for row in self.rounds if row.is_planned), None)


def season_page(season: Season, reader: Reader, *, with_planned: bool, game: str = "") -> SeasonPage:
    """Return the season for this reader; if `game` is a game's slug, table and rounds are of that game. Six queries."""
    games = games_of(season)
    chosen = next((each for each in games if each.system == game), None)
    entrants, plays = entrants_of(season), playable_companies(season)
    teams = {row.id: row.name for row in TEAMS.rows(season=season.pk)}
    pairings = pairings_of(season, with_planned=with_planned)
    part = [each for each in pairings if chosen is None or each.game == chosen.id]
    rounds, of_teams = rounds_of(season, with_planned=with_planned)
    ties = tables.tie_results(of_teams, pairings)
    own = next((row for row in entrants.values() if row.player == reader.pk), None)
    eyes = _ReaderContext(games, entrants, plays, own.id if own else None, season.state == SeasonState.RUNNING)
    cup = current_cup(season, entrants, pairings)
    return SeasonPage(
        games=tuple(games),
        chosen_game=chosen,
        table=tuple(
            PlayerStandingRow(
                row=row,
                team=teams.get(entrants[row.entrant].team or 0, ""),
                is_in=entrants[row.entrant].is_in,
                is_reader=own is not None and row.entrant == own.id,
            )
            for row in players_table(season, entrants, part, is_part=chosen is not None)
        ),
        teams=tables.team_table(teams, ties, season_scoring(season)) if ties else (),
        squads=tuple(teams.items()),
        rounds=tuple(
            _round(row, [each for each in part if each.round == row.number], ties, teams, eyes, is_all=chosen is None)
            for row in reversed(rounds)
        ),
        cup=build_cup_sheet(cup, _as_enrolments(entrants)) if cup is not None else None,
        entrants=tuple(_entrant(row, teams, games, plays) for row in entrants.values()),
        waiting=tuple(
            pairing for each in pairings if not each.is_planned and (pairing := eyes.pairing(each)).waits_for_reader
        ),
        own=own.id if own is not None and own.is_in else None,
        can_enter=(own is None or not own.is_in)
        and reader.pk in plays
        and season.state != SeasonState.FINISHED
        and cup is None,
        tie_breakers=tuple(TIE_BREAKERS[slug] for slug in season.tie_breakers),
        bye_worth=describe_bye(season_scoring(season), win="a win"),
    )


def season_pairing_row(pairing: SeasonPairing, reader: Reader) -> SeasonPairingRow:
    """Return one pairing for this reader. Four queries."""
    season = pairing.round.season
    games, entrants, plays = games_of(season), entrants_of(season), playable_companies(season)
    own = next((row.id for row in entrants.values() if row.player == reader.pk), None)
    row = next(each for each in pairings_of(season) if each.id == pairing.pk)
    return _ReaderContext(games, entrants, plays, own, season.state == SeasonState.RUNNING).pairing(row)


def season_campaigns(season: Season, games: Sequence[GameRow]) -> tuple[tuple[int, str], ...]:
    """Return the club's campaigns that could be added: id, and name with game. One query."""
    rows = Campaign.objects.filter(club=season.club_id, state__in=policy.TAKES_COMPANIES, season_game=None)
    taken = {row.system for row in games}
    found = rows.order_by("-pk").values_list("pk", "name", "system")
    return tuple((pk, f"{name} ({roster_rules(system).name})") for pk, name, system in found if system not in taken)


def players_to_enter(season: Season) -> tuple[tuple[int, str], ...]:
    """Return the players with a company in one of the games who aren't in: id and name. One query."""
    plays = Enrolment.objects.filter(
        campaign__season_game__season=season, state=EnrolmentState.ACCEPTED, company__owner=OuterRef("pk")
    )
    there = SeasonEntrant.objects.filter(season=season, is_in=True, player=OuterRef("pk"))
    rows = Player.objects.filter(Exists(plays), ~Exists(there), is_active=True).order_by("username")
    return tuple((row.pk, str(row)) for row in rows)


# --- parts ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _ReaderContext:
    """Everything needed to present pairings to a reader."""

    games: Sequence[GameRow]
    entrants: Mapping[int, EntrantRow]
    plays: Mapping[int, Mapping[int, PlayableCompany]]
    own: int | None
    is_running: bool

    def pairing(self, row: PairingRow) -> SeasonPairingRow:
        by_id = {game.id: game for game in self.games}
        game = by_id.get(row.game or 0)
        proposed = by_id.get(row.proposed or 0)
        sides = (row.one, row.two)
        is_agreeing = row.step == PairingState.AGREEING and row.two is not None
        proposing = sides[row.proposing] if row.proposing is not None and proposed is not None else None
        choices: tuple[GameRow, ...] = ()
        if is_agreeing and row.two is not None:
            one, two = self.entrants[row.one].player, self.entrants[row.two].player
            choices = tuple(common_games(self.games, self.plays, one, two))
        is_own = self.own is not None and self.own in sides
        return SeasonPairingRow(
            key=row.key,
            number=row.number,
            board=row.board,
            one=self._side(row, 0, game),
            two=self._side(row, 1, game) if row.two is not None else None,
            step=row.step,
            progress=_describe_progress(row, self.entrants[proposing].name if proposing else "", proposed),
            result=_result(row, self.entrants),
            game=game.game if game else "",
            settled=str(SettledBy(row.settled_by).label) if row.settled_by else "",
            choices=choices,
            proposed=proposed if is_agreeing else None,
            proposing=self.entrants[proposing].name if proposing and is_agreeing else "",
            match=row.match,
            obstacle=row.obstacle,
            reason=row.reason,
            waits_for_reader=self.is_running
            and is_agreeing
            and not row.is_planned
            and is_own
            and bool(choices)
            and proposing != self.own,
            is_open=is_undecided(row),
        )

    def _side(self, row: PairingRow, side: int, game: GameRow | None) -> PairingSideRow:
        entrant = self.entrants[(row.one, row.two)[side] or 0]
        company = self.plays.get(entrant.player, {}).get(game.id) if game else None
        return PairingSideRow(
            entrant=entrant.id,
            name=entrant.name,
            company=company.company if company else "",
            has_won=row.outcome == ("attacker", "defender")[side] and row.state in MatchState.counting(),
            is_reader=entrant.id == self.own,
        )


def _describe_progress(row: PairingRow, proposing: str, proposed: GameRow | None) -> str:
    """Return how far a pairing is, in words."""
    if row.two is None:
        return "bye, cancelled" if row.step == PairingState.CALLED_OFF else "bye"
    if row.match is None and row.step == PairingState.AGREEING:
        return f"{proposing} proposes {proposed.game}" if proposed and proposing else "no game yet"
    if row.match is None:
        return "waiting for its match" if row.step == PairingState.SETTLED else str(PairingState(row.step).label)
    return str(MatchState(row.state).label)


def _result(row: PairingRow, entrants: Mapping[int, EntrantRow]) -> str:
    if row.state not in MatchState.counting() or row.two is None:
        return ""
    if row.outcome == "draw":
        return "drawn"
    winner = {"attacker": row.one, "defender": row.two}.get(row.outcome)
    return f"{entrants[winner].name} won" if winner is not None else "nobody won"


def _round(
    row: RoundRow,
    pairings: Sequence[PairingRow],
    results: Sequence[TieResult],
    teams: Mapping[int, str],
    eyes: _ReaderContext,
    *,
    is_all: bool,
) -> SeasonRoundRow:
    rows = {each.id: eyes.pairing(each) for each in pairings}
    playing = {pk for each in pairings for pk in (each.one, each.two)}
    rests = is_all and row.way not in (PairingMethod.CUP, PairingMethod.TEAMS)
    return SeasonRoundRow(
        number=row.number,
        way=row.way,
        way_name=str(PairingMethod(row.way).label),
        state=row.state,
        agree_by=row.agree_by,
        deadline=row.deadline,
        dice=row.dice,
        pairings=tuple(rows[each.id] for each in pairings if each.tie is None),
        ties=tuple(
            _tie(result, teams, [rows[each.id] for each in pairings if each.tie == result.tie.id])
            for result in results
            if result.tie.round == row.number
        ),
        resting=tuple(each.name for each in eyes.entrants.values() if rests and each.is_in and each.id not in playing),
        to_agree=sum(bool(each.choices) for each in rows.values()),
        undecided=sum(each.is_open for each in rows.values()),
    )


def _tie(result: TieResult, teams: Mapping[int, str], boards: Sequence[SeasonPairingRow]) -> TieRow:
    return TieRow(
        number=result.tie.number,
        one=teams[result.tie.one],
        two=teams[result.tie.two] if result.tie.two is not None else "",
        points="–".join(format_half_points(points) for points in result.points),
        is_over=result.is_over,
        boards=tuple(boards),
    )


def format_half_points(hundredths: int) -> str:
    """Return points of boards as text: "2½"."""
    whole, rest = divmod(hundredths, tables.WHOLE_POINT)
    return f"{whole or ''}½" if rest else str(whole)


def _entrant(
    row: EntrantRow,
    teams: Mapping[int, str],
    games: Sequence[GameRow],
    plays: Mapping[int, Mapping[int, PlayableCompany]],
) -> SeasonPlayerRow:
    return SeasonPlayerRow(
        id=row.id,
        player=row.player,
        name=row.name,
        team=row.team,
        team_name=teams.get(row.team or 0, ""),
        is_in=row.is_in,
        games=tuple(game.game for game in games if game.id in plays.get(row.player, {})),
    )
