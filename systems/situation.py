"""The state of a battle at one moment, as a spectator sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

MAX_BOXES = 60  # drawn as one box per hit
BOX_PATTERN = 500  # hits per box where hits are counted in thousands


def boxes_of(left: int, total: int) -> tuple[int, int]:
    """Return how many boxes are left, and how many there are: one for each hit, or one for each 500."""
    box = BOX_PATTERN if total > MAX_BOXES else 1
    return -(-max(0, min(left, total)) // box), -(-total // box)


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit as a replay shows it; a space adds its place, a game adds what only its units have."""

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
        """Return whether the battle may bring the unit but has not yet, or not any more."""
        return False

    @property
    def lost_parts(self) -> tuple[str, ...]:
        """Return the names of the lost parts."""
        return ()

    @property
    def struck(self) -> int:
        """Return how many of its parts are lost or crippled: its counter is drawn with as many marks."""
        return len(self.lost_parts)

    @property
    def kept(self) -> Mapping[str, int | tuple[int, ...]]:
        """Return the damage that it keeps besides its lost hits, by the outcome's names."""
        return {}

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes on the unit, shown beside its hits at the end of a round."""
        return ()


@dataclass(frozen=True, slots=True)
class BandView:
    """The range band between two opposing units."""

    a_key: str
    d_key: str
    band: int  # 0 Short, 1 Medium, 2 Long
    broken: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """A battle at one moment, as a spectator sees it: the result of the events so far."""

    units: tuple[UnitView, ...]
    bands: tuple[BandView, ...] = ()

    def changed(self, key: str | None, change: Callable[[UnitView], UnitView]) -> Situation:
        """Return the situation with one unit changed."""
        return replace(self, units=tuple(change(unit) if unit.key == key else unit for unit in self.units))
