"""Which dice of a battle had a number to reach, and how likely each was to reach it."""

from __future__ import annotations

from fractions import Fraction

from systems.battle import Trial
from systems.engine.events import Event

WHAT = {"shot-rolled": "hit", "suppression-rolled": "hit", "repair-rolled": "repair", "charge-rolled": "charge"}


def trial_of(event: Event) -> Trial | None:
    """Return the die of a shot (MC-073), a repair (MC-090) or a charge (MC-125); None for other events."""
    if event.kind not in WHAT:
        return None
    return Trial(
        what=WHAT[event.kind],
        unit=event.unit or "",
        dice=1,
        successes=int(event.total >= event.number("number")),
        chance=Fraction(sum(face + event.added >= event.number("number") for face in range(1, 7)), 6),
    )
