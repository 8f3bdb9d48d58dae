"""Searches for the best force and the best single change: ask for them, simulate them.

Many workers share a search: it is played in rungs, and each rung in blocks of one candidate.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from django.db import transaction

from battles.models import BestAnswer, BestBuild, BestChange, Body, Forecast
from battles.odds.changes import MAX_CHANGES, Change, apply_change, change_places
from battles.odds.chunks import Work
from battles.odds.services import check_runs, get_or_create_count, parse_seed_or_default, question_hash, touch_asked_at
from battles.searches.forces import (
    PublishedOpponent,
    candidate_forces,
    points_of_side,
    published_opponents,
    with_force,
    with_opponent,
)
from battles.services import limits
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError, unknown_slug
from systems.reading import read_setup
from systems.setups import Setup, setup_hash
from systems.simulation.odds import compare, tally
from systems.simulation.summary import Block, Climb, Plan, plan_of

RESULT_LENGTH = 3  # wins, losses and draws, which a search compares
AddExtraFigures = Callable[[Body, Block, list[int]], Body]


def climb_work(
    row: BestAnswer | BestBuild | BestChange,
    plan: Plan,
    play: Callable[[Block], list[int]],
    beside: AddExtraFigures | None = None,
) -> Work[list[list[int]]]:
    """Return how a search is played. A rung is open once it is known which candidates stay in.

    `play` returns wins, losses and draws of a block, and any further figures; `beside` adds those to the data stored
    with the search, and returns it.
    """
    each, rows = plan.battles, type(row)._default_manager.filter(pk=row.pk)

    def count(first: int, runs: int) -> list[list[int]]:
        climb = Climb.from_json(plan, rows.values_list("counts", flat=True).get())  # others may have opened the rung
        return [play(climb.block(at)) for at in range(first // each, (first + runs) // each)]

    def add(total: Body, parts: list[list[int]]) -> tuple[Body, int, bool]:
        climb, kept = Climb.from_json(plan, total), total
        for part in parts:
            if beside is not None:
                kept = beside(kept, climb.block(climb.blocks_done), part[RESULT_LENGTH:])
            climb.add(part[:RESULT_LENGTH])
        return {**kept, **climb.to_json()}, climb.blocks_done * each, False

    def known(total: Body) -> int:
        return Climb.from_json(plan, total).open_blocks * each

    return Work(each, count, add, known)


BEST_ANSWER_BATTLES = 40_000  # limit for all forces of a search together
MAX_FORCE_POINTS = 100_000
ENEMY, PUBLISHED_FORCES = (
    "enemy",
    "field",
)  # the opponent: the one in the set-up, or all published forces equally often


@transaction.atomic
def best_answer_ask(
    *,
    forecast: Forecast,
    side: int,
    points: int | None = None,
    against: str = ENEMY,
    battles: int = BEST_ANSWER_BATTLES,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[BestAnswer, bool]:
    """Ask for the force within some points that does best on that side (0 or 1); return it and whether it is new.

    `points` defaults to the cost of the side's own force, which is played too, whatever it costs. Against
    PUBLISHED_FORCES the mean of a force's results counts, over every published force that fits there.
    """
    setup = read_setup(forecast.setup)
    if side not in (0, 1):
        raise DocumentError("side", "must be 0 or 1: the first side or the second")
    if points is None:
        points = points_of_side(setup, side)
    if isinstance(points, bool) or not 1 <= points <= MAX_FORCE_POINTS:
        raise DocumentError("points", f"must be a whole number from 1 to {MAX_FORCE_POINTS:,}")
    check_runs(battles)
    number = parse_seed_or_default(seed)
    forces = candidate_forces(setup, side, points, number)
    if not forces:
        raise RefusedError("points", f"No legal force of published units costs {points} or less. Allow more points.")
    foes = _opponents(setup, side, against)
    touch_asked_at(forecast)
    plan = plan_of(len(forces) + 1, battles, max(len(foes), 1))
    version = battle_rules(setup.system).rules_version
    met = [setup_hash(with_opponent(setup, side, foe)) for foe in foes]
    question = question_hash(
        "best-answer", setup_hash(setup), side, points, forces, plan.battles, number, version, *met
    )

    suffix = " against the published forces" if foes else ""

    def fields() -> dict[str, object]:
        return {
            "forecast": forecast,
            "system": setup.system,
            "title": f"Best of {points} points for {setup.sides[side].name}{suffix}"[:140],
            "side": side,
            "points": points,
            "foes": foes,
            "forces": [list(force) for force in forces],
            "battles": plan.battles,
            "seed": str(number),
            "rules_version": version,
            "runs_asked": plan.runs,
        }

    return get_or_create_count(BestAnswer, question, fields, runs=plan.runs, actor=actor, visitor=visitor)


def best_answer_work(*, answer: BestAnswer) -> Work[list[list[int]]]:
    """Return how a search is played: in blocks of one force, which meets every enemy equally often."""
    setup, seed, side, each = read_setup(answer.forecast.setup), int(answer.seed), answer.side, answer.battles
    fields = [with_opponent(setup, side, foe) for foe in answer.foes] or [setup]
    share = each // len(fields)

    def play(block: Block) -> list[int]:
        force = tuple(answer.forces[block.candidate - 1]) if block.candidate else None
        ends = [0, 0, 0]
        for field in fields:
            counts = tally(with_force(field, side, force), seed, block.number * share, share).battle
            wins = (counts["attacker_wins"], counts["defender_wins"])
            for at, more in enumerate((wins[side], wins[1 - side], counts["draws"])):
                ends[at] += more
        return ends

    return climb_work(answer, Plan(len(answer.forces) + 1, each), play)


def _opponents(setup: Setup, side: int, against: str) -> list[PublishedOpponent]:
    """Return the enemies; empty for the enemy in the set-up."""
    if against not in (ENEMY, PUBLISHED_FORCES):
        raise unknown_slug("against", "enemy", against, (ENEMY, PUBLISHED_FORCES))
    if against == ENEMY:
        return []
    foes = published_opponents(setup, side)
    if not foes:
        raise RefusedError("against", "No published force can face that side here.")
    return foes


BEST_CHANGE_BATTLES = 80_000  # about, for all changes together; the battles without a change come on top


def single_changes(setup: Setup, side: int) -> tuple[Change, ...]:
    """Return all legal changes to that side (0 or 1) and to the field.

    If there are more than MAX_CHANGES, they are taken from each place in turn.
    """
    places = [place for place in change_places(setup) if place.side in ("", "ab"[side])]
    by_place = [[value for _, choices in place.groups for value, _ in choices] for place in places]
    found: list[Change] = []
    for value in (value for turn in zip_longest(*by_place) for value in turn if value is not None):
        what, of, to = value.split("|", 2)
        change = Change.model_validate({"what": what, "of": of, "to": to})
        try:
            apply_change(setup, change)
        except DocumentError:
            continue
        found.append(change)
        if len(found) == MAX_CHANGES:
            break
    return tuple(found)


@transaction.atomic
def best_change_ask(
    *,
    forecast: Forecast,
    side: int,
    battles: int = BEST_CHANGE_BATTLES,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[BestChange, bool]:
    """Ask for the single change that helps that side (0 or 1) most; return the search and whether it is new."""
    touch_asked_at(forecast)  # first, because the forecast is locked before its asker
    limits.check_forecast_limit(runs=1, actor=actor, visitor=visitor)  # before all changes are checked
    setup = read_setup(forecast.setup)
    if side not in (0, 1):
        raise DocumentError("side", "must be 0 or 1: the first side or the second")
    check_runs(battles)
    number = parse_seed_or_default(seed)
    changes = [change.model_dump(mode="json") for change in single_changes(setup, side)]
    if not changes:
        raise RefusedError("side", f"There are no legal changes for {setup.sides[side].name} here.")
    plan = plan_of(len(changes), battles)
    version = battle_rules(setup.system).rules_version
    question = question_hash("best-change", forecast.question, side, changes, plan.battles, number, version)

    def fields() -> dict[str, object]:
        return {
            "forecast": forecast,
            "system": setup.system,
            "title": f"Best change for {setup.sides[side].name}"[:140],
            "side": side,
            "changes": changes,
            "battles": plan.battles,
            "seed": str(number),
            "rules_version": version,
            "runs_asked": plan.runs,
        }

    return get_or_create_count(BestChange, question, fields, runs=plan.runs, actor=actor, visitor=visitor)


def best_change_again(*, row: BestChange, actor: Player | None = None, visitor: str = "") -> tuple[BestChange, bool]:
    """Ask the same question again. A failed search continues, by the current rules if they have changed."""
    return best_change_ask(
        forecast=row.forecast, side=row.side, battles=row.runs_asked, seed=row.seed, actor=actor, visitor=visitor
    )


def best_change_work(*, row: BestChange) -> Work[list[list[int]]]:
    """Return how changes are tried: in blocks of one change, simulated with and without it on the same dice."""
    setup, seed, side, each = read_setup(row.forecast.setup), int(row.seed), row.side, row.battles

    def play(block: Block) -> list[int]:
        after = apply_change(setup, Change.model_validate(row.changes[block.candidate]))
        won, lost, drawn, *paired = _count_ends(compare(setup, after, seed, block.number * each, each).table, side)
        return [won, lost + drawn, 0, *paired]  # compare by wins, as the page shows

    def beside(kept: Body, block: Block, figures: list[int]) -> Body:
        paired, change = kept.get("paired", {}), str(block.candidate)
        summed = [old + more for old, more in zip(paired.get(change, (0, 0)), figures, strict=True)]
        return {**kept, "paired": {**paired, change: summed}}

    return climb_work(row, Plan(len(row.changes), each), play, beside)


def _count_ends(table: tuple[tuple[int, int, int], ...], side: int) -> list[int]:
    """Return wins, losses and draws with the change, wins only with it, and wins only without it."""
    ends = [sum(before[place] for before in table) for place in (side, 1 - side, 2)]
    gained = ends[0] - table[side][side]
    return [*ends, gained, sum(table[side]) - table[side][side]]
