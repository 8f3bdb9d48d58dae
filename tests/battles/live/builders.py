"""Live tables and acts of their sides."""

from __future__ import annotations

from itertools import count
from typing import Any

from battles.live.acts import act_do
from battles.live.services import table_join, table_open
from battles.live.sheet import TableSheet, table_sheet
from battles.live.state import SET, Act, table_state
from battles.models import LiveSeat, LiveTable
from systems import BATTLES
from systems.reading import read_setup, stored_setup
from systems.setups import setup_json
from tests.battles.builders import duel

KEYS = count(1)
GAMES = tuple(BATTLES)


def example(system: str) -> dict[str, Any]:
    """Return a small legal set-up of a game."""
    return setup_json(BATTLES[system].example())


def sheet_of(setup: dict[str, Any] | None = None) -> TableSheet:
    return table_sheet(read_setup(setup or duel()))


def a_table(setup: dict[str, Any] | None = None, **who: Any) -> tuple[LiveSeat, LiveSeat]:
    """Return both seats of a new table: the one of the person who started it, and of the one who joined."""
    first = table_open(setup=setup or duel(), name="Ann", **who)
    return first, table_join(code=str(first.table.code), name="Ben")


def do(seat: LiveSeat, kind: str, *, once: str = "", seen: int | None = None, phone: str = "", **facts: Any) -> int:
    """Do an act of that seat, by default one that has seen everything. Return the act's place in the log."""
    table = LiveTable.objects.get(pk=seat.table_id)
    key = once or f"key-{next(KEYS):08}"
    seen = table.length if seen is None else seen
    return act_do(seat=seat, once=key, kind=kind, facts=facts, seen=seen, phone=phone).place


def mark(seat: LiveSeat, cell: str, value: object, **more: Any) -> int:
    return do(seat, SET, changes=[[cell, value]], **more)


def state_of(seat: LiveSeat):
    from battles.live.state import acts_of

    table = LiveTable.objects.get(pk=seat.table_id)
    return table_state(table_sheet(stored_setup(table.setup)), acts_of(table))


def acts(*given: tuple[int, str, object], seen: int = 10**6) -> list[Act]:
    """Return marks in log form: side, cell, value."""
    return [
        Act(place=place, side=side, kind=SET, facts={"changes": [[cell, 0, value]]}, seen=seen)
        for place, (side, cell, value) in enumerate(given, start=1)
    ]
