"""The best answer to a force: which force for some points does best in place of a side."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import pydantic
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.models import BestAnswer
from battles.selectors.best_answer import ForceRow, best_answer_page, best_answer_readable
from battles.selectors.odds import forecast_readable
from battles.services.best_answers import BEST_ANSWER_BATTLES, ENEMY, PUBLISHED_FORCES, best_answer_ask
from systems.documents import Document, parse_document

from .parts import (
    AskView,
    PlacedAnswer,
    Status,
    answered,
    ask_endpoint,
    asker,
    body,
    build_count_answer,
    get_or_404,
    placed_to_dict,
)


class BestAnswerRequest(Document):
    """A search for the best force in place of a side.

    `side` is 0 or 1; `points` the most it may cost (left out: what the side's force costs); `against` the enemy, or the
    `field`: each published force that could stand there is met equally often, and the mean counts.

    `battles` is the most that are simulated. A small number is raised: each force plays about 20, and meets each enemy
    at least once. The answer's `battles_asked` says how many there will be. The same question with the same seed is the
    same search.
    """

    side: int
    points: int | None = None
    against: Literal["enemy", "field"] = "enemy"
    battles: int = BEST_ANSWER_BATTLES
    seed: int | str | None = None


class ForceAnswer(PlacedAnswer):
    """A force as far as it was played: its published designs (none for the side's present force) and its results.

    `rung` is how far it came, from 1; `interval` the 95 % interval of its share of wins.
    """

    force: str
    designs: list[str]


class BestAnswerAnswer(pydantic.BaseModel):
    """A search as far as it is played, best first.

    `sure`: how likely the first is better than the second; `foes`: the published forces that it played against.
    """

    key: UUID
    forecast: UUID
    title: str
    system: str
    side: int
    points: int
    against: Literal["enemy", "field"]
    foes: list[str]
    status: Status
    seed: str
    rules_version: int
    battles_asked: int
    battles_done: int
    rungs: int
    sure: float | None
    forces: list[ForceAnswer]
    page: str
    kept_until: datetime | None


class BestAnswers(AskView):
    @ask_endpoint("best_answers_ask", BestAnswerRequest, BestAnswerAnswer)
    def post(self, request: Request, key: UUID) -> Response:
        """Find the force of published units that does best in place of a side: 201 if the question is new."""
        forecast = get_or_404(forecast_readable(key))
        asked = parse_document(BestAnswerRequest, body(request))
        answer, is_new = best_answer_ask(
            forecast=forecast,
            side=asked.side,
            points=asked.points,
            against=asked.against,
            battles=asked.battles,
            seed=asked.seed,
            **asker(request),
        )
        return answered(best_answer_answer(answer, request), is_new=is_new)


class BestAnswerByKey(APIView):
    @extend_schema(tags=["forecasts"], operation_id="best_answers_read", responses={200: BestAnswerAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the search as far as it is played."""
        return answered(best_answer_answer(get_or_404(best_answer_readable(key)), request))


def best_answer_answer(answer: BestAnswer, request: Request) -> BestAnswerAnswer:
    page = best_answer_page(answer)
    return build_count_answer(
        BestAnswerAnswer,
        answer,
        request,
        page=reverse("battles:best-answer", args=[answer.key]),
        forecast=answer.forecast.key,
        against=PUBLISHED_FORCES if answer.foes else ENEMY,
        foes=list(page.foes),
        rungs=page.rungs,
        sure=None if page.sure is None else round(page.sure, 6),
        forces=[_force_answer(line) for line in page.lines],
    )


def _force_answer(line: ForceRow) -> ForceAnswer:
    told = placed_to_dict(line.place, line.placed)
    return ForceAnswer.model_validate({**told, "force": line.force, "designs": list(line.designs)})
