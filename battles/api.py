"""The API of battles and of live tables: start, list and read them."""

import re
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import pydantic
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.endpoints import (
    WITHOUT_A_TOKEN,
    AskView,
    Status,
    answer_json,
    answered,
    asker,
    body,
    build_answer,
    get_or_404,
    need_token,
    origin,
    player,
    read_nested_setup,
)
from battles.live.selectors import SpectatorAct, SpectatorUnit, get_spectator_table, spectator_acts, table_after_act
from battles.models import Battle, Record
from battles.selectors.battle import describe_other_rules, describe_practice, readable_battle
from battles.selectors.battle_list import ORDERS, battle_end, count_battles, list_battles
from battles.services.battles import battle_queue
from battles.services.retention import battle_kept_until
from battles.services.setups import SideForce
from rosters.api.base import PAGE_PARAMETERS, PAGING, Query, QueryIntegerField, asked, paged
from rosters.api.headers import idempotent
from rosters.documents.snapshots import force_rows
from rosters.models import Company, Player
from rosters.policy import visible
from rosters.services import RefusedError
from rosters.templatetags.links import leads_to
from systems.documents import Described, Document, parse_document
from systems.setups import Setup


class BattleRequest(Document):
    """A battle to simulate. Without a seed the server draws one.

    `companies` holds one entry per side: the ID of the company that fights on it, or null. The keys of that side's
    units must be "u" and the ID of a unit ("u12"), and those units must be in their current state. A company's battle
    needs a token, and so does a private one.
    """

    setup: Annotated[dict[str, object], Described(Setup)]
    seed: int | str | None = None
    visibility: Literal["private", "link", "public"] = "public"
    companies: Annotated[list[int | None], pydantic.Field(max_length=2)] = []


class BattleAnswer(pydantic.BaseModel):
    """The status of a battle. Its result, record and digest are there once it is done.

    In games with victory points the result has `points` by side name: exact fractions as text ("2", "7/3").

    `other_rules` says that the battle was simulated by other rules than the current ones: its record can be played back
    but not simulated again. It is empty if the rules are the same.

    A battle with provably fair dice has their `commitment` at once, and its `seed` (empty until then) once it is done.
    """

    key: UUID
    title: str
    system: str
    status: Status
    seed: str
    commitment: str | None
    setup_hash: str
    rules_version: int
    other_rules: str
    visibility: Literal["private", "link", "public"]
    fought_by_hand: bool
    result: dict[str, object] | None
    digest: str | None
    page: str
    record: str | None
    kept_until: datetime | None


class BattleEndAnswer(pydantic.BaseModel):
    """How a battle ended; the fate of each unit is in the battle itself."""

    winner: str | None
    draw: bool
    rounds: int | None
    reason: str | None


class BattleSummaryAnswer(BattleAnswer):
    """A battle in a list. Its result says only how it ended; `kills` is 0 before the end."""

    result: BattleEndAnswer | None  # type: ignore[assignment]
    kills: int


class BattleDetailAnswer(BattleAnswer):
    """A battle with its set-up.

    `practice` gives a reason for each company of yours whose ledger is closed to this battle.
    """

    setup: Annotated[dict[str, object], Described(Setup)]
    practice: list[str]


class BattleListAnswer(pydantic.BaseModel):
    count: int
    next: str | None
    previous: str | None
    results: list[BattleSummaryAnswer]


class BattleQuery(Query):
    sort = serializers.ChoiceField(
        choices=list(ORDERS), default="newest", help_text="longest first, or most kills first"
    )


class Battles(AskView):
    @extend_schema(
        tags=["battles"],
        operation_id="battles_list",
        parameters=[BattleQuery, *PAGE_PARAMETERS],
        responses={200: BattleListAnswer},
    )
    def get(self, request: Request) -> Response:
        """Public battles and your own: newest first, longest first (rounds or turns), or most kills first."""
        given = asked(BattleQuery, request, beside=PAGING)
        order, _place, _words = ORDERS[given["sort"]]
        rows, number = list_battles(player(request)), count_battles(player(request))
        site = origin(request)
        return paged(
            request, rows, lambda row: answer_json(battle_summary_answer(row, site)), *order.order, number=number
        )

    @idempotent
    @extend_schema(
        tags=["battles"],
        operation_id="battles_create",
        description=f"Queues a battle, which usually runs within a second. {WITHOUT_A_TOKEN}",
        request=BattleRequest,
        responses={201: BattleDetailAnswer},
    )
    def post(self, request: Request) -> Response:
        """Queue a battle. A battle for a company, or a private one, needs a player."""
        asked = parse_document(BattleRequest, body(request))
        if asked.visibility == "private" or any(each is not None for each in asked.companies):
            need_token(request)
        setup = read_nested_setup(asked.setup)
        battle = battle_queue(
            setup=asked.setup,
            seed=asked.seed,
            forces=_side_forces(asked.companies, setup, player(request)),
            visibility=asked.visibility,
            **asker(request),
        )
        return answered(battle_detail_answer(battle, request), is_new=True)


class BattleByKey(APIView):
    @extend_schema(tags=["battles"], operation_id="battles_retrieve", responses={200: BattleDetailAnswer})
    def get(self, request: Request, key: UUID) -> Response:
        """Return the status of a battle, with its set-up and, once it is over, its result."""
        return answered(battle_detail_answer(_readable(request, key), request))


class BattleRecord(APIView):
    @extend_schema(
        tags=["battles"],
        operation_id="battles_record_retrieve",
        responses={(200, "application/jsonl"): OpenApiTypes.STR},
    )
    def get(self, request: Request, key: UUID) -> HttpResponse:
        """Return the record as JSON lines: header, events, outcome. 404 until the battle is done."""
        record = Record.objects.filter(battle=_readable(request, key)).first()
        if record is None:
            raise NotFound("This battle has no record.")
        return HttpResponse(record.text, content_type="application/jsonl; charset=utf-8")


def battle_summary_answer(battle: Battle, site: str) -> BattleSummaryAnswer:
    end = battle_end(battle) or None
    return build_answer(BattleSummaryAnswer, battle, result=end, **_extra_fields(battle, site))


def battle_detail_answer(battle: Battle, request: Request) -> BattleDetailAnswer:
    practice = describe_practice(battle, player(request))
    return build_answer(BattleDetailAnswer, battle, practice=practice, **_extra_fields(battle, origin(request)))


def _extra_fields(battle: Battle, site: str) -> dict[str, object]:
    """Return the fields of an answer that the row itself doesn't hold."""
    record = getattr(battle, "record", None)
    return {
        "commitment": battle.dice.commitment if battle.dice else None,
        "digest": record.digest if record else None,
        "other_rules": describe_other_rules(battle),
        "page": site + leads_to("battles:battle", battle.key),
        "record": site + leads_to("api-battle-record", battle.key) if record else None,
        "kept_until": battle_kept_until(battle),
    }


def _readable(request: Request, key: UUID) -> Battle:
    return get_or_404(readable_battle(key, player(request)))


def _side_forces(companies: list[int | None], setup: Setup, asker: Player | None) -> list[SideForce | None]:
    forces: list[SideForce | None] = []
    for at, (pk, side) in enumerate(zip(companies, setup.sides, strict=False)):
        if pk is None:
            forces.append(None)
            continue
        company = Company.objects.filter(visible(asker or AnonymousUser(), "owner"), pk=pk).first()
        if company is None:
            raise RefusedError(f"companies[{at}]", "There is no such company.")
        ids = [int(unit.key[1:]) for unit in side.units if re.fullmatch(r"u[0-9]{1,9}", unit.key)]
        forces.append(SideForce(company=company, units=force_rows(company, ids)))
    return forces


MAX_ACTS = 500  # per answer


class LiveTableQuery(Query):
    at = QueryIntegerField(
        min_value=0, required=False, help_text="show the table after the act at this place (default: the last)"
    )
    after = QueryIntegerField(
        min_value=0,
        required=False,
        help_text=f"return acts after this place, {MAX_ACTS} at most (default: from the first)",
    )


class LiveMarkAnswer(pydantic.BaseModel):
    """A mark that has changed since the start."""

    cell: str
    label: str
    value: int | str


class LiveUnitAnswer(pydantic.BaseModel):
    """A unit at the table: `lost` of its `whole` boxes are crossed out. `whole` is 0 if its card has no such row."""

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
    """An act; `place` counts from 1.

    `facts` are as in the log. A sealed note has only its hash until it is revealed.
    """

    place: int
    side: Literal[0, 1]
    kind: str
    told: str
    at: datetime | None
    taken_back: bool
    facts: dict[str, object]


class LiveTableAnswer(pydantic.BaseModel):
    """A table after act `at` of `length`: round, step, winner (if one is marked), all units, and some of the acts.

    `commitment` is the hash of the table's dice. Their `secret` is empty until the table is closed.
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
        tags=["tables"], operation_id="tables_retrieve", parameters=[LiveTableQuery], responses={200: LiveTableAnswer}
    )
    def get(self, request: Request, key: UUID) -> Response:
        """Return a table played with miniatures, to anybody with its key. Sealed notes are hidden until revealed."""
        table = get_or_404(get_spectator_table(key))
        query = asked(LiveTableQuery, request)
        snapshot = table_after_act(table, query.get("at"))
        return answered(
            LiveTableAnswer(
                key=table.key,
                title=table.title,
                system=table.system,
                setup_hash=snapshot.sheet.hash,
                counted=snapshot.sheet.round_word,
                round=int(snapshot.game["round"].value),
                step=str(snapshot.game["step"].value),
                winner=str(snapshot.game["winner"].value),
                at=snapshot.at,
                length=snapshot.last,
                ended_at=table.ended_at,
                commitment=table.dice.commitment,
                secret=table.dice.secret,
                sides=[
                    LiveSideAnswer(name=name, player=who, units=[_unit_answer(unit) for unit in units])
                    for (name, units), who in zip(snapshot.sides, snapshot.who, strict=True)
                ],
                acts=[_act_answer(act) for act in spectator_acts(table, query.get("after", 0), MAX_ACTS)],
                page=request.build_absolute_uri(reverse("battles:table-replay", args=[table.key])),
            )
        )


def _unit_answer(unit: SpectatorUnit) -> LiveUnitAnswer:
    panel = unit.panel
    return LiveUnitAnswer(
        key=panel.table_unit.key,
        name=panel.table_unit.name,
        lost=panel.lost,
        whole=panel.whole,
        is_out=panel.is_out,
        marks=[LiveMarkAnswer(cell=mark.cell.id, label=mark.cell.label, value=mark.value) for mark in unit.other_marks],
    )


def _act_answer(spectator_act: SpectatorAct) -> LiveActAnswer:
    act = spectator_act.act
    return LiveActAnswer(
        place=act.place,
        side=1 if act.side else 0,
        kind=act.kind,
        told=spectator_act.line.text,
        at=act.at,
        taken_back=spectator_act.line.is_undone,
        facts=spectator_act.facts,
    )
