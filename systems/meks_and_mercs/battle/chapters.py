"""The chapters of a game on the map, for its replay; its ground; and which units have found which."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from systems.battle import Chapter
from systems.engine.events import Event
from systems.meks_and_mercs.battle.events import RANDOM_TERRAIN
from systems.meks_and_mercs.battle.setup import PRINTED, scenario_of
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.catalogue.types import Scenario
from systems.setups import Setup
from systems.spaces import Aim
from systems.spaces.zones import Sight, ZoneGround, Zones

WIDTH = 3  # zones in a row of the map
MOVEMENT_STEPS = {"start", "contact", "wounds", "movement"}  # steps of a round before detection and fire
HIT_FIELDS = {
    "shot-rolled": "hit",
    "infantry-attacked": "hit",
    "kills-rolled": "kills",
}  # kind: the result that shows a hit
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
        """Return the nine zones with their terrain: printed, chosen or rolled. MM-012."""
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
    """Return a function that names the chapter of each event in turn.

    The chapters are set-up, initiative, each side's moves, each fight round by round, and the end of the turn. MM-015.
    """
    sides = [side.name for side in setup.sides]
    here = Chapter("Set-up")
    number = 0  # of the round of the fight

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
