"""Charts of the design lab: how far a unit moves in a turn, by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.charts import Chart, chart_series
from systems.engine.mute import MuteLog
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.muster import state_sheet
from systems.mechastellar.battle.rules.heights import change_mode
from systems.mechastellar.battle.rules.terrain import surface
from systems.mechastellar.battle.state import Battle, State, Unit
from systems.mechastellar.build.spec import UnitSpec


def list_charts(spec: UnitSpec) -> Iterator[Chart]:
    """Yield its distance by Move Actions, in each of its modes. ST-043, ST-060, ST-068, ST-087, ST-351."""
    modes = ("Mode A", "Mode B") if spec.alt_mode else ("inches",)
    places = ["1 Move", f"{c.MOVE_ACTIONS} Moves", "Accelerate"]
    if _surfacing(spec, 0) is not None:
        places.append("surfacing")
    told = " Straight ahead alone." if spec.is_warship else ""
    if spec.boost:
        told += " A Boost pays for the Accelerate."
    yield Chart(
        slug="speed",
        title="Inches of a turn’s Move Actions",
        across="Moves",
        at=tuple(places),
        series=tuple(chart_series(name, _reaches(spec, mode)[: len(places)]) for mode, name in enumerate(modes)),
        note=f"A turn has {c.MOVE_ACTIONS} Move Actions, one more with an Accelerate; surfacing shortens one.{told}",
    )


def _reaches(spec: UnitSpec, mode: int) -> list[Fraction | None]:
    move = max(0.0, _state(spec, mode).units[0].move)
    inches = [move, move * c.MOVE_ACTIONS, move * (c.MOVE_ACTIONS + 1), _surfacing(spec, mode)]
    return [None if each is None else Fraction(each) for each in inches]


def _surfacing(spec: UnitSpec, mode: int) -> float | None:
    """Return the length of the Move Action that brings it up from deep water; None if it never goes there."""
    found = surface(_state(spec, mode), 0, MuteLog())
    return None if found < 0 else found


def _state(spec: UnitSpec, mode: int) -> State:
    """Return a state with only this unit, sunk, in that mode."""
    unit = Unit(
        move=spec.move_in,
        fly=int(spec.has("fly")),
        amphibious=int(spec.has("amphibious")),
        transforms=int(spec.alt_mode is not None),
        sunk=1,
    )
    state = State(
        battle=Battle(count_a=1),
        sides=[],
        units=[unit],
        sheets=[state_sheet(spec), state_sheet(spec.in_mode_b)],
        weapons=[],
        clashes=[],
        plans=[],
        discs=[],
        points=[],
        faces=[],
        chances=[],
        memos=[],
    )
    change_mode(state, 0, mode)
    return state
