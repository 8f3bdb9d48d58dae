"""The cost of assigning a pilot to a unit, for the pages that offer it and the service that does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from systems.roster import AnyRoster, PilotSpec


class Seat(Protocol):
    """A unit with a seat."""

    @property
    def spec(self) -> Mapping[str, object]: ...
    @property
    def paid(self) -> int: ...
    @property
    def is_new(self) -> bool: ...


def seat_price(rules: AnyRoster, unit: Seat, level: str | None) -> int:
    """Return the points that a pilot of that level adds to the unit's price; no pilot costs nothing."""
    if level is None or not unit.is_new:
        return 0
    return rules.seat_points(rules.parse_spec(unit.spec), PilotSpec(level), paid=unit.paid)
