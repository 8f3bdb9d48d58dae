"""Win chance over time: the chances of a battle from roll to roll."""

from datetime import datetime
from uuid import UUID

import pydantic
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from battles.models import Battle
from battles.selectors.battle import readable_battle
from battles.selectors.curve import Chances, CurveView, curve_of
from battles.selectors.records import replayed
from battles.services.curves import curve_ask
from systems.simulation.odds import Share

from .parts import AskView, Status, answered, ask_endpoint, asker, build_count_answer, get_or_404, interval, player


class ChanceAnswer(pydantic.BaseModel):
    """A chance, with its 95 % interval."""

    share: float
    interval: tuple[float, float]


class PlaceAnswer(pydantic.BaseModel):
    """The chances after that many events of the record: for sides A and D, and for a draw."""

    events: int
    a: ChanceAnswer
    d: ChanceAnswer
    draw: float


class MomentAnswer(pydantic.BaseModel):
    """A turning point: rolls that moved the chances.

    It has the numbers of their events (from 1), what happened, and the change for side A.
    """

    events: list[int]
    told: list[str]
    change: float


class CurveAnswer(pydantic.BaseModel):
    """The curve of a battle as far as it is simulated; changes are in wins plus half of the draws."""

    battle: UUID
    status: Status
    rules_version: int
    battles_each: int
    places_asked: int
    places: list[PlaceAnswer]
    moments: list[MomentAnswer]
    page: str
    kept_until: datetime | None


class BattleCurve(AskView):
    @extend_schema(tags=["battles"], operation_id="battles_curve", responses={200: CurveAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the curve as far as it is calculated; 404 if nobody has asked for it yet."""
        battle = get_or_404(readable_battle(key, player(request)))
        return answered(curve_answer(battle, request))

    @ask_endpoint("battles_curve_ask", None, CurveAnswer, tag="battles")
    def post(self, request: Request, key: UUID) -> Response:
        """Start calculating the curve: 201 if nobody had asked for it."""
        battle = get_or_404(readable_battle(key, player(request)))
        _row, is_new = curve_ask(battle=battle, **asker(request))
        return answered(curve_answer(battle, request), is_new=is_new)


def curve_answer(battle: Battle, request: Request) -> CurveAnswer:
    row, told = get_or_404(curve_of(battle)), get_or_404(replayed(battle))
    view = CurveView(row, told)
    return build_count_answer(
        CurveAnswer,
        row,
        request,
        page=reverse("battles:curve", args=[battle.key]),
        battle=battle.key,
        battles_each=row.battles,
        places_asked=len(row.places),
        places=[_place_answer(chances) for chances in view.points],
        moments=[
            MomentAnswer(
                events=[line.number for line in moment.lines],
                told=[line.sentence for line in moment.lines],
                change=round(moment.gain, 6),
            )
            for moment in view.moments
        ],
    )


def _place_answer(chances: Chances) -> PlaceAnswer:
    return PlaceAnswer(events=chances.events, a=_chance_answer(chances.a), d=_chance_answer(chances.d), draw=round(chances.draw, 6))


def _chance_answer(share: Share) -> ChanceAnswer:
    return ChanceAnswer(share=round(share.share, 6), interval=interval(share))
