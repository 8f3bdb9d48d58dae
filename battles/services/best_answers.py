"""Searches for the force that would do best in place of one side: asked for beside a forecast, found by simulation."""

from django.db import transaction

from battles.models import BestAnswer, Forecast
from battles.odds.rivals import (
    PublishedOpponent,
    candidate_forces,
    points_of_side,
    published_opponents,
    with_force,
    with_opponent,
)
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
from systems.documents import DocumentError, unknown_slug
from systems.reading import read_setup
from systems.setups import Setup, setup_hash
from systems.simulation.halving import Block, Plan, plan_of
from systems.simulation.odds import tally

BEST_ANSWER_BATTLES = 40_000  # limit for all forces of a search together
MAX_FORCE_POINTS = 100_000
ENEMY, PUBLISHED_FORCES = (
    "enemy",
    "field",
)  # the opponent: the set-up's own, or each of the published forces equally often


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
    """Ask which force for some points does best on that side (0 or 1); return the search and whether it is new.

    Without points: what the side's own force costs. That force is played too, whatever it costs. Against PUBLISHED_FORCES a
    force is worth the mean of its results against each published force that could stand there.
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
        raise RefusedError("points", f"No force of published units that this side may field costs {points} or less.")
    foes = _opponents(setup, side, against)
    touch_asked_at(forecast)
    plan = plan_of(len(forces) + 1, battles, max(len(foes), 1))
    version = battle_rules(setup.system).rules_version
    met = [setup_hash(with_opponent(setup, side, foe)) for foe in foes]
    question = question_hash(
        "best-answer", setup_hash(setup), side, points, forces, plan.battles, number, version, *met
    )

    told = " against the published forces" if foes else ""

    def fields() -> dict[str, object]:
        return {
            "forecast": forecast,
            "system": setup.system,
            "title": f"Best of {points} points for {setup.sides[side].name}{told}"[:140],
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
    """Return how a search is played: in blocks of one force each, which meets every enemy equally often there."""
    setup, seed, side, each = read_setup(answer.forecast.setup), int(answer.seed), answer.side, answer.battles
    fields = [with_opponent(setup, side, foe) for foe in answer.foes] or [setup]
    share = each // len(fields)

    def play(block: Block) -> list[int]:
        force = tuple(answer.forces[block.candidate - 1]) if block.candidate else None
        ends = [0, 0, 0]
        for field in fields:
            counted = tally(with_force(field, side, force), seed, block.number * share, share).battle
            wins = (counted["attacker_wins"], counted["defender_wins"])
            for at, more in enumerate((wins[side], wins[1 - side], counted["draws"])):
                ends[at] += more
        return ends

    return climb_work(answer, Plan(len(answer.forces) + 1, each), play)


def _opponents(setup: Setup, side: int, against: str) -> list[PublishedOpponent]:
    """Return the enemies that the forces meet; empty: the enemy of the set-up."""
    if against not in (ENEMY, PUBLISHED_FORCES):
        raise unknown_slug("against", "enemy", against, (ENEMY, PUBLISHED_FORCES))
    if against == ENEMY:
        return []
    foes = published_opponents(setup, side)
    if not foes:
        raise RefusedError("against", "No published force may stand against that side here.")
    return foes
