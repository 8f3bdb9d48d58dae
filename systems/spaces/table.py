"""A measured table: what lies and stands on it, and what is asked of a game that is played on it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from systems.engine.events import Event
from systems.setups import Setup
from systems.situation import Situation, UnitView
from systems.spaces import Aim, Space


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a unit stands on a measured table and which way it faces; the facing is a direction of any length."""

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
    """A table on which everything is measured, as it lies there before terrain; lengths in hundredths of an inch."""

    width: int
    height: int
    depth: int  # of each side's zone for setting up, along its edge
    objectives: tuple[Spot, ...] = ()
    spots: tuple[Spot, ...] = ()
    pieces: tuple[Piece, ...] = ()  # terrain that lies there from the start, where none is rolled


@dataclass(frozen=True, slots=True)
class TableView(UnitView):
    """A unit on the table, with the markers beside it."""

    stand: Stand | None = None  # None: off the table
    place: str = ""  # where it is in words, if it is off the table and not destroyed
    suppression: int = 0  # markers
    locked_by: str | None = None  # key of the unit whose target lock it carries
    base: int = 0  # radius of its round base, in hundredths of an inch; 0: it is a counter of one size

    @property
    def dice(self) -> tuple[int, ...]:
        """Faces of the dice that lie beside it."""
        return ()

    @property
    def ring(self) -> int:
        """Radius of the ring round it within which it holds up enemies, in hundredths of an inch; 0: there is none."""
        return 0

    @property
    def marks(self) -> tuple[str, ...]:
        """Slugs of what it is marked with besides."""
        return ()

    @property
    def states(self) -> tuple[str, ...]:
        """What else is told of it in the list beside the table."""
        return ()


def on_table(situation: Situation) -> tuple[TableView, ...]:
    """The units of a battle on a measured table, those that are off it too."""
    return tuple(unit for unit in situation.units if isinstance(unit, TableView))


class MeasuredSpace(Space):
    """A game on a measured table."""

    board = "table"

    @abstractmethod
    def table(self, setup: Setup) -> MeasuredTable:
        """The table as it lies there before terrain."""

    @abstractmethod
    def piece(self, event: Event) -> Piece | None:
        """The terrain that an event puts on the table."""

    def fallen_piece(self, event: Event) -> int | None:
        """Which piece of those that lay there from the start an event destroys."""
        return None

    @abstractmethod
    def aim(self, event: Event) -> Aim | None:
        """Who aims at whom in an event, and with what success."""

    @abstractmethod
    def held(self, event: Event) -> tuple[int, int] | None:
        """Which objective an event gives to which side; -1: to nobody any more."""

    def leads(self, event: Event) -> int | None:
        """The side that an event gives the lead to; None: it changes nothing, or sides don't lead in this game."""
        return None

    def pools(self, situation: Situation) -> str:
        """What both sides have to spend from at that moment, in words; empty where they have no such pools."""
        return ""

    @abstractmethod
    def points_given(self, event: Event) -> tuple[int, int] | None:
        """Which side an event gives how many points to act with, and with that the turn."""

    @abstractmethod
    def points_spent(self, event: Event) -> int:
        """What an event costs the side whose turn it is."""
