"""Replays: opening position, chapters, the map, and the luck of the dice.

Luck compares dice rolled against a needed number with their chance of success.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.events import Event
from systems.meks_and_mercs.battle.effects import MekView
from systems.meks_and_mercs.battle.events import RANDOM_TERRAIN
from systems.meks_and_mercs.battle.orders import placements
from systems.meks_and_mercs.battle.setup import PRINTED, field_units, scenario_of
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import Scenario
from systems.meks_and_mercs.options import Options
from systems.setups import Setup, once_a_setup
from systems.spaces import Aim
from systems.spaces.maps import Sight, ZoneGround, Zones


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units as they enter the battle, without contacts."""
    posts = placements(setup) if scenario_of(setup) is not None else ()
    units = tuple(
        MekView(
            key=fielded.unit.key,
            name=fielded.name,
            side=fielded.side,
            chassis=fielded.chassis,
            hits=fielded.full_hits if fielded.condition.hits is None else fielded.condition.hits,
            max_hits=fielded.full_hits,
            wounded=bool(fielded.condition.wounded),
            legs=fielded.condition.legs,
            weapons=tuple(
                (weapon.name, slot not in fielded.condition.weapons_lost) for slot, weapon in enumerate(fielded.weapons)
            ),
            systems=tuple(
                (CATALOGUE.systems[slug].name, slot not in fielded.condition.systems_lost)
                for slot, slug in enumerate(fielded.systems)
            ),
            zone=posts[at].zone if posts else 0,
            dug_in=bool(fielded.condition.dug_in),
            decoy=fielded.role == "decoy",
        )
        for at, fielded in enumerate(field_units(setup))
    )
    return Situation(units)


WIDTH = 3  # zones per row of the map
MOVEMENT_STEPS = {"start", "contact", "wounds", "movement"}  # a round's steps before detection and fire
HIT_FIELDS = {
    "shot-rolled": "hit",
    "infantry-attacked": "hit",
    "kills-rolled": "kills",
}  # kind of event -> the result field that means a hit
DETECTION_EVENTS = {
    "targeting-rolled",
    "hawkeye-rolled",
    "identification-rolled",
    "infantry-searched",
    "unit-identified",
    "commandos-detected",
    "commandos-identified",
    "commandos-marked",
}


class ZoneMap(Zones):
    """The nine zones of a scenario."""

    signs = (
        "★ key zone", "■ sets up", "▼ arrives", "△ way out", "+ wounded", "dashed: hidden", "?: decoy", "toothed: dug in",
    )  # fmt: skip

    def ground(self, setup: Setup, events: Iterable[Event]) -> tuple[ZoneGround, ...]:
        """Return the nine zones with their terrain, whether printed, chosen or rolled. MM-012."""
        scenario = scenario_of(setup)
        if scenario is None:
            return ()
        slugs = list(scenario.terrain) if setup.terrain == PRINTED else [setup.terrain] * len(scenario.terrain)
        for event in events:
            if event.kind == "terrain-rolled":
                slugs[event.number("zone") - 1] = RANDOM_TERRAIN[event.number("terrain")]
        return tuple(
            ZoneGround(
                number=number,
                row=1 + (number - 1) // WIDTH,
                column=1 + (number - 1) % WIDTH,
                terrain_name=CATALOGUE.terrain[slug].name,
                look=slug,
                marks=_marks(scenario, number),
            )
            for number, slug in enumerate(slugs, start=1)
        )

    def sight(self, event: Event) -> Sight | None:
        """Return whether a unit found or targeted another; None for other events. MM-036 to MM-038, MM-074, MM-090."""
        if event.kind not in DETECTION_EVENTS or event.unit is None or event.target is None:
            return None
        return Sight(event.unit, event.target, bool(event.result.get("success", True)))

    def aim(self, event: Event) -> Aim | None:
        """Return shooter, target and whether the shot hits; None for other events. MM-043, MM-063, MM-064."""
        if event.kind not in HIT_FIELDS:
            return None
        return Aim("shot", event.unit or "", event.target or "", bool(event.result[HIT_FIELDS[event.kind]]))

    def opens_round(self, event: Event) -> bool:
        return event.kind == "round-began"


def _marks(scenario: Scenario, number: int) -> tuple[str, ...]:
    marks = []
    if number == scenario.key_zone:
        marks.append("key zone")
    if number in scenario.exit_zones:
        marks.append(f"exit by the {scenario.exit_edge} edge")
    for word, side in (("attacker", scenario.attacker), ("defender", scenario.defender)):
        if side.arrival and number in side.arrival.zones:
            marks.append(f"{word} arrives")
        for step in side.setup:
            if number in step.zones and step.who != "rest" and len(step.zones) < len(scenario.terrain):
                marks.append(f"{word} sets up")
    return tuple(marks)


def chapters(setup: Setup) -> Callable[[Event], Chapter]:
    """Return a function that names each event's chapter; call it in order.

    The chapters are set-up, initiative, each side's moves, each fight round by round, and the end of the turn. MM-015.
    """
    sides = [side.name for side in setup.sides]
    here = Chapter("Set-up")
    number = 0  # round of the fight

    def chapter(event: Event) -> Chapter:
        nonlocal here, number
        if event.kind == "phase-began":
            second = " makes its second move" if event.result["second"] else " moves"
            here = Chapter(f"{sides[event.number('side')]}{second}")
        elif event.kind == "zone-contested":
            zone, number = event.number("zone"), 0
            here = Chapter(f"Fight in zone {zone}", "Contact", zone)
        elif event.step in ("turn", "initiative"):
            here = Chapter("Initiative")
        elif event.step == "victory":
            here = Chapter("Turn end")
        elif here.zone:
            if event.kind == "round-began":
                number = event.number("number")
            if number:
                part = "movement" if event.step in MOVEMENT_STEPS else "fire"
                here = Chapter(here.phase, f"Round {number}: {part}", here.zone)
        return here

    return chapter


SIDES_OF_A_DIE = range(1, 7)


def trial_of(event: Event, setup: Setup) -> Trial | None:
    """Return the dice of a shot (MM-043), infantry attack (MM-063) or save (MM-051); None for other events.

    A re-rolled die counts separately.
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
