"""A Unit as spectators see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.catalogue.types import COLUMNS
from systems.spaces.hex_map import HexArea, HexMark, HexPiece, HexView

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
    """A machine with its areas, its shield, its drones and its position."""

    is_vehicle: bool = False
    dp: tuple[int, ...] = ()
    full: tuple[int, ...] = ()
    shield: int = 0
    shield_full: int = 0
    carried: Mapping[int, str] | None = None  # names of its weapons, by slot
    weapons_lost: tuple[int, ...] = ()  # slots
    drones: tuple[str, ...] = ()  # names
    drones_out: tuple[tuple[int, int], ...] = ()  # active: place on the list, hex
    drones_lost: tuple[int, ...] = ()
    states: tuple[str, ...] = ()  # of MARKS
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
        """The number of things struck out, without its areas, which are drawn separately."""
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
        """Return its states after some were added or removed, by name with underscores."""
        named = {name.replace("_", " "): is_so for name, is_so in changes.items()}
        kept = [state for state in self.states if named.get(state, True)]
        return (*kept, *(state for state, is_so in named.items() if is_so and state not in kept))
