"""The counter of a Warmech for the table: its base at full size, with the arcs marked (ledger 2.12, 2.15)."""

from __future__ import annotations

from systems.blazing_steel.build.datasheet import Datasheet
from systems.blazing_steel.catalogue import CATALOGUE
from systems.paper.blocks import CounterContent
from systems.paper.silhouettes import silhouette

MM_PER_INCH = 25.4
ARC_LINES = tuple(sorted({line for arc in CATALOGUE.arcs.values() for line in (arc.least, arc.most)}))


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=sheet.weight,
        figure=str(sheet.structure),
        figure_label="Structure",
        unknown="",
        base_mm=sheet.base_in * MM_PER_INCH,
        arcs=ARC_LINES,
    )
