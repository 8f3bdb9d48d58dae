"""Replays: opening position, division into steps, the map, and the luck of the dice.

Luck compares dice rolled against a needed number with their chance of success.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.events import Event
from systems.hex_core.battle import state as codes
from systems.hex_core.battle.effects import MachineView
from systems.hex_core.battle.events import STEPS
from systems.hex_core.battle.rules.attacks import evade_faces, hit_faces
from systems.hex_core.battle.setup import drone_names, field_units, setup_board, weapon_names
from systems.hex_core.build.board import TERRAIN
from systems.hex_core.catalogue.types import COLUMNS
from systems.setups import Setup, once_a_setup
from systems.spaces.hex_map import HexAim, HexGround, HexSpace, HexSpot


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all Units, before they are set up."""
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


COMMAND_EVENTS = frozenset({
    "got-up", "weapon-swapped", "weapon-stowed", "weapon-retrieved", "unit-transformed", "pressed-on", "drones-recalled", "drones-launched",
    "drones-repositioned", "knelt", "went-prone", "defensive-stance", "object-taken", "break-rolled",
})  # fmt: skip
SCORED_PIECES = {"retrieval": "Object", "domination": "Objective"}  # pieces on the map


class HexCoreMap(HexSpace):
    """The map of 16 by 13 hexes."""

    def ground(self, setup: Setup) -> HexGround:
        ground = setup_board(setup).ground
        if mission_of(setup) not in SCORED_PIECES:
            return replace(ground, spots=())
        word = SCORED_PIECES[mission_of(setup)]
        spots = tuple(replace(spot, name=f"{word} {spot.letter}") for spot in ground.spots)
        return replace(ground, points=(0, 0), spots=spots, spot_word=word)

    def follow(self, ground: HexGround, event: Event) -> HexGround:
        if event.kind == "building-destroyed":
            at = event.number("at")
            cells = list(ground.cells)
            cells[at] = replace(cells[at], terrain=TERRAIN["black"], floors=0, top=0)
            return replace(ground, cells=tuple(cells))
        if event.kind == "objective-placed":
            return replace(ground, spots=(*ground.spots, new_spot(event, ground.spot_word)))
        if event.kind == "objective-held":
            return held(ground, event)
        if event.kind in ("object-taken", "object-dropped", "object-secured"):
            return carried(ground, event)
        return ground

    def aim(self, event: Event) -> HexAim | None:
        """Return attacker, target and success of an attack. HX-084, HX-150."""
        if event.kind == "building-attacked":
            at = event.number("at")
            return HexAim(event.unit or "", None, True, "hit", at % COLUMNS, at // COLUMNS)
        if event.kind == "attack-rolled":
            made = bool(event.result["made"])
            return HexAim(event.unit or "", event.target or "", made, "on target" if made else "missed")
        if event.kind == "counter-rolled":
            made = bool(event.result["made"])
            return HexAim(event.unit or "", event.target or "", made, "counter" if made else "counter missed")
        return None

    def points_given(self, event: Event) -> tuple[str, int] | None:
        """Return the unit and the AP that it rolled, if the event is this roll. HX-061."""
        return (event.unit or "", event.number("pool")) if event.kind == "pool-rolled" else None

    def points_spent(self, event: Event) -> int:
        """Return an event's cost in AP. HX-082, HX-098, HX-107, HX-121."""
        if event.kind in COMMAND_EVENTS:
            return codes.COMMAND
        return event.number("paid") if "paid" in event.result else 0


def mission_of(setup: Setup) -> str:
    """Return the slug of the mission."""
    if isinstance(setup.scenario, str):
        return setup.scenario
    spec = setup.scenario.get("spec")
    return str(spec.get("mission", "")) if isinstance(spec, dict) else ""


def new_spot(event: Event, word: str) -> HexSpot:
    """Return an Objective or object in the hex where it is placed."""
    at, number = event.number("at"), event.number("object") + 1
    return HexSpot(f"{word} {number}", str(number), at % COLUMNS, at // COLUMNS)


def held(ground: HexGround, event: Event) -> HexGround:
    """Give a side an Objective, with the side's new score. HX-167."""
    side, at = event.number("side"), event.number("object")
    spots = tuple(replace(spot, side=side) if place == at else spot for place, spot in enumerate(ground.spots))
    points = list(ground.points or (0, 0))
    points[side] = event.number("points")
    return replace(ground, spots=spots, points=(points[0], points[1]))


def carried(ground: HexGround, event: Event) -> HexGround:
    """Move an object that is picked up, dropped or secured. HX-165."""
    at = event.number("object")
    spot = ground.spots[at]
    if event.kind == "object-taken":
        spot = replace(spot, is_away=True, state="carried")
    elif event.kind == "object-dropped":
        column, row = event.number("at") % COLUMNS, event.number("at") // COLUMNS
        spot = replace(spot, is_away=False, state="", column=column, row=row)
    else:
        spot = replace(spot, is_away=True, state="brought home")
    return replace(ground, spots=tuple(spot if place == at else each for place, each in enumerate(ground.spots)))


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
