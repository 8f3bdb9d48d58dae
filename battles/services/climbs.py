"""A search in rungs, as work that many workers share: in blocks of one candidate each."""

from __future__ import annotations

from collections.abc import Callable

from battles.models import BestAnswer, BestBuild, BestChange, Body
from battles.services.shares import Work
from systems.simulation.halving import Block, Climb, Plan

RESULT_LENGTH = 3  # won, lost and drawn: what a search compares
AddExtraFigures = Callable[[Body, Block, list[int]], Body]


def climb_work(
    row: BestAnswer | BestBuild | BestChange,
    plan: Plan,
    play: Callable[[Block], list[int]],
    beside: AddExtraFigures | None = None,
) -> Work[list[list[int]]]:
    """Return how a search is played; a rung is open once the candidates that stay in it are known.

    `play` returns won, lost and drawn in a block, and any further figures; `beside` adds those to the data stored
    beside the search, and returns it.
    """
    each, rows = plan.battles, type(row)._default_manager.filter(pk=row.pk)

    def count(first: int, runs: int) -> list[list[int]]:
        climb = Climb.from_json(plan, rows.values_list("counts", flat=True).get())  # others may have opened the rung
        return [play(climb.block(at)) for at in range(first // each, (first + runs) // each)]

    def add(total: Body, parts: list[list[int]]) -> tuple[Body, int, bool]:
        climb, kept = Climb.from_json(plan, total), total
        for part in parts:
            if beside is not None:
                kept = beside(kept, climb.block(climb.counted), part[RESULT_LENGTH:])
            climb.add(part[:RESULT_LENGTH])
        return {**kept, **climb.to_json()}, climb.counted * each, False

    def known(total: Body) -> int:
        return Climb.from_json(plan, total).open_blocks * each

    return Work(each, count, add, known)
