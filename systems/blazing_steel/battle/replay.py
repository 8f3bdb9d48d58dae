"""A replay's opening position, and how a record is divided into its steps."""

from __future__ import annotations

from collections.abc import Callable

from systems.battle import Chapter
from systems.blazing_steel.battle.events import STEPS
from systems.blazing_steel.battle.setup import field_units, weapon_names
from systems.blazing_steel.battle.state import SLOTS
from systems.blazing_steel.battle.view import SteelView
from systems.engine.events import Event
from systems.setups import Setup, once_a_setup
from systems.situation import Situation


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all Warmechs before they are placed."""
    names = weapon_names(field_units(setup))
    return Situation(
        tuple(
            SteelView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.chassis,
                hits=fielded.spec.frame.structure,
                max_hits=fielded.spec.frame.structure,
                base=fielded.spec.base.radius_h,
                carries=tuple(names[fielded.unit.key].get(slot, "") for slot in range(SLOTS)),
                peripheral=fielded.spec.peripheral.name if fielded.spec.peripheral else "",
            )
            for fielded in field_units(setup)
        )
    )


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Divide the record into set-up; for each turn its orders, their results by action, and heat; and the End Phase."""
    here = Chapter("Set-up")
    action = 0

    def chapter(event: Event) -> Chapter:
        nonlocal here, action
        if event.step == "turn":
            here = Chapter(f"Turn {event.number('turn')}")
            action = 0
        elif event.step in ("orders", "action"):
            if event.step == "orders" and here.step != f"Action {action}: orders":
                action += 1
            what = "orders" if event.step == "orders" else "resolved"
            here = Chapter(here.phase, f"Action {action}: {what}")
        elif event.step == "heat":
            here = Chapter(here.phase, STEPS["heat"])
        elif event.step in ("start", "end-phase", "end"):
            here = Chapter(STEPS[event.step])
        return here

    return chapter
