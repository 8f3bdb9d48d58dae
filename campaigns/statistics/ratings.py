"""Ratings as pages and API show them, cached in this process while no match of the club changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, NamedTuple

from django.db.models import BooleanField, Case, QuerySet, Value, When

from campaigns.models import Campaign, Match, MatchState, RoundState
from campaigns.statistics.glicko import (
    SCORES,
    START_RATING,
    RatedMatch,
    Rating,
    RatingPoint,
    StoredOdds,
    calculate_ratings,
)
from rosters.database.queries import PreparedQuery, columns
from rosters.models import player_display_name
from systems import ROSTERS, roster_rules

CACHE_SIZE = 200
CHART_WIDTH, CHART_HEIGHT, CHART_EDGE = 640, 220, 34


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """A player in a club's ratings."""

    place: int
    player: str  # username
    name: str
    rating: float
    low: float
    high: float
    deviation: float
    games: int
    change: float  # in the player's last round
    is_provisional: bool


def rating_range(rows: Sequence[RatingRow]) -> tuple[float, float]:
    """Return the range of all intervals of a list; it includes the starting rating."""
    return min(START_RATING, *(row.low for row in rows)), max(START_RATING, *(row.high for row in rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingHistoryRow:
    """A round in a player's history, with expected score and score of each match."""

    at: datetime
    where: str
    rating: float
    deviation: float
    change: float
    matches: tuple[tuple[str, float, float], ...]  # opponent, expected, score

    @property
    def low(self) -> float:
        return max(0.0, self.rating - 2 * self.deviation)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChart:
    """A chart of a player's ratings round by round: the line, the 95 % band, the scale."""

    line: str
    band: str
    marks: tuple[tuple[float, int], ...]  # height and rating
    width: int = CHART_WIDTH
    height: int = CHART_HEIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRating:
    """The page of a player's rating."""

    row: RatingRow
    history: tuple[RatingHistoryRow, ...]  # the latest first
    chart: RatingChart | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubRatings:
    """All ratings of a club, in one game or over all."""

    system: str  # empty: over all
    rated: tuple[Rating, ...]
    names: Mapping[str, str]
    campaigns: Sequence[tuple[str, bool]]  # names by index, and whether they are public
    systems: tuple[tuple[str, str], ...]  # rated games and their names

    def rows(self) -> tuple[RatingRow, ...]:
        """Return all rows, provisional ratings last."""
        ordered = sorted(self.rated, key=lambda each: each.is_provisional)
        return tuple(self._row(place, each) for place, each in enumerate(ordered, start=1))

    def of(self, player: str, *, by_member: bool) -> PlayerRating | None:
        """Return one player's rating; campaigns that the reader may not see aren't named."""
        row = next((row for row in self.rows() if row.player == player), None)
        rating = next((each for each in self.rated if each.player == player), None)
        if row is None or rating is None:
            return None
        lines = tuple(self._line(point, by_member=by_member) for point in reversed(rating.history))
        return PlayerRating(row=row, history=lines, chart=_chart(rating.history))

    def _row(self, place: int, rating: Rating) -> RatingRow:
        return RatingRow(
            place=place,
            player=rating.player,
            name=self.names[rating.player],
            rating=rating.rating,
            low=rating.low,
            high=rating.high,
            deviation=rating.deviation,
            games=rating.games,
            change=rating.history[-1].change,
            is_provisional=rating.is_provisional,
        )

    def _line(self, point: RatingPoint, *, by_member: bool) -> RatingHistoryRow:
        name, is_open = self.campaigns[point.campaign]
        where = f"{name}, round {point.round}" if by_member or is_open else "a round for members"
        return RatingHistoryRow(
            at=point.at,
            where=where,
            rating=point.rating,
            deviation=point.deviation,
            change=point.change,
            matches=tuple((self.names[step.opponent], step.expected, step.score) for step in point.steps)
            if by_member or is_open
            else (),
        )


def club_ratings(club: int, system: str = "") -> ClubRatings:
    """Return the club's ratings in that game, or over all. Two queries if nothing has changed, else three."""
    with _lock:
        known = _cache.get(club)
    stamps, campaigns = tuple(FINGERPRINTS.rows(club=club)), tuple(CAMPAIGNS.rows(club=club))
    if known is None or (known.stamps, known.campaigns) != (stamps, campaigns):
        rows = MATCHES.rows(club=club) if stamps else []
        known = _CacheEntry(stamps, campaigns, _calculate(rows, campaigns))
        with _lock:
            _cache[club] = known
            _cache.move_to_end(club)
            while len(_cache) > CACHE_SIZE:
                _cache.popitem(last=False)
    found = known.rated
    return ClubRatings(
        system=system,
        rated=found.get(system, ()),
        names={
            name: display_name
            for each in stamps
            for name, display_name in ((each.attacker, each.attacker_name), (each.defender, each.defender_name))
        },
        campaigns=[(each.name, each.is_public) for each in campaigns],
        systems=tuple((slug, roster_rules(slug).name) for slug in ROSTERS if slug in found),
    )


# --- parts ------------------------------------------------------------------------------------------------------------


class _Fingerprint(NamedTuple):
    """The facts that must be unchanged for a match's rating to be valid."""

    match: int
    decided_at: datetime | None
    outcome: str
    state: str
    has_odds: bool
    closed_at: datetime
    attacker: str
    attacker_name: str
    defender: str
    defender_name: str


class _Campaign(NamedTuple):
    pk: int
    name: str
    is_public: bool


class _Row(NamedTuple):
    campaign: int
    round: int
    closed_at: datetime
    table: int
    system: str
    attacker: str
    defender: str
    outcome: str
    odds: dict[str, Any] | None
    figures: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class _CacheEntry:
    stamps: tuple[_Fingerprint, ...]
    campaigns: tuple[_Campaign, ...]
    rated: Mapping[str, tuple[Rating, ...]]  # by game; over all under ""


_cache: OrderedDict[int, _CacheEntry] = OrderedDict()
_lock = Lock()


def _calculate(rows: Sequence[_Row], campaigns: Sequence[_Campaign]) -> dict[str, tuple[Rating, ...]]:
    matches = _build_matches(rows, campaigns)
    games = sorted({each.system for each in matches})
    return {
        "": calculate_ratings(matches),
        **{game: calculate_ratings(each for each in matches if each.system == game) for game in games},
    }


def _build_matches(rows: Sequence[_Row], campaigns: Sequence[_Campaign]) -> list[RatedMatch]:
    places = {each.pk: at for at, each in enumerate(campaigns)}
    return [
        RatedMatch(
            closed_at=row.closed_at,
            campaign=places[row.campaign],
            round=row.round,
            table=row.table,
            system=row.system,
            attacker=row.attacker,
            defender=row.defender,
            outcome=row.outcome,
            odds=stored_odds(row.odds) if row.odds else None,
            margin=row.figures["margin"][0] if row.figures.get("margin") else None,
        )
        for row in rows
        if row.outcome in SCORES
    ]


def stored_odds(odds: Mapping[str, Any]) -> StoredOdds:
    """Return the odds that are stored with a match."""
    return StoredOdds(
        runs=odds["runs"],
        attacker_wins=odds["attacker_wins"],
        defender_wins=odds["defender_wins"],
        margins={int(margin): count for margin, count in odds["margins"].items()},
    )


def _chart(history: Sequence[RatingPoint]) -> RatingChart | None:
    """Return the chart; None before the second round."""
    if len(history) < 2:
        return None
    least = min(point.rating - point.deviation * 2 for point in history)
    most = max(point.rating + point.deviation * 2 for point in history)
    span, inner = max(most - least, 1.0), CHART_HEIGHT - 2 * 10

    def height(rating: float) -> float:
        return round(10 + inner * (most - rating) / span, 1)

    step = (CHART_WIDTH - CHART_EDGE - 6) / (len(history) - 1)
    across = [round(CHART_EDGE + step * at, 1) for at in range(len(history))]
    upper = [f"{x},{height(point.rating + 2 * point.deviation)}" for x, point in zip(across, history, strict=True)]
    lower = [f"{x},{height(point.rating - 2 * point.deviation)}" for x, point in zip(across, history, strict=True)]
    every = 100 if span < 700 else 200
    first = int(-(-least // every) * every)
    return RatingChart(
        line=" ".join(f"{x},{height(point.rating)}" for x, point in zip(across, history, strict=True)),
        band=" ".join([*upper, *reversed(lower)]),
        marks=tuple((height(mark), mark) for mark in range(first, int(most) + 1, every)),
    )


def _of(club: int) -> QuerySet[Match]:
    fought = Match.objects.filter(
        round__campaign__club=club, round__state=RoundState.CLOSED, state__in=MatchState.fought()
    )
    fought = fought.filter(defender__isnull=False, round__closed_at__isnull=False)
    return fought.order_by("round__campaign", "round__number", "number")


def _fingerprints(club: int) -> QuerySet[Match, object]:
    rows = _of(club).annotate(
        has_odds=Case(When(odds__isnull=False, then=Value(True)), default=Value(False), output_field=BooleanField()),
        attacker_name=player_display_name("attacker__company__owner"),
        defender_name=player_display_name("defender__company__owner"),
    )
    return rows.values_list(
        *columns(
            _Fingerprint,
            match="pk",
            closed_at="round__closed_at",
            attacker="attacker__company__owner__username",
            defender="defender__company__owner__username",
        )
    )


def _matches(club: int) -> QuerySet[Match, object]:
    return _of(club).values_list(
        *columns(
            _Row,
            campaign="round__campaign",
            round="round__number",
            closed_at="round__closed_at",
            table="number",
            system="round__campaign__system",
            attacker="attacker__company__owner__username",
            defender="defender__company__owner__username",
        )
    )


FINGERPRINTS = PreparedQuery(_fingerprints, _Fingerprint, club=int)
MATCHES = PreparedQuery(_matches, _Row, club=int)
CAMPAIGNS = PreparedQuery(
    lambda club: Campaign.objects.filter(club=club).order_by("pk").values_list("pk", "name", "is_public"),
    _Campaign,
    club=int,
)
