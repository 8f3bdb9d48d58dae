"""A replay's opening position, and how a record is divided into its steps."""

from __future__ import annotations

from collections.abc import Callable

from systems.battle import Chapter
from systems.engine.events import Event
from systems.mechastellar.battle.events import STEPS
from systems.mechastellar.battle.setup import field_units, unit_names, weapon_names
from systems.mechastellar.battle.view import StellarView
from systems.setups import Setup, once_a_setup
from systems.situation import Situation

INCH = 100
TURN_STEPS = ("turn", "move", "attack", "end-turn")


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units before they are placed."""
    units = field_units(setup)
    names = weapon_names(units)
    return Situation(
        tuple(
            StellarView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.kind,
                hits=fielded.hp,
                max_hits=fielded.spec.hp,
                power=fielded.spec.power,
                max_power=fielded.spec.power,
                havoc=fielded.spec.havoc,
                max_havoc=fielded.spec.havoc,
                boost=fielded.spec.boost,
                engages=fielded.spec.engages_in * INCH,
                carries=tuple(names[fielded.unit.key]),
            )
            for fielded in units
        )
    )


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Divide the record into set-up and, for each Round, its start, its turns and its end."""
    names = unit_names(field_units(setup))
    here = Chapter(STEPS["set-up"])
    turn = 0

    def chapter(event: Event) -> Chapter:
        nonlocal here, turn
        if event.kind == "unit-activated":
            turn += 1
            here = Chapter(f"Turn {turn}: {names[event.unit or '']}", STEPS["turn"])
        elif event.step in TURN_STEPS and event.step != "turn":
            here = Chapter(here.phase, STEPS[event.step])
        elif event.step not in TURN_STEPS:
            here = Chapter(STEPS[event.step])
            turn = 0 if event.step == "start" else turn
        return here

    return chapter
