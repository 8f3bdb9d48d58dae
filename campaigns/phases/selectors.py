"""Phases as pages show them: their rounds and texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from campaigns.campaign.selectors import RoundSummaryRow
from campaigns.models import Campaign, Phase
from rosters.database.columns import columns
from rosters.site.compiled import PreparedQuery


class PhaseRow(NamedTuple):
    """A phase; `last` is its last round, None if no other phase follows."""

    id: int
    name: str
    text: str
    first: int
    last: int | None

    @property
    def rounds(self) -> str:
        """Return its rounds, in words."""
        if self.last is None:
            return f"from round {self.first} on"
        return f"round {self.first}" if self.first == self.last else f"rounds {self.first} to {self.last}"

    def holds(self, number: int) -> bool:
        """Return whether that round belongs to it."""
        return self.first <= number and (self.last is None or number <= self.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseSection:
    """Some rounds of the overview and their phase; None for rounds before the first phase."""

    phase: PhaseRow | None
    rounds: tuple[RoundSummaryRow, ...]


def _phase(pk: int, name: str, text: str, first_round: int) -> PhaseRow:
    return PhaseRow(id=pk, name=name, text=text, first=first_round, last=None)


PHASES = PreparedQuery(
    lambda campaign: Phase.objects.filter(campaign=campaign).order_by("first_round").values_list(*columns(_phase)),
    _phase,
    campaign=int,
)


def phases_of(campaign: Campaign) -> tuple[PhaseRow, ...]:
    """Return all phases in order; one query."""
    rows = PHASES.rows(campaign=campaign.pk)
    ends = [row.first - 1 for row in rows[1:]]
    return tuple(row._replace(last=last) for row, last in zip(rows, [*ends, None], strict=True)) if rows else ()


def phase_of(phases: Sequence[PhaseRow], number: int) -> PhaseRow | None:
    """Return the phase that the round of that number belongs to."""
    return next((phase for phase in phases if phase.holds(number)), None)


def group_rounds_by_phase(phases: Sequence[PhaseRow], rounds: Sequence[RoundSummaryRow]) -> tuple[PhaseSection, ...]:
    """Return the rounds by phase, newest first, with upcoming phases before them."""
    found = [
        PhaseSection(phase=phase, rounds=tuple(each for each in rounds if phase.holds(each.number)))
        for phase in reversed(phases)
    ]
    before = tuple(each for each in rounds if phase_of(phases, each.number) is None)
    return (*found, *([PhaseSection(phase=None, rounds=before)] if before else []))


def last_rounds(phases: Sequence[PhaseRow], numbers: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Return each phase that has begun and its last published round, after which its standings are taken."""
    played = [(phase.name, [number for number in numbers if phase.holds(number)]) for phase in phases]
    return tuple((name, max(held)) for name, held in played if held)
