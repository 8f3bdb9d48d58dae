"""Mech Campaign on a company's roster and on a result slip: one line per unit."""

from __future__ import annotations

from systems.mech_campaign.build.datasheet import Datasheet
from systems.mech_campaign.build.hand import HAND
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import DAMAGE_TO_ELIMINATE
from systems.paper.blocks import RosterLine, RosterPilot, slip_words
from systems.paper.words import pluralize
from systems.roster import PilotCard

from .cards import is_named

ROSTER_NOTES = "Armament and base vehicle"
SLIP_WORDS = slip_words(HAND, hits=DAMAGE_TO_ELIMINATE, sides=("Side A", "Side B"))


def roster_line(sheet: Datasheet) -> RosterLine:
    pilot = sheet.pilot
    return RosterLine(
        name=sheet.name,
        design=_design(sheet),
        points=sheet.points,
        pilot=RosterPilot(name=pilot.name, level=pilot.rank_name, record=_roster_record(pilot.kills, pilot.games))
        if pilot
        else None,
        notes="; ".join(filter(None, (sheet.armament, sheet.base_vehicle and f"base vehicle {sheet.base_vehicle}"))),
        damage=_damage(sheet),
    )


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    rank = CATALOGUE.ranks[pilot.experience].name
    return RosterPilot(name=pilot.full_name, level=rank, record=_roster_record(pilot.kills, pilot.games))


def _design(sheet: Datasheet) -> str:
    return ", ".join(filter(None, (sheet.design_name if is_named(sheet) else "", sheet.size_name)))


def _roster_record(kills: int, games: int) -> str:
    """Return eliminations and battles; empty if there are none."""
    return f"{pluralize(kills, 'elimination')}, {pluralize(games, 'battle')}" if kills or games else ""


def _damage(sheet: Datasheet) -> str:
    parts = [f"{sheet.damage} of {sheet.hits} damage"] if sheet.damage else []
    return "; ".join([*parts, *(["in the workshop"] if sheet.in_workshop else [])])
