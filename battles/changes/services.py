"""Searches for the single change that helps a side most: asked for beside a forecast, tried one by one by workers."""

from __future__ import annotations

from itertools import zip_longest

from django.db import transaction

from battles.models import BestChange, Body, Forecast
from battles.odds.change_places import change_places
from battles.odds.what_if import Change, apply_change
from battles.services import limits
from battles.services.climbs import climb_work
from battles.services.forecasts import (
    check_runs,
    get_or_create_count,
    parse_seed_or_default,
    question_hash,
    touch_asked_at,
)
from battles.services.shares import Work
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup
from systems.simulation.halving import Block, Plan, plan_of
from systems.simulation.odds import compare

BEST_CHANGE_BATTLES = 80_000  # about, with all changes together; as many again without them
MAX_CHANGES = 300


def single_changes(setup: Setup, side: int) -> tuple[Change, ...]:
    """Return what can be changed on that side (0 or 1) and on the field, and stays legal in the whole set-up.

    If there are more than can be tried, places take turns.
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
    """Ask which single change helps that side (0 or 1) of a forecast's set-up most; and return whether it is new."""
    touch_asked_at(forecast)  # first: the forecast is locked before its asker
    limits.check_forecast_limit(runs=1, actor=actor, visitor=visitor)  # before all changes are checked
    setup = read_setup(forecast.setup)
    if side not in (0, 1):
        raise DocumentError("side", "must be 0 or 1: the first side or the second")
    check_runs(battles)
    number = parse_seed_or_default(seed)
    changes = [change.model_dump(mode="json") for change in single_changes(setup, side)]
    if not changes:
        raise RefusedError("side", f"Nothing can be changed for {setup.sides[side].name} that is legal here.")
    plan = plan_of(len(changes), battles)
    version = battle_rules(setup.system).rules_version
    question = question_hash("best-change", forecast.question, side, changes, plan.battles, number, version)

    def fields() -> dict[str, object]:
        return {
            "forecast": forecast,
            "system": setup.system,
            "title": f"What helps {setup.sides[side].name} most"[:140],
            "side": side,
            "changes": changes,
            "battles": plan.battles,
            "seed": str(number),
            "rules_version": version,
            "runs_asked": plan.runs,
        }

    return get_or_create_count(BestChange, question, fields, runs=plan.runs, actor=actor, visitor=visitor)


def best_change_again(*, row: BestChange, actor: Player | None = None, visitor: str = "") -> tuple[BestChange, bool]:
    """Ask the same question again: a search that failed continues, by the current rules if they have changed."""
    return best_change_ask(
        forecast=row.forecast, side=row.side, battles=row.runs_asked, seed=row.seed, actor=actor, visitor=visitor
    )


def best_change_work(*, row: BestChange) -> Work[list[list[int]]]:
    """Return how changes are tried: in blocks of one change each, simulated with and without it on the same dice."""
    setup, seed, side, each = read_setup(row.forecast.setup), int(row.seed), row.side, row.battles

    def play(block: Block) -> list[int]:
        after = apply_change(setup, Change.model_validate(row.changes[block.candidate]))
        won, lost, drawn, *paired = _count_ends(compare(setup, after, seed, block.number * each, each).table, side)
        return [won, lost + drawn, 0, *paired]  # the page shows wins, so the search compares them

    def beside(kept: Body, block: Block, counted: list[int]) -> Body:
        paired, change = kept.get("paired", {}), str(block.candidate)
        summed = [old + more for old, more in zip(paired.get(change, (0, 0)), counted, strict=True)]
        return {**kept, "paired": {**paired, change: summed}}

    return climb_work(row, Plan(len(row.changes), each), play, beside)


def _count_ends(table: tuple[tuple[int, int, int], ...], side: int) -> list[int]:
    """Return wins, losses and draws with the change; wins only with it, and wins only without it."""
    ends = [sum(before[place] for before in table) for place in (side, 1 - side, 2)]
    gained = ends[0] - table[side][side]
    return [*ends, gained, sum(table[side]) - table[side][side]]
