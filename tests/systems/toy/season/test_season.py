"""The standings points of a toy game."""

from typing import Any

import pytest

from systems.engine.dice import ScriptedDice
from systems.season import GameSide
from tests.toy.season import SYSTEM


@pytest.mark.rule("TY-004")
@pytest.mark.parametrize(("results", "points"), [(("won", "lost"), [2, 0]), (("drawn", "drawn"), [1, 1])])
def test_win_is_worth_two_points_and_draw_one(results: Any, points: list[int]):
    sides = [GameSide(result=result, flights=()) for result in results]
    after = SYSTEM.aftermath(sides, ScriptedDice([]), standing=False)
    assert [side.takings.season_points for side in after] == points
