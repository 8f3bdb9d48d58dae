"""The table of a replay: its blocks, woods and hill, and the attacks on it."""

from __future__ import annotations

from systems.blazing_steel.battle.setup import setup_table
from systems.blazing_steel.build.scenario import read_spec
from systems.blazing_steel.build.tables import Disc
from systems.blazing_steel.build.tables import Table as Lies
from systems.blazing_steel.catalogue import CATALOGUE
from systems.engine.events import Event
from systems.setups import Setup
from systems.spaces import Aim
from systems.spaces.table import MeasuredSpace, MeasuredTable, Piece, Spot

HUNDREDTHS = 100  # hundredths of an inch


class SteelTable(MeasuredSpace):
    """The table, 48 by 48 inches unless its scenario says otherwise."""

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
        """Return the attacker, the target and whether the attack hits. BS-093, BS-094."""
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


def table_pieces(table: Lies) -> tuple[Piece, ...]:
    """Return the terrain of a table. The hill lies below everything else."""
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
