"""Rich uncles: the points they bring a side for its Meks, by dice rolled before it buys them. MM-087, MM-D66."""

from __future__ import annotations

from collections.abc import Sequence

from systems.documents import DocumentError
from systems.engine.dice import Dice, roll
from systems.meks_and_mercs.options import Options
from systems.setups import Setup

RICH_UNCLE = "rich-uncle"


def uncle_points(setup: Setup, at: int, options: Options) -> int:
    """Return the points beyond the scenario's that the dice in the document show. Raises DocumentError.

    A standing company's uncle pays into the bank after the game instead, so no die is rolled before it (MM-S07).
    """
    side = setup.sides[at]
    path = f"sides[{at}].rolled"
    for slug in side.rolled:
        if slug != RICH_UNCLE:
            raise DocumentError(f"{path}.{slug[:40]}", "only a rich-uncle rolls before the set-up (MM-087)")
    faces = side.rolled.get(RICH_UNCLE, ())
    if faces and options.pays_from_bank:
        raise DocumentError(path, "a standing company's uncle pays its bank, by a die after the game (MM-S07)")
    uncles = side.support.count(RICH_UNCLE)
    if len(faces) > uncles:
        raise DocumentError(path, f"{len(faces)} dice of rich uncles, but {uncles} of them among the support (MM-087)")
    return sum(faces)


def roll_for_uncles(support: Sequence[str], options: Options, dice: Dice) -> dict[str, tuple[int, ...]]:
    """Roll a die for each uncle among these results, before the side buys its Meks. MM-087, MM-D66."""
    uncles = 0 if options.pays_from_bank else list(support).count(RICH_UNCLE)
    return {RICH_UNCLE: tuple(roll(dice, 6) for _ in range(uncles))} if uncles else {}


def has_unrolled_uncle(setup: Setup, at: int) -> bool:
    """Return whether a side has an uncle whose die the document doesn't show."""
    side = setup.sides[at]
    return side.support.count(RICH_UNCLE) > len(side.rolled.get(RICH_UNCLE, ()))
