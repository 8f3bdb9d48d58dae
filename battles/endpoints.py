"""Shared parts of the API of battles and odds: the asker, the answers, and the token scopes needed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Literal, TypeVar

import pydantic
from django.db.models import Model
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.models import Calculation
from battles.services import limits
from battles.services.limits import Asker
from battles.services.retention import count_kept_until
from rosters.api.base import Handler
from rosters.api.errors import DocumentParser
from rosters.api.headers import idempotent
from rosters.models import Player
from rosters.scopes import Scope
from rosters.site.visitors import visitor_mark
from systems.documents import WHOLE, Document, DocumentError, refuse_unseen
from systems.reading import read_setup
from systems.setups import Setup
from systems.simulation.odds import Difference
from systems.simulation.summary import Placed, Share

RowT = TypeVar("RowT")
AnswerT = TypeVar("AnswerT", bound=pydantic.BaseModel)
Status = Literal["draft", "queued", "running", "done", "failed", "called-off"]


WITHOUT_A_TOKEN = (
    "The token is optional: without one you are a visitor with "
    f"{limits.BATTLES_AN_HOUR_VISITOR} battles and {limits.FORECASTS_AN_HOUR_VISITOR} odds an hour here and on the pages."
)


class AskView(APIView):
    """An endpoint that takes a document. Anybody may read and ask, with or without an account, as on the pages."""

    parser_classes = [DocumentParser]
    permission_classes = [AllowAny]


class PlacedAnswer(pydantic.BaseModel):
    """A candidate of a search, with its results so far."""

    place: int
    rung: int
    battles: int
    wins: int
    losses: int
    draws: int
    share: float
    interval: tuple[float, float]


def ask_endpoint(
    operation_id: str, request: type[Document] | None, answer: type[pydantic.BaseModel], *, tag: str = "forecasts"
) -> Callable[[Handler], Handler]:
    """Return the decorator for a POST that starts a simulation, or returns an earlier one of the same question."""

    def described(post: Handler) -> Handler:
        add_schema = extend_schema(
            tags=[tag],
            operation_id=operation_id,
            description=describe_open_endpoint(post),
            request=request,
            responses={200: answer, 201: answer},
        )
        return idempotent(add_schema(post))

    return described


def describe_open_endpoint(post: Handler) -> str:
    """Return the description of a POST, with a sentence that it needs no token."""
    return f"{inspect.getdoc(post)} {WITHOUT_A_TOKEN}"


def get_or_404(row: RowT | None) -> RowT:
    """Return the row; raise a 404 if there is none that the reader may see."""
    if row is None:
        raise NotFound
    return row


def answered(answer: pydantic.BaseModel, *, is_new: bool = False) -> Response:
    """Return the response: 201 for a new question, 200 for an earlier one or a read."""
    return Response(answer_json(answer), status=201 if is_new else 200)


def build_answer(answer: type[AnswerT], row: Model, **values: object) -> AnswerT:
    """Build the answer about a row from these values; missing fields come from the row."""
    return answer.model_validate(
        {name: values[name] if name in values else getattr(row, name) for name in answer.model_fields}
    )


def build_count_answer(
    answer: type[AnswerT], row: Calculation, request: Request, *, page: str, **values: object
) -> AnswerT:
    """Build the answer about a simulation, with its progress. `page` is the path of its page."""
    known: dict[str, object] = {
        "battles_asked": row.runs_asked,
        "battles_done": row.runs_done,
        "page": request.build_absolute_uri(page),
        "kept_until": count_kept_until(row),
    }
    return build_answer(answer, row, **(known | values))


def placed_to_dict(place: int, placed: Placed) -> dict[str, object]:
    """Return the fields of PlacedAnswer for the candidate at that place."""
    return {
        "place": place,
        "rung": placed.rung + 1,
        "battles": placed.battles,
        "wins": placed.won,
        "losses": placed.lost,
        "draws": placed.drawn,
        "share": round(placed.wins.share, 6),
        "interval": interval(placed.wins),
    }


def interval(found: Share | Difference) -> tuple[float, float]:
    """Return the 95% interval."""
    return (round(found.low, 6), round(found.high, 6))


def answer_json(answer: pydantic.BaseModel) -> dict[str, object]:
    return answer.model_dump(mode="json")


def body(request: Request) -> dict[str, object]:
    """Return the object that DocumentParser has read."""
    body = request.data
    assert isinstance(body, dict)
    return body


def origin(request: Request) -> str:
    """Return the scheme and host of a page's address: `https://muster.example`."""
    return request.build_absolute_uri("/").removesuffix("/")


def player(request: Request) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def asker(request: Request) -> Asker:
    """Return the player, or the visitor with the same mark as on the pages."""
    return {"actor": player(request), "visitor": visitor_mark(request._request)}


def need_token(request: Request) -> None:
    """Raise a 401 for a visitor: only players may ask for this."""
    if player(request) is None:
        raise NotAuthenticated


def read_nested_setup(document: dict[str, object]) -> Setup:
    """Return the set-up inside a request; errors name its place in the request."""
    try:
        setup = read_setup(document)
        for at, side in enumerate(setup.sides):
            refuse_unseen(f"sides[{at}].name", side.name)
            for place, unit in enumerate(side.units):
                refuse_unseen(f"sides[{at}].units[{place}].name", unit.name)
        return setup
    except DocumentError as error:
        path = f"setup.{error.path}" if error.path != WHOLE else "setup"
        raise DocumentError(path, error.reason, error.rule) from None


REQUIRED_SCOPES = dict.fromkeys(
    (
        "api-battles",
        "api-battle-curve",
        "api-battle-forks",
        "api-forecasts",
        "api-what-ifs",
        "api-best-answers",
        "api-unit-best-builds",
        "api-best-builds",
        "api-matrices",
    ),
    Scope.COMPANIES,
)
