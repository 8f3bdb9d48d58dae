"""The opening position of a replay, and the steps that its record is divided into."""

from __future__ import annotations

from collections.abc import Callable

from systems.battle import Chapter
from systems.engine.events import Event
from systems.mech_campaign.battle.setup import field_units, unit_names
from systems.mech_campaign.battle.view import MechView
from systems.mech_campaign.catalogue.types import DAMAGE_TO_ELIMINATE
from systems.setups import Setup, once_a_setup
from systems.situation import Situation


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units before they set up."""
    return Situation(
        tuple(
            MechView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.kind,
                hits=DAMAGE_TO_ELIMINATE - fielded.damage,
                max_hits=DAMAGE_TO_ELIMINATE,
            )
            for fielded in field_units(setup)
        )
    )


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Return a function from an event to its chapter. MC-032.

    They are set-up; for each player turn its action points, each unit that acts, and its end; the end of the turn.
    """
    names = unit_names(field_units(setup))
    sides = [side.name for side in setup.sides]
    here = Chapter("Set-up")

    def chapter(event: Event) -> Chapter:
        nonlocal here
        if event.step == "turn":
            here = Chapter("The turn begins")
        elif event.step == "points":
            here = Chapter(f"{sides[event.number('side')]}'s turn", "Action points")
        elif event.step == "actions" and "cost" in event.result and event.unit:
            here = Chapter(here.phase, f"{names[event.unit]} acts")
        elif event.step == "player-turn-end":
            here = Chapter(here.phase, "End of the player turn")
        elif event.step in ("turn-end", "end"):
            here = Chapter("End of the turn")
        return here

    return chapter
