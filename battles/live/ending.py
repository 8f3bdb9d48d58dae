"""A table's log as it is read, and how the table ended: its report's result, and why it can't be right."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from battles.live.fold import Act, TableState
from battles.live.sheet import WINNER, WINNERS, TableSheet
from battles.models import LiveEvent, LiveSeat, LiveTable
from battles.services.by_hand import build_result
from rosters.database.columns import columns
from rosters.services import RefusedError
from rosters.site.compiled import PreparedQuery
from systems.fates import UnitFate


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReport:
    """A report in the form the service for table results takes."""

    units: Mapping[str, UnitFate]
    winner: str | None
    rounds: int | None
    support_used: Sequence[Sequence[str]]


def acts_of(table: LiveTable) -> list[Act]:
    """Return the log of the table, in its order."""
    return ACTS.rows(table=table.pk)


def _acts(table: int) -> QuerySet[LiveEvent, object]:
    rows = LiveEvent.objects.filter(table=table).order_by("place")
    return rows.values_list(*columns(_act))


def _act(place: int, side: int, kind: str, facts: dict[str, object], phone: str, seen: int, at: datetime) -> Act:
    return Act(place=place, side=side, kind=kind, facts=facts, phone=phone, seen=seen, at=at)


ACTS = PreparedQuery(_acts, _act, table=int)


def read_report(sheet: TableSheet, report: Mapping[str, object]) -> TableReport:
    """Return the report/1 of a table, read for the services of battles."""
    units, support, rounds = report["units"], report["support"], report["rounds"]
    assert isinstance(units, dict)
    assert isinstance(support, dict)
    return TableReport(
        units={key: UnitFate(fate) for key, fate in units.items()},
        winner=dict(zip(WINNERS, sheet.sides, strict=False)).get(str(report["winner"])),
        rounds=rounds if isinstance(rounds, int) else None,
        support_used=[support[place] for place in WINNERS[:2]],
    )


def hidden_problem(state: TableState) -> str:
    """Return why nobody can agree yet: a unit, and so its fate, is hidden; empty if none is."""
    if any(note.hides and not note.is_open for note in state.notes):
        return "A unit is still hidden. Its player opens the sealed note first; then you can both agree."
    return ""


def report_problem(sheet: TableSheet, state: TableState) -> str:
    """Return why the marked result is impossible; empty if it is possible.

    Both sides read it, so it says nothing about hidden units.
    """
    if problem := hidden_problem(state):
        return problem
    if state.crossings:
        return "You have both marked the same thing; say first which holds."
    if not state.values[WINNER]:
        return "Say who has won."
    ended = read_report(sheet, sheet.report(state.values))
    try:
        build_result(sheet.setup, ended.units, ended.winner, ended.rounds, ended.support_used)
    except RefusedError as error:
        return error.reason
    return ""


def seat_battle_key(seat: LiveSeat) -> uuid.UUID:
    """Return the key of the battle that this seat's player logs: always the same one, however often they press."""
    return uuid.uuid5(seat.key, "log")
