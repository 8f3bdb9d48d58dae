"""The content of the club display: a sheet for each screenful, with the tables being played.

A table's round and losses come from the players' phones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.core.cache import caches
from django.db.models import QuerySet
from django.db.models.fields.json import KeyTransform
from django.utils import timezone

from battles.live.board import NOBODY
from battles.live.sheet import DESTROYED, ROUND, table_sheet
from battles.live.state import Act, table_state
from battles.models import LiveEvent, LiveTable
from battles.selectors.battle import MIN_BATTLES_FOR_LUCK
from campaigns.models import (
    Campaign,
    CampaignState,
    Club,
    Match,
    MatchState,
    MatchTable,
    Outcome,
    Round,
    RoundState,
    TerritoryMap,
    WatchParty,
)
from campaigns.planning.selectors import describe_status
from campaigns.standings.selectors import StandingRow, standings_and_map
from campaigns.territories.drawing import MapDrawing, map_drawing
from campaigns.watch_parties.selectors import WatchPartyRow, render_stage, watch_parties_on_display
from rosters.database.queries import PreparedQuery, columns
from systems.documents import DocumentError
from systems.reading import stored_setup

MAX_TABLES = 12  # tables read at most
TABLE_TIMEOUT = timedelta(hours=6)  # an unfinished table counts as abandoned after this time without an act
CACHE_SECONDS = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveScore:
    """The score of a table that is being played."""

    round: int
    lost: tuple[int, int]  # units of attacker and defender


def live_scores(row: Round, now: datetime | None = None) -> dict[int, LiveScore]:
    """Return the scores of the round's matches that are being played, by match.

    One query, and two more if something has happened since the last call.
    """
    tables = LIVE_TABLES.rows(round=row.pk, since=(now or timezone.now()) - TABLE_TIMEOUT)
    cache = caches["process"]
    keys = {each: f"live-score-3-{each.key}" for each in tables}
    kept: dict[str, tuple[int, LiveScore | None]] = cache.get_many(keys.values()) if keys else {}
    if wanted := [each for each, key in keys.items() if key not in kept or kept[key][0] != each.length]:
        found = dict(_scores(wanted))
        new = {keys[each]: (each.length, found.get(each)) for each in wanted}
        cache.set_many(new, CACHE_SECONDS)
        kept |= new
    return {each.match: score for each, key in keys.items() if (score := kept[key][1]) is not None}


class _Table(NamedTuple):
    """A table that is being played. Its first `length` acts never change."""

    match: int
    pk: int
    key: UUID
    length: int


def _live_tables(round: int, since: datetime) -> QuerySet[MatchTable, object]:
    rows = MatchTable.objects.filter(
        match__round=round,
        match__state__in=MatchState.undecided(),
        table__ended_at=None,
        table__length__gt=0,
        table__touched_at__gt=since,
    )
    return rows.order_by("-table__touched_at").values_list(
        *columns(_Table, pk="table", key="table__key", length="table__length")
    )[:MAX_TABLES]


LIVE_TABLES = PreparedQuery(_live_tables, _Table, round=int, since=datetime)


def _scores(tables: Sequence[_Table]) -> Iterator[tuple[_Table, LiveScore]]:
    """Yield the scores of tables with a set-up this version can read."""
    setups = dict(LiveTable.objects.filter(pk__in=[each.pk for each in tables]).values_list("pk", "setup"))
    acts = _acts(setups)
    for each in tables:
        try:
            sheet = table_sheet(stored_setup(setups[each.pk]))
        except DocumentError:  # written by a version with other games
            continue
        state = table_state(sheet, [act for act in acts.get(each.pk, ()) if act.place <= each.length])
        table_units = sheet.veiled(state.hidden_from(NOBODY)).table_units  # the fate of a hidden unit isn't public yet
        lost = [table_unit.side for table_unit in table_units if DESTROYED in table_unit.fate_of(state.values)]
        yield each, LiveScore(round=int(state.values[ROUND]), lost=(lost.count(0), lost.count(1)))


def _acts(tables: Iterable[int]) -> dict[int, list[Act]]:
    """Return the logs of these tables, each in order. One query."""
    found: dict[int, list[Act]] = {}
    rows = LiveEvent.objects.filter(table__in=tables).order_by("table", "place")
    for row in rows.values_list("table", "place", "side", "kind", "facts", "seen", named=True):
        act = Act(place=row.place, side=row.side, kind=row.kind, facts=row.facts, seen=row.seen)
        found.setdefault(row.table, []).append(act)
    return found


RowT = TypeVar("RowT")
MAX_CAMPAIGNS = 4  # campaigns of a club at most
TABLES_PER_SHEET, PLACES_PER_SHEET = 7, 10  # rows that can be read from the other end of a room
MAX_RESULTS = 5
UPSET_CANDIDATES = 50  # latest matches with odds
WINNER = {Outcome.ATTACKER: 0, Outcome.DEFENDER: 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplaySide:
    """A side of a match."""

    name: str
    emblem: str
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayMatchRow:
    """A table."""

    number: int
    attacker: DisplaySide
    defender: DisplaySide | None
    scenario: str
    territory: str
    look: str
    mark: str
    word: str
    is_over: bool
    odds: tuple[float, float, float] | None = None  # shares of attacker, draw and defender, until the match is over
    live: LiveScore | None = None  # of a table that is being played
    date: datetime | None = None  # the date both sides agreed on

    @property
    def result(self) -> str:
        """The result in a few words; empty until it is known, and for a bye."""
        return f"{self.mark} {self.word}" if self.is_over and self.defender else ""

    @property
    def what(self) -> str:
        """The state of an open match in a few words; for other matches, their subject."""
        if self.live is not None and not self.is_over:
            attacker, defender = self.live.lost
            return f"round {self.live.round}, losses {attacker}–{defender}"
        if self.look == "unknown" and self.date is not None:
            return f"{timezone.localtime(self.date):%a %-d %b, %H:%M}"
        if self.look == "reported":
            return f"{self.mark} one report is in"
        if self.look == "disputed":
            return f"{self.mark} {self.word}"
        return f"{self.scenario} for {self.territory}" if self.territory else self.scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplaySheet:
    """One screenful; `kind` is tables, standings, map, results or watch-party."""

    kind: str
    campaign: str
    title: str
    deadline: datetime | None  # of the open round
    page: int = 1
    pages: int = 1
    matches: tuple[DisplayMatchRow, ...] = ()
    upset: DisplayMatchRow | None = None
    upset_chance: int = 0
    standings: tuple[StandingRow, ...] = ()
    drawing: MapDrawing | None = None
    watch_party: WatchPartyRow | None = None
    stage: str = ""  # of the watch party, drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayPage:
    """All sheets of a club, in the order they are turned."""

    club: str
    sheets: tuple[DisplaySheet, ...]
    again_ms: int = 0  # milliseconds until there is more to see; 0: whenever the display asks


def club_with_display_key(key: UUID) -> Club | None:
    """Return the club whose display has this key."""
    return CLUB.row(key=key)


def club_display(club: Club) -> DisplayPage:
    """Return what the display shows now: the running campaigns, newest first; during a watch party, only that.

    One query for watch parties, and eight for each campaign.
    """
    parties = watch_parties_on_display(club.pk, timezone.now())
    for row, party in parties:
        if party.state == "on" and (stage := render_stage(row, party, "wall")):
            return DisplayPage(club=club.name, sheets=(_watch_party_sheet(row, party, stage),), again_ms=party.next_ms)
    rows = CAMPAIGNS_SHOWN.rows(club=club.pk)
    sheets = [_watch_party_sheet(row, party, "") for row, party in parties if party.state == "soon"]
    sheets += [sheet for row in rows for sheet in _sheets(row)]
    waits = [party.next_ms for _, party in parties if party.state == "soon"]
    return DisplayPage(club=club.name, sheets=tuple(sheets), again_ms=max(min(waits), 1) if waits else 0)


def _watch_party_sheet(row: WatchParty, party: WatchPartyRow, stage: str) -> DisplaySheet:
    campaign = row.match.round.campaign.name
    return DisplaySheet(
        kind="watch-party", campaign=campaign, title=party.match, deadline=None, watch_party=party, stage=stage
    )


def _sheets(campaign: Campaign) -> Iterator[DisplaySheet]:
    row = LAST_ROUND.row(campaign=campaign.pk)
    deadline = row.deadline if row is not None and row.state == RoundState.OPEN else None
    if row is not None:
        yield from _tables(campaign, row, deadline)
    table, places = standings_and_map(campaign)
    if any(each.row.played for each in table):
        parts = _parts(table, PLACES_PER_SHEET)
        for at, part in enumerate(parts, start=1):
            yield DisplaySheet(
                kind="standings",
                campaign=campaign.name,
                title="Standings",
                deadline=deadline,
                page=at,
                pages=len(parts),
                standings=tuple(part),
            )
    if campaign.map_kind != TerritoryMap.NONE and places:
        yield DisplaySheet(
            kind="map",
            campaign=campaign.name,
            title="Map",
            deadline=deadline,
            drawing=map_drawing(campaign.map_kind, places),
        )
    yield from _results(campaign, deadline)


def _tables(campaign: Campaign, row: Round, deadline: datetime | None) -> Iterator[DisplaySheet]:
    scores = live_scores(row) if deadline else {}
    found = [_match(match, scores.get(match.pk)) for match in IN_ROUND.rows(round=row.pk)]
    parts = _parts(found, TABLES_PER_SHEET)
    for at, part in enumerate(parts, start=1):
        yield DisplaySheet(
            kind="tables",
            campaign=campaign.name,
            title=str(row),
            deadline=deadline,
            page=at,
            pages=len(parts),
            matches=tuple(part),
        )


def _results(campaign: Campaign, deadline: datetime | None) -> Iterator[DisplaySheet]:
    """Yield the latest results, with the latest win against the odds."""
    last = DECIDED.rows(campaign=campaign.pk)
    if not last:
        return
    upset = next((row for row in WITH_ODDS.rows(campaign=campaign.pk) if (_winners_chance(row) or 100) < 50), None)
    yield DisplaySheet(
        kind="results",
        campaign=campaign.name,
        title="Latest results",
        deadline=deadline,
        matches=tuple(_match(match) for match in last),
        upset=_match(upset) if upset else None,
        upset_chance=(_winners_chance(upset) or 0) if upset else 0,
    )


class _Match(NamedTuple):
    """The columns read of a match."""

    pk: int
    number: int
    state: str
    outcome: str
    decided_by: str
    refusing_side: int | None
    scenario: str
    territory: str | None
    attacker: str
    attackers_emblem: str
    defender: str | None  # None: a bye
    defenders_emblem: str | None
    runs: int | None
    battle_odds: dict[str, int] | None
    date: datetime | None  # the date both sides agreed on


def _of_matches(**where: object) -> QuerySet[Match, object]:
    rows = Match.objects.filter(**where).annotate(battle_odds=KeyTransform("battle", "forecast__counts"))
    return rows.values_list(
        *columns(
            _Match,
            scenario="scenario_name",
            territory="territory__name",
            attacker="attacker__company__name",
            attackers_emblem="attacker__company__emblem",
            defender="defender__company__name",
            defenders_emblem="defender__company__emblem",
            runs="forecast__runs_done",
            date="date__agreed_at",
        )
    )


def _decided(campaign: int) -> QuerySet[Match, object]:
    rows = _of_matches(round__campaign=campaign, outcome__in=Outcome.won(), battle__isnull=False)
    return rows.exclude(round__state=RoundState.PLANNED).order_by("-decided_at", "-pk")


def _running(club: int) -> QuerySet[Campaign]:
    rows = Campaign.objects.filter(club=club, state=CampaignState.RUNNING)
    return rows.order_by("-running_at", "-pk")[:MAX_CAMPAIGNS]


def _last_round(campaign: int) -> QuerySet[Round]:
    return Round.objects.filter(campaign=campaign).exclude(state=RoundState.PLANNED).order_by("-number")[:1]


CLUB = PreparedQuery(lambda key: Club.objects.filter(club_display__key=key), key=UUID)
CAMPAIGNS_SHOWN = PreparedQuery(_running, club=int)
LAST_ROUND = PreparedQuery(_last_round, campaign=int)
IN_ROUND = PreparedQuery(lambda round: _of_matches(round=round).order_by("number"), _Match, round=int)
DECIDED = PreparedQuery(lambda campaign: _decided(campaign)[:MAX_RESULTS], _Match, campaign=int)
WITH_ODDS = PreparedQuery(
    lambda campaign: _decided(campaign).filter(forecast__runs_done__gte=MIN_BATTLES_FOR_LUCK)[:UPSET_CANDIDATES],
    _Match,
    campaign=int,
)


def _match(match: _Match, live: LiveScore | None = None) -> DisplayMatchRow:
    names = (match.attacker, match.defender or "")
    how = describe_status(names, match.state, match.outcome, match.decided_by, match.refusing_side)
    is_over = how.look not in ("unknown", "reported", "disputed")
    winner = WINNER.get(Outcome(match.outcome))
    attacker, defender = (
        DisplaySide(name=name, emblem=emblem or "", has_won=winner == at)
        for at, (name, emblem) in enumerate(zip(names, (match.attackers_emblem, match.defenders_emblem), strict=True))
    )
    return DisplayMatchRow(
        number=match.number,
        attacker=attacker,
        defender=None if match.defender is None else defender,
        scenario=match.scenario,
        territory=match.territory or "",
        look=how.look,
        mark=how.mark,
        word=how.word,
        is_over=is_over,
        odds=None if is_over else _odds(match),
        live=live,
        date=match.date,
    )


def _odds(match: _Match) -> tuple[float, float, float] | None:
    """Return the shares of attacker's wins, draws and defender's wins; None until enough battles are calculated."""
    runs, battle = match.runs, match.battle_odds
    if runs is None or runs < MIN_BATTLES_FOR_LUCK or not battle:
        return None
    won, lost = battle["attacker_wins"], battle["defender_wins"]
    return won / runs, (runs - won - lost) / runs, lost / runs


def _winners_chance(match: _Match) -> int | None:
    """Return in percent how likely the winner was to win."""
    odds, winner = _odds(match), WINNER.get(Outcome(match.outcome))
    return None if odds is None or winner is None else round(100 * odds[2 * winner])


def _parts(rows: Sequence[RowT], most: int) -> list[Sequence[RowT]]:
    return [rows[at : at + most] for at in range(0, len(rows), most)]
