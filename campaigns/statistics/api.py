"""The API of a club's statistics and ratings, and of the balance of a game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import pydantic
from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.shortcuts import club_or_404
from campaigns.statistics import ratings as statistics_ratings
from campaigns.statistics import selectors as reads
from campaigns.statistics.balance import ResidualRow, ResidualTable, balance_page
from campaigns.statistics.tables import Cell, Table
from rosters.api.base import Query, StrictCharField, asked
from systems import ROSTERS


class StatisticsCellAnswer(pydantic.BaseModel):
    """The share of `number` cases with its 95% interval.

    `expected` is by the odds of `with_odds` cases; kills are per match.
    """

    what: str
    number: int
    share: float
    low: float
    high: float
    expected: float | None
    with_odds: int
    kills: float | None


class StatisticsTableAnswer(pydantic.BaseModel):
    """A table of results. `of` says what the shares are of."""

    table: str
    of: str
    cells: list[StatisticsCellAnswer]


class LuckAnswer(pydantic.BaseModel):
    """A player's score in matches with odds, the expected score, and its standard deviation by chance alone."""

    player: str
    matches: int
    scored: float
    expected: float
    spread: float


class StatisticsAnswer(pydantic.BaseModel):
    """Statistics of the matches you may see in one game; of one player if requested."""

    system: str
    player: str
    matches: int
    with_odds: int
    luck: list[LuckAnswer]
    odds: StatisticsTableAnswer
    tables: list[StatisticsTableAnswer]


class StatisticsQuery(Query):
    system = serializers.ChoiceField(choices=tuple(ROSTERS), required=False, help_text="default: the most played game")
    player = StrictCharField(max_length=150, required=False, help_text="a username; default: everybody")


class ClubStatistics(APIView):
    @extend_schema(
        tags=["insights"], operation_id="statistics_retrieve", responses={200: StatisticsAnswer}, parameters=[StatisticsQuery]
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """Return results by weapon, level, ground and AI style, luck, and matches compared with their odds."""
        page = reads.club_statistics(
            club_or_404(request._request, slug), request.user, **asked(StatisticsQuery, request)
        )
        answer = StatisticsAnswer(
            system=page.system,
            player=page.player,
            matches=page.matches,
            with_odds=page.with_odds,
            luck=[
                LuckAnswer(
                    player=each.player,
                    matches=each.matches,
                    scored=each.scored,
                    expected=each.expected,
                    spread=each.spread,
                )
                for each in page.luck
            ],
            odds=_statistics_table(page.odds),
            tables=[_statistics_table(table) for table in page.tables],
        )
        return Response(answer.model_dump(mode="json"))


def _statistics_table(table: Table) -> StatisticsTableAnswer:
    return StatisticsTableAnswer(table=table.slug, of=table.of, cells=[_cell(cell) for cell in table.cells])


def _cell(cell: Cell) -> StatisticsCellAnswer:
    return StatisticsCellAnswer(
        what=cell.label,
        number=cell.number,
        share=cell.share,
        low=cell.low,
        high=cell.high,
        expected=cell.expected,
        with_odds=cell.expected_of,
        kills=cell.mean,
    )


class OddsBinAnswer(pydantic.BaseModel):
    """The attacker's score in matches with similar odds, with its 95% interval, and the score the odds predicted."""

    what: str
    number: int
    share: float
    low: float
    high: float
    expected: float


class ResidualAnswer(pydantic.BaseModel):
    """The score of a group of sides minus their chance, with its 95% interval.

    `clear`: whether it is too large to be chance alone. `number`: how many sides.
    """

    what: str
    number: int
    score: float
    chance: float
    residual: float
    low: float
    high: float
    clear: bool
    in_matrix: float | None


class ResidualTableAnswer(pydantic.BaseModel):
    """A table of residuals. `of`: the sides they are about."""

    table: str
    of: str
    lines: list[ResidualAnswer]


class BalanceAnswer(pydantic.BaseModel):
    """The balance of a game from all clubs' open matches; `counted_at` is null if it was never calculated."""

    system: str
    counted_at: datetime | None
    matches: int
    clubs: int
    campaigns: int
    odds: list[OddsBinAnswer]
    tables: list[ResidualTableAnswer]


class BalanceOfGame(APIView):
    @extend_schema(tags=["insights"], operation_id="balance_retrieve", responses={200: BalanceAnswer})
    def get(self, request: Request, system: str) -> Response:
        """Compare all clubs' open campaign matches with their odds: by chance, side, scenario, design and weapon."""
        if system not in ROSTERS:
            raise Http404
        page = balance_page(system)
        answer = BalanceAnswer(
            system=page.system,
            counted_at=page.counted_at,
            matches=page.matches,
            clubs=page.clubs,
            campaigns=page.campaigns,
            odds=[_bin(cell) for cell in page.odds.cells] if page.odds else [],
            tables=[_residual_table(table, page.in_matrix if table.slug == "design" else {}) for table in page.tables],
        )
        return Response(answer.model_dump(mode="json"))


def _bin(cell: Cell) -> OddsBinAnswer:
    return OddsBinAnswer(
        what=cell.label,
        number=cell.number,
        share=cell.share,
        low=cell.low,
        high=cell.high,
        expected=cell.expected or 0.0,
    )


def _residual_table(table: ResidualTable, in_matrix: Mapping[str, float]) -> ResidualTableAnswer:
    lines = [_line(line, in_matrix.get(line.label)) for line in table.lines]
    return ResidualTableAnswer(table=table.slug, of=table.of, lines=lines)


def _line(line: ResidualRow, in_matrix: float | None) -> ResidualAnswer:
    return ResidualAnswer(
        what=line.label,
        number=line.number,
        score=line.score,
        chance=line.chance,
        residual=line.residual,
        low=line.low,
        high=line.high,
        clear=line.is_clear,
        in_matrix=in_matrix,
    )


class RatingAnswer(pydantic.BaseModel):
    """A player's rating. `low` to `high` is its 95% interval; a rating is provisional while its deviation is wide."""

    player: str
    name: str
    rating: float
    deviation: float
    low: float
    high: float
    games: int
    is_provisional: bool


class RatingList(pydantic.BaseModel):
    results: list[RatingAnswer]


class RatedMatchAnswer(pydantic.BaseModel):
    """A match: the player's expected score and score, 0 to 1."""

    opponent: str
    expected: float
    score: float


class RatingRoundAnswer(pydantic.BaseModel):
    """A player's rating after a round."""

    at: str
    where: str
    rating: float
    deviation: float
    change: float
    matches: list[RatedMatchAnswer]


class PlayerRatingAnswer(RatingAnswer):
    """A player's rating with its history, the latest round first."""

    history: list[RatingRoundAnswer]


class SystemQuery(Query):
    system = serializers.ChoiceField(choices=tuple(ROSTERS), required=False, help_text="only in this game")


class ClubRatings(APIView):
    @extend_schema(
        tags=["ratings"], operation_id="ratings_list", responses={200: RatingList}, parameters=[SystemQuery]
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """Return the ratings of a club's players, over all games or in one; provisional ratings come last."""
        club = club_or_404(request._request, slug)
        found = statistics_ratings.club_ratings(club.pk, asked(SystemQuery, request).get("system") or "")
        return Response(RatingList(results=[RatingAnswer(**_to_dict(row)) for row in found.rows()]).model_dump())


class PlayerRating(APIView):
    @extend_schema(
        tags=["ratings"], operation_id="ratings_retrieve", responses={200: PlayerRatingAnswer}, parameters=[SystemQuery]
    )  # fmt: skip
    def get(self, request: Request, slug: str, username: str) -> Response:
        """Return one player's rating in a club, with its history."""
        club = club_or_404(request._request, slug)
        found = statistics_ratings.club_ratings(club.pk, asked(SystemQuery, request).get("system") or "")
        page = found.of(username, by_member=policy.role_in(request.user, club) is not None)
        if page is None:
            raise NotFound("There is no such rating.")
        history = [
            RatingRoundAnswer(
                at=line.at.isoformat(),
                where=line.where,
                rating=line.rating,
                deviation=line.deviation,
                change=line.change,
                matches=[RatedMatchAnswer(opponent=name, expected=e, score=s) for name, e, s in line.matches],
            )
            for line in page.history
        ]
        return Response(PlayerRatingAnswer(**_to_dict(page.row), history=history).model_dump())


def _to_dict(row: statistics_ratings.RatingRow) -> dict[str, object]:
    return {field: getattr(row, field) for field in RatingAnswer.model_fields}


urlpatterns = [
    path("clubs/<slug:slug>/insights/", ClubStatistics.as_view(), name="api-club-statistics"),
    path("balance/<slug:system>/", BalanceOfGame.as_view(), name="api-balance"),
    path("clubs/<slug:slug>/ratings/", ClubRatings.as_view(), name="api-ratings"),
    path("clubs/<slug:slug>/ratings/<str:username>/", PlayerRating.as_view(), name="api-rating"),
]
