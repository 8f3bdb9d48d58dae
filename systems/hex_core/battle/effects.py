"""A Unit as spectators see it, and how events change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from systems.battle_display import Situation
from systems.engine.events import Effect, Event, alters, then
from systems.hex_core.battle import state as codes
from systems.hex_core.catalogue import CATALOGUE, COLUMNS
from systems.spaces.hex_map import HexArea, HexMark, HexPiece, HexStand, HexView

AREA_NAMES: Mapping[bool, tuple[str, ...]] = {
    is_vehicle: tuple(
        area.name
        for area in sorted(
            (area for area in CATALOGUE.areas.values() if (area.of == "vehicle") == is_vehicle),
            key=lambda area: area.index,
        )
    )
    for is_vehicle in (False, True)
}
MARKS = {
    "kneeling": "K",
    "prone": "P",
    "down": "D",
    "held": "H",
    "holds an enemy": "G",
    "Offensive Stance": "O",
    "Defensive Stance": "S",
    "frozen": "F",
    "transformed": "T",
    "marked by the enemy": "M",
    "carries an object": "C",
}


@dataclass(frozen=True, slots=True)
class MachineView(HexView):
    """A machine with its areas, shield, drones and position."""

    is_vehicle: bool = False
    dp: tuple[int, ...] = ()
    full: tuple[int, ...] = ()
    shield: int = 0
    shield_full: int = 0
    carried: Mapping[int, str] | None = None  # names of its weapons, by slot
    weapons_lost: tuple[int, ...] = ()  # slot numbers
    drones: tuple[str, ...] = ()  # names
    drones_out: tuple[tuple[int, int], ...] = ()  # active drones: list position and hex
    drones_lost: tuple[int, ...] = ()
    states: tuple[str, ...] = ()  # slugs of MARKS
    is_active: bool = False
    is_inoperative: bool = False

    @property
    def areas(self) -> tuple[HexArea, ...]:
        names = AREA_NAMES[self.is_vehicle]
        return tuple(HexArea(name, left, whole) for name, left, whole in zip(names, self.dp, self.full, strict=True))

    @property
    def marks(self) -> tuple[HexMark, ...]:
        return () if self.destroyed else tuple(HexMark(MARKS[state], state) for state in MARKS if state in self.states)

    @property
    def pieces(self) -> tuple[HexPiece, ...]:
        return tuple(
            HexPiece(self.drones[drone], str(drone + 1), at % COLUMNS, at // COLUMNS) for drone, at in self.drones_out
        )

    @property
    def lost_parts(self) -> tuple[str, ...]:
        names = AREA_NAMES[self.is_vehicle]
        areas = [names[at] for at, left in enumerate(self.dp) if left == 0]
        return (*areas, *self.lost_gear)

    @property
    def struck(self) -> int:
        """The number of things struck out, without areas, which are drawn separately."""
        return len(self.lost_gear)

    @property
    def lost_gear(self) -> tuple[str, ...]:
        weapons = [(self.carried or {}).get(slot, "a weapon") for slot in self.weapons_lost]
        shield = ["Shield"] if self.shield_full and not self.shield else []
        return (*weapons, *shield, *(self.drones[at] for at in self.drones_lost))

    @property
    def notes(self) -> tuple[str, ...]:
        if self.destroyed:
            return ()
        shield = (f"shield {self.shield} of {self.shield_full}",) if self.shield_full else ()
        out = (f"{each.name} out at ({each.column}, {each.row})" for each in self.pieces)
        return (*shield, *out, *(state for state in MARKS if state in self.states))

    def with_states(self, **changes: bool) -> tuple[str, ...]:
        """Return its states after adding or removing some, by name with underscores."""
        named = {name.replace("_", " "): is_so for name, is_so in changes.items()}
        kept = [state for state in self.states if named.get(state, True)]
        return (*kept, *(state for state, is_so in named.items() if is_so and state not in kept))


AT_REST = {"Offensive_Stance": False, "Defensive_Stance": False, "kneeling": False}


def stand_of(event: Event) -> HexStand:
    """Return the position in which an event leaves the Unit."""
    at = event.number("at")
    return HexStand(at % COLUMNS, at // COLUMNS, event.number("facing"), event.number("level"))


def _stood(unit: MachineView, event: Event) -> MachineView:
    return replace(unit, stand=stand_of(event))


def states(who: str = "unit", **changes: bool) -> Effect:
    """Return an effect that adds or removes states of the same unit as `alters`."""

    def change(unit: MachineView, _event: Event) -> MachineView:
        return replace(unit, states=unit.with_states(**changes))

    return alters(change, who)


goes = alters(_stood)


def turn_began(situation: Situation, event: Event) -> Situation:
    """Make one Unit active, and end its stance and kneeling. HX-105, HX-107, HX-108."""
    units = []
    for unit in situation.units:
        if isinstance(unit, MachineView):
            own = unit.key == event.unit
            unit = replace(unit, is_active=own, states=unit.with_states(**AT_REST) if own else unit.states)
        units.append(unit)
    return replace(situation, units=tuple(units))


def _pooled(unit: MachineView, _event: Event) -> MachineView:
    return replace(unit, states=unit.with_states(frozen=False))


pooled = alters(_pooled)


def _hurt(unit: MachineView, event: Event) -> MachineView:
    area = event.number("area")
    dp = tuple(event.number("left") if at == area else left for at, left in enumerate(unit.dp))
    return replace(unit, dp=dp, hits=sum(dp))


hurt = alters(_hurt)


def _shield_hurt(unit: MachineView, event: Event) -> MachineView:
    left = event.number("left")
    gone = {"Defensive_Stance": False} if left == 0 else {}
    return replace(unit, shield=left, states=unit.with_states(**gone))


shield_hurt = alters(_shield_hurt)


def _weapon_hurt(unit: MachineView, event: Event) -> MachineView:
    if event.number("left"):
        return unit
    return replace(unit, weapons_lost=(*unit.weapons_lost, event.number("slot")))


weapon_hurt = alters(_weapon_hurt)


def _drone_out(unit: MachineView, event: Event) -> MachineView:
    drone = event.number("drone")
    others = (each for each in unit.drones_out if each[0] != drone)
    return replace(unit, drones_out=tuple(sorted((*others, (drone, event.number("at"))))))


drone_out = alters(_drone_out)


def _drones_in(unit: MachineView, _event: Event) -> MachineView:
    return replace(unit, drones_out=())


drones_in = alters(_drones_in)


def _drone_hurt(unit: MachineView, event: Event) -> MachineView:
    drone = event.number("drone")
    if event.number("left"):
        return unit
    out = tuple(each for each in unit.drones_out if each[0] != drone)
    return replace(unit, drones_out=out, drones_lost=(*unit.drones_lost, drone))


drone_hurt = alters(_drone_hurt)


def _formed(unit: MachineView, event: Event) -> MachineView:
    is_formed = event.number("form") != codes.MECH
    return replace(unit, stand=stand_of(event), states=unit.with_states(transformed=is_formed))


formed = alters(_formed)


def held(situation: Situation, event: Event) -> Situation:
    """Put the holder and the held Unit in the same hex. HX-125, HX-128."""
    situation = then(goes, states(holds_an_enemy=True))(situation, event)
    return states("target", held=True, kneeling=False, Offensive_Stance=False, Defensive_Stance=False)(situation, event)


def freed(situation: Situation, event: Event) -> Situation:
    """End the hold. HX-130."""
    return then(goes, states(held=False), states("target", holds_an_enemy=False))(situation, event)


def thrown(situation: Situation, event: Event) -> Situation:
    """Put a thrown Unit in its landing hex, and the thrower in the hex that it left. HX-125, HX-127."""
    situation = then(
        goes, states(down=True, prone=False), states(kneeling=False, Offensive_Stance=False, Defensive_Stance=False)
    )(situation, event)
    to = event.number("to")

    def closed_in(unit: MachineView) -> MachineView:
        stand = unit.stand
        return replace(unit, stand=replace(stand, column=to % COLUMNS, row=to // COLUMNS) if stand else None)

    return situation.changed(str(event.result["by"]), closed_in)  # type: ignore[arg-type]


def removed(situation: Situation, event: Event) -> Situation:
    """Remove a Unit, and credit the kill to the Unit that destroyed it. HX-111."""

    def gone(unit: MachineView, _event: Event) -> MachineView:
        return replace(unit, destroyed=True, stand=None, states=(), drones_out=(), is_active=False)

    situation = alters(gone)(situation, event)
    by = event.result.get("by")
    if by is None or side_of(situation, str(by)) == side_of(situation, str(event.unit)):
        return situation
    return situation.changed(str(by), lambda unit: replace(unit, kills=unit.kills + 1))


def side_of(situation: Situation, key: str) -> int:
    """Return the side of a unit."""
    return next(unit.side for unit in situation.units if unit.key == key)


def _out(unit: MachineView, _event: Event) -> MachineView:
    return replace(unit, withdrew=True, is_inoperative=True, stand=None, place="inoperative", states=(), drones_out=())


out = alters(_out)
