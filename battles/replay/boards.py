"""BOARDS: the kinds of drawing a replay can have, one entry each; a space names its own (`Space.board`), of MAKERS.

A kind belongs to no system: it draws a space, such as zones or a table in inches, from what the system says about a
record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from battles.replay.band_board import BandBoard
from battles.replay.hex_board import HexBoard
from battles.replay.hex_frames import hex_replay
from battles.replay.parts import StepPage
from battles.replay.table_board import TableBoard
from battles.replay.table_frames import table_replay
from battles.replay.zone_board import ZoneBoard
from battles.replay.zone_frames import map_replay
from systems import battle_rules
from systems.simulation.resolve import Record
from systems.simulation.timeline import EventLine, RoundView


class ReplayBoard(Protocol):
    """A battle, drawn step by step."""

    @property
    def kind(self) -> str:
        """The kind of drawing, of BOARDS."""

    @property
    def names(self) -> Mapping[str, str]:
        """The names of all units, by key, including those that arrived during the battle."""

    @property
    def steps_of_lines(self) -> Mapping[int, int]:
        """The step that has each line of the record, by the line's number."""

    @property
    def steps(self) -> int:
        """The number of steps."""

    def page(self, step: int, place: int) -> StepPage:
        """Return the board at the nearest step, with a place to look at closely; 0: none."""

    def to_json(self) -> dict[str, object]:
        """Return all steps, for the browser to draw."""


@dataclass(frozen=True, slots=True)
class BoardKind:
    """One kind of drawing: the templates that fill the page of every replay.

    `drawing`, `legend` and `close`, the text about a chosen place, get map= and page=.
    """

    word: str  # what the drawing is called
    title: str
    drawing: str
    legend: str
    close: str = ""
    styles: Sequence[str] = ()  # style sheets besides that of all replays


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLinks:
    """The addresses a stage links to; those of a step are made from them."""

    frames: str  # all of them, as JSON
    page: str
    moment: str  # a step as a picture
    embed: str = ""  # the stage alone, for a frame; empty: it isn't public


def zone_board(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the map of zones; for a battle without one, the field of range bands."""
    replay = map_replay(record, _lines(rounds))
    if replay is None:
        return None
    system, setup = battle_rules(record.setup.system), record.setup
    sides = [side.name for side in setup.sides]
    if replay.ground:
        return ZoneBoard(replay, system.bands, sides, rounds[0].word)
    return BandBoard(replay, system.bands, sides, rounds[0].word, (setup.terrain, system.ground_name(setup.terrain)))


def table_board(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the table in inches; None for a battle without one."""
    replay = table_replay(record, _lines(rounds))
    sides = [side.name for side in record.setup.sides]
    return TableBoard(replay, sides, rounds[0].word) if replay else None


def hex_board(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the map of hexes."""
    replay = hex_replay(record, _lines(rounds))
    return HexBoard(replay, [side.name for side in record.setup.sides], rounds[0].word) if replay else None


def _lines(rounds: Sequence[RoundView]) -> list[EventLine]:
    return [line for view in rounds for part in view.steps for line in part.lines]


BOARDS: Mapping[str, BoardKind] = {
    "zones": BoardKind(
        word="map",
        title="The battle on the map",
        drawing="battles/_map_zones.html",
        legend="battles/_map_zones_legend.html",
        close="battles/_map_zone.html",
    ),
    "bands": BoardKind(
        word="field",
        title="The battle across the range bands",
        drawing="battles/_map_field.html",
        legend="battles/_map_bands_legend.html",
        close="battles/_map_zone.html",
    ),
    "table": BoardKind(
        word="table",
        title="The battle on the table",
        drawing="battles/_map_table.html",
        legend="battles/_map_table_legend.html",
    ),
    "hexes": BoardKind(
        word="map",
        title="The battle on the map",
        drawing="battles/_map_hexes.html",
        legend="battles/_map_hexes_legend.html",
        close="battles/_map_hexes_close.html",
        styles=("css/hexes.css",),
    ),
}


MAKERS: Mapping[str, Callable[[Record, Sequence[RoundView]], ReplayBoard | None]] = {  # by the kind that a space names
    "zones": zone_board,
    "table": table_board,
    "hexes": hex_board,
}


def board_of(record: Record, rounds: Sequence[RoundView]) -> ReplayBoard | None:
    """Return the record drawn step by step; None if it can't be drawn."""
    space = battle_rules(record.setup.system).space
    make = MAKERS.get(space.board) if space else None
    return make(record, rounds) if make else None
