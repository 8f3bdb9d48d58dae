"""A replay's opening position, and how a record is divided into its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from systems.battle import Chapter
from systems.engine.events import Event
from systems.hex_core.battle.events import STEPS
from systems.hex_core.battle.setup import drone_names, field_units, weapon_names
from systems.hex_core.battle.view import MachineView
from systems.setups import Setup, once_a_setup
from systems.situation import Situation


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all Units before they are set up."""
    units = field_units(setup)
    weapons, drones = weapon_names(units), drone_names(units)
    return Situation(
        tuple(
            MachineView(
                key=fielded.unit.key,
                name=fielded.name,
                side=fielded.side,
                chassis=fielded.spec.core,
                hits=fielded.spec.total_dp,
                max_hits=fielded.spec.total_dp,
                place="not on the map yet",
                is_vehicle=fielded.spec.is_vehicle,
                dp=fielded.spec.dp,
                full=fielded.spec.dp,
                shield=fielded.spec.shield.kind.dp if fielded.spec.shield else 0,
                shield_full=fielded.spec.shield.kind.dp if fielded.spec.shield else 0,
                carried=weapons[fielded.unit.key],
                drones=drones[fielded.unit.key],
            )
            for fielded in units
        )
    )


def chapters(names: Mapping[str, str]) -> Callable[[Event], Chapter]:
    """Divide the record into set-up and, turn by turn, movement and actions."""
    here = Chapter("Set-up")

    def chapter(event: Event) -> Chapter:
        nonlocal here
        if event.kind == "turn-began":
            here = Chapter(f"Turn {event.number('turn')}: {names[event.unit or '']}")
        elif event.step in ("movement", "action"):
            here = Chapter(here.phase, "Movement" if event.step == "movement" else "Actions")
        elif event.step in ("start", "end-phase", "end"):
            here = Chapter(STEPS[event.step])
        return here

    return chapter
