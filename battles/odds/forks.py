"""Forks of a battle, resumed with other AI styles: ask for, simulate and show them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any
from uuid import UUID

from django.db import transaction

from battles.models import Battle, Body, Fork
from battles.odds.chunks import Work
from battles.odds.curves import resume_refusal
from battles.odds.services import check_runs, get_or_create_count, parse_seed_or_default, question_hash
from battles.selectors.records import ReplayedRecord, replayed
from rosters.database.queries import PreparedQuery
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError, unknown_slug
from systems.reading import read_setup, stored_setup
from systems.setups import Setup, canonical, setup_json
from systems.simulation.analysis import RecordedCourse, course_of
from systems.simulation.odds import Comparison, Difference, differences
from systems.simulation.summary import Odds, Share, odds

FORK_BATTLES = 10_000


def describe_fork_refusal(battle: Battle) -> str:
    """Return why a battle can't be forked; empty if it can."""
    return resume_refusal(battle, "Battles played online can’t be continued.")


@transaction.atomic
def fork_ask(
    *,
    battle: Battle,
    round: int,
    doctrines: Sequence[str],
    battles: int = FORK_BATTLES,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[Fork, bool]:
    """Ask for the effect of these AI styles from that round on; return the fork and whether it is new."""
    if refusal := describe_fork_refusal(battle):
        raise RefusedError("battle", refusal)
    setup, replay = stored_setup(battle.setup), replayed(battle)
    assert replay is not None
    numbers = [view.number for view in replay.rounds if view.number]
    if isinstance(round, bool) or round not in numbers:
        raise DocumentError("round", f"must be one of the battle's: {numbers[0]} to {numbers[-1]}")
    rules = battle_rules(battle.system)
    if len(doctrines) != len(setup.sides):
        raise DocumentError("doctrines", "must be one for each side")
    for at, slug in enumerate(doctrines):
        if slug not in rules.doctrines:
            raise unknown_slug(f"doctrines[{at}]", "doctrine", slug, rules.doctrines)
    if [side.doctrine for side in setup.sides] == list(doctrines):
        raise DocumentError("doctrines", "These are the original AI styles. Change at least one.")
    check_runs(battles)
    number, version = parse_seed_or_default(seed), battle.rules_version
    question = question_hash("fork", str(battle.key), round, list(doctrines), battles, number, version)
    word = replay.rounds[-1].word.lower()
    named = [
        f"{side.name} {rules.doctrines[slug].lower()}"
        for side, slug in zip(setup.sides, doctrines, strict=True)
        if side.doctrine != slug
    ]

    def fields() -> dict[str, object]:
        return {
            "battle": battle,
            "system": battle.system,
            "title": f"{' and '.join(named)} from {word} {round} on"[:140],
            "round": round,
            "doctrines": list(doctrines),
            "seed": str(number),
            "rules_version": version,
            "runs_asked": battles,
        }

    return get_or_create_count(Fork, question, fields, runs=battles, actor=actor, visitor=visitor)


def setup_with_styles(setup: Setup, doctrines: Sequence[str]) -> Setup:
    """Return the set-up with these AI styles."""
    body: dict[str, Any] = setup_json(setup)
    for side, slug in zip(body["sides"], doctrines, strict=True):
        side["doctrine"] = slug
    return read_setup(body)


def fork_work(*, fork: Fork) -> Work[Body]:
    """Return how pairs of battles are simulated: original and fork, on the same dice."""
    seed = int(fork.seed)
    taken_up = _course(canonical(fork.battle.setup), int(fork.battle.seed))
    other = setup_with_styles(taken_up.setup, fork.doctrines)

    def count(first: int, runs: int) -> Body:
        return taken_up.otherwise(fork.round, other, seed, first, runs).to_json()

    def add(total: Body, part: Body) -> tuple[Body, int, bool]:
        more = Comparison.from_json(part)
        comparison = Comparison.from_json(total) + more if total else more
        return comparison.to_json(), comparison.battles, False

    return Work(1, count, add)


@lru_cache(maxsize=4)
def _course(setup: str, seed: int) -> RecordedCourse:
    """Return the course of the battle with this document and seed."""
    return course_of(stored_setup(json.loads(setup)), seed)


FORK = PreparedQuery(lambda key: Fork.objects.filter(key=key).select_related("battle", "asked_by"), key=UUID)
MAX_FORKS = 20
FORKS = PreparedQuery(lambda battle: Fork.objects.filter(battle=battle).order_by("-pk")[:MAX_FORKS], battle=int)


def fork_readable(key: UUID) -> Fork | None:
    """Return the fork with that key, whether or not the reader may see its battle."""
    return FORK.row(key=key)


def forks_of(battle: Battle) -> list[Fork]:
    """Return the forks of a battle, newest first."""
    return FORKS.rows(battle=battle.pk)


def step_of_round(replay: ReplayedRecord, number: int) -> int | None:
    """Return the first step of a round in the drawing; None if nothing is drawn."""
    lines = next((step.lines for view in replay.rounds if view.number == number for step in view.steps), ())
    return replay.board.steps_of_lines.get(lines[0].number) if replay.board and lines else None


def round_of_step(replay: ReplayedRecord, step: int) -> int:
    """Return the round of a step in the drawing; the first if nothing is drawn."""
    numbers = [view.number for view in replay.rounds if view.number]
    begun = [number for number in numbers if (step_of_round(replay, number) or step + 1) <= step]
    return begun[-1] if begun else numbers[0]


@dataclass(frozen=True)
class ForkRow:
    """A fork with its figures so far."""

    row: Fork

    @cached_property
    def comparison(self) -> Comparison:
        return Comparison.from_json(self.row.counts)

    @cached_property
    def before(self) -> Odds:
        return odds(self.comparison.before, stored_setup(self.row.battle.setup))

    @cached_property
    def after(self) -> Odds:
        return odds(self.comparison.after, stored_setup(self.row.battle.setup))

    @cached_property
    def chances(self) -> tuple[tuple[str, str, Share, Share, Difference], ...]:
        """Label, side, chance before, chance after, difference: for both sides and the draw."""
        (a, b), (new_a, new_b) = self.before.sides, self.after.sides
        of_a, of_b, of_draws = differences(self.comparison)
        return (
            (f"{a.name} wins", "a", a.wins, new_a.wins, of_a),
            (f"{b.name} wins", "b", b.wins, new_b.wins, of_b),
            ("Draw", "", self.before.draws, self.after.draws, of_draws),
        )


def fork_row(row: Fork) -> ForkRow | None:
    """Return the fork with its figures; None before the first chunk."""
    return ForkRow(row) if row.runs_done else None
