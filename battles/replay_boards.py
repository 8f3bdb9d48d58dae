"""BOARDS: the kinds of drawing that a replay can have, one entry each; a system names its own (`BattleSystem.board`).

A kind belongs to no system: it draws a space, such as zones or a table in inches, from what the system says of a record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from battles.board import Board
from battles.engine.frames import map_replay
from battles.engine.replay import RoundView
from battles.engine.resolve import Record
from battles.systems import get_system


class BoardView(Protocol):
    """A board at one step, as its templates draw it."""

    @property
    def turn(self) -> int:
        """The number of the round of the record that the step belongs to; 0: before the first."""


class ReplayBoard(Protocol):
    """A battle, drawn step by step."""

    @property
    def names(self) -> Mapping[str, str]:
        """What all units are called, by key, those that came during the battle too."""

    @property
    def steps_of_lines(self) -> Mapping[int, int]:
        """The number of the step that each line of the record is in, by the line's number."""

    def page(self, step: int, place: int) -> BoardView:
        """The board at the nearest step there is, with a place looked at; 0: none was asked for."""

    def to_json(self) -> dict[str, Any]:
        """All steps, for the browser to draw."""


@dataclass(frozen=True, slots=True)
class BoardKind:
    """One kind of drawing: how it is made of a record, and the templates and static files that show it.

    `template` is given map=, battle=, page= and rulebook=; `panel` is the part with the id `map-panel` that is asked for
    alone at another step.
    """

    make: Callable[[Record, Sequence[RoundView]], ReplayBoard | None]
    template: str
    panel: str
    style: str
    script: str


def zone_board(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """The map of zones; None for a battle without one."""
    lines = [line for view in rounds for part in view.steps for line in part.lines]
    replay = map_replay(record, lines)
    return Board(replay, get_system(record.setup.system).bands, rounds[0].word) if replay else None


BOARDS: Mapping[str, BoardKind] = {
    "zones": BoardKind(zone_board, "battles/_map.html", "battles/_map_panel.html", "css/map.css", "js/map-replay.js"),
}


def board_kind(system: str) -> BoardKind | None:
    """How the battles of a system are drawn; None if they are read only."""
    return BOARDS.get(get_system(system).board)


def board_of(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """The record drawn step by step; None if it can't be."""
    kind = board_kind(record.setup.system)
    return kind.make(record, rounds) if kind else None
