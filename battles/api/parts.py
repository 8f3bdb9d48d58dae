"""What the endpoints of battles and odds share: answers, who asks."""

from typing import Literal, TypeVar

import pydantic
from django.db.models import Model
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from rosters.models import Player
from rosters.site.api_errors import DocumentParser
from systems.documents import WHOLE, DocumentError, refuse_unseen
from systems.reading import read_setup
from systems.setups import Setup

RowT = TypeVar("RowT")
AnswerT = TypeVar("AnswerT", bound=pydantic.BaseModel)
Status = Literal["draft", "queued", "running", "done", "failed", "called-off"]


class AskView(APIView):
    """An endpoint that takes a document; anybody reads, a signed-in player asks."""

    parser_classes = [DocumentParser]


def found(row: RowT | None) -> RowT:
    """The row; 404 if there is none to be seen."""
    if row is None:
        raise NotFound
    return row


def answered(answer: pydantic.BaseModel, *, is_new: bool = False) -> Response:
    """The answer: 201 if the question is new, 200 if it was asked before or the answer is only read."""
    return Response(answer_json(answer), status=201 if is_new else 200)


def answer_of(answer: type[AnswerT], row: Model, **told: object) -> AnswerT:
    """The answer about a row: what is told, and all else as the row has it."""
    return answer.model_validate(
        {name: told[name] if name in told else getattr(row, name) for name in answer.model_fields}
    )


def answer_json(answer: pydantic.BaseModel) -> dict[str, object]:
    return answer.model_dump(mode="json")


def body(request: Request) -> dict[str, object]:
    """What DocumentParser has read: an object."""
    body = request.data
    assert isinstance(body, dict)
    return body


def origin(request: Request) -> str:
    """What stands before the address of a page: `https://muster.example`."""
    return request.build_absolute_uri("/").removesuffix("/")


def player(request: Request) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def setup_inside(document: dict[str, object]) -> Setup:
    """The set-up inside a request; its refusals name the place in the request."""
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
