"""The spaces of battles: measured tables, maps of zones, and the interfaces of games played there. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from systems.battle_display import Situation, UnitView
from systems.engine.events import Event
from systems.setups import Setup


@dataclass(frozen=True, slots=True)
class Aim:
    """One unit aiming at another."""

    what: str  # "shot", "suppression", "lock"
    unit: str
    target: str
    success: bool


class Space:
    """Where a game's battles take place."""

    board: str  # kind of drawing in replays, one of `battles.replay.boards`


@dataclass(frozen=True, slots=True)
class Stand:
    """A unit's place and facing on a measured table; the facing is a vector of any length."""

    x: int  # hundredths of an inch, from the left
    y: int  # ... and from side A's edge
    face_x: int
    face_y: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A round piece of terrain on a measured table; lengths in hundredths of an inch."""

    kind: str  # slug
    name: str
    x: int
    y: int
    radius: int


@dataclass(frozen=True, slots=True)
class Spot:
    """A named point of a measured table."""

    kind: str  # "objective", "tunnel-mouth"
    name: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """A table measured freely, before terrain is placed; lengths in hundredths of an inch."""

    width: int
    height: int
    depth: int  # depth of each side's set-up zone, along its edge
    objectives: tuple[Spot, ...] = ()
    spots: tuple[Spot, ...] = ()
    pieces: tuple[Piece, ...] = ()  # fixed terrain, in games that don't roll it


@dataclass(frozen=True, slots=True)
class TableView(UnitView):
    """A unit on the table, with the markers beside it."""

    stand: Stand | None = None  # None: off the table
    place: str = ""  # where it is, in words, if it is off the table and not destroyed
    suppression: int = 0  # number of markers
    locked_by: str | None = None  # key of the unit that has a target lock on it
    base: int = 0  # radius of its round base, in hundredths of an inch; 0: a counter of standard size

    @property
    def dice(self) -> tuple[int, ...]:
        """Return the faces of the dice beside it."""
        return ()

    @property
    def ring(self) -> int:
        """Return the radius in which it holds up enemies, in hundredths of an inch; 0: none."""
        return 0

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the slugs of its other marks."""
        return ()

    @property
    def states(self) -> tuple[str, ...]:
        """Return its other states, for the list beside the table."""
        return ()


def on_table(situation: Situation) -> tuple[TableView, ...]:
    """Return the units of a battle on a measured table, including those off it."""
    return tuple(unit for unit in situation.units if isinstance(unit, TableView))


class MeasuredSpace(Space):
    """A game on a measured table."""

    board = "table"

    @abstractmethod
    def table(self, setup: Setup) -> MeasuredTable:
        """Return the table before terrain is placed."""

    @abstractmethod
    def piece(self, event: Event) -> Piece | None:
        """Return the terrain that an event puts on the table; None if it puts none there."""

    def fallen_piece(self, event: Event) -> int | None:
        """Return the index of the starting terrain piece that an event destroys; None if it destroys none."""
        return None

    @abstractmethod
    def aim(self, event: Event) -> Aim | None:
        """Return attacker, target and success of an event; None: no attack."""

    @abstractmethod
    def held(self, event: Event) -> tuple[int, int] | None:
        """Return the objective that an event gives to a side, and the side; -1: no side holds it any longer."""

    def leads(self, event: Event) -> int | None:
        """Return the side that takes the lead with an event; None: no change, or no lead in this game."""
        return None

    def pools(self, situation: Situation) -> str:
        """Describe the pools that both sides can spend from at this moment; empty if there are none."""
        return ""

    @abstractmethod
    def points_given(self, event: Event) -> tuple[int, int] | None:
        """Return the side whose turn an event starts and its action points; None: no turn starts."""

    @abstractmethod
    def points_spent(self, event: Event) -> int:
        """Return the action points that an event costs the side whose turn it is."""


LOOKS = ("wood", "plain", "highlands", "moors", "desert", "urban")  # drawings of a zone's terrain
TRAYS = ("waiting", "left", "destroyed")  # places beside the map for units that aren't on it


@dataclass(frozen=True, slots=True)
class ZoneGround:
    """A zone of the map before anybody moves.

    `marks` describe its role in the scenario. Some are drawn: "key zone"; "attacker" or "defender" followed by a word
    ("arrives" has its own sign); "exit by the top edge", or the bottom edge.
    """

    number: int  # from 1, without gaps
    row: int  # from 1, at the top
    column: int
    terrain_name: str
    look: str = ""  # one of LOOKS; empty: nothing is drawn
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether a unit has found its target this round."""

    unit: str
    target: str
    found: bool


@dataclass(frozen=True, slots=True)
class ZoneView(UnitView):
    """A unit in a zone."""

    zone: int = 0  # 0: off the map, or the battle has no map

    @property
    def is_reserve(self) -> bool:
        """Return whether the unit isn't in play: it may still arrive, or it has left. Its key has a plus sign."""
        return "+" in self.key and self.zone == 0 and not self.destroyed

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the slugs of its counter's marks."""
        return ()

    @property
    def harm(self) -> tuple[str, ...]:
        """Return damage other than hits and lost parts, in words."""
        return ()

    def describe_end(self, cause: str) -> str:
        """Describe how it was lost, to follow its name; `cause` is empty if unknown."""
        return f"is destroyed: {cause}" if cause else "is destroyed"

    def describe_changes(self, before: UnitView) -> tuple[str, ...]:
        """Describe its changes other than hits, wounds and place, to follow its name."""
        return ()


def zone_space(situation: Situation) -> tuple[ZoneView, ...]:
    """Return the units of a battle on a map, including those off it."""
    return tuple(unit for unit in situation.units if isinstance(unit, ZoneView))


class Zones(Space):
    """A game on a map of zones."""

    board = "zones"
    trays: tuple[str, ...] = TRAYS  # the trays that units can get to
    signs: tuple[str, ...] = ()  # other signs for the legend of map and counters: "★ key zone"

    @abstractmethod
    def ground(self, setup: Setup, events: Iterable[Event]) -> tuple[ZoneGround, ...]:
        """Return the zones of the map by number; empty in a battle without a map."""

    def sight(self, event: Event) -> Sight | None:
        """Return the result of one unit's search for another in an event; None if there was none."""
        return None

    def opens_round(self, event: Event) -> bool:
        """Return whether the event starts a round of a fight, which resets all sightings."""
        return False

    def aim(self, event: Event) -> Aim | None:
        """Return attacker, target and success of an event; None if nobody fires."""
        return None
