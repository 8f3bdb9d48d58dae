"""What stands for a unit on the table, seen from above. A track may be out of sight underground (MC-060, MC-063)."""

from __future__ import annotations

from systems.mech_campaign.build.datasheet import Datasheet
from systems.mech_campaign.catalogue import CATALOGUE
from systems.paper.blocks import CounterContent
from systems.paper.silhouettes import SHAPES, silhouette

CODES = {"heavy-mech": "HVY", "light-mech": "LGT", "track": "TRK", "drone": "DRN", "gun-sentry": "GUN"}


def unit_counter(sheet: Datasheet) -> CounterContent:
    shape = silhouette(sheet.size)
    return CounterContent(
        name=sheet.name,
        shape=shape,
        code=CODES.get(sheet.size, SHAPES[shape]),
        figure=str(sheet.hits),
        figure_label="Damage that eliminates it",
        unknown="Underground" if CATALOGUE.unit_kinds[sheet.size].is_tunneller else "",
    )
