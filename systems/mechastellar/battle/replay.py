"""Replays: opening position, division into steps, the table, and the luck of the dice.

The table shows pieces, control points, attacks and Momentum. Luck compares dice rolled against a needed number with
their chance of success.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.engine.events import Event
from systems.mechastellar.battle.effects import StellarView
from systems.mechastellar.battle.event_words import STEPS
from systems.mechastellar.battle.setup import field_units, setup_table, unit_names, weapon_names
from systems.mechastellar.catalogue import CATALOGUE
from systems.setups import Setup, once_a_setup
from systems.spaces import Aim
from systems.spaces.maps import MeasuredSpace, MeasuredTable, Piece, Spot, on_table

INCH = 100
TURN_STEPS = ("turn", "move", "attack", "end-turn")


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units, before they are placed."""
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
    """Divide the record into set-up and each Round's start, turns and end."""
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


HUNDREDTHS = 100  # hundredths of an inch
BREAKING = ("cover-checked", "cover-attacked", "area-checked", "terrain-thrown", "piece-knocked-down")


class StellarTable(MeasuredSpace):
    """The table, 48 by 48 inches unless the scenario says otherwise."""

    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table with pieces and control points. ST-021, ST-023, ST-360."""
        table = setup_table(setup)
        return MeasuredTable(
            width=table.size * HUNDREDTHS,
            height=table.size * HUNDREDTHS,
            depth=round(table.depth * HUNDREDTHS),
            objectives=tuple(
                Spot("objective", f"Point {at}", round(x * HUNDREDTHS), round(y * HUNDREDTHS))
                for at, (x, y) in enumerate(table.points, start=1)
            ),
            pieces=tuple(
                Piece(
                    each.kind,
                    CATALOGUE.terrain[each.kind].name,
                    round(each.x * HUNDREDTHS),
                    round(each.y * HUNDREDTHS),
                    round(each.radius * HUNDREDTHS),
                )
                for each in table.pieces
            ),
        )

    def piece(self, event: Event) -> Piece | None:
        """Return a Warship's wreck. ST-353."""
        if event.kind != "wreck-left":
            return None
        kind = CATALOGUE.terrain["wreck"]
        return Piece(kind.slug, kind.name, event.number("x"), event.number("y"), event.number("radius"))

    def fallen_piece(self, event: Event) -> int | None:
        """Return a piece that was destroyed, thrown or brought down. ST-314, ST-346."""
        if event.kind not in BREAKING or not event.result.get("gone", True):
            return None
        return event.number("disc")

    def aim(self, event: Event) -> Aim | None:
        """Return attacker, target and whether any Hits get through. ST-115."""
        if event.kind == "attack-blocked":
            return Aim("shot", event.unit or "", event.target or "", success=False)
        if event.kind == "damage-taken" and event.target:
            return Aim("shot", event.target, event.unit or "", success=True)
        return None

    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the control point that a side gains with an event. ST-363 to ST-366."""
        if event.kind not in ("point-taken", "point-held"):
            return None
        return event.number("point"), event.number("owner")

    def pools(self, situation: Situation) -> str:
        """Describe both sides' Momentum. ST-240."""
        left = [next(unit for unit in on_table(situation) if unit.side == side) for side in range(2)]
        momentum = [unit.momentum for unit in left if isinstance(unit, StellarView)]
        return f"Momentum: {momentum[0]} below, {momentum[1]} above"

    def points_given(self, event: Event) -> tuple[int, int] | None:
        return None

    def points_spent(self, event: Event) -> int:
        return 0


TRIALS = {
    "attack-rolled": "hit",
    "defence-rolled": "defence",
    "saves-rolled": "save",
    "rally-tested": "morale",
    "rout-tested": "morale",
}


def trial_of(event: Event) -> Trial | None:
    """Return the dice of a pool before any changes (ST-113, ST-114), of saves (ST-141), of morale (ST-247)."""
    if event.kind not in TRIALS or not event.faces:
        return None
    if event.kind == "saves-rolled":
        needed = event.number("pen") - event.number("bonus")
    else:
        needed = event.number("success" if "success" in event.result else "morale")
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face >= needed for face in event.faces),
        chance=Fraction(min(10, max(0, 11 - needed)), 10),
    )
