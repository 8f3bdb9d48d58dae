"""The counter of a machine for the hexes: round, with an arrow at its front and lines that bound its view and its Flank."""

from __future__ import annotations

from systems.hex_core.build.datasheet import Datasheet
from systems.paper.blocks import CounterContent
from systems.paper.silhouettes import silhouette

ACROSS_MM = 28.0
VIEW_AND_FLANK = (-120, -60, 60, 120)  # HX-076, HX-077


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=f"C{sheet.unit_class}",
        figure=str(sheet.areas[1].dp),
        figure_label=f"{sheet.areas[1].name} DP",
        unknown="",
        base_mm=ACROSS_MM,
        arcs=VIEW_AND_FLANK,
    )
