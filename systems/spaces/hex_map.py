"""A map of hexes: terrain, units and objectives on it, and its drawing. Pure.

Columns are counted from the left and rows from the top, both from 0; side A's edge is at the bottom. Facings are 0 to
5, clockwise from straight up. In the drawing a hex's side is 40 long; `share` makes a hex smaller. The geometry is in
`systems.spaces.hexes`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from systems.battle_display import Situation, UnitView
from systems.engine.events import Event
from systems.setups import Setup
from systems.spaces import Space
from systems.spaces.hexes import SIDES_OF_HEX, hex_at, hex_beside, hex_distance, hex_on_line, is_in_front

Look = Literal["plain", "barred", "woods", "sand", "smoke", "snow", "shallows", "deep"]


@dataclass(frozen=True, slots=True)
class HexTerrain:
    """A kind of terrain, with its name in the game and its drawing."""

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
    floors: int = 0  # of the building on it; 0: none
    top: int = 0  # highest level that the building hides
    side: int | None = None  # the side that may set up there


@dataclass(frozen=True, slots=True)
class HexSpot:
    """An objective, or an object that can be carried."""

    name: str  # "Objective 1", "Object 2"
    letter: str  # drawn in the hex
    column: int
    row: int
    side: int | None = None  # the side that holds it
    state: str = ""  # in words: "carried by Warden", "secured"
    is_away: bool = False  # not on the map yet, or no longer


@dataclass(frozen=True, slots=True)
class HexGround:
    """Everything on the map, and both sides' points for it; `cells` by number, row by row."""

    columns: int
    rows: int
    cells: tuple[HexCell, ...]
    spots: tuple[HexSpot, ...] = ()
    points: tuple[int, int] | None = None  # both sides' points in the mission so far; None: the mission has no points
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
    """A part of a unit that takes its own hits."""

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
    """A mark on a counter: a letter with a meaning."""

    letter: str  # "K"
    name: str  # "kneeling"


@dataclass(frozen=True, slots=True)
class HexPiece:
    """A small part of a unit in a hex of its own, such as a drone."""

    name: str
    letter: str  # drawn on the piece
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class HexAim:
    """One unit attacking another, or a hex."""

    unit: str
    target: str | None  # key of a unit; None: the hex
    success: bool
    word: str  # the result, in a word or two: "hit", "evaded", "thrown"
    column: int = 0  # column of the hex, if no unit is attacked
    row: int = 0


@dataclass(frozen=True, slots=True)
class HexView(UnitView):
    """A unit on a map of hexes."""

    stand: HexStand | None = None  # None: off the map
    place: str = ""  # where it is, in words, if it is off the map and not destroyed

    @property
    def areas(self) -> tuple[HexArea, ...]:
        """Return its areas. Six are drawn as a machine: head, body, left arm, right arm, left leg, right leg."""
        return ()

    @property
    def lost_gear(self) -> tuple[str, ...]:
        """Return the names of lost equipment outside its areas."""
        return ()

    @property
    def marks(self) -> tuple[HexMark, ...]:
        """Return the marks on its counter, also shown in the list beside the map."""
        return ()

    @property
    def pieces(self) -> tuple[HexPiece, ...]:
        """Return its pieces that are on the map separately."""
        return ()


def on_hexes(situation: Situation) -> tuple[HexView, ...]:
    """Return the units of a battle on hexes, including those off the map."""
    return tuple(unit for unit in situation.units if isinstance(unit, HexView))


class HexSpace(Space):
    """A game on a map of hexes."""

    board = "hexes"

    @abstractmethod
    def ground(self, setup: Setup) -> HexGround:
        """Return the map without units."""

    def follow(self, ground: HexGround, event: Event) -> HexGround:
        """Return the map after an event: fallen buildings, placed objectives, carried objects."""
        return ground

    @abstractmethod
    def aim(self, event: Event) -> HexAim | None:
        """Return attacker, target and success of an event; None: no attack."""

    def points_given(self, event: Event) -> tuple[str, int] | None:
        """Return the unit whose turn an event starts and its action points; None: no turn starts."""
        return None

    def points_spent(self, event: Event) -> int:
        """Return the action points that an event costs the unit whose turn it is."""
        return 0

    def sees(self, ground: HexGround, stand: HexStand, cell: HexCell) -> bool:
        """Return whether a unit sees a hex: it is in front, and one of the two lines to it clears all buildings."""
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


SIDE = 40.0
PITCH = 60.0  # from column to column
HEIGHT = 69.28  # from row to row, between flat sides
CORNERS = ((-20.0, -34.64), (20.0, -34.64), (40.0, 0.0), (20.0, 34.64), (-20.0, 34.64), (-40.0, 0.0))
EDGE = 26  # margin of the map, for column and row numbers
Point = tuple[float, float]


class HexPatch(NamedTuple):
    """All hexes of one kind of ground, as one path."""

    terrain: HexTerrain
    path: str


@dataclass(frozen=True, slots=True)
class Height:
    """The ground level of a hex, or the floors of its building."""

    at: Point
    text: str
    is_building: bool


@dataclass(frozen=True, slots=True)
class HexSheet:
    """A map without units."""

    width: float
    height: float
    room: float  # height of the space below it for units off the map
    patches: tuple[HexPatch, ...]
    grid: str
    starts: tuple[str, str]  # paths around both sides' set-up areas
    heights: tuple[Height, ...]
    columns: tuple[tuple[float, int], ...]  # position and number
    rows: tuple[tuple[float, int], ...]

    @property
    def view_box(self) -> str:
        return f"{-EDGE} {-EDGE} {self.width + 2 * EDGE:g} {self.height + 2 * EDGE + self.room:g}"

    @property
    def tray(self) -> float:
        """Return where the space below the map begins."""
        return self.height + EDGE


def draw_sheet(ground: HexGround, room: float = 0, bare: Collection[int] = ()) -> HexSheet:
    """Draw the map; the heights of `bare` hexes are left out, because something else is drawn over them."""
    return HexSheet(
        width=width_of(ground.columns),
        height=height_of(ground.columns, ground.rows),
        room=room,
        patches=patches(ground.cells),
        grid=faces(ground.cells),
        starts=(_start(ground, 0), _start(ground, 1)),
        heights=tuple(each for at, cell in enumerate(ground.cells) if at not in bare for each in heights(cell)),
        columns=tuple((centre(column, 0)[0], column) for column in range(ground.columns)),
        rows=tuple((centre(0, row)[1], row) for row in range(ground.rows)),
    )


def heights(cell: HexCell) -> Iterator[Height]:
    """Yield the heights of a hex's ground and building."""
    at = centre(cell.column, cell.row)
    if cell.floors:
        yield Height(at, str(cell.floors), True)
    if cell.level > 0:
        yield Height((at[0], round(at[1] - 20, 1)), f"+{cell.level}", False)


def _start(ground: HexGround, side: int) -> str:
    return border(ground, {at for at, cell in enumerate(ground.cells) if cell.side == side})


def width_of(columns: int) -> float:
    """Return the width of a map."""
    return columns * PITCH + SIDE / 2


def height_of(columns: int, rows: int) -> float:
    """Return the height of a map."""
    return round(rows * HEIGHT + (HEIGHT / 2 if columns > 1 else 0), 2)


def centre(column: int, row: int) -> Point:
    """Return the centre of a hex; the map's corner is 0, 0."""
    return column * PITCH + SIDE, round((row + 0.5 + (column & 1) / 2) * HEIGHT, 1)


def face(column: int, row: int, share: float = 1.0) -> str:
    """Return the path of a hex, or of a smaller one within it."""
    x, y = centre(column, row)
    a, b, h = 40 * share, 20 * share, 34.64 * share
    return f"M{x - a:g},{y:g}l{b:g},{-h:g}h{a:g}l{b:g},{h:g}l{-b:g},{h:g}h{-a:g}z"


def faces(cells: Iterable[HexCell], share: float = 1.0) -> str:
    return "".join(face(cell.column, cell.row, share) for cell in cells)


def patches(cells: Sequence[HexCell]) -> tuple[HexPatch, ...]:
    """Return the kinds of terrain on a map, in the order of their first hexes."""
    kinds = dict.fromkeys(cell.terrain for cell in cells)
    return tuple(HexPatch(kind, faces(cell for cell in cells if cell.terrain == kind)) for kind in kinds)


def border(ground: HexGround, numbers: Collection[int]) -> str:
    """Return the path of the edges around a set of hexes on a map."""
    return "".join(
        _edge(ground.cells[at], direction)
        for at in sorted(numbers)
        for direction in range(SIDES_OF_HEX)
        if _beside(ground, at, direction) not in numbers
    )


def _beside(ground: HexGround, at: int, direction: int) -> int:
    cell = ground.cells[at]
    return hex_beside(cell.column, cell.row, direction, ground.columns, ground.rows)


def _edge(cell: HexCell, direction: int) -> str:
    x, y = centre(cell.column, cell.row)
    (ax, ay), (bx, by) = CORNERS[direction], CORNERS[(direction + 1) % SIDES_OF_HEX]
    return f"M{x + ax:g},{y + ay:.1f}L{x + bx:g},{y + by:.1f}"
