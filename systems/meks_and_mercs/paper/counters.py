"""The counters of Meks and support units on the zone map.

Unknown units are contacts: hidden Meks, decoys (MM-082, MM-083).
"""

from __future__ import annotations

from systems.meks_and_mercs.build.datasheet import Datasheet, SupportCard
from systems.paper.blocks import CounterContent
from systems.paper.silhouettes import SHAPES, silhouette


def unit_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=SHAPES[silhouette(sheet.size)],
        figure=str(sheet.hits),
        figure_label="Hits",
    )


def support_counter(sheet: SupportCard) -> CounterContent:
    shape = silhouette(sheet.slug)
    return CounterContent(
        name=sheet.name,
        shape=shape,
        code=SHAPES[shape],
        figure=str(sheet.hits or sheet.kill_boxes or ""),
        figure_label="Hits" if sheet.hits else "Kills to remove",
    )
