"""Which dice of a battle decided something by a needed number, and how likely each was to do it."""

from __future__ import annotations

from fractions import Fraction

from systems.battle import Trial
from systems.blazing_steel.battle.rules.damage import is_saved
from systems.engine.events import Event

WHAT = {
    "shot-rolled": "hit",
    "strike-rolled": "hit",
    "dodge-rolled": "dodge",
    "flak-rolled": "dodge",
    "damage-rolled": "save",
}


def trial_of(event: Event) -> Trial | None:
    """The dice of an attack, of its defence (BS-091), or of damage (BS-151).

    Dice that smoke has rolled again are left out: how many there are hangs on the dice before.
    """
    if event.kind not in WHAT:
        return None
    if event.kind == "damage-rolled":
        ap, armor = event.number("ap"), event.number("armor") + event.added
        faces = [face for face in range(1, 7) if is_saved(face, ap, armor)]
    else:
        faces = [face for face in range(1, 7) if face <= event.number("tn")]
    return Trial(
        what=WHAT[event.kind],
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face in faces for face in event.faces),
        chance=Fraction(len(faces), 6),
    )
