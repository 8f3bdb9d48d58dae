"""Charts of the design lab: how far a machine moves, and the terrain that stops it, by the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from systems.charts import Chart, chart_series
from systems.engine.dice import ScriptedDice
from systems.engine.mute import MuteLog
from systems.hex_core.battle import state as c
from systems.hex_core.battle.muster import state_unit, state_weapons
from systems.hex_core.battle.rules.ground import can_fly, entry_cost, ground_refusal, is_aloft
from systems.hex_core.battle.rules.hazards import roll_hazards
from systems.hex_core.battle.rules.moving import (
    begin_movement,
    form_refusal,
    press_on,
    press_refusal,
    roll_pool,
    thrust_refusal,
    transform,
)
from systems.hex_core.battle.state import Area, Battle, Hex, Side, State
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.options import BY_THE_BOOK

FACES = range(1, c.D8 + 1)
CROSSED = range(1, 5)
WATER = -1  # the level of shallow water
SKY = 1  # the level at which flyers cruise
Way = Callable[[MachineSpec, int], int | Fraction | None]


def list_charts(spec: MachineSpec) -> Iterator[Chart]:
    """Yield the charts of its movement per turn and of the effect of Tan and White hexes."""
    yield _speed(spec)
    yield _hazards(spec)


def _speed(spec: MachineSpec) -> Chart:
    """Return the chart of hexes per turn, whole and damaged.

    HX-064, HX-067, HX-070, HX-100, HX-104, HX-113, HX-114, HX-144, HX-146.
    """
    leg = "wing" if spec.is_vehicle else "leg"
    ways: dict[str, Way] = {"open": _open, "Press On": _pressing, "rubble": _rubble, "water": _water}
    told = ""
    if "flight" in spec.systems:
        ways["flying"] = _flying
    if spec.thrust:
        ways["thrust"] = _thrust
        told += " Thrusters go straight ahead, and nothing else is done that turn."
    if spec.transform:
        ways["2nd form"] = _transformed
        told += f" In its second form it is a vehicle: {spec.transform.form}."
    return Chart(
        slug="speed",
        title="Hexes of a turn",
        across="Ground or way",
        at=tuple(ways),
        series=tuple(
            chart_series(name, [way(spec, lost) for way in ways.values()])
            for lost, name in enumerate(("whole", f"one {leg} lost", "both lost"))
        ),
        note=f"On the level; with Press On the mean of what its whole AP pool pays for.{told}",
    )


def _hazards(spec: MachineSpec) -> Chart:
    """Return the chart of the chance that Tan and White hexes end the turn. HX-014, HX-133, HX-134, HX-143, HX-145."""
    return Chart(
        slug="heat",
        title="Chance to overheat or freeze, in percent",
        across="Hexes crossed",
        at=tuple(f"{count} {'hex' if count == 1 else 'hexes'}" for count in CROSSED),
        series=(
            chart_series("Tan: overheats", [_stopped(spec, c.TAN, count) for count in CROSSED]),
            chart_series("White: freezes", [_stopped(spec, c.WHITE, count) for count in CROSSED]),
        ),
        note="After moving over so many of them; it ends the turn. Weapons make no heat in this game.",
        empty="Neither heat nor cold stops this machine.",
    )


def _height(spec: MachineSpec, lost: int) -> int:
    """Return the level at which it crosses level ground; a flying vehicle stays up with one wing. HX-114."""
    return SKY if spec.frame.flies and lost < 2 else 0


def _open(spec: MachineSpec, lost: int) -> int | None:
    return _hexes(_state(spec, lost, level=_height(spec, lost)))


def _rubble(spec: MachineSpec, lost: int) -> int | None:
    return _hexes(_state(spec, lost, c.BLACK, level=_height(spec, lost)))


def _water(spec: MachineSpec, lost: int) -> int | None:
    return _hexes(_state(spec, lost, c.LIGHT_BLUE, level=_height(spec, lost) or WATER, ground=WATER))


def _flying(spec: MachineSpec, lost: int) -> int | None:
    state = _state(spec, lost, level=SKY)
    return _hexes(state) if can_fly(state.units[0]) else None


def _pressing(spec: MachineSpec, lost: int) -> Fraction | None:
    """Return the mean number of hexes with Press On, over the faces of its AP die. HX-061, HX-100."""
    found = []
    for face in FACES:
        state = _state(spec, lost, level=_height(spec, lost))
        begin_movement(state, 0)
        roll_pool(state, 0, face, MuteLog())
        while not press_refusal(state, 0):
            press_on(state, 0, MuteLog())
        if (hexes := _hexes(state, state.units[0].sm_left)) is None:
            return None
        found.append(hexes)
    return Fraction(sum(found), len(found))


def _thrust(spec: MachineSpec, lost: int) -> int:
    """Return the hexes of Thruster Movement. HX-070."""
    state, hexes = _state(spec, lost), 0
    while not thrust_refusal(state, 0, hexes + 1):
        hexes += 1
    return hexes


def _transformed(spec: MachineSpec, lost: int) -> int | None:
    """Return the hexes in its other form; None if it has none. HX-104, HX-114."""
    is_wet = spec.transform is not None and spec.transform.form == "aquatic"
    level = WATER if is_wet else 0
    state = _state(spec, lost, c.LIGHT_BLUE if is_wet else c.GREY, level=level, ground=level)
    state.units[0].pool = c.COMMAND
    if form_refusal(state, 0):
        return None
    transform(state, 0, MuteLog())
    return _hexes(state)


def _hexes(state: State, points: int | None = None) -> int | None:
    """Return how many hexes of that terrain its SM points pay for; None if it can't enter."""
    unit = state.units[0]
    aloft = is_aloft(state, unit)
    if not aloft and ground_refusal(state, unit, 1):
        return None
    if points is None:
        begin_movement(state, 0)
        points = unit.sm_left
    return points // entry_cost(state, unit, aloft, 0, 1)


def _stopped(spec: MachineSpec, colour: int, count: int) -> Fraction:
    """Return the chance that the die after the Movement Phase ends the turn, in percent."""
    stops = 0
    for face in FACES:
        state = _state(spec, 0, colour)
        unit = state.units[0]
        unit.entered = count
        unit.tan, unit.white = (count, 0) if colour == c.TAN else (0, count)
        roll_hazards(state, 0, ScriptedDice([face]), MuteLog())
        stops += unit.done
    return Fraction(100 * stops, len(FACES))


def _state(spec: MachineSpec, lost: int, colour: int = c.GREY, *, level: int = 0, ground: int = 0) -> State:
    """Return a state with only this machine, `lost` legs gone, on one of two hexes of that colour."""
    unit = state_unit(spec, c.SIDE_A)
    unit.at, unit.level = 0, level
    unit.flight_lost = int(spec.is_vehicle and lost == 2)  # HX-114
    areas = [Area(dp, dp) for dp in spec.dp]
    for area in (c.LEG_L, c.LEG_R)[:lost]:
        areas[area].dp = 0
    return State(
        battle=Battle(count_a=1, columns=2, rows=1, freeze_over=int(BY_THE_BOOK.freezes_over)),
        sides=[Side(), Side()],
        units=[unit],
        areas=areas,
        weapons=state_weapons(spec),
        drones=[],
        hexes=[Hex(column=at, colour=colour, level=ground) for at in range(2)],
        links=[],
        ways=[],
        queues=[],
        steps=[],
        pairs=[],
        objects=[],
        shots=[],
    )
