"""What the wall shows: a sheet for each screenful, read at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet

from battles.selectors.luck import FEWEST_BATTLES
from campaigns.models import Campaign, CampaignState, Club, Match, Outcome, Round, RoundState, TerritoryMap, Wall
from campaigns.policy import UNDECIDED
from campaigns.selectors.map import MapDrawing, map_drawing
from campaigns.selectors.standings import StandingRow, standings, territories
from campaigns.selectors.told import told

from .live import LiveScore, live_scores

RowT = TypeVar("RowT")
CAMPAIGNS = 4  # of a club, at most
TABLES, PLACES = 7, 10  # rows that can be read from the other end of a room
RESULTS = 5
WINNER = {Outcome.ATTACKER: 0, Outcome.DEFENDER: 1}
BESIDE = ("attacker__company", "defender__company", "territory", "forecast")


@dataclass(frozen=True, slots=True, kw_only=True)
class WallSide:
    """A side of a match."""

    name: str
    colour: str
    has_won: bool
    chance: int | None  # percent, by the published odds


@dataclass(frozen=True, slots=True, kw_only=True)
class WallMatch:
    """A table."""

    number: int
    attacker: WallSide
    defender: WallSide | None
    scenario: str
    territory: str
    look: str
    mark: str
    word: str
    is_over: bool
    live: LiveScore | None = None  # of a table that is being played

    @property
    def is_told(self) -> bool:
        """Whether there is more to say than what is played."""
        return self.is_over or self.live is not None

    @property
    def what(self) -> str:
        """How it stands, in a few words."""
        if self.live is not None and not self.is_over:
            attacker, defender = self.live.lost
            return f"round {self.live.round}, lost {attacker} : {defender}"
        if self.look == "unknown":
            return f"{self.scenario} for {self.territory}" if self.territory else self.scenario
        return f"{self.mark} one report is in" if self.look == "reported" else f"{self.mark} {self.word}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One screenful; `kind` is tables, standings, map or results."""

    kind: str
    campaign: str
    title: str
    deadline: datetime | None  # of the round that is open
    page: int = 1
    pages: int = 1
    matches: tuple[WallMatch, ...] = ()
    upset: WallMatch | None = None
    upset_chance: int = 0
    standings: tuple[StandingRow, ...] = ()
    drawing: MapDrawing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WallShown:
    """All sheets of a club, in the order they are turned."""

    club: str
    sheets: tuple[Sheet, ...]


def wall_of(key: UUID) -> Club | None:
    """The club whose wall has this key."""
    row = Wall.objects.select_related("club").filter(key=key).first()
    return row.club if row else None


def wall_shown(club: Club) -> WallShown:
    """What its wall shows now: the running campaigns, newest first. A handful of queries for each."""
    rows = Campaign.objects.filter(club=club, state=CampaignState.RUNNING).order_by("-running_at", "-pk")[:CAMPAIGNS]
    return WallShown(club=club.name, sheets=tuple(sheet for row in rows for sheet in _sheets(row)))


def _sheets(campaign: Campaign) -> Iterator[Sheet]:
    rounds = Round.objects.filter(campaign=campaign).exclude(state=RoundState.PLANNED).order_by("-number")
    row = rounds.first()
    deadline = row.deadline if row is not None and row.state == RoundState.OPEN else None
    if row is not None:
        yield from _tables(campaign, row, deadline)
    table = standings(campaign)
    if any(each.row.played for each in table):
        parts = _parts(table, PLACES)
        for at, part in enumerate(parts, start=1):
            yield Sheet(
                kind="standings",
                campaign=campaign.name,
                title="Standings",
                deadline=deadline,
                page=at,
                pages=len(parts),
                standings=tuple(part),
            )
    if campaign.map_kind != TerritoryMap.NONE and (places := territories(campaign)):
        yield Sheet(
            kind="map",
            campaign=campaign.name,
            title="The map",
            deadline=deadline,
            drawing=map_drawing(campaign.map_kind, places),
        )
    yield from _results(campaign, deadline)


def _tables(campaign: Campaign, row: Round, deadline: datetime | None) -> Iterator[Sheet]:
    rows = list(_matches(campaign).filter(round=row).order_by("number"))
    scores = live_scores(match for match in rows if match.state in UNDECIDED) if deadline else {}
    found = [_match(match, scores.get(match.pk)) for match in rows]
    parts = _parts(found, TABLES)
    for at, part in enumerate(parts, start=1):
        yield Sheet(
            kind="tables",
            campaign=campaign.name,
            title=str(row),
            deadline=deadline,
            page=at,
            pages=len(parts),
            matches=tuple(part),
        )


def _results(campaign: Campaign, deadline: datetime | None) -> Iterator[Sheet]:
    """What was decided last, and the latest victory of a side that the odds were against."""
    decided = _matches(campaign).filter(Q(outcome=Outcome.ATTACKER) | Q(outcome=Outcome.DEFENDER))
    decided = decided.filter(battle__isnull=False).order_by("-decided_at", "-pk")
    last = list(decided[:RESULTS])
    if not last:
        return
    fought = decided.filter(forecast__runs_done__gte=FEWEST_BATTLES)[:50]
    upset = next((match for match in fought if (_winners_chance(match) or 100) < 50), None)
    yield Sheet(
        kind="results",
        campaign=campaign.name,
        title="Latest results",
        deadline=deadline,
        matches=tuple(_match(match) for match in last),
        upset=_match(upset) if upset else None,
        upset_chance=(_winners_chance(upset) or 0) if upset else 0,
    )


def _matches(campaign: Campaign) -> QuerySet[Match]:
    rows = Match.objects.filter(round__campaign=campaign).exclude(round__state=RoundState.PLANNED)
    return rows.select_related(*BESIDE).defer("setup", "forces", "past", "forecast__setup")


def _match(match: Match, live: LiveScore | None = None) -> WallMatch:
    how = told(match)
    chances = _chances(match)
    winner = WINNER.get(Outcome(match.outcome))
    sides = [
        WallSide(
            name=side.company.name,
            colour=side.company.colour,
            has_won=winner == at,
            chance=chances[at] if chances else None,
        )
        for at, side in enumerate((match.attacker, match.defender))
        if side is not None
    ]
    return WallMatch(
        number=match.number,
        attacker=sides[0],
        defender=sides[1] if len(sides) == 2 else None,
        scenario=match.scenario_name,
        territory=match.territory.name if match.territory else "",
        look=how.look,
        mark=how.mark,
        word=how.word,
        is_over=how.look not in ("unknown", "reported", "disputed"),
        live=live,
    )


def _chances(match: Match) -> tuple[int, int] | None:
    """Of attacker and defender to win, in percent, once enough battles were counted."""
    forecast = match.forecast
    if forecast is None or forecast.runs_done < FEWEST_BATTLES or not forecast.counts:
        return None
    battle = forecast.counts["battle"]
    return (
        round(100 * battle["attacker_wins"] / forecast.runs_done),
        round(100 * battle["defender_wins"] / forecast.runs_done),
    )


def _winners_chance(match: Match) -> int | None:
    chances, winner = _chances(match), WINNER.get(Outcome(match.outcome))
    return None if chances is None or winner is None else chances[winner]


def _parts(rows: Sequence[RowT], most: int) -> list[Sequence[RowT]]:
    return [rows[at : at + most] for at in range(0, len(rows), most)]
