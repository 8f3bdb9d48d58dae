"""Hex Core on a company's roster and on a result slip: one line per unit."""

from __future__ import annotations

from systems.hex_core.build.datasheet import Datasheet
from systems.hex_core.build.hand import HAND
from systems.hex_core.catalogue import CATALOGUE
from systems.paper.blocks import RosterLine, RosterPilot, slip_words
from systems.paper.words import pluralize
from systems.roster import PilotCard

from .cards import is_named

ROSTER_NOTES = "Carries"
MAX_DP = max(sum(base + base // 2 for base in core.dp) for core in CATALOGUE.cores.values())
SLIP_WORDS = slip_words(HAND, hits=MAX_DP, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    carried = [line.name for line in sheet.weapons]
    carried += [name for name, _, _ in sheet.shields]
    carried += [drone.name for drone in sheet.drones]
    return RosterLine(
        name=sheet.name,
        design=", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.size_name))),
        points=sheet.points,
        pilot=roster_pilot(sheet.pilot) if sheet.pilot else None,
        notes=", ".join(carried),
        damage="in repair" if sheet.in_repair else "",
    )


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    return RosterPilot(
        name=pilot.full_name,
        level=CATALOGUE.ranks[pilot.experience].name,
        skills=", ".join(CATALOGUE.traits[slug].name for slug in pilot.skills),
        record=f"{pluralize(pilot.kills, 'kill')}, {pluralize(pilot.games, 'battle')}"
        if pilot.kills or pilot.games
        else "",
    )
