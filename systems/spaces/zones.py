"""A map of zones: its ground, who stands in which zone, and what is asked of a game that is played on it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from systems.engine.events import Event
from systems.setups import Setup
from systems.situation import Situation, UnitView
from systems.spaces import Aim, Space

LOOKS = ("wood", "plain", "highlands", "moors", "desert", "urban")  # what the ground of a zone can be drawn as
TRAYS = ("waiting", "left", "destroyed")  # beside the map, for who is not on it


@dataclass(frozen=True, slots=True)
class ZoneGround:
    """A zone of the map as it lies there before anybody moves.

    `marks` are what the scenario makes of it, in words. Some are drawn: "key zone"; "attacker" or "defender" and a word
    after it, of which "arrives" has a sign of its own; "exit by the top edge", or the bottom one.
    """

    number: int  # from 1, each one more than that of the zone before
    row: int  # from 1, at the top
    column: int
    terrain_name: str
    look: str = ""  # one of LOOKS; empty: nothing is drawn
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether a unit has found what it aims at, this round."""

    unit: str
    target: str
    found: bool


@dataclass(frozen=True, slots=True)
class ZoneView(UnitView):
    """A unit in a zone."""

    zone: int = 0  # 0: off the map, or in a battle without one

    @property
    def is_reserve(self) -> bool:
        """As of any unit; the key of what may come holds a plus sign."""
        return "+" in self.key and self.zone == 0 and not self.destroyed

    @property
    def marks(self) -> tuple[str, ...]:
        """Slugs of what its counter is marked with."""
        return ()

    @property
    def harm(self) -> tuple[str, ...]:
        """Damage that is neither hits nor lost parts, in words."""
        return ()

    def describe_end(self, cause: str) -> str:
        """How it was lost, in words that go on from its name; `cause` as far as it is known."""
        return f"is destroyed: {cause}" if cause else "is destroyed"

    def told_since(self, before: UnitView) -> tuple[str, ...]:
        """What became of it besides hits, wounds and place, in words that go on from its name."""
        return ()


def on_zones(situation: Situation) -> tuple[ZoneView, ...]:
    """The units of a battle on a map, those that are off it too."""
    return tuple(unit for unit in situation.units if isinstance(unit, ZoneView))


class Zones(Space):
    """A game on a map of zones."""

    board = "zones"
    trays: tuple[str, ...] = TRAYS  # those of them that anybody can come to
    signs: tuple[str, ...] = ()  # what else stands on map and counters, as the legend tells it: "★ key zone"

    @abstractmethod
    def ground(self, setup: Setup, events: Iterable[Event]) -> tuple[ZoneGround, ...]:
        """The zones of the map by number; none in a battle without one."""

    def sight(self, event: Event) -> Sight | None:
        """What the event says of one unit's sight of another; None if nothing."""
        return None

    def opens_round(self, event: Event) -> bool:
        """True if a round of a fight begins with the event, and sights are forgotten."""
        return False

    def aim(self, event: Event) -> Aim | None:
        """Who fires at whom in an event, and with what success; None if nobody does."""
        return None
