"""The dice of a battle that were rolled against a needed number, and how likely each was to succeed."""

from __future__ import annotations

from fractions import Fraction

from systems.battle import Trial
from systems.engine.events import Event

TRIALS = {
    "attack-rolled": "hit",
    "defence-rolled": "defence",
    "saves-rolled": "save",
    "rally-tested": "morale",
    "rout-tested": "morale",
}


def trial_of(event: Event) -> Trial | None:
    """Return the dice of a pool before any change (ST-113, ST-114), of saves (ST-141), of morale (ST-247)."""
    if event.kind not in TRIALS or not event.faces:
        return None
    if event.kind == "saves-rolled":
        needed = event.number("pen") - event.number("bonus")
    else:
        needed = event.number("success" if "success" in event.result else "morale")
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face >= needed for face in event.faces),
        chance=Fraction(min(10, max(0, 11 - needed)), 10),
    )
