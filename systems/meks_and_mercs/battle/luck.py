"""Dice of a battle that decided something by a needed number, and how likely each was to succeed."""

from __future__ import annotations

from fractions import Fraction

from systems.battle import Trial
from systems.engine.events import Event
from systems.meks_and_mercs.options import Options
from systems.setups import Setup

SIDES_OF_A_DIE = range(1, 7)


def trial_of(event: Event, setup: Setup) -> Trial | None:
    """Return the dice of a shot (MM-043), an infantry attack (MM-063) or a save (MM-051); None for other events.

    A re-rolled die is a die of its own.
    """
    total = sum(modifier.value for modifier in event.modifiers)
    good: set[int]
    if event.kind == "shot-rolled":
        number = event.number("number")
        natural = Options.read(setup.options).natural_rolls
        good = {face for face in SIDES_OF_A_DIE if face + total >= number}
        if natural:
            good = (good - {1}) | {6}
        what = "hit"
    elif event.kind == "infantry-attacked":
        good = {face for face in SIDES_OF_A_DIE if face < event.number("armor")}
        what = "hit"
    elif event.kind == "save-rolled":
        good = {face for face in SIDES_OF_A_DIE if face + total >= event.number("armor")}
        what = "save"
    else:
        return None
    return Trial(
        what=what,
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face in good for face in event.faces),
        chance=Fraction(len(good), 6),
    )
