"""The changes that a spectator sees and that are more than one value of one unit."""

from __future__ import annotations

from dataclasses import replace

from systems.engine.events import Event
from systems.engine.facts import shows
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.view import MechView
from systems.mech_campaign.catalogue.types import DAMAGE_TO_ELIMINATE
from systems.situation import Situation
from systems.spaces.table import Stand

PLACES = {codes.AWAY: "away", codes.UNDER: "underground"}
FACINGS = {codes.SIDE_A: (0, 1), codes.SIDE_B: (0, -1)}


def hits_left(event: Event) -> int:
    return DAMAGE_TO_ELIMINATE - event.number("damage")


def deployed(unit: MechView, event: Event) -> MechView:
    status = event.number("status")
    if status != codes.TABLE:
        return replace(unit, place=PLACES[status])
    ahead = event.number("ahead_x"), event.number("ahead_y")
    return replace(unit, stand=Stand(event.number("x"), event.number("y"), *ahead), place="")


def moved(unit: MechView, event: Event) -> MechView:
    """Return the unit at its new place. A unit that comes onto the table faces the enemy's edge."""
    ahead = (unit.stand.face_x, unit.stand.face_y) if unit.stand else FACINGS[unit.side]
    return replace(unit, stand=Stand(event.number("x"), event.number("y"), *ahead), place="")


def turned(unit: MechView, event: Event) -> MechView:
    assert unit.stand is not None
    return replace(unit, stand=replace(unit.stand, face_x=event.number("ahead_x"), face_y=event.number("ahead_y")))


def uses_lock(event: Event) -> bool:
    """Return True if a shot had the help of a target lock, which is used up. MC-075."""
    return any(part.rule == "MC-075" for part in event.modifiers)


def succeeded(unit: MechView, event: Event) -> MechView:
    return replace(unit, specials=unit.specials + 1)


def eliminated(situation: Situation, event: Event) -> Situation:
    gone = shows(destroyed=True, stand=None, suppression=0, locked_by=None)(situation, event)
    return gone.changed(str(event.result["by"]), lambda unit: replace(unit, kills=unit.kills + 1))


def retreated(unit: MechView, event: Event) -> MechView:
    return replace(unit, withdrew=not unit.destroyed)


def freed(unit: MechView, event: Event) -> MechView:
    return replace(unit, suppression=0, locked_by=None)
