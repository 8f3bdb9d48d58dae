"""Questions that rosters ask before a company changes; the floors above answer them, and register when they start.

Both are asked while the company's row is locked, so that an answer holds until the change is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from rosters.models import Company

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """What keeps units and pilots as they are, and the company together, until something else is over."""

    company: str  # the sentence for who would disband it
    units: frozenset[int] = field(default_factory=frozenset)
    pilots: frozenset[int] = field(default_factory=frozenset)
    reason: str = ""  # of units and pilots: what follows their name and "is" in a sentence
    spares: frozenset[str] = field(default_factory=frozenset)  # kinds of entries that may be written all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserve:
    """Points in the bank that can't be spent."""

    points: int
    reason: str  # a sentence


class Hook(Generic[AnswerT]):
    """A question about a company, and those who answer it."""

    def __init__(self) -> None:
        self._answers: list[Callable[[Company], Sequence[AnswerT]]] = []

    def register(self, answer: Callable[[Company], Sequence[AnswerT]]) -> None:
        """From now on this is asked too; registering twice is registering once."""
        if answer not in self._answers:
            self._answers.append(answer)

    def ask(self, company: Company) -> list[AnswerT]:
        """All that is answered."""
        return [found for answer in self._answers for found in answer(company)]


Held = dict[str, dict[int, str]]


def held(answers: Sequence[Hold]) -> Held:
    """Why units and pilots can't be changed now, by "unit" or "pilot" and their id."""
    found: Held = {"unit": {}, "pilot": {}}
    for hold in answers:
        found["unit"] |= dict.fromkeys(hold.units, hold.reason)
        found["pilot"] |= dict.fromkeys(hold.pilots, hold.reason)
    return found


holds: Hook[Hold] = Hook()  # before an act of a player touches units or pilots, or disbands the company
reserves: Hook[Reserve] = Hook()  # before a player spends points
