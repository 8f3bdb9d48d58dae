"""What lies on a table of MechaStellar."""

from __future__ import annotations

from dataclasses import dataclass


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
    """What lies on a table: control points and pieces, each in the order that breaks ties."""

    name: str
    points: tuple[tuple[float, float], ...]
    pieces: tuple[TablePiece, ...]
