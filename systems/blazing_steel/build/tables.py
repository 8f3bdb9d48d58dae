"""The contents of a Blazing Steel table: printed on a map, or placed by the author of a scenario."""

from __future__ import annotations

from dataclasses import dataclass

from systems.blazing_steel.catalogue.types import CENTRE_IN, TABLE_IN, TableMap

HILL_IN = 4  # radius of the hill in drawings; only its marker counts, BS-194
Disc = tuple[float, float, float]  # x east, y north, radius, in inches from the south-west corner


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A square table with its hill, blocks and woods."""

    slug: str
    name: str
    size: int = TABLE_IN  # inches each way
    marker: tuple[float, float] = (CENTRE_IN, CENTRE_IN)  # of the hill
    blocks: tuple[Disc, ...] = ()
    woods: tuple[Disc, ...] = ()

    @property
    def hills(self) -> tuple[Disc, ...]:
        return ((*self.marker, HILL_IN),)


def map_table(entry: TableMap) -> Table:
    """Return a map of the catalogue as a table."""
    ((x, y, _radius),) = entry.hills
    return Table(slug=entry.slug, name=entry.name, marker=(x, y), blocks=entry.blocks, woods=entry.woods)
