"""Which force would do best in place of one side: asked beside a forecast, searched by playing."""

from django.db import transaction

from battles.models import BestAnswer, Forecast
from battles.odds.rivals import points_of_side, rivals, with_force
from battles.services.climbs import climb_work
from battles.services.forecasts import count_ask, count_remembered, question_hash, runs_checked, seed_asked
from battles.services.shares import Work
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules
from systems.documents import DocumentError
from systems.engine.halving import Block, Plan, plan_of
from systems.engine.odds import tally
from systems.reading import read_setup
from systems.setups import setup_hash

BATTLES = 40_000  # of all forces together, about
MOST_POINTS = 100_000


@transaction.atomic
def best_answer_ask(
    *,
    forecast: Forecast,
    side: int,
    points: int | None = None,
    battles: int = BATTLES,
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
) -> tuple[BestAnswer, bool]:
    """Which force of so many points does best on that side (0 or 1), and whether the question is new.

    Without points: as many as stand there. The force that stands there is played too, whatever it costs.
    """
    setup = read_setup(forecast.setup)
    if side not in (0, 1):
        raise DocumentError("side", "must be 0 or 1: the first side or the second")
    if points is None:
        points = points_of_side(setup, side)
    if isinstance(points, bool) or not 1 <= points <= MOST_POINTS:
        raise DocumentError("points", f"must be a whole number from 1 to {MOST_POINTS:,}")
    runs_checked(battles)
    number = seed_asked(seed)
    forces = rivals(setup, side, points, number)
    if not forces:
        raise RefusedError("points", f"No force of published units that this side may field costs {points} or less.")
    count_remembered(forecast)
    plan = plan_of(len(forces) + 1, battles)
    version = battle_rules(setup.system).rules_version
    question = question_hash("best-answer", setup_hash(setup), side, points, forces, plan.battles, number, version)

    def fields() -> dict[str, object]:
        return {
            "forecast": forecast,
            "system": setup.system,
            "title": f"Best of {points} points for {setup.sides[side].name}"[:140],
            "side": side,
            "points": points,
            "forces": [list(force) for force in forces],
            "battles": plan.battles,
            "seed": str(number),
            "rules_version": version,
            "runs_asked": plan.runs,
        }

    return count_ask(BestAnswer, question, fields, runs=plan.runs, actor=actor, visitor=visitor)


def best_answer_work(*, answer: BestAnswer) -> Work[list[list[int]]]:
    """How a search is played: in blocks of one force each."""
    setup, seed, side, each = read_setup(answer.forecast.setup), int(answer.seed), answer.side, answer.battles

    def play(block: Block) -> list[int]:
        force = tuple(answer.forces[block.candidate - 1]) if block.candidate else None
        counted = tally(with_force(setup, side, force), seed, block.number * each, each).battle
        wins = (counted["attacker_wins"], counted["defender_wins"])
        return [wins[side], wins[1 - side], counted["draws"]]

    return climb_work(answer, Plan(len(answer.forces) + 1, each), play)
