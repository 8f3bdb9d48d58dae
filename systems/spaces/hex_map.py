"""A map of hexes: terrain, units and objectives on it, and the interface of games played on it.

Columns are counted from the left and rows from the top, both from 0; side A's edge is below. Facings are 0 to 5,
clockwise from straight up. The geometry is in `systems.spaces.hexes`.
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
    """A kind of ground, with its name in the game and its drawing."""

    slug: str
    name: str
    look: Look


@dataclass(frozen=True, slots=True)
class HexCell:
    """A hex and what is on it."""

    column: int
    row: int
    terrain: HexTerrain
    level: int = 0  # of its ground
    floors: int = 0  # of the building on it; 0: there is none
    top: int = 0  # the highest level hidden by the building
    side: int | None = None  # the side that may set up there


@dataclass(frozen=True, slots=True)
class HexSpot:
    """An objective, or an object that can be carried."""

    name: str  # "Objective 1", "Object 2"
    letter: str  # drawn in it
    column: int
    row: int
    side: int | None = None  # that holds it
    state: str = ""  # in words: "carried by Warden", "secured"
    is_away: bool = False  # not drawn on the map any more, or not yet


@dataclass(frozen=True, slots=True)
class HexGround:
    """Everything on the map, and both sides' points for it; `cells` by number, row by row."""

    columns: int
    rows: int
    cells: tuple[HexCell, ...]
    spots: tuple[HexSpot, ...] = ()
    points: tuple[int, int] | None = None  # of both sides in the mission so far; None: it gives none
    spot_word: str = "Objective"  # the word for its spots

    def cell(self, column: int, row: int) -> HexCell:
        return self.cells[hex_at(column, row, self.columns, self.rows)]


@dataclass(frozen=True, slots=True)
class HexStand:
    """A unit's hex and facing."""

    column: int
    row: int
    facing: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class HexArea:
    """A part of a unit that takes hits of its own."""

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
    """A mark on a counter: a letter, and its meaning."""

    letter: str  # "K"
    name: str  # "kneeling"


@dataclass(frozen=True, slots=True)
class HexPiece:
    """A small thing of a unit that is in a hex by itself: a drone."""

    name: str
    letter: str  # drawn on it
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class HexAim:
    """One unit attacks another, or a hex."""

    unit: str
    target: str | None  # key of a unit; None: the hex
    success: bool
    word: str  # the result, in one word or two: "hit", "evaded", "thrown"
    column: int = 0  # of the hex, if no unit is attacked
    row: int = 0


@dataclass(frozen=True, slots=True)
class HexView(UnitView):
    """A unit on a map of hexes."""

    stand: HexStand | None = None  # None: off the map
    place: str = ""  # its place in words, if it is off the map and not destroyed

    @property
    def areas(self) -> tuple[HexArea, ...]:
        """Return its areas. Six are drawn as a machine: head, body, left arm, right arm, left leg, right leg."""
        return ()

    @property
    def lost_gear(self) -> tuple[str, ...]:
        """Return the names of lost equipment besides its areas."""
        return ()

    @property
    def marks(self) -> tuple[HexMark, ...]:
        """Return the marks of its counter, also shown in the list beside the map."""
        return ()

    @property
    def pieces(self) -> tuple[HexPiece, ...]:
        """Return its pieces that are on the map by themselves."""
        return ()


def on_hexes(situation: Situation) -> tuple[HexView, ...]:
    """Return the units of a battle on hexes, including those off the map."""
    return tuple(unit for unit in situation.units if isinstance(unit, HexView))


class HexSpace(Space):
    """A game on a map of hexes."""

    board = "hexes"

    @abstractmethod
    def ground(self, setup: Setup) -> HexGround:
        """Return the map before any unit is on it."""

    def follow(self, ground: HexGround, event: Event) -> HexGround:
        """Return the map after an event: fallen buildings, placed objectives, carried objects."""
        return ground

    @abstractmethod
    def aim(self, event: Event) -> HexAim | None:
        """Return attacker, target and success of an event; None: no attack."""

    def points_given(self, event: Event) -> tuple[str, int] | None:
        """Return the unit whose turn an event starts, and its points to act with; None: no turn starts."""
        return None

    def points_spent(self, event: Event) -> int:
        """Return the points that an event costs the unit whose turn it is."""
        return 0

    def sees(self, ground: HexGround, stand: HexStand, cell: HexCell) -> bool:
        """Return whether a unit sees a hex: in front, and one of the two lines to it passes over all buildings."""
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
