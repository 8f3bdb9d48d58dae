"""A map of zones: its terrain, the units in each zone, and the interface of games played on it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass

from systems.engine.events import Event
from systems.setups import Setup
from systems.situation import Situation, UnitView
from systems.spaces import Aim, Space

LOOKS = ("wood", "plain", "highlands", "moors", "desert", "urban")  # drawings of a zone's terrain
TRAYS = ("waiting", "left", "destroyed")  # beside the map, for units that are not on it


@dataclass(frozen=True, slots=True)
class ZoneGround:
    """A zone of the map before anybody moves.

    `marks` describe its role in the scenario. Some are drawn: "key zone"; "attacker" or "defender" and a word after it
    ("arrives" has a sign of its own); "exit by the top edge", or the bottom one.
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

    zone: int = 0  # 0: off the map, or in a battle without one

    @property
    def is_reserve(self) -> bool:
        """Return whether the battle may bring it but has not yet, or not any more; its key has a plus sign."""
        return "+" in self.key and self.zone == 0 and not self.destroyed

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the slugs of its counter's marks."""
        return ()

    @property
    def harm(self) -> tuple[str, ...]:
        """Return damage that is neither hits nor lost parts, in words."""
        return ()

    def describe_end(self, cause: str) -> str:
        """Describe how it was lost, to follow its name; `cause` as far as it is known."""
        return f"is destroyed: {cause}" if cause else "is destroyed"

    def told_since(self, before: UnitView) -> tuple[str, ...]:
        """Describe its changes besides hits, wounds and place, to follow its name."""
        return ()


def zone_space(situation: Situation) -> tuple[ZoneView, ...]:
    """Return the units of a battle on a map, including those off it."""
    return tuple(unit for unit in situation.units if isinstance(unit, ZoneView))


class Zones(Space):
    """A game on a map of zones."""

    board = "zones"
    trays: tuple[str, ...] = TRAYS  # those of them that a unit can get to
    signs: tuple[str, ...] = ()  # the legend's other signs on map and counters: "★ key zone"

    @abstractmethod
    def ground(self, setup: Setup, events: Iterable[Event]) -> tuple[ZoneGround, ...]:
        """Return the zones of the map by number; empty in a battle without a map."""

    def sight(self, event: Event) -> Sight | None:
        """Return the event's result of one unit's search for another; None if there is none."""
        return None

    def opens_round(self, event: Event) -> bool:
        """Return whether the event starts a round of a fight, when sights are forgotten."""
        return False

    def aim(self, event: Event) -> Aim | None:
        """Return attacker, target and success of an event; None if nobody fires."""
        return None
