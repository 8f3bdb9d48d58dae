"""The API of ratings."""

from __future__ import annotations

import pydantic
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.ratings import selectors as reads
from campaigns.rows import club_or_404
from rosters.api.parts import Query, asked
from systems import ROSTERS


class RatingAnswer(pydantic.BaseModel):
    """A player's rating. `low` to `high` is its 95 % interval; a rating is provisional while its deviation is wide."""

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


class RatedAnswer(pydantic.BaseModel):
    """A match: the player's expected score and score, 0 to 1."""

    opponent: str
    expected: float
    score: float


class RoundAnswer(pydantic.BaseModel):
    """A player's rating after a round."""

    at: str
    where: str
    rating: float
    deviation: float
    change: float
    matches: list[RatedAnswer]


class PlayerRatingAnswer(RatingAnswer):
    """A player's rating with its history, the latest round first."""

    history: list[RoundAnswer]


class SystemQuery(Query):
    system = serializers.ChoiceField(choices=tuple(ROSTERS), required=False, help_text="in this game alone")


class ClubRatings(APIView):
    @extend_schema(
        tags=["ratings"], operation_id="ratings_list", responses={200: RatingList}, parameters=[SystemQuery]
    )  # fmt: skip
    def get(self, request: Request, slug: str) -> Response:
        """Return the ratings of a club's players, over all games or in one; provisional ratings come last."""
        club = club_or_404(request._request, slug)
        found = reads.club_ratings(club.pk, asked(SystemQuery, request).get("system") or "")
        return Response(RatingList(results=[RatingAnswer(**_to_dict(row)) for row in found.rows()]).model_dump())


class PlayerRating(APIView):
    @extend_schema(
        tags=["ratings"], operation_id="ratings_read", responses={200: PlayerRatingAnswer}, parameters=[SystemQuery]
    )  # fmt: skip
    def get(self, request: Request, slug: str, username: str) -> Response:
        """Return one player's rating in a club, with its history."""
        club = club_or_404(request._request, slug)
        found = reads.club_ratings(club.pk, asked(SystemQuery, request).get("system") or "")
        page = found.of(username, by_member=policy.role_in(request.user, club) is not None)
        if page is None:
            raise NotFound("There is no such rating.")
        history = [
            RoundAnswer(
                at=line.at.isoformat(),
                where=line.where,
                rating=line.rating,
                deviation=line.deviation,
                change=line.change,
                matches=[RatedAnswer(opponent=name, expected=e, score=s) for name, e, s in line.matches],
            )
            for line in page.history
        ]
        return Response(PlayerRatingAnswer(**_to_dict(page.row), history=history).model_dump())


def _to_dict(row: reads.RatingRow) -> dict[str, object]:
    return {field: getattr(row, field) for field in RatingAnswer.model_fields}


rating_urls = [
    path("clubs/<slug:slug>/ratings/", ClubRatings.as_view(), name="api-ratings"),
    path("clubs/<slug:slug>/ratings/<str:username>/", PlayerRating.as_view(), name="api-rating"),
]
