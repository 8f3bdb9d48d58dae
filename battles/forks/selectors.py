"""A fork of a battle, as its page and the API show it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from battles.models import Battle, Fork
from battles.selectors.records import ReplayedRecord
from rosters.site.compiled import PreparedQuery
from systems.reading import stored_setup
from systems.simulation.odds import Comparison, Difference, Odds, Share, differences, odds

FORK = PreparedQuery(lambda key: Fork.objects.filter(key=key).select_related("battle", "asked_by"), key=UUID)
MAX_FORKS = 20
FORKS = PreparedQuery(lambda battle: Fork.objects.filter(battle=battle).order_by("-pk")[:MAX_FORKS], battle=int)


def fork_readable(key: UUID) -> Fork | None:
    """Return the fork with that key, whether or not the reader may see its battle."""
    return FORK.row(key=key)


def forks_of(battle: Battle) -> list[Fork]:
    """Return the forks of a battle, newest first."""
    return FORKS.rows(battle=battle.pk)


def step_of_round(told: ReplayedRecord, number: int) -> int | None:
    """Return the step of the drawing that a round begins with; None if nothing is drawn."""
    lines = next((step.lines for view in told.rounds if view.number == number for step in view.steps), ())
    return told.board.steps_of_lines.get(lines[0].number) if told.board and lines else None


def round_of_step(told: ReplayedRecord, step: int) -> int:
    """Return the round that a step of the drawing is in; the first if nothing is drawn."""
    numbers = [view.number for view in told.rounds if view.number]
    begun = [number for number in numbers if (step_of_round(told, number) or step + 1) <= step]
    return begun[-1] if begun else numbers[0]


@dataclass(frozen=True)
class ForkRow:
    """A fork with its figures so far."""

    row: Fork

    @cached_property
    def counted(self) -> Comparison:
        return Comparison.from_json(self.row.counts)

    @cached_property
    def before(self) -> Odds:
        return odds(self.counted.before, stored_setup(self.row.battle.setup))

    @cached_property
    def after(self) -> Odds:
        return odds(self.counted.after, stored_setup(self.row.battle.setup))

    @cached_property
    def chances(self) -> tuple[tuple[str, str, Share, Share, Difference], ...]:
        """Label, side, chance before, chance after, difference: for both sides and the draw."""
        (a, b), (new_a, new_b) = self.before.sides, self.after.sides
        of_a, of_b, of_draws = differences(self.counted)
        return (
            (f"{a.name} wins", "a", a.wins, new_a.wins, of_a),
            (f"{b.name} wins", "b", b.wins, new_b.wins, of_b),
            ("Draw", "", self.before.draws, self.after.draws, of_draws),
        )


def fork_row(row: Fork) -> ForkRow | None:
    """Return the fork with its figures; None before the first chunk."""
    return ForkRow(row) if row.runs_done else None
