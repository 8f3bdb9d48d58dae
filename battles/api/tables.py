"""Tables, for anybody who has a table's key: the state after any act, and the acts."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import pydantic
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.live.told import SpectatorAct, SpectatorUnit, get_spectator_table, spectator_acts, table_after_act
from rosters.api.parts import Query, QueryWhole, asked

from .parts import answered, get_or_404

MAX_ACTS = 500  # in an answer


class LiveTableQuery(Query):
    at = QueryWhole(
        min_value=0, required=False, help_text="the place of the act after which the table is told; else after the last"
    )
    after = QueryWhole(
        min_value=0, required=False, help_text=f"acts after that place, {MAX_ACTS} at most; else from the first on"
    )


class LiveMarkAnswer(pydantic.BaseModel):
    """A mark that has changed since the start."""

    cell: str
    label: str
    value: int | str


class LiveUnitAnswer(pydantic.BaseModel):
    """A unit at the table: `lost` of `whole` boxes are crossed out on its card; `whole` 0: its card has no such row."""

    key: str
    name: str
    lost: int
    whole: int
    is_out: bool
    marks: list[LiveMarkAnswer]


class LiveSideAnswer(pydantic.BaseModel):
    """A side: its name, its player, its units."""

    name: str
    player: str
    units: list[LiveUnitAnswer]


class LiveActAnswer(pydantic.BaseModel):
    """An act, with its place from 1.

    `facts` are as in the log; for a sealed note only its hash, until it is revealed.
    """

    place: int
    side: Literal[0, 1]
    kind: str
    told: str
    at: datetime | None
    taken_back: bool
    facts: dict[str, object]


class LiveTableAnswer(pydantic.BaseModel):
    """A table after act `at` of `length`: the game's round and step, the winner if one is marked, all units, some acts.

    `commitment` is the hash of the table's dice; their `secret` is empty until the table is closed.
    """

    key: UUID
    title: str
    system: str
    setup_hash: str
    counted: str
    round: int
    step: str
    winner: str
    at: int
    length: int
    ended_at: datetime | None
    commitment: str
    secret: str
    sides: list[LiveSideAnswer]
    acts: list[LiveActAnswer]
    page: str


class TableByKey(APIView):
    @extend_schema(
        tags=["tables"], operation_id="tables_read", parameters=[LiveTableQuery], responses={200: LiveTableAnswer}
    )
    def get(self, request: Request, key: UUID) -> Response:
        """Return a table played with miniatures, to anybody with its key. Sealed notes are hidden until revealed."""
        table = get_or_404(get_spectator_table(key))
        query = asked(LiveTableQuery, request)
        told = table_after_act(table, query.get("at"))
        return answered(
            LiveTableAnswer(
                key=table.key,
                title=table.title,
                system=table.system,
                setup_hash=told.sheet.hash,
                counted=told.sheet.counted,
                round=int(told.game["round"].value),
                step=str(told.game["step"].value),
                winner=str(told.game["winner"].value),
                at=told.at,
                length=told.last,
                ended_at=table.ended_at,
                commitment=table.dice.commitment,
                secret=table.dice.secret,
                sides=[
                    LiveSideAnswer(name=name, player=who, units=[_unit_answer(unit) for unit in units])
                    for (name, units), who in zip(told.sides, told.who, strict=True)
                ],
                acts=[_act_answer(act) for act in spectator_acts(table, query.get("after", 0), MAX_ACTS)],
                page=request.build_absolute_uri(reverse("battles:table-told", args=[table.key])),
            )
        )


def _unit_answer(unit: SpectatorUnit) -> LiveUnitAnswer:
    shown = unit.shown
    return LiveUnitAnswer(
        key=shown.plate.key,
        name=shown.plate.name,
        lost=shown.lost,
        whole=shown.whole,
        is_out=shown.is_out,
        marks=[LiveMarkAnswer(cell=mark.cell.id, label=mark.cell.label, value=mark.value) for mark in unit.marked],
    )


def _act_answer(told: SpectatorAct) -> LiveActAnswer:
    act = told.act
    return LiveActAnswer(
        place=act.place,
        side=1 if act.side else 0,
        kind=act.kind,
        told=told.line.text,
        at=act.at,
        taken_back=told.line.is_undone,
        facts=told.facts,
    )
