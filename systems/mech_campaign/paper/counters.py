"""The counter of a unit for the table, seen from above. A track may be hidden underground (MC-060, MC-063)."""

from __future__ import annotations

from systems.mech_campaign.build.datasheet import Datasheet
from systems.mech_campaign.catalogue import CATALOGUE
from systems.paper.blocks import CounterContent
from systems.paper.silhouettes import code_of, silhouette


def build_counter(sheet: Datasheet) -> CounterContent:
    return CounterContent(
        name=sheet.name,
        shape=silhouette(sheet.size),
        code=code_of(sheet.size),
        figure=str(sheet.hits),
        figure_label="Damage that eliminates it",
        unknown="Underground" if CATALOGUE.unit_kinds[sheet.size].is_tunneller else "",
    )
