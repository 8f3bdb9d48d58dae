"""Arcs, the campaign stories: scenarios of a game in order. Sides keep their roles, and a win brings a bonus.

Sides of a scenario are 0 attacker, 1 defender, as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StorylineBonus:
    """What a side of a scenario has beyond the printed terms; less, if below 0."""

    points: int = 0
    rolls: int = 0  # of support

    def __add__(self, other: StorylineBonus) -> StorylineBonus:
        return StorylineBonus(self.points + other.points, self.rolls + other.rolls)

    def __bool__(self) -> bool:
        return self != StorylineBonus()

    def __str__(self) -> str:
        """Describe the gain: “5 points and 1 support roll more”; only for one that isn't empty."""
        points = f"{self.points} point{'s' if self.points != 1 else ''}" if self.points else ""
        rolls = f"{self.rolls} support roll{'s' if self.rolls != 1 else ''}" if self.rolls else ""
        return f"{' and '.join(filter(None, (points, rolls)))} more"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvenTerms:
    """The points that make an uneven scenario as even as possible, by its published odds."""

    side: int  # the stronger one
    points: int  # that it fields instead of the printed ones
    chance: float  # of the attacker with the printed points, a draw counted as half
    chance_with: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineStep:
    """A scenario of an arc."""

    scenario: str  # a published one's slug
    leaves: StorylineBonus = field(default_factory=StorylineBonus)  # to its winner, in the next step
    why: str = ""  # half a sentence
    even: EvenTerms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """The scenarios of a campaign story, in order."""

    name: str
    about: str
    steps: tuple[StorylineStep, ...]
    options: Mapping[str, object] = field(default_factory=dict)  # house rules that its campaigns begin with

    @property
    def scenarios(self) -> tuple[str, ...]:
        return tuple(step.scenario for step in self.steps)
