"""Heat: the dice of a turn are rolled, merged and checked. BS-100 to BS-106, BS-174, ledger BS-AR33."""

from __future__ import annotations

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.engagements import throw
from systems.blazing_steel.battle.rules.facts import has_peripheral
from systems.blazing_steel.battle.state import State
from systems.blazing_steel.battle.told import dice_note
from systems.engine.dice import Dice, Log, note


def rolls_heat(s: State, k: int) -> bool:
    """Return True if the active Warmech of order k rolls heat at the turn's end. BS-035, BS-052, BS-100, BS-106."""
    i = s.orders[k].unit
    if i == c.NOBODY:
        return False
    u = s.units[i]
    return u.status == c.STANDS and u.cooling == 0 and u.heat_made > 0


def can_use_rods(s: State, i: int) -> bool:
    """Return True if Coolant Rods are ready. BS-174."""
    u = s.units[i]
    return has_peripheral(u, c.RODS) and u.used == 0


def use_rods(s: State, i: int, log: Log) -> None:
    """Remove the heat of this turn; the next activation of the round makes none. BS-174."""
    u = s.units[i]
    u.used = 1
    u.ban = c.BAN_NEXT
    note(log, "rods-used", unit=i, heat=u.heat_made)
    u.heat_made = 0


def roll_heat(s: State, i: int, dice: Dice, log: Log) -> None:
    """Roll the heat dice of a turn. Merging pairs is adding weights in binary; two sixes weigh 64. BS-100 to BS-105."""
    u = s.units[i]
    throw(s, u.heat_made, dice)
    removed = 0
    for at in range(u.heat_made):
        face = s.faces[at].face
        if face == 1 and u.sinks:
            removed += 1
        else:
            u.heat += 1 << (face - 1)
    if u.heat >= c.OVERHEAT:
        u.overheated = 1
        u.overheats += 1
    note(
        log,
        "heat-rolled",
        dice_note(s, u.heat_made),
        unit=i,
        removed=removed,
        heat=u.heat,
        overheats=u.overheated,
    )
    u.heat_made = 0
