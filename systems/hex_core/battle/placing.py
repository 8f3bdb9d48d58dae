"""Deployment columns of Units that are ordered to start in a third of their side's hexes. HX-059, HX-A60."""

from __future__ import annotations

from systems.hex_core.battle.state import State
from systems.setups import Setup
from systems.starting import places_in_thirds, ordered_thirds


def has_start_orders(setup: Setup) -> bool:
    """Return whether any Unit has a start order."""
    return any(any(ordered_thirds(side)) for side in setup.sides)


def follow_orders(setup: Setup, state: State) -> None:
    """Put the ordered columns of Units into the state, from their sides' views."""
    first = 0
    for at, side in enumerate(setup.sides):
        columns = [
            each.column if at == 0 else state.battle.columns - 1 - each.column
            for each in state.hexes
            if each.start & (1 << at)
        ]
        for place, column in places_in_thirds(ordered_thirds(side), min(columns), max(columns) + 1).items():
            state.units[first + place].told_column = column
        first += len(side.units)
