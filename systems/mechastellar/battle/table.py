"""The table of a replay: its pieces and control points, attacks, Momentum."""

from __future__ import annotations

from systems.engine.events import Event
from systems.mechastellar.battle.setup import setup_table
from systems.mechastellar.battle.view import StellarView
from systems.mechastellar.catalogue import CATALOGUE
from systems.setups import Setup
from systems.situation import Situation
from systems.spaces import Aim
from systems.spaces.table import MeasuredSpace, MeasuredTable, Piece, Spot, on_table

HUNDREDTHS = 100  # hundredths of an inch
BREAKING = ("cover-checked", "cover-attacked", "area-checked", "terrain-thrown", "piece-knocked-down")


class StellarTable(MeasuredSpace):
    """The table, 48 by 48 inches unless its scenario says otherwise."""

    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table with its pieces and control points. ST-021, ST-023, ST-360."""
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
        """Return the wreck of a Warship. ST-353."""
        if event.kind != "wreck-left":
            return None
        kind = CATALOGUE.terrain["wreck"]
        return Piece(kind.slug, kind.name, event.number("x"), event.number("y"), event.number("radius"))

    def fallen_piece(self, event: Event) -> int | None:
        """Return a piece that was broken, thrown or brought down. ST-314, ST-346."""
        if event.kind not in BREAKING or not event.result.get("gone", True):
            return None
        return event.number("disc")

    def aim(self, event: Event) -> Aim | None:
        """Return the attacker, the target and whether any Hits get through. ST-115."""
        if event.kind == "attack-blocked":
            return Aim("shot", event.unit or "", event.target or "", success=False)
        if event.kind == "damage-taken" and event.target:
            return Aim("shot", event.target, event.unit or "", success=True)
        return None

    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the control point that an event gives to a side. ST-363 to ST-366."""
        if event.kind not in ("point-taken", "point-held"):
            return None
        return event.number("point"), event.number("owner")

    def pools(self, situation: Situation) -> str:
        """Describe the Momentum of both sides. ST-240."""
        left = [next(unit for unit in on_table(situation) if unit.side == side) for side in range(2)]
        told = [unit.momentum for unit in left if isinstance(unit, StellarView)]
        return f"Momentum: {told[0]} below, {told[1]} above"

    def points_given(self, event: Event) -> tuple[int, int] | None:
        return None

    def points_spent(self, event: Event) -> int:
        return 0
