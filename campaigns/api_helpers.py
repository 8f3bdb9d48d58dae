"""Helpers for the endpoints of several packages: the acting side of a match, a campaign for its organisers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns import policy
from campaigns.models import Campaign, Match
from campaigns.shortcuts import campaign_or_404, own_side
from rosters.api.base import Query, asked
from rosters.models import Player
from systems.scenarios import SIDES

HandlerT = TypeVar("HandlerT", bound=Callable[..., Response])


class SideQuery(Query):
    side = serializers.ChoiceField(
        choices=SIDES,
        required=False,
        help_text="where both companies are yours: which of them acts; else the one that waits",
    )


def side_schema(operation_id: str, answer: type, request: type | None = None) -> Callable[[HandlerT], HandlerT]:
    """Describe an endpoint in which one side of a match acts."""
    return extend_schema(
        tags=["matches"],
        operation_id=operation_id,
        parameters=[SideQuery],
        request=request,
        responses={200: answer},
    )


def acting_side(request: Request, match: Match, *, done: Collection[int] = ()) -> int:
    """Return the side that the user acts for: `?side=` if both are theirs, else the one that isn't `done`."""
    if not isinstance(request.user, Player):
        raise NotAuthenticated
    asked(SideQuery, request)
    return own_side(request._request, match, done=done)


def campaign_for_organiser(request: Request, pk: int) -> Campaign:
    """Return the campaign for its organisers. Respond 404 if the user may not see it, and 403 to everybody else."""
    campaign = campaign_or_404(request._request, pk)
    if not policy.can_run_campaign(request.user, campaign):
        raise PermissionDenied
    return campaign
