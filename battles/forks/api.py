"""The API for forks: the effect of other AI styles, from the start of a round on, on a battle's win chances."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import pydantic
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.api.parts import (
    AskView,
    Status,
    answered,
    ask_endpoint,
    asker,
    body,
    build_count_answer,
    get_or_404,
    interval,
    player,
)
from battles.forks.selectors import fork_row, fork_readable
from battles.forks.services import FORK_BATTLES, fork_ask
from battles.models import Fork
from battles.selectors.battle import readable_battle
from systems.documents import Document, parse_document


class ForkRequest(Document):
    """The round to resume from, and each side's AI style from there on; the seed is that of the dice."""

    round: int
    doctrines: list[str]
    battles: int = FORK_BATTLES
    seed: int | str | None = None


class ForkChanceAnswer(pydantic.BaseModel):
    """A chance before and after, and the change, each with its 95 % interval: both were simulated on the same dice."""

    what: str
    before: float
    before_interval: tuple[float, float]
    after: float
    after_interval: tuple[float, float]
    change: float
    change_interval: tuple[float, float]


class ForkAnswer(pydantic.BaseModel):
    """The simulation as far as it is done."""

    key: UUID
    battle: UUID
    title: str
    system: str
    round: int
    doctrines: list[str]
    status: Status
    seed: str
    rules_version: int
    battles_asked: int
    battles_done: int
    chances: list[ForkChanceAnswer]
    page: str
    kept_until: datetime | None


class BattleForks(AskView):
    @ask_endpoint("battles_forks_ask", ForkRequest, ForkAnswer, tag="battles")
    def post(self, request: Request, key: UUID) -> Response:
        """Calculate what other AI styles from a round on do to the chances: 201 if the question is new."""
        battle = get_or_404(readable_battle(key, player(request)))
        asked = parse_document(ForkRequest, body(request))
        fork, is_new = fork_ask(
            battle=battle,
            round=asked.round,
            doctrines=asked.doctrines,
            battles=asked.battles,
            seed=asked.seed,
            **asker(request),
        )
        return answered(fork_answer(fork, request), is_new=is_new)


class ForkByKey(APIView):
    @extend_schema(tags=["battles"], operation_id="forks_read", responses={200: ForkAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the simulation as far as it is done."""
        fork = get_or_404(fork_readable(key))
        get_or_404(readable_battle(fork.battle.key, player(request)))
        return answered(fork_answer(fork, request))


def fork_answer(fork: Fork, request: Request) -> ForkAnswer:
    line = fork_row(fork)
    return build_count_answer(
        ForkAnswer,
        fork,
        request,
        page=reverse("battles:fork", args=[fork.key]),
        battle=fork.battle.key,
        chances=[
            ForkChanceAnswer(
                what=what,
                before=round(before.share, 6),
                before_interval=interval(before),
                after=round(after.share, 6),
                after_interval=interval(after),
                change=round(change.change, 6),
                change_interval=interval(change),
            )
            for what, _side, before, after, change in (line.chances if line else ())
        ],
    )
