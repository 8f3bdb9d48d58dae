"""A record cut off at a point: nothing made from it shows more than its events up to there."""

from __future__ import annotations

from dataclasses import replace

from battles.replay.boards import board_of
from battles.replay.fold import rounds_of
from systems.simulation.resolve import Record


def steps_cut(record: Record) -> list[int]:
    """Return after how many events each step of the replay ends, from the first in which something happens; rising."""
    rounds = rounds_of(record)
    board = board_of(record, rounds)
    if board is None:
        return [step.lines[-1].number for view in rounds for step in view.steps]
    ends_of: dict[int, int] = {}
    for line, step in board.steps_of_lines.items():
        ends_of[step] = max(line, ends_of.get(step, 0))
    return [ends_of[step] for step in sorted(ends_of)]


def record_so_far(record: Record, events: int) -> Record:
    """Return the record cut after that many events: no winner, seed or dice, and only units that had fallen by then."""
    told = replace(record, seed=0, dice=None, hand=None, events=record.events[:events], outcome={"units": []})
    rounds = rounds_of(told)
    fallen = {unit.key for unit in rounds[-1].units if unit.destroyed} if rounds else set()
    fates = [{**fate} for fate in record.outcome["units"] if fate["key"] in fallen]
    return replace(told, outcome={"units": fates})
