"""The contents of a MechaStellar table."""

from __future__ import annotations

from dataclasses import dataclass

from systems.mechastellar.catalogue.types import TABLE_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePiece:
    slug: str
    x: float
    y: float
    radius: float
    kind: str
    is_destructible: bool
    is_high: bool = False
    has_roof: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The contents of a table: control points and pieces, each in the order that breaks ties."""

    name: str
    points: tuple[tuple[float, float], ...]
    pieces: tuple[TablePiece, ...]
    size: int = TABLE_IN  # each way
    stellar: bool = False  # in space: cannons don't fire indirectly. ST-099

    @property
    def depth(self) -> float:
        """The depth of deployment, a quarter of the table. ST-023."""
        return self.size / 4
