"""The dice of a battle that were rolled against a needed number, and how likely each was to succeed."""

from __future__ import annotations

from fractions import Fraction

from systems.battle import Trial
from systems.engine.events import Event
from systems.hex_core.battle.rules.attacks import evade_faces, hit_faces

TRIALS = {
    "attack-rolled": "hit",
    "evasion-rolled": "evade",
    "counter-rolled": "counter",
    "critical-rolled": "critical",
}


def trial_of(event: Event) -> Trial | None:
    """Return the die of an attack, an evasion, a Counter Roll or a Critical Roll. HX-084, HX-087, HX-089, HX-092."""
    if event.kind not in TRIALS:
        return None
    if event.kind == "critical-rolled":
        good = 1
    elif event.kind == "attack-rolled":
        good = hit_faces(event.number("need"), event.added)
    else:
        good = evade_faces(event.number("need"), event.added)
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=1,
        successes=int(bool(event.result["made"])),
        chance=Fraction(good, 8),
    )
