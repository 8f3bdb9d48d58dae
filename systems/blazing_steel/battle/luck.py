"""The dice of a battle that were rolled against a needed number, and how likely each was to succeed."""

from __future__ import annotations

from fractions import Fraction

from systems.battle import Trial
from systems.blazing_steel.battle.rules.damage import is_saved
from systems.engine.events import Event

TRIALS = {
    "shot-rolled": "hit",
    "strike-rolled": "hit",
    "dodge-rolled": "dodge",
    "flak-rolled": "dodge",
    "damage-rolled": "save",
}


def trial_of(event: Event) -> Trial | None:
    """Return the dice of an attack, of its defence (BS-091), or of damage (BS-151).

    Dice rerolled through smoke are left out: their number depends on the dice before.
    """
    if event.kind not in TRIALS:
        return None
    if event.kind == "damage-rolled":
        ap, armor = event.number("ap"), event.number("armor") + event.added
        faces = [face for face in range(1, 7) if is_saved(face, ap, armor)]
    else:
        faces = [face for face in range(1, 7) if face <= event.number("tn")]
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face in faces for face in event.faces),
        chance=Fraction(len(faces), 6),
    )
