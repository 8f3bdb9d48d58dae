"""A search that climbs from rung to rung, as work that many share: in blocks of one candidate each."""

from __future__ import annotations

from collections.abc import Callable

from battles.models import BestAnswer, BestBuild, BestChange, Body
from battles.services.shares import Work
from systems.simulation.halving import Block, Climb, Plan

ENDS = 3  # won, lost and drawn: what a search goes by
Beside = Callable[[Body, Block, list[int]], Body]


def climb_work(
    row: BestAnswer | BestBuild | BestChange,
    plan: Plan,
    play: Callable[[Block], list[int]],
    beside: Beside | None = None,
) -> Work[list[list[int]]]:
    """How a search is played; a rung is open when those who stay in it are known.

    `play`: won, lost and drawn in a block, and what else is counted of it; `beside` adds that to what stands beside the
    search, and gives that back.
    """
    each, rows = plan.battles, type(row)._default_manager.filter(pk=row.pk)

    def count(first: int, runs: int) -> list[list[int]]:
        climb = Climb.from_json(plan, rows.values_list("counts", flat=True).get())  # others may have opened the rung
        return [play(climb.block(at)) for at in range(first // each, (first + runs) // each)]

    def add(total: Body, parts: list[list[int]]) -> tuple[Body, int, bool]:
        climb, kept = Climb.from_json(plan, total), total
        for part in parts:
            if beside is not None:
                kept = beside(kept, climb.block(climb.counted), part[ENDS:])
            climb.add(part[:ENDS])
        return {**kept, **climb.to_json()}, climb.counted * each, False

    def known(total: Body) -> int:
        return Climb.from_json(plan, total).open_blocks * each

    return Work(each, count, add, known)
