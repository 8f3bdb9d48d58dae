"""Blazing Steel on a company's roster and on a result slip: one line per Warmech."""

from __future__ import annotations

from systems.blazing_steel.build.datasheet import Datasheet
from systems.blazing_steel.build.hand import HAND
from systems.blazing_steel.catalogue import CATALOGUE
from systems.paper.blocks import RosterLine, slip_words

from .cards import is_named

ROSTER_NOTES = "Carries"
MAX_STRUCTURE = max(chassis.structure for chassis in CATALOGUE.chassis.values())
SLIP_WORDS = slip_words(HAND, hits=MAX_STRUCTURE, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    carried = [line.name for line in sheet.lines]
    if sheet.peripheral:
        carried.append(sheet.peripheral_label)
    return RosterLine(
        name=sheet.name,
        design=", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.kind))),
        points=sheet.points,
        notes=", ".join(carried),
        damage="in repair" if sheet.in_repair else "",
    )
