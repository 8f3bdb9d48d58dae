"""The counter of a unit for the table: a silhouette by its Size, with its front and its HP."""

from __future__ import annotations

from systems.mechastellar.build.datasheet import Datasheet
from systems.mechastellar.build.words import ATTRIBUTION, CREDIT, MARK
from systems.paper.blocks import CounterContent
from systems.paper.silhouettes import silhouette

ARCS = (-90, 90)  # front and rear, ST-064
MM_BY_SIZE = (25.0, 32.0, 40.0, 50.0, 60.0, 60.0)  # width; Muster's own, as the source measures from centres


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=f"S{sheet.size_number}",
        figure=str(sheet.hits),
        figure_label="HP",
        unknown="",
        base_mm=MM_BY_SIZE[min(5, max(0, sheet.size_number))],
        arcs=ARCS,
        credit=CREDIT,
        attribution=ATTRIBUTION,
        mark=MARK,
    )
