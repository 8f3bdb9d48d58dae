"""What a spectator sees of a battle at one moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

MAX_BOXES = 60  # that are drawn one for each hit
BOX = 500  # what a box stands for where hits are counted in thousands


def boxes_of(left: int, total: int) -> tuple[int, int]:
    """How many boxes are left, and how many there are: one for each hit, or one for each 500."""
    box = BOX if total > MAX_BOXES else 1
    return -(-max(0, min(left, total)) // box), -(-total // box)


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit as a replay shows it; a space adds where it is, a game what only its units have."""

    key: str
    name: str
    side: int
    chassis: str  # slug of the counter that it is drawn as
    hits: int
    max_hits: int
    destroyed: bool = False
    withdrew: bool = False
    wounded: bool = False
    kills: int = 0  # units destroyed

    @property
    def is_reserve(self) -> bool:
        """True for what the battle may bring while it has not, or has no more."""
        return False

    @property
    def lost_parts(self) -> tuple[str, ...]:
        """What it has lost of what it carries, by name."""
        return ()

    @property
    def struck(self) -> int:
        """How many of its parts are lost or crippled: with so many marks its counter lies there."""
        return len(self.lost_parts)

    @property
    def kept(self) -> Mapping[str, int | tuple[int, ...]]:
        """The damage that it goes home with besides its hits, as an outcome names it."""
        return {}

    @property
    def notes(self) -> tuple[str, ...]:
        """What else is told of it beside its hits at the end of a round."""
        return ()


@dataclass(frozen=True, slots=True)
class BandView:
    """Where two opposing units stand to each other."""

    a_key: str
    d_key: str
    band: int  # 0 Short, 1 Medium, 2 Long
    broken: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """What a spectator sees at one moment: a fold of the events so far."""

    units: tuple[UnitView, ...]
    bands: tuple[BandView, ...] = ()

    def changed(self, key: str | None, change: Callable[[UnitView], UnitView]) -> Situation:
        """With one unit changed."""
        return replace(self, units=tuple(change(unit) if unit.key == key else unit for unit in self.units))
