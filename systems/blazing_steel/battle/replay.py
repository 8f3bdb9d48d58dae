"""Replays: opening position, division into steps, the table, and the luck of the dice.

Luck compares dice rolled against a needed number with their chance of success.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from systems.battle import Chapter, Trial
from systems.battle_display import Situation
from systems.blazing_steel.battle.events import STEPS, SteelView
from systems.blazing_steel.battle.rules.damage import is_saved
from systems.blazing_steel.battle.setup import field_units, setup_table, weapon_names
from systems.blazing_steel.battle.state import SLOTS
from systems.blazing_steel.build.scenario import read_spec
from systems.blazing_steel.build.table import Disc, Table
from systems.blazing_steel.catalogue import CATALOGUE
from systems.engine.events import Event
from systems.setups import Setup, once_a_setup
from systems.spaces import Aim
from systems.spaces.maps import MeasuredSpace, MeasuredTable, Piece, Spot


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all Warmechs, before they are placed."""
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
    """Divide the record into set-up, each turn's orders, their results by action and heat, and the End Phase."""
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


HUNDREDTHS = 100  # hundredths of an inch


class SteelTable(MeasuredSpace):
    """The table, 48 by 48 inches unless the scenario says otherwise."""

    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table with its terrain. BS-D36."""
        table = setup_table(setup)
        x, y = table.marker
        return MeasuredTable(
            width=table.size * HUNDREDTHS,
            height=table.size * HUNDREDTHS,
            depth=read_spec(setup.scenario).zone_in * HUNDREDTHS,
            objectives=(
                Spot("objective", CATALOGUE.terrain["hill"].name, round(x * HUNDREDTHS), round(y * HUNDREDTHS)),
            ),
            pieces=table_pieces(table),
        )

    def piece(self, event: Event) -> Piece | None:
        return None

    def aim(self, event: Event) -> Aim | None:
        """Return attacker, target and success of an attack. BS-093, BS-094."""
        if event.kind != "attack-settled":
            return None
        return Aim("shot", event.unit or "", event.target or "", bool(event.result["lands"]))

    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the hill and the only side that holds it. BS-194."""
        return (0, event.number("side")) if event.kind == "hill-held" else None

    def leads(self, event: Event) -> int | None:
        """Return the Leading Player of a turn. BS-027."""
        return event.number("side") if event.kind == "turn-began" else None

    def points_given(self, event: Event) -> tuple[int, int] | None:
        return None

    def points_spent(self, event: Event) -> int:
        return 0


def table_pieces(table: Table) -> tuple[Piece, ...]:
    """Return the terrain of a table. The hill is below everything else."""
    kinds: tuple[tuple[str, tuple[Disc, ...]], ...] = (
        ("hill", table.hills),
        ("woods", table.woods),
        ("block", table.blocks),
    )
    return tuple(
        Piece(
            kind, CATALOGUE.terrain[kind].name, round(x * HUNDREDTHS), round(y * HUNDREDTHS), round(radius * HUNDREDTHS)
        )
        for kind, discs in kinds
        for x, y, radius in discs
    )


TRIALS = {
    "shot-rolled": "hit",
    "strike-rolled": "hit",
    "dodge-rolled": "dodge",
    "flak-rolled": "dodge",
    "damage-rolled": "save",
}


def trial_of(event: Event) -> Trial | None:
    """Return the dice of an attack or of its defence (BS-091), or of damage (BS-151).

    Dice rerolled through smoke are left out, because their number depends on earlier dice.
    """
    if event.kind not in TRIALS:
        return None
    if event.kind == "damage-rolled":
        ap, armor = event.number("ap"), event.number("armor") + event.added
        faces = [face for face in range(1, 7) if is_saved(face, ap, armor)]
    else:
        faces = [face for face in range(1, 7) if face <= event.number("tn")]
    return Trial(
        what=TRIALS[event.kind],
        unit=event.unit or "",
        dice=len(event.faces),
        successes=sum(face in faces for face in event.faces),
        chance=Fraction(len(faces), 6),
    )
