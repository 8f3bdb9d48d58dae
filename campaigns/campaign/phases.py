"""The phases of a campaign, named groups of rounds: show, add, change and remove them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction

from campaigns.activity_log import log_campaign_activity
from campaigns.campaign.selectors import RoundSummaryRow
from campaigns.locks import campaign_lock
from campaigns.models import Campaign, CampaignState, Phase, RoundState
from rosters.database.queries import PreparedQuery, columns
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_lines, clean_text


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
            return f"from round {self.first}"
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


MAX_PHASES = 30
MAX_ROUND = 999
MAX_TEXT_LENGTH = 2000


@transaction.atomic
def phase_add(*, campaign: Campaign, name: str, first_round: int, by: Player, text: str = "") -> Phase:
    """Add a phase that begins with that round."""
    locked = _lock_unfinished(campaign)
    if locked.phases.count() >= MAX_PHASES:
        raise RefusedError("name", f"A campaign can have at most {MAX_PHASES} phases.")
    before = _rounds(locked)
    made = Phase(campaign=locked)
    _set(made, name, text, first_round)
    made.save()
    _check_closed_rounds(locked, before)
    log_campaign_activity(locked, f"Added the phase {made.name} to {locked.name}, from round {made.first_round}", by)
    return made


@transaction.atomic
def phase_change(*, phase: Phase, name: str, text: str, first_round: int, by: Player) -> Phase:
    """Change the name, text or first round of a phase."""
    locked = _lock_unfinished(phase.campaign)
    row = locked.phases.filter(pk=phase.pk).first()
    if row is None:
        raise RefusedError("phase", "Somebody else has removed this phase.")
    before, old_values = _rounds(locked), (row.name, row.text, row.first_round)
    _set(row, name, text, first_round)
    if (row.name, row.text, row.first_round) != old_values:
        row.save()
        _check_closed_rounds(locked, before)
        log_campaign_activity(locked, f"Changed the phase {old_values[0]} of {locked.name}", by)
    return row


@transaction.atomic
def phase_remove(*, phase: Phase, by: Player) -> None:
    """Remove a phase; its rounds then belong to the one before. Raise RefusedError if one of them is closed."""
    locked = _lock_unfinished(phase.campaign)
    before = _rounds(locked)
    Phase.objects.filter(pk=phase.pk).delete()
    _check_closed_rounds(locked, before)
    log_campaign_activity(locked, f"Removed the phase {phase.name} of {locked.name}", by)


def _lock_unfinished(campaign: Campaign) -> Campaign:
    locked = campaign_lock(campaign)
    if locked.state == CampaignState.FINISHED:
        raise RefusedError("campaign", f"{locked.name} is finished, so it can't be changed.")
    return locked


def _set(phase: Phase, name: str, text: str, first_round: int) -> None:
    if isinstance(first_round, bool) or not isinstance(first_round, int) or not 1 <= first_round <= MAX_ROUND:
        raise RefusedError("first_round", f"must be a round number from 1 to {MAX_ROUND}.")
    phase.name = clean_text("name", name, longest=60, now=phase.name or None)
    phase.text = clean_lines("text", text, longest=MAX_TEXT_LENGTH, now=phase.text)
    phase.first_round = first_round
    others = phase.campaign.phases.exclude(pk=phase.pk)
    if others.filter(name=phase.name).exists():
        raise RefusedError("name", "There is already a phase of that name. Choose another name.")
    if others.filter(first_round=first_round).exists():
        raise RefusedError(
            "first_round", f"Another phase already begins with round {first_round}. Choose another round."
        )


def _rounds(campaign: Campaign) -> dict[int, int]:
    """Return the phase of each closed round that has one."""
    phases = list(campaign.phases.order_by("-first_round"))
    closed = campaign.rounds.filter(state=RoundState.CLOSED).values_list("number", flat=True)
    found = {number: next((each.pk for each in phases if each.first_round <= number), None) for number in closed}
    return {number: phase for number, phase in found.items() if phase is not None}


def _check_closed_rounds(campaign: Campaign, before: dict[int, int]) -> None:
    """Raise RefusedError if a closed round would leave the phase in which it was played."""
    after = _rounds(campaign)
    moved = sorted(number for number, phase in before.items() if after.get(number) != phase)
    if moved:
        raise RefusedError("first_round", f"Round {moved[0]} is closed, so it stays in its phase.")
