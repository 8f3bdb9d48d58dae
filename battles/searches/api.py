"""The API of the searches for the best force and the best build."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

import pydantic
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.endpoints import (
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
from battles.models import BestAnswer, BestBuild
from battles.odds.selectors import forecast_readable
from battles.searches.builds import (
    MAX_BATTLES_PER_SEARCH,
    Opponent,
    best_build_ask,
    best_build_of_unit_ask,
    published_opponents,
)
from battles.searches.selectors import (
    BestBuildPage,
    BuildRow,
    ForceRow,
    best_answer_page,
    best_answer_readable,
    best_build_readable,
)
from battles.searches.services import BEST_ANSWER_BATTLES, ENEMY, PUBLISHED_FORCES, best_answer_ask
from systems.documents import Document, SystemSpec, parse_document, unknown_slug
from systems.reading import read_system


class ForceSearchRequest(Document):
    """A search for the best force in place of a side.

    `side` is 0 or 1. `points` is the maximum cost (default: the cost of the side's force). `against` is the `enemy`, or
    the `field`: every published force that fits there, each played equally often, and the average counts.

    `battles` is the maximum to simulate. Small numbers are raised, so that each force plays about 20 and plays each
    enemy at least once. `battles_asked` of the answer is the actual number. The same question with the same seed is the
    same search.
    """

    side: int
    points: int | None = None
    against: Literal["enemy", "field"] = "enemy"
    battles: int = BEST_ANSWER_BATTLES
    seed: int | str | None = None


class ForceAnswer(PlacedAnswer):
    """A force with its results so far. `designs` are published ones, and empty for the side's present force.

    `rung` is how far it got, from 1; `interval` is the 95% interval of its share of wins.
    """

    force: str
    designs: list[str]


class ForceSearchAnswer(pydantic.BaseModel):
    """A search with its results so far, best force first.

    `sure`: how likely the first is better than the second. `foes`: the published forces played against.
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
    @ask_endpoint("best_answers_create", ForceSearchRequest, ForceSearchAnswer)
    def post(self, request: Request, key: UUID) -> Response:
        """Find the force of published units that does best in place of a side: 201 if the question is new."""
        forecast = get_or_404(forecast_readable(key))
        asked = parse_document(ForceSearchRequest, body(request))
        answer, is_new = best_answer_ask(
            forecast=forecast,
            side=asked.side,
            points=asked.points,
            against=asked.against,
            battles=asked.battles,
            seed=asked.seed,
            **asker(request),
        )
        return answered(force_search_answer(answer, request), is_new=is_new)


class BestAnswerByKey(APIView):
    @extend_schema(tags=["forecasts"], operation_id="best_answers_retrieve", responses={200: ForceSearchAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the search with its results so far."""
        return answered(force_search_answer(get_or_404(best_answer_readable(key)), request))


def force_search_answer(answer: BestAnswer, request: Request) -> ForceSearchAnswer:
    page = best_answer_page(answer)
    return build_count_answer(
        ForceSearchAnswer,
        answer,
        request,
        page=reverse("battles:explore", args=[answer.key]),
        forecast=answer.forecast.key,
        against=PUBLISHED_FORCES if answer.foes else ENEMY,
        foes=list(page.foes),
        rungs=page.rungs,
        sure=None if page.sure is None else round(page.sure, 6),
        forces=[_force_answer(line) for line in page.lines],
    )


def _force_answer(line: ForceRow) -> ForceAnswer:
    values = placed_to_dict(line.place, line.placed)
    return ForceAnswer.model_validate({**values, "force": line.force, "designs": list(line.designs)})


class UnitBestBuildRequest(Document):
    """A search for the best build in place of a unit of a forecast's set-up.

    `unit` is its key in the set-up. `points` is the maximum cost of a build (default: the cost of the unit). `keep`
    lists fields and parts of the lab that must stay.

    `battles` is the maximum to simulate for all builds. Small numbers are raised, so that each build plays about 20 and
    meets each enemy at least once on either side. Once the builds are listed, `battles_to_play` of the answer is the
    actual number. The same question with the same seed is the same search.
    """

    unit: str
    points: int | None = None
    keep: list[str] = []
    battles: int = MAX_BATTLES_PER_SEARCH
    seed: int | str | None = None


class BestBuildRequest(Document):
    """A search for the best build against enemies.

    `spec` is the build to improve. `against` lists its enemies: slugs of published designs (or forces, in a game whose
    units don't fight one on one), or specs. The default is everything published.

    `battles` is the maximum to simulate for all builds. Small numbers are raised, so that each build plays about 20 and
    meets each enemy at least once on either side. Once the builds are listed, `battles_to_play` of the answer is the
    actual number.
    """

    system: str
    name: str = "New design"
    spec: SystemSpec
    against: list[str | SystemSpec] = []
    points: int | None = None
    keep: list[str] = []
    battles: int = MAX_BATTLES_PER_SEARCH
    seed: int | str | None = None


class BuildAnswer(PlacedAnswer):
    """A build with its results so far.

    `rung` is how far it got, from 1; `interval` is the 95% interval of its share of wins. `stands_there` marks the
    build to improve.
    """

    name: str
    told: str
    spec: dict[str, object]
    points: int
    stands_there: bool


class BestBuildAnswer(pydantic.BaseModel):
    """A search with its results so far, best build first.

    `sure`: how likely the first is better than the second. `whole`: there are no other legal builds within the
    question.
    """

    key: UUID
    forecast: UUID | None
    unit: str
    title: str
    system: str
    against: str
    points: int
    kept: list[str]
    status: Status
    failure: str
    seed: str
    rules_version: int
    battles_asked: int
    battles_to_play: int
    battles_done: int
    whole: bool
    rungs: int
    sure: float | None
    builds: list[BuildAnswer]
    page: str
    kept_until: datetime | None


class BestBuilds(AskView):
    @ask_endpoint("best_builds_create", BestBuildRequest, BestBuildAnswer)
    def post(self, request: Request) -> Response:
        """Find the build within some points that does best against these enemies: 201 if the question is new."""
        asked = parse_document(BestBuildRequest, body(request))
        read_system(asked.system)
        row, is_new = best_build_ask(
            system=asked.system,
            name=asked.name[:60],
            spec=asked.spec,
            foes=_opponents(asked),
            points=asked.points,
            kept=asked.keep,
            battles=asked.battles,
            seed=asked.seed,
            **asker(request),
        )
        return answered(best_build_answer(row, request), is_new=is_new)


class UnitBestBuilds(AskView):
    @ask_endpoint("unit_best_builds_create", UnitBestBuildRequest, BestBuildAnswer)
    def post(self, request: Request, key: UUID) -> Response:
        """Find the build that does best in place of a unit of a forecast's set-up: 201 if the question is new."""
        forecast = get_or_404(forecast_readable(key))
        asked = parse_document(UnitBestBuildRequest, body(request))
        row, is_new = best_build_of_unit_ask(
            forecast=forecast,
            unit=asked.unit,
            points=asked.points,
            kept=asked.keep,
            battles=asked.battles,
            seed=asked.seed,
            **asker(request),
        )
        return answered(best_build_answer(row, request), is_new=is_new)


class BestBuildByKey(APIView):
    @extend_schema(tags=["forecasts"], operation_id="best_builds_retrieve", responses={200: BestBuildAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the search with its results so far."""
        return answered(best_build_answer(get_or_404(best_build_readable(key)), request))


def _opponents(asked: BestBuildRequest) -> list[Opponent]:
    published = published_opponents(asked.system)
    if not asked.against:
        return list(published.values())
    foes: list[Opponent] = []
    for at, each in enumerate(asked.against):
        if not isinstance(each, str):
            foes.append({"name": f"enemy {at + 1}", "design": each})
        elif each in published:
            foes.append(published[each])
        else:
            raise unknown_slug(f"against[{at}]", "published enemy", each, published)
    return foes


def best_build_answer(row: BestBuild, request: Request) -> BestBuildAnswer:
    page = BestBuildPage(row)
    return build_count_answer(
        BestBuildAnswer,
        row,
        request,
        page=reverse("battles:explore", args=[row.key]),
        battles_asked=row.battles_asked,
        forecast=row.forecast.key if row.forecast else None,
        against=page.against,
        battles_to_play=row.runs_asked,
        whole=row.is_whole,
        rungs=page.rungs,
        sure=None if page.sure is None else round(page.sure, 6),
        builds=[_build_answer(line) for line in page.lines],
    )


def _build_answer(line: BuildRow) -> BuildAnswer:
    names = ("name", "spec", "points", "stands_there")
    values = {name: getattr(line, name) for name in names} | {"told": line.description}
    return BuildAnswer.model_validate(placed_to_dict(line.place, line.placed) | values)
