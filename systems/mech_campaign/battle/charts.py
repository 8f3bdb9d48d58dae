"""The design lab's chart of a unit's moves in a turn, calculated by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.charts import Chart, chart_series
from systems.engine.mute import MuteLog
from systems.mech_campaign.battle import state as c
from systems.mech_campaign.battle.muster import BattleUnit, state_unit
from systems.mech_campaign.battle.rules.actions import pay, refusal
from systems.mech_campaign.battle.rules.suppression import recover
from systems.mech_campaign.battle.state import Battle, State
from systems.mech_campaign.build.spec import UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE

MARKERS = ("not suppressed", "1 marker", "2 markers")


def movement_charts(spec: UnitSpec) -> Iterator[Chart]:
    """Yield the chart of moves by action points, suppressed or not. MC-037, MC-045 to MC-047, MC-051, MC-054, MC-083, MC-084."""
    kind = spec.unit_kind
    length = CATALOGUE.moves[kind.movement].length_h
    totals = [cost.total for cost in CATALOGUE.action_costs.values()]
    yield Chart(
        slug="speed",
        title="Inches of a turn’s moves",
        across="Action points",
        at=tuple(f"{points} AP" for points in totals),
        series=tuple(
            chart_series(
                name,
                [None if length is None else Fraction(_moves(spec, points, at) * length, 100) for points in totals],
            )
            for at, name in enumerate(MARKERS)
        ),
        note="All of its actions moves, once it has recovered; a ground unit stops where an enemy comes within 4 in.",
        empty="It never moves."
        if kind.is_stationary
        else "Any distance in one move: all of the table is in its reach.",
    )


def _moves(spec: UnitSpec, points: int, markers: int) -> int:
    """Return how many moves the points pay for, after the unit has recovered from its markers."""
    unit = state_unit(BattleUnit(kind=spec.kind), c.SIDE_A)
    unit.suppression = markers
    state = State(
        battle=Battle(count_a=1, points=points),
        sides=[],
        units=[unit],
        discs=[],
        objectives=[],
        bearings=[],
        mouths=[],
    )
    while unit.suppression and not refusal(state, 0, c.RECOVER, c.NOBODY):
        recover(state, 0, pay(state, 0, c.RECOVER), MuteLog())
    while not refusal(state, 0, c.MOVE, c.NOBODY):
        pay(state, 0, c.MOVE)
    return unit.moves
