"""Work out a campaign story from its games: pairings, what a win brings to the next game, and the score.

No database access. Companies are given as ids of their enrolments; steps are numbered from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from campaigns.pairing import Fixture

ATTACKER, DEFENDER, DRAW = "attacker", "defender", "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class StorylineGame:
    """A match of the story. A bye has no defender."""

    match: int
    key: UUID
    round: int
    step: int
    table: int
    state: str
    won: str  # attacker, defender or draw; empty if it doesn't count (yet)
    is_open: bool
    attacker: int
    defender: int | None

    @property
    def winner(self) -> int | None:
        """The enrolment of the winner; None for a bye."""
        if self.defender is None:
            return None
        return {ATTACKER: self.attacker, DEFENDER: self.defender}.get(self.won)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """Numbers of games by outcome."""

    attacker: int = 0
    defender: int = 0
    drawn: int = 0


def fixtures(attackers: Collection[int], defenders: Collection[int], step: int) -> tuple[Fixture, ...]:
    """Return the pairings of a step. Defenders move on by one each step; a company without an opponent has a bye."""
    one, two = sorted(attackers), sorted(defenders)
    size = max(len(one), len(two))
    line = [two[at] if at < len(two) else None for at in range(size)]
    met = [(one[at] if at < len(one) else None, line[(at + step - 1) % size]) for at in range(size)]
    fights = [Fixture(attacker=a, defender=d) for a, d in met if a is not None and d is not None]
    alone = [a if a is not None else d for a, d in met if a is None or d is None]
    return (*fights, *(Fixture(attacker=each, defender=None) for each in alone if each is not None))


def winners(games: Iterable[StorylineGame], step: int) -> dict[int, StorylineGame]:
    """Return the games of that step by their winner."""
    return {each.winner: each for each in games if each.step == step and each.winner is not None}


def count_outcomes(games: Iterable[StorylineGame], step: int | None = None) -> OutcomeCount:
    """Count the outcomes of the games, of all steps or of one."""
    won = [each.won for each in games if each.defender is not None and step in (None, each.step)]
    return OutcomeCount(attacker=won.count(ATTACKER), defender=won.count(DEFENDER), drawn=won.count(DRAW))


def war_winner(games: Sequence[StorylineGame], steps: int) -> str:
    """Return which side won the story: the one with more wins, else with more in the latest step that wasn't level.

    A draw if every step was level.
    """
    for found in (count_outcomes(games), *(count_outcomes(games, step) for step in range(steps, 0, -1))):
        if found.attacker != found.defender:
            return ATTACKER if found.attacker > found.defender else DEFENDER
    return DRAW
