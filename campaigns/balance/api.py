"""The API of a game's balance."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import pydantic
from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.balance.counting import ResidualRow, ResidualTable
from campaigns.balance.selectors import balance_page
from campaigns.insights.tables import Cell
from systems import ROSTERS


class BinAnswer(pydantic.BaseModel):
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


class ResidualsAnswer(pydantic.BaseModel):
    """A table of residuals. `of`: the sides they are about."""

    table: str
    of: str
    lines: list[ResidualAnswer]


class BalanceAnswer(pydantic.BaseModel):
    """What all clubs' open matches of a game show, when last calculated; `counted_at` is null if they never were."""

    system: str
    counted_at: datetime | None
    matches: int
    clubs: int
    campaigns: int
    odds: list[BinAnswer]
    tables: list[ResidualsAnswer]


class BalanceOfGame(APIView):
    @extend_schema(tags=["insights"], operation_id="balance_read", responses={200: BalanceAnswer})
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


def _bin(cell: Cell) -> BinAnswer:
    return BinAnswer(
        what=cell.label,
        number=cell.number,
        share=cell.share,
        low=cell.low,
        high=cell.high,
        expected=cell.expected or 0.0,
    )


def _residual_table(table: ResidualTable, in_matrix: Mapping[str, float]) -> ResidualsAnswer:
    lines = [_line(line, in_matrix.get(line.label)) for line in table.lines]
    return ResidualsAnswer(table=table.slug, of=table.of, lines=lines)


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


balance_urls = [path("balance/<slug:system>/", BalanceOfGame.as_view(), name="api-balance")]
