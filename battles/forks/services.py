"""Forks of a battle: asked for, and simulated alongside the original by a worker."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import transaction

from battles.models import Battle, Body, Fork
from battles.selectors.records import replayed
from battles.services.curves import resume_refusal
from battles.services.forecasts import check_runs, get_or_create_count, parse_seed_or_default, question_hash
from battles.services.shares import Work
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError, unknown_slug
from systems.reading import read_setup, stored_setup
from systems.setups import Setup, canonical, setup_json
from systems.simulation.odds import Comparison
from systems.simulation.positions import RecordedCourse, course_of

FORK_BATTLES = 10_000


def describe_fork_refusal(battle: Battle) -> str:
    """Return why a battle can't be forked; empty if it can."""
    return resume_refusal(battle, "A battle that was played by hand can’t be taken up again.")


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
    """Ask what these AI styles of both sides, from that round on, do to the chances; and return whether it is new."""
    if refusal := describe_fork_refusal(battle):
        raise RefusedError("battle", refusal)
    setup, told = stored_setup(battle.setup), replayed(battle)
    assert told is not None
    numbers = [view.number for view in told.rounds if view.number]
    if isinstance(round, bool) or round not in numbers:
        raise DocumentError("round", f"must be one of the battle's: {numbers[0]} to {numbers[-1]}")
    rules = battle_rules(battle.system)
    if len(doctrines) != len(setup.sides):
        raise DocumentError("doctrines", "must be one for each side")
    for at, slug in enumerate(doctrines):
        if slug not in rules.doctrines:
            raise unknown_slug(f"doctrines[{at}]", "doctrine", slug, rules.doctrines)
    if [side.doctrine for side in setup.sides] == list(doctrines):
        raise DocumentError("doctrines", "that changes nothing: so they fought")
    check_runs(battles)
    number, version = parse_seed_or_default(seed), battle.rules_version
    question = question_hash("fork", str(battle.key), round, list(doctrines), battles, number, version)
    word = told.rounds[-1].word.lower()
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
    """Return how the pairs of battles are simulated: original and fork, on the same dice."""
    seed = int(fork.seed)
    taken_up = _course(canonical(fork.battle.setup), int(fork.battle.seed))
    other = setup_with_styles(taken_up.setup, fork.doctrines)

    def count(first: int, runs: int) -> Body:
        return taken_up.otherwise(fork.round, other, seed, first, runs).to_json()

    def add(total: Body, part: Body) -> tuple[Body, int, bool]:
        more = Comparison.from_json(part)
        counted = Comparison.from_json(total) + more if total else more
        return counted.to_json(), counted.battles, False

    return Work(1, count, add)


@lru_cache(maxsize=4)
def _course(setup: str, seed: int) -> RecordedCourse:
    """Return the course of the battle with this document and seed."""
    return course_of(stored_setup(json.loads(setup)), seed)
