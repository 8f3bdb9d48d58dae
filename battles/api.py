"""The API of battles and odds: thin endpoints over the services that the pages call."""

import re
from typing import Annotated, Any, Literal
from uuid import UUID

import pydantic
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.documents import Setup, read_setup
from battles.models import Battle, Forecast, Record
from battles.selectors import battle_readable, battles_listed, forecast_odds, forecast_readable
from battles.services.battles import battle_queue
from battles.services.forecasts import forecast_ask
from battles.services.setups import SideForce
from rosters.api_errors import DocumentParser
from rosters.documents import WHOLE, Document, DocumentError, parse_document
from rosters.models import Company, Player
from rosters.policy import visible
from rosters.services import RefusedError
from rosters.snapshots import force_rows


class BattleRequest(Document):
    """A battle to fight. Without a seed the server draws one.

    `companies` says, side by side, for which company (its id) a side fights: the units of that side whose keys are
    "u" and the id of a unit must be that company's units as they stand.
    """

    setup: dict[str, object]
    seed: int | str | None = None
    visibility: Literal["private", "link", "public"] = "public"
    companies: Annotated[list[int | None], pydantic.Field(max_length=2)] = []


class ForecastRequest(Document):
    """Odds to count. The same setup, seed and number of battles are the same question."""

    setup: dict[str, object]
    battles: int = pydantic.Field(ge=1, le=1_000_000)
    seed: int | str | None = None


class BattleAnswer(pydantic.BaseModel):
    """Where a battle stands; result, record and digest are there once it is done."""

    key: UUID
    title: str
    system: str
    status: Literal["draft", "queued", "running", "done", "failed", "called-off"]
    seed: str
    setup_hash: str
    rules_version: int
    visibility: Literal["private", "link", "public"]
    fought_by_hand: bool
    result: dict[str, Any] | None
    digest: str | None
    page: str
    record: str | None


class BattleDetail(BattleAnswer):
    setup: dict[str, Any]


class BattleList(pydantic.BaseModel):
    count: int
    next: str | None
    previous: str | None
    results: list[BattleAnswer]


class Refusal(pydantic.BaseModel):
    field: str
    reason: str


class Refusals(pydantic.BaseModel):
    errors: list[Refusal]


class ForecastAnswer(pydantic.BaseModel):
    """Odds as far as they are counted; `odds` is what the forecast command prints."""

    key: UUID
    title: str
    system: str
    status: Literal["draft", "queued", "running", "done", "failed", "called-off"]
    seed: str
    setup_hash: str
    rules_version: int
    battles_asked: int
    battles_done: int
    odds: dict[str, Any] | None
    page: str


REFUSALS = {
    400: OpenApiResponse(Refusals, "The document can't be read"),
    422: OpenApiResponse(Refusals, "It can be read, but not be had"),
}


class Battles(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]
    parser_classes = [DocumentParser]

    @extend_schema(
        tags=["battles"],
        operation_id="battles_list",
        parameters=[OpenApiParameter("limit", int), OpenApiParameter("offset", int)],
        responses={200: BattleList},
    )
    def get(self, request: Request) -> Response:
        """Public battles and your own, newest first."""
        pages = LimitOffsetPagination()
        pages.max_limit = 200
        rows = battles_listed(_player(request)).select_related("record").defer("setup", "record__lines")
        found = pages.paginate_queryset(rows, request, view=self) or []
        return pages.get_paginated_response([_json(battle_answer(row, request)) for row in found])

    @extend_schema(
        tags=["battles"], operation_id="battles_fight", request=BattleRequest, responses={201: BattleDetail, **REFUSALS}
    )
    def post(self, request: Request) -> Response:
        """Queues a battle; a free worker fights it within a second."""
        asked = parse_document(BattleRequest, _body(request))
        setup = _setup(asked.setup)
        battle = battle_queue(
            setup=asked.setup,
            seed=asked.seed,
            actor=_player(request),
            forces=_forces(asked.companies, setup, _player(request)),
            visibility=asked.visibility,
        )
        return Response(_json(battle_detail(battle, request)), status=201)


class BattleByKey(APIView):
    @extend_schema(tags=["battles"], operation_id="battles_read", responses={200: BattleDetail})
    def get(self, request: Request, key: UUID) -> Response:
        """Where a battle stands, with its set-up and, once it is over, its result."""
        return Response(_json(battle_detail(_readable(request, key), request)))


class BattleRecord(APIView):
    @extend_schema(
        tags=["battles"], operation_id="battles_record", responses={(200, "application/jsonl"): OpenApiTypes.STR}
    )
    def get(self, request: Request, key: UUID) -> HttpResponse:
        """The record as JSON lines: header, events, outcome. 404 until the battle is done."""
        record = Record.objects.filter(battle=_readable(request, key)).first()
        if record is None:
            raise NotFound("This battle has no record.")
        return HttpResponse(record.text, content_type="application/jsonl; charset=utf-8")


class Forecasts(APIView):
    permission_classes = [IsAuthenticatedOrReadOnly]
    parser_classes = [DocumentParser]

    @extend_schema(
        tags=["forecasts"],
        operation_id="forecasts_ask",
        request=ForecastRequest,
        responses={200: ForecastAnswer, 201: ForecastAnswer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Odds of a set-up: 201 if the question is new, 200 if it was asked before."""
        asked = parse_document(ForecastRequest, _body(request))
        _setup(asked.setup)
        forecast, is_new = forecast_ask(setup=asked.setup, runs=asked.battles, seed=asked.seed, actor=_player(request))
        return Response(_json(forecast_answer(forecast, request)), status=201 if is_new else 200)


class ForecastByKey(APIView):
    @extend_schema(tags=["forecasts"], operation_id="forecasts_read", responses={200: ForecastAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """The odds as far as they are counted."""
        forecast = forecast_readable(key)
        if forecast is None:
            raise NotFound
        return Response(_json(forecast_answer(forecast, request)))


def battle_answer(battle: Battle, request: Request) -> BattleAnswer:
    return BattleAnswer(**_battle_fields(battle, request))


def battle_detail(battle: Battle, request: Request) -> BattleDetail:
    return BattleDetail(**_battle_fields(battle, request), setup=battle.setup)


def _battle_fields(battle: Battle, request: Request) -> dict[str, Any]:
    record = getattr(battle, "record", None)
    link = reverse("api-battle-record", args=[battle.key])
    return {
        **{name: getattr(battle, name) for name in BattleAnswer.model_fields if hasattr(battle, name)},
        "digest": record.digest if record else None,
        "page": request.build_absolute_uri(reverse("battles:battle", args=[battle.key])),
        "record": request.build_absolute_uri(link) if record else None,
    }


def forecast_answer(forecast: Forecast, request: Request) -> ForecastAnswer:
    found = forecast_odds(forecast)
    return ForecastAnswer(
        **{name: getattr(forecast, name) for name in ForecastAnswer.model_fields if hasattr(forecast, name)},
        battles_asked=forecast.runs_asked,
        battles_done=forecast.runs_done,
        odds=found.to_json() | {"seconds": round(forecast.seconds, 3)} if found else None,
        page=request.build_absolute_uri(reverse("battles:forecast", args=[forecast.key])),
    )


def _json(answer: pydantic.BaseModel) -> dict[str, Any]:
    return answer.model_dump(mode="json")


def _body(request: Request) -> dict[str, Any]:
    """What DocumentParser has read: an object."""
    body = request.data
    assert isinstance(body, dict)
    return body


def _player(request: Request) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def _readable(request: Request, key: UUID) -> Battle:
    battle = battle_readable(key, _player(request))
    if battle is None:
        raise NotFound
    return battle


def _setup(document: dict[str, object]) -> Setup:
    """The set-up inside a request; its refusals name the place in the request."""
    try:
        return read_setup(document)
    except DocumentError as error:
        raise DocumentError(f"setup.{error.path}" if error.path != WHOLE else "setup", error.reason) from None


def _forces(companies: list[int | None], setup: Setup, player: Player | None) -> list[SideForce | None]:
    forces: list[SideForce | None] = []
    for at, (pk, side) in enumerate(zip(companies, setup.sides, strict=False)):
        if pk is None:
            forces.append(None)
            continue
        company = Company.objects.filter(visible(player or AnonymousUser(), "owner"), pk=pk).first()
        if company is None:
            raise RefusedError(f"companies[{at}]", "There is no such company.")
        ids = [int(unit.key[1:]) for unit in side.units if re.fullmatch(r"u[0-9]{1,9}", unit.key)]
        forces.append(SideForce(company=company, units=force_rows(company, ids)))
    return forces
