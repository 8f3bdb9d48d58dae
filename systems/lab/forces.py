"""Random forces: designs drawn until a side of a scenario is legal and near its points; the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from systems.engine.dice import SeededDice
from systems.legality import Check

MAX_FORCE_CHECKS = 1200
ENOUGH = 60  # draws once one was legal


@dataclass(frozen=True, slots=True)
class RandomForce:
    """Designs by their slugs, those to keep first."""

    designs: tuple[str, ...]
    points: int


def draw_force(
    check: Callable[[Sequence[str]], Check],
    pool: Mapping[str, int],
    *,
    kept: Sequence[str] = (),
    points: int,
    seed: int,
    side: int = 0,
    most: int = 16,
) -> RandomForce | None:
    """Return the legal force with the most points within `points` among random ones; None if none was legal.

    It has at most `most` designs; `pool` has the points of each design; `kept` are in every force.
    """
    dice, checks, draws = SeededDice(seed, side), 0, 0
    best: RandomForce | None = None
    while checks < MAX_FORCE_CHECKS and not (best is not None and (draws >= ENOUGH or best.points == points)):
        designs, draws = list(kept), draws + 1
        while checks < MAX_FORCE_CHECKS and len(designs) <= most:
            if designs:
                found, checks = check(designs), checks + 1
                if found.points > points:
                    break
                if found.legal and (best is None or found.points > best.points):
                    best = RandomForce(tuple(designs), found.points)
            left = points - sum(pool[design] for design in designs)
            affordable = [design for design, each in pool.items() if each <= left]
            if not affordable:
                break
            designs.append(affordable[dice.choice(len(affordable))])
        if draws > MAX_FORCE_CHECKS:
            break
    return best
