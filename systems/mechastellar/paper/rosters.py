"""MechaStellar on a company's roster and on a result slip: one line per unit."""

from __future__ import annotations

from systems.mechastellar.build.datasheet import Datasheet
from systems.mechastellar.build.hand import HAND, MAX_HP
from systems.mechastellar.build.system import LEVEL_NAMES
from systems.paper.blocks import RosterLine, RosterPilot, slip_words
from systems.paper.words import pluralize
from systems.roster import PilotCard

from .cards import is_named

ROSTER_NOTES = "Carries"
SLIP_WORDS = slip_words(HAND, hits=MAX_HP, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    return RosterLine(
        name=sheet.name,
        design=", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.kind_name))),
        points=sheet.points,
        pilot=roster_pilot(sheet.pilot) if sheet.pilot else None,
        notes=", ".join(line.name for line in sheet.weapons),
        damage=_damage(sheet),
    )


def _damage(sheet: Datasheet) -> str:
    parts = [f"{sheet.hits_left} of {sheet.hits} HP"] if sheet.hits_left < sheet.hits else []
    return ", ".join([*parts, *(["too few to fight"] if sheet.is_unfit else [])])


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    points = f"{pilot.points} experience, " if pilot.points is not None else ""
    record = f"{points}{pluralize(pilot.kills, 'kill')}, {pluralize(pilot.games, 'battle')}"
    return RosterPilot(name=pilot.full_name, level=LEVEL_NAMES[pilot.experience], record=record)
