"""Start positions by autoplay orders, set before the first die; the AI places all other units. MC-024 to MC-027."""

from __future__ import annotations

from collections.abc import Sequence

from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.rules.table import deployment_depth, place_in_line, starts_underground
from systems.mech_campaign.battle.setup import FieldedUnit, field_units
from systems.mech_campaign.battle.state import State, Unit
from systems.setups import Setup
from systems.standing import orders_of
from systems.starting import Starter, places_in_thirds, start_places

ROOM = codes.SPACING // 2  # MC-024: 1 in apart


def follow_orders(setup: Setup, state: State) -> None:
    """Apply the orders that depend on the kind of unit: start positions, and saving the pilot if there is one."""
    fielded = field_units(setup)
    for unit, each in zip(state.units, fielded, strict=True):
        unit.told_preserve &= int(each.spec.unit_kind.is_piloted)
    for at in range(2):
        own = [place for place, each in enumerate(fielded) if each.side == at]
        told = {place: third for place in own if (third := _start_third(setup, state, fielded[place], place))}
        if told:
            _place_side(state, own, told)


def _start_third(setup: Setup, state: State, fielded: FieldedUnit, place: int) -> str:
    """Return the third of the edge in which a unit is ordered to start.

    Orders of its side don't apply to a unit that starts off the table.
    """
    starts_off = state.units[place].kind == codes.DRONE or starts_underground(state, place)
    given = fielded.unit.standing if starts_off else orders_of(setup.sides[fielded.side], fielded.unit)
    return str(given.get("start", ""))


def _place_side(state: State, own: Sequence[int], told: dict[int, str]) -> None:
    """Set up a side with such orders: the line, and the gun sentries in front of it. MC-024, MC-026, MC-027."""
    units = state.units
    drones = [place for place in own if place in told and units[place].kind == codes.DRONE]
    for nth, x in places_in_thirds([told[place] for place in drones], 0, state.battle.table).items():
        _place_unit(state, units[drones[nth]], x)
    on_ground = [place for place in own if units[place].kind != codes.DRONE]
    for is_sentry in (False, True):
        row = [
            place
            for place in on_ground
            if (units[place].kind == codes.SENTRY) == is_sentry
            and (place in told or not starts_underground(state, place))
        ]
        line = [
            Starter(told.get(place, ""), place_in_line(state.battle, nth, len(row)), ROOM)
            for nth, place in enumerate(row)
        ]
        for place, x in zip(row, start_places(line, 0, state.battle.table), strict=True):
            _place_unit(state, units[place], x)


def _place_unit(state: State, unit: Unit, x: int) -> None:
    """Start the unit at distance x from the left end of its edge, from its side's view."""
    unit.placed = 1
    unit.status = codes.TABLE
    unit.x = x
    unit.y = deployment_depth(state.battle, int(unit.kind == codes.SENTRY))
    if unit.side == codes.SIDE_B:
        unit.x, unit.y = state.battle.table - unit.x, state.battle.table - unit.y
