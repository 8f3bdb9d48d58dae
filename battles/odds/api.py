"""The API of odds, what-ifs, matchups, win chance over time, and forks."""

from __future__ import annotations

from datetime import datetime
from itertools import product
from typing import Annotated
from uuid import UUID

import pydantic
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.choices import default_system
from battles.endpoints import (
    AskView,
    Status,
    answered,
    ask_endpoint,
    asker,
    body,
    build_count_answer,
    get_or_404,
    interval,
    need_token,
    player,
    read_nested_setup,
)
from battles.models import Battle, Forecast, Fork, Matrix, WhatIf
from battles.odds.changes import Change
from battles.odds.curves import Chances, CurveView, curve_ask, curve_of
from battles.odds.forks import FORK_BATTLES, fork_ask, fork_readable, fork_row
from battles.odds.matrices import CELL_BATTLES, matrix_ask, matrix_readable
from battles.odds.selectors import forecast_odds, forecast_readable, what_if_readable, what_if_row
from battles.odds.services import forecast_ask, what_if_ask
from battles.selectors.battle import readable_battle
from battles.selectors.records import replayed
from systems.documents import Described, Document, parse_document
from systems.setups import Setup
from systems.simulation.summary import Share


class ForecastRequest(Document):
    """Odds to simulate. The same set-up, seed, number of battles and half width are the same question.

    With `half_width` (0.005 is half a percentage point) the simulation stops once the 95% intervals of win, draw and
    loss are that narrow, and after `battles` at the latest.
    """

    setup: Annotated[dict[str, object], Described(Setup)]
    battles: int = pydantic.Field(ge=1, le=1_000_000)
    seed: int | str | None = None
    half_width: float | None = None


class WhatIfRequest(Document):
    """One change to a forecast's set-up, and the number of battles to compare.

    `change`: `what` is `terrain`, `doctrine`, `level`, `skill`, `no-skill`, `design` or `order`; `of` the unit's key or the side's
    name; `to` a slug, or for a design a spec.
    """

    change: Annotated[dict[str, object], Described(Change)]
    battles: int = pydantic.Field(ge=1, le=1_000_000)


class MatrixRequest(Document):
    """The matchups of all published designs on one terrain, with both sides' AI styles: 81 x `battles` battles.

    A `seed`, or a different number of `battles` than the default, needs a token.
    """

    system: str = default_system()
    terrain: str
    doctrines: Annotated[list[str], pydantic.Field(min_length=2, max_length=2)]
    battles: int = CELL_BATTLES
    seed: int | str | None = None


class ForecastAnswer(pydantic.BaseModel):
    """Odds as far as they are simulated; `odds` is what the `forecast` command prints."""

    key: UUID
    title: str
    system: str
    status: Status
    seed: str
    setup_hash: str
    rules_version: int
    battles_asked: int
    battles_done: int
    half_width: float | None
    odds: dict[str, object] | None
    page: str
    kept_until: datetime | None


class ChanceChangeAnswer(pydantic.BaseModel):
    """The change of a chance: the paired difference with its 95% interval, and the battles behind it."""

    before: float
    after: float
    difference: float
    interval: tuple[float, float]
    won_over: int
    lost_by_it: int


class WhatIfAnswer(pydantic.BaseModel):
    """The effect of one change, as far as it is simulated. `chances` are by side name, and "draws"."""

    key: UUID
    forecast: UUID
    title: str
    status: Status
    change: Annotated[dict[str, object], Described(Change)]
    setup: Annotated[dict[str, object], Described(Setup)]
    seed: str
    rules_version: int
    battles_asked: int
    battles_done: int
    chances: dict[str, ChanceChangeAnswer] | None
    page: str
    kept_until: datetime | None


class MatrixCellAnswer(pydantic.BaseModel):
    attacker: str
    defender: str
    wins: int
    losses: int
    draws: int


class MatrixAnswer(pydantic.BaseModel):
    """The matchups simulated so far, row by row: a row is one attacker."""

    key: UUID
    system: str
    terrain: str
    doctrines: list[str]
    status: Status
    seed: str
    rules_version: int
    battles_each: int
    designs: list[str]
    cells: list[MatrixCellAnswer]
    page: str
    kept_until: datetime | None


class Forecasts(AskView):
    @ask_endpoint("forecasts_create", ForecastRequest, ForecastAnswer)
    def post(self, request: Request) -> Response:
        """Calculate the odds of a set-up: 201 if the question is new, 200 if it was asked before."""
        asked = parse_document(ForecastRequest, body(request))
        read_nested_setup(asked.setup)
        forecast, is_new = forecast_ask(
            setup=asked.setup,
            runs=asked.battles,
            seed=asked.seed,
            half_width=asked.half_width,
            **asker(request),
        )
        return answered(forecast_answer(forecast, request), is_new=is_new)


class ForecastByKey(APIView):
    @extend_schema(tags=["forecasts"], operation_id="forecasts_retrieve", responses={200: ForecastAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the odds as far as they are calculated."""
        return answered(forecast_answer(get_or_404(forecast_readable(key)), request))


class WhatIfs(AskView):
    @ask_endpoint("what_ifs_create", WhatIfRequest, WhatIfAnswer)
    def post(self, request: Request, key: UUID) -> Response:
        """Calculate what one change does to the odds, on the same dice: 201 if the question is new."""
        forecast = get_or_404(forecast_readable(key))
        asked = parse_document(WhatIfRequest, body(request))
        what_if, is_new = what_if_ask(forecast=forecast, change=asked.change, runs=asked.battles, **asker(request))
        return answered(what_if_answer(what_if, request), is_new=is_new)


class WhatIfByKey(APIView):
    @extend_schema(tags=["forecasts"], operation_id="what_ifs_retrieve", responses={200: WhatIfAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the comparison as far as it is calculated."""
        return answered(what_if_answer(get_or_404(what_if_readable(key)), request))


class Matrices(AskView):
    @ask_endpoint("matchups_create", MatrixRequest, MatrixAnswer)
    def post(self, request: Request) -> Response:
        """Calculate the matchups of all published designs: 201 if the question is new."""
        asked = parse_document(MatrixRequest, body(request))
        if asked.battles != CELL_BATTLES or asked.seed is not None:
            need_token(request)
        matrix, is_new = matrix_ask(
            system=asked.system,
            terrain=asked.terrain,
            doctrines=(asked.doctrines[0], asked.doctrines[1]),
            battles=asked.battles,
            seed=asked.seed,
            **asker(request),
        )
        return answered(matrix_answer(matrix, request), is_new=is_new)


class MatrixByKey(APIView):
    @extend_schema(tags=["forecasts"], operation_id="matchups_retrieve", responses={200: MatrixAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the matchups as far as they are calculated."""
        return answered(matrix_answer(get_or_404(matrix_readable(key)), request))


def forecast_answer(forecast: Forecast, request: Request) -> ForecastAnswer:
    odds = forecast_odds(forecast)
    return build_count_answer(
        ForecastAnswer,
        forecast,
        request,
        page=reverse("battles:forecast", args=[forecast.key]),
        odds=odds.to_json() | {"seconds": round(forecast.seconds, 3)} if odds else None,
    )


def what_if_answer(what_if: WhatIf, request: Request) -> WhatIfAnswer:
    line = what_if_row(what_if)
    names = [*(side["name"] for side in what_if.setup["sides"]), "draws"]
    chances = {
        name: ChanceChangeAnswer(
            before=round(before.share, 6),
            after=round(after.share, 6),
            difference=round(change.change, 6),
            interval=interval(change),
            won_over=change.gained,
            lost_by_it=change.lost,
        )
        for name, (_what, _side, before, after, change) in zip(names, line.chances if line else (), strict=False)
    }
    return build_count_answer(
        WhatIfAnswer,
        what_if,
        request,
        page=reverse("battles:explore", args=[what_if.key]),
        forecast=what_if.forecast.key,
        chances=chances or None,
    )


def matrix_answer(matrix: Matrix, request: Request) -> MatrixAnswer:
    designs = matrix.counts["designs"]
    return build_count_answer(
        MatrixAnswer,
        matrix,
        request,
        page=reverse("battles:matrix", args=[matrix.key]),
        battles_each=matrix.battles,
        designs=designs,
        cells=[
            MatrixCellAnswer(attacker=one, defender=other, wins=wins, losses=losses, draws=draws)
            for (one, other), (wins, losses, draws) in zip(
                product(designs, repeat=2), matrix.counts["cells"], strict=False
            )
        ],
    )


class ChanceAnswer(pydantic.BaseModel):
    """A chance, with its 95% interval."""

    share: float
    interval: tuple[float, float]


class CurvePointAnswer(pydantic.BaseModel):
    """The win chances after that number of events of the record: for sides A and D, and for a draw."""

    events: int
    a: ChanceAnswer
    d: ChanceAnswer
    draw: float


class TurningPointAnswer(pydantic.BaseModel):
    """A turning point: rolls that changed the win chances.

    It has the numbers of their events (from 1), their texts, and the change for side A.
    """

    events: list[int]
    told: list[str]
    change: float


class CurveAnswer(pydantic.BaseModel):
    """The win chance over time, as far as it is simulated; changes are in wins plus half of the draws."""

    battle: UUID
    status: Status
    rules_version: int
    battles_each: int
    places_asked: int
    places: list[CurvePointAnswer]
    moments: list[TurningPointAnswer]
    page: str
    kept_until: datetime | None


class BattleCurve(AskView):
    @extend_schema(tags=["battles"], operation_id="battles_curve_retrieve", responses={200: CurveAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the win chance over time as far as it is calculated; 404 if nobody has asked for it yet."""
        battle = get_or_404(readable_battle(key, player(request)))
        return answered(curve_answer(battle, request))

    @ask_endpoint("battles_curve_create", None, CurveAnswer, tag="battles")
    def post(self, request: Request, key: UUID) -> Response:
        """Start calculating the win chance over time: 201 if nobody had asked for it."""
        battle = get_or_404(readable_battle(key, player(request)))
        _row, is_new = curve_ask(battle=battle, **asker(request))
        return answered(curve_answer(battle, request), is_new=is_new)


def curve_answer(battle: Battle, request: Request) -> CurveAnswer:
    row, replay = get_or_404(curve_of(battle)), get_or_404(replayed(battle))
    view = CurveView(row, replay)
    return build_count_answer(
        CurveAnswer,
        row,
        request,
        page=reverse("battles:battle", args=[battle.key], fragment="win-chance"),
        battle=battle.key,
        battles_each=row.battles,
        places_asked=len(row.places),
        places=[_curve_point_answer(chances) for chances in view.points],
        moments=[
            TurningPointAnswer(
                events=[line.number for line in moment.lines],
                told=[line.sentence for line in moment.lines],
                change=round(moment.gain, 6),
            )
            for moment in view.moments
        ],
    )


def _curve_point_answer(chances: Chances) -> CurvePointAnswer:
    return CurvePointAnswer(
        events=chances.events, a=_chance_answer(chances.a), d=_chance_answer(chances.d), draw=round(chances.draw, 6)
    )


def _chance_answer(share: Share) -> ChanceAnswer:
    return ChanceAnswer(share=round(share.share, 6), interval=interval(share))


class ForkRequest(Document):
    """The round to resume from, and each side's AI style from then on; `seed` is for the dice."""

    round: int
    doctrines: list[str]
    battles: int = FORK_BATTLES
    seed: int | str | None = None


class ForkChanceAnswer(pydantic.BaseModel):
    """A chance before and after, and the change, each with its 95% interval; simulated on the same dice."""

    what: str
    before: float
    before_interval: tuple[float, float]
    after: float
    after_interval: tuple[float, float]
    change: float
    change_interval: tuple[float, float]


class ForkAnswer(pydantic.BaseModel):
    """A fork as far as it is simulated."""

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
    @ask_endpoint("forks_create", ForkRequest, ForkAnswer, tag="battles")
    def post(self, request: Request, key: UUID) -> Response:
        """Calculate the effect of other AI styles from a round on: 201 if the question is new."""
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
    @extend_schema(tags=["battles"], operation_id="forks_retrieve", responses={200: ForkAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the fork as far as it is simulated."""
        fork = get_or_404(fork_readable(key))
        get_or_404(readable_battle(fork.battle.key, player(request)))
        return answered(fork_answer(fork, request))


def fork_answer(fork: Fork, request: Request) -> ForkAnswer:
    line = fork_row(fork)
    return build_count_answer(
        ForkAnswer,
        fork,
        request,
        page=reverse("battles:explore", args=[fork.key]),
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
