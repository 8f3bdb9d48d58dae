"""A unit of Mech Campaign as a spectator sees it."""

from __future__ import annotations

from dataclasses import dataclass

from systems.spaces.table import TableView


@dataclass(frozen=True, slots=True)
class MechView(TableView):
    """A mech, track, drone or gun sentry."""

    specials: int = 0  # special actions that succeeded
