"""Replays: opening position, chapters, the table, and the luck of the dice.

The table shows rolled terrain, aimed actions and claimed beacons. Luck compares dice rolled against a needed number
with their chance of success.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.events import Event
from systems.mech_campaign.battle.events import DISC_KINDS, MechView
from systems.mech_campaign.battle.rules.table import disc_radius
from systems.mech_campaign.battle.setup import describe_objectives, field_units, read_ground, read_scenario, unit_names
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import DAMAGE_TO_ELIMINATE
from systems.setups import Setup, once_a_setup
from systems.spaces import Aim
from systems.spaces.maps import MeasuredSpace, MeasuredTable, Piece, Spot


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
    """Return a function that gives an event's chapter. MC-032.

    The chapters are set-up; each player turn's action points, acting units and end; and the end of the game turn.
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


AIMS = {  # kind of event -> kind of aim, and the result field that means success
    "shot-rolled": ("shot", "hit"),
    "suppression-rolled": ("suppression", "hit"),
    "suppression-placed": ("suppression", ""),
    "lock-placed": ("lock", ""),
}


class Table(MeasuredSpace):
    """The table, 36 by 36 inches unless the scenario says otherwise."""

    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table with objectives, tunnel mouths and the scenario's fixed terrain. MC-020, MC-023."""
        scenario = read_scenario(setup.scenario)
        mouth = CATALOGUE.terrain["tunnel-mouth"]
        names = describe_objectives(scenario)
        ground = read_ground(setup.scenario)
        return MeasuredTable(
            width=ground.size_h,
            height=ground.size_h,
            depth=ground.zone_h,
            objectives=tuple(
                Spot("objective", name[0].upper() + name[1:], x, y)
                for name, (x, y) in zip(names, scenario.places_h, strict=False)
            ),
            spots=tuple(
                Spot(mouth.slug, mouth.name, x, y) for x, y in sorted(ground.mouths_h, key=lambda at: (at[1], at[0]))
            ),
            pieces=tuple(
                Piece(each.kind, CATALOGUE.terrain[each.kind].name, each.x_h, each.y_h, each.radius_h)
                for each in ground.pieces
            ),
        )

    def piece(self, event: Event) -> Piece | None:
        """Return the disc rolled for a sector. MC-022."""
        if event.kind != "terrain-rolled" or not event.result["disc"]:
            return None
        code = event.number("disc")
        terrain = CATALOGUE.terrain[DISC_KINDS[code]]
        return Piece(terrain.slug, terrain.name, event.number("x"), event.number("y"), disc_radius(code))

    def aim(self, event: Event) -> Aim | None:
        """Return the unit that fires at, suppresses or locks another, and its target. MC-073, MC-081, MC-086.

        Placing a marker after a roll costs nothing more, so the aim belongs to the roll.
        """
        if event.kind not in AIMS or not event.result["cost"]:
            return None
        what, success = AIMS[event.kind]
        done = bool(event.result[success]) if success else True
        return Aim(what, event.unit or "", event.target or "", done)

    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the claimed beacon and the side claiming it. MC-124."""
        return (event.number("objective"), event.number("side")) if event.kind == "beacon-claimed" else None

    def points_given(self, event: Event) -> tuple[int, int] | None:
        """Return a player turn's side and action points. MC-033."""
        return (event.number("side"), event.number("points")) if event.kind == "points-rolled" else None

    def points_spent(self, event: Event) -> int:
        """Return an action's cost in action points. MC-036."""
        return event.number("cost") if "cost" in event.result else 0


WHAT = {"shot-rolled": "hit", "suppression-rolled": "hit", "repair-rolled": "repair", "charge-rolled": "charge"}


def trial_of(event: Event) -> Trial | None:
    """Return the die of a shot (MC-073), a repair (MC-090) or a charge (MC-125); None for other events."""
    if event.kind not in WHAT:
        return None
    return Trial(
        what=WHAT[event.kind],
        unit=event.unit or "",
        dice=1,
        successes=int(event.total >= event.number("number")),
        chance=Fraction(sum(face + event.added >= event.number("number") for face in range(1, 7)), 6),
    )
