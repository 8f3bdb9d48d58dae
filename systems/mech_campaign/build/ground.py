"""The table of a battle: its size, the zones, tunnel mouths, terrain that lies there from the start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import Place

TABLE_IN = 36  # MC-020
ZONE_IN = 6  # depth, MC-024
SENTRIES = 2  # zones of gun sentries are this many times as deep
IN_H = 100
DiscKind = Literal["rubble", "hill", "works"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPiece:
    """A disc of terrain; lengths in hundredths of an inch."""

    kind: DiscKind
    x_h: int
    y_h: int

    @property
    def radius_h(self) -> int:
        return CATALOGUE.terrain[self.kind].radius_h


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A table; lengths in hundredths of an inch. MC-020 to MC-024."""

    size_h: int = TABLE_IN * IN_H  # each way
    zone_h: int = ZONE_IN * IN_H
    pieces: tuple[DrawnPiece, ...] = ()  # empty: terrain is rolled, or the ground is open

    @property
    def mouths_h(self) -> tuple[Place, ...]:
        """The tunnel mouths, at the corners of the sectors, in the order in which side A sees them. MC-023, ledger 6.7."""
        near = self.size_h // 3
        far = self.size_h - near
        return (near, far), (far, far), (near, near), (far, near)


BY_THE_BOOK = Ground()
