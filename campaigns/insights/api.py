"""The API of statistics."""

from __future__ import annotations

import pydantic
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.insights import selectors as reads
from campaigns.insights.tables import Cell, Table
from campaigns.rows import club_or_404
from rosters.api.parts import Query, Text, asked
from systems import ROSTERS


class CellAnswer(pydantic.BaseModel):
    """The share of `number` cases with its 95 % interval.

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


class TableAnswer(pydantic.BaseModel):
    """A table of results. `of` says what the shares are of."""

    table: str
    of: str
    cells: list[CellAnswer]


class LuckAnswer(pydantic.BaseModel):
    """A player's score in matches with odds, the expected score, and its standard deviation by chance alone."""

    player: str
    matches: int
    scored: float
    expected: float
    spread: float


class InsightsAnswer(pydantic.BaseModel):
    """Statistics of the matches you may see in one game; of one player if requested."""

    system: str
    player: str
    matches: int
    with_odds: int
    luck: list[LuckAnswer]
    odds: TableAnswer
    tables: list[TableAnswer]


class InsightsQuery(Query):
    system = serializers.ChoiceField(choices=tuple(ROSTERS), required=False, help_text="left out: the most played game")
    player = Text(max_length=150, required=False, help_text="a user name; left out: everybody")


class ClubInsights(APIView):
    @extend_schema(
        tags=["insights"], operation_id="insights_read", responses={200: InsightsAnswer}, parameters=[InsightsQuery]
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """Return results by weapon, level, ground and AI style, luck, and matches compared with their odds."""
        page = reads.club_insights(club_or_404(request._request, slug), request.user, **asked(InsightsQuery, request))
        answer = InsightsAnswer(
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


def _statistics_table(table: Table) -> TableAnswer:
    return TableAnswer(table=table.slug, of=table.of, cells=[_cell(cell) for cell in table.cells])


def _cell(cell: Cell) -> CellAnswer:
    return CellAnswer(
        what=cell.label,
        number=cell.number,
        share=cell.share,
        low=cell.low,
        high=cell.high,
        expected=cell.expected,
        with_odds=cell.expected_of,
        kills=cell.mean,
    )


statistics_urls = [path("clubs/<slug:slug>/insights/", ClubInsights.as_view(), name="api-insights")]
