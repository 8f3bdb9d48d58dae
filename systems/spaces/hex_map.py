"""A map of hexes: what lies and stands on it, and what is asked of a game that is played on it.

Columns are counted from the left and rows from the top, both from 0; side A's edge is below. Facings are 0 to 5,
clockwise from straight up. The geometry is that of `systems.spaces.hexes`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Literal

from systems.engine.events import Event
from systems.setups import Setup
from systems.situation import Situation, UnitView
from systems.spaces import Space
from systems.spaces.hexes import hex_at, hex_distance, hex_on_line, is_in_front

Look = Literal["plain", "barred", "woods", "sand", "smoke", "snow", "shallows", "deep"]


@dataclass(frozen=True, slots=True)
class HexTerrain:
    """A kind of ground, as the game calls it and as it is drawn."""

    slug: str
    name: str
    look: Look


@dataclass(frozen=True, slots=True)
class HexCell:
    """A hex and what lies there."""

    column: int
    row: int
    terrain: HexTerrain
    level: int = 0  # of its ground
    floors: int = 0  # of the building on it; 0: there is none
    top: int = 0  # the level that the building hides
    side: int | None = None  # whose units may set up there


@dataclass(frozen=True, slots=True)
class HexSpot:
    """An objective, or an object that can be carried."""

    name: str  # "Objective 1", "Object 2"
    letter: str  # what is drawn in it
    column: int
    row: int
    side: int | None = None  # who holds it
    state: str = ""  # in words: "carried by Warden", "secured"
    is_away: bool = False  # True: it is not drawn on the map any more, or not yet


@dataclass(frozen=True, slots=True)
class HexGround:
    """All that lies on the map, and what both sides have of it; `cells` by number, row by row."""

    columns: int
    rows: int
    cells: tuple[HexCell, ...]
    spots: tuple[HexSpot, ...] = ()
    points: tuple[int, int] | None = None  # what the mission has given both sides; None: it gives nothing
    spot_word: str = "Objective"  # what its spots are called

    def cell(self, column: int, row: int) -> HexCell:
        return self.cells[hex_at(column, row, self.columns, self.rows)]


@dataclass(frozen=True, slots=True)
class HexStand:
    """Where a unit is and which way it faces."""

    column: int
    row: int
    facing: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class HexArea:
    """A part of a unit that is hit by itself."""

    name: str
    left: int
    whole: int

    @property
    def state(self) -> str:
        """ "whole", "hurt" or "lost"."""
        if self.left >= self.whole:
            return "whole"
        return "hurt" if self.left > 0 else "lost"


@dataclass(frozen=True, slots=True)
class HexMark:
    """What a counter is marked with: a letter, and what it stands for."""

    letter: str  # "K"
    name: str  # "kneeling"


@dataclass(frozen=True, slots=True)
class HexPiece:
    """Something small of a unit's that is in a hex by itself: a drone."""

    name: str
    letter: str  # what is drawn on it
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class HexAim:
    """One unit attacks another, or what stands on a hex."""

    unit: str
    target: str | None  # key of a unit; None: the hex
    success: bool
    word: str  # what came of it, in one word or two: "hit", "evaded", "thrown"
    column: int = 0  # of the hex, where no unit is attacked
    row: int = 0


@dataclass(frozen=True, slots=True)
class HexView(UnitView):
    """A unit on a map of hexes."""

    stand: HexStand | None = None  # None: off the map
    place: str = ""  # where it is in words, if it is off the map and not destroyed

    @property
    def areas(self) -> tuple[HexArea, ...]:
        """Its areas. Six of them are drawn as a machine: head, body, left arm, right arm, left leg, right leg."""
        return ()

    @property
    def lost_gear(self) -> tuple[str, ...]:
        """What it has lost besides its areas, by name."""
        return ()

    @property
    def marks(self) -> tuple[HexMark, ...]:
        """What its counter is marked with, and what is told of it in the list beside the map."""
        return ()

    @property
    def pieces(self) -> tuple[HexPiece, ...]:
        """What of it is on the map by itself."""
        return ()


def on_hexes(situation: Situation) -> tuple[HexView, ...]:
    """The units of a battle on hexes, those that are off the map too."""
    return tuple(unit for unit in situation.units if isinstance(unit, HexView))


class HexSpace(Space):
    """A game on a map of hexes."""

    board = "hexes"

    @abstractmethod
    def ground(self, setup: Setup) -> HexGround:
        """The map as it lies there before anybody stands on it."""

    def follow(self, ground: HexGround, event: Event) -> HexGround:
        """What lies there after an event: buildings that fell, objectives that were placed, objects that were carried."""
        return ground

    @abstractmethod
    def aim(self, event: Event) -> HexAim | None:
        """Who attacks whom in an event, and with what success."""

    def points_given(self, event: Event) -> tuple[str, int] | None:
        """Which unit an event gives how many points to act with, and with that the turn."""
        return None

    def points_spent(self, event: Event) -> int:
        """What an event costs the unit whose turn it is."""
        return 0

    def sees(self, ground: HexGround, stand: HexStand, cell: HexCell) -> bool:
        """True if a unit sees a hex: it lies before it, and one of the two lines to it passes over all buildings."""
        if not is_in_front(stand.column, stand.row, stand.facing, cell.column, cell.row):
            return False
        return not (_is_hidden(ground, stand, cell, 1) and _is_hidden(ground, stand, cell, -1))


def _is_hidden(ground: HexGround, stand: HexStand, cell: HexCell, lean: int) -> bool:
    length = hex_distance(stand.column, stand.row, cell.column, cell.row)
    for step in range(1, length):
        at = hex_on_line(stand.column, stand.row, cell.column, cell.row, step, lean, ground.columns, ground.rows)
        if at < 0:
            continue
        between = ground.cells[at]
        if between.floors and stand.level * length + (cell.level - stand.level) * step <= between.top * length:
            return True
    return False
