"""The places of Warmechs in a set-up, checked by the rules of deployment. BS-046, BS-185, BS-186."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

from systems.blazing_steel.battle import state as codes
from systems.blazing_steel.battle.doctrine import default_place
from systems.blazing_steel.battle.rules.geometry import TINY
from systems.blazing_steel.build.spec import WarmechSpec
from systems.blazing_steel.build.tables import Table
from systems.documents import DocumentError
from systems.setups import Setup, SetupPosition
from systems.spaces.inches import squared
from systems.starting import Starter, ordered_thirds, start_places

PlacedWarmech = tuple[str, WarmechSpec, SetupPosition | None]  # name, build and place of a Warmech

DEPLOYMENT_MOVES = 2  # moves in a deployment
INCH = 100  # hundredths of an inch
AHEAD = (90, -90)  # in degrees, for side A and side B
PI = Decimal("3.14159265358979323846264338327950288419716939937511")


def direction(degrees: int) -> tuple[float, float]:
    """Return the direction of length 1 at whole degrees from east, counter-clockwise.

    It is the same to the last bit on every machine.
    """
    quarters, rest = divmod(degrees, 90)
    x, y = (exact_sine(90 - rest), exact_sine(rest))
    for _ in range(quarters % 4):
        x, y = -y, x
    return x + 0.0, y + 0.0  # turns -0.0 into 0.0


def exact_sine(degrees: int) -> float:
    """Return the double nearest to the sine of 0 to 90 degrees."""
    if degrees == 90:
        return 1.0
    with localcontext() as context:
        context.prec = 50
        angle = PI * degrees / 180
        term = total = angle
        for n in range(2, 60, 2):
            term *= -angle * angle / (n * (n + 1))
            total += term
        return float(total)


def take_place(unit: codes.Unit, position: SetupPosition) -> None:
    """Place the Warmech before the battle; by default it faces the enemy's edge. BS-185."""
    unit.placed = 1
    unit.x = position.x
    unit.y = position.y
    unit.face_x, unit.face_y = direction(AHEAD[unit.side] if position.facing is None else position.facing)


def check_starts(setup: Setup) -> None:
    """Raise DocumentError for a Warmech with both a start order and a place in its set-up. BS-185."""
    for at, side in enumerate(setup.sides):
        for place, told in enumerate(ordered_thirds(side)):
            if told and side.units[place].position is not None:
                path = f"sides[{at}].standing" if "start" in side.standing else f"sides[{at}].units[{place}].standing"
                reason = (
                    "says nothing where the set-up says where its Warmechs stand; leave one of the two out (BS-185)"
                )
                raise DocumentError(f"{path}.start", reason, "BS-185")


def follow_orders(setup: Setup, state: codes.State) -> None:
    """Set the places of Warmechs along their edges, in the thirds of their orders. BS-185."""
    first = 0
    for side in setup.sides:
        units = list(enumerate(state.units[first : first + len(side.units)], start=first))
        told = ordered_thirds(side)
        if any(told):
            line = [
                Starter(third, round(INCH * default_place(state, i)), round(INCH * unit.radius))
                for third, (i, unit) in zip(told, units, strict=True)
            ]
            places = start_places(line, 0, round(INCH * state.battle.table))
            for (_i, unit), x in zip(units, places, strict=True):
                unit.line_x = x / INCH  # for all: default places are rounded, and others stand close by
        first += len(side.units)


def check_places(side: int, table: Table, placed: Sequence[PlacedWarmech], path: str) -> None:
    """Raise DocumentError if a side's Warmechs may not stand at their places in a set-up."""
    found = [each for _name, _spec, each in placed]
    if None not in found:
        for at in range(len(placed)):
            _check_place(side, table, placed, at, f"{path}[{at}].position")
    elif any(found):
        at = found.index(None)
        reason = f"{placed[at][0]} has none, and others of its side have one: place all of a side or none (BS-185)"
        raise DocumentError(f"{path}[{at}].position", reason, "BS-185")


def _check_place(side: int, table: Table, placed: Sequence[PlacedWarmech], at: int, path: str) -> None:
    name, spec, position = placed[at]
    assert position is not None
    radius = spec.base.radius_h / 100
    for axis in ("x", "y"):
        if not radius - TINY <= getattr(position, axis) <= table.size - radius + TINY:
            most = table.size - radius
            reason = f"{name} is outside the table: its base stands on it from {radius:g} to {most:g} in (BS-046)"
            raise DocumentError(f"{path}.{axis}", reason, "BS-046")
    for x, y, block in table.blocks:
        if _overlap(position, float(x), float(y), radius + block):
            raise DocumentError(
                path, f"{name} stands on the block at ({x:g}, {y:g}), which no base may enter (BS-046)", "BS-046"
            )
    reach = radius + DEPLOYMENT_MOVES * spec.frame.move_in
    if (position.y if side == codes.SIDE_A else table.size - position.y) > reach + TINY:
        edge = f"{reach:g} at most" if side == codes.SIDE_A else f"{table.size - reach:g} at least"
        reason = f"{name} is outside its own zone: its edge and {DEPLOYMENT_MOVES} Moves of {spec.frame.move_in} in end at y {edge} (BS-186)"
        raise DocumentError(f"{path}.y", reason, "BS-186")
    for other, its_spec, its in placed[:at]:
        assert its is not None
        if _overlap(position, its.x, its.y, radius + its_spec.base.radius_h / 100):
            raise DocumentError(path, f"{name} overlaps {other}; bases stand beside each other (BS-046)", "BS-046")


def _overlap(position: SetupPosition, x: float, y: float, least: float) -> bool:
    return squared(position.x, position.y, x, y) < (least - TINY) * (least - TINY)
