"""Deployment columns of units that are ordered to start in a third of their line. ST-023, ST-412."""

from __future__ import annotations

from systems.mechastellar.battle.doctrine_moves import MARGIN
from systems.mechastellar.battle.state import State
from systems.setups import Setup
from systems.starting import places_in_thirds, ordered_thirds

INCH = 100  # hundredths of an inch


def follow_orders(setup: Setup, state: State) -> None:
    """Put the ordered columns of units into the state, from their sides' views. Units may overlap. ST-D94."""
    low, high = round(INCH * MARGIN), round(INCH * (state.battle.table - MARGIN))
    first = 0
    for side in setup.sides:
        for place, column in places_in_thirds(ordered_thirds(side), low, high).items():
            state.units[first + place].column = column / INCH
        first += len(side.units)
