"""The curve of a fought battle: its win chances at places of its record, calculated by a worker."""

import json
from functools import lru_cache

from django.db import transaction

from battles.models import Battle, Body, Curve
from battles.selectors.records import replayed
from battles.services.forecasts import get_or_create_count, question_hash
from battles.services.shares import Work
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules
from systems.engine.events import Event
from systems.reading import stored_setup
from systems.setups import canonical
from systems.simulation.odds import DEFAULT_SEED
from systems.simulation.positions import RecordedCourse, course_of

MAX_PLACES = 200
MAX_BATTLES_PER_CURVE = 100_000  # the most a visitor may ask for
MAX_BATTLES = 1_000  # at a place: the interval is narrower than 3.1 points either way


@transaction.atomic
def curve_ask(*, battle: Battle, actor: Player | None = None, visitor: str = "") -> tuple[Curve, bool]:
    """Return the curve of a battle of this site, and whether it is new."""
    told = replayed(battle)
    if told is None:
        raise RefusedError("battle", "Only a battle that was fought here, die by die, has a curve.")
    if refusal := curve_refusal(battle):
        raise RefusedError("battle", refusal)
    if told.record.hand is not None:
        raise RefusedError("battle", "A battle that was played by hand has no curve.")
    version = battle.rules_version
    places = places_of(told.record.events, battle_rules(battle.system).rounds)
    each = min(MAX_BATTLES, MAX_BATTLES_PER_CURVE // len(places))
    question = question_hash("curve", str(battle.key), version)

    def fields() -> dict[str, object]:
        return {
            "battle": battle,
            "system": battle.system,
            "title": battle.title,
            "places": places,
            "battles": each,
            "seed": str(DEFAULT_SEED),
            "rules_version": version,
            "runs_asked": len(places) * each,
        }

    return get_or_create_count(Curve, question, fields, runs=len(places) * each, actor=actor, visitor=visitor)


def curve_refusal(battle: Battle) -> str:
    """Return why a battle that was fought here can't be resumed; empty if it can."""
    is_old = battle.rules_version != battle_rules(battle.system).rules_version
    return "This battle was fought by earlier rules, which can’t take it up again." if is_old else ""


def resume_refusal(battle: Battle, by_hand: str) -> str:
    """Return why nobody can continue a battle from one of its moments; empty if somebody can.

    `by_hand`: what to say of a battle that people played.
    """
    told = replayed(battle)
    if told is None:
        return "Only a battle that was fought here, die by die, can be taken up."
    return by_hand if told.record.hand is not None else curve_refusal(battle)


def places_of(events: tuple[Event, ...], opening: str) -> list[int]:
    """Return after how many events the chances are worth calculating: at the start, after every roll, at the end.

    If those are too many, return as many as can be calculated, evenly spread, and the last before each round.
    """
    thrown = [number for number, event in enumerate(events, start=1) if event.faces]
    last_before = {
        max((number for number in thrown if number <= at), default=0)
        for at, event in enumerate(events)
        if event.kind == opening
    }
    kept = {0, len(events), *last_before}
    room = MAX_PLACES - len(kept)
    others = [number for number in thrown if number not in kept]
    if len(others) <= room:
        return sorted(kept | set(others))
    return sorted(kept | {others[at * len(others) // room] for at in range(room)})


def curve_work(*, curve: Curve) -> Work[list[list[int]]]:
    """Return how the battles of a curve are simulated: place by place, with the same dice at each."""
    each, seed, battle = curve.battles, int(curve.seed), curve.battle

    def count(first: int, runs: int) -> list[list[int]]:
        taken_up = _course(canonical(battle.setup), int(battle.seed))
        counted = []
        for place in curve.places[first // each : (first + runs) // each]:
            tally = taken_up.tally(place, seed, 0, each).battle
            counted.append([tally["attacker_wins"], tally["defender_wins"]])
        return counted

    def add(total: Body, part: list[list[int]]) -> tuple[Body, int, bool]:
        wins = [*total.get("wins", ()), *part]
        return {"wins": wins}, len(wins) * each, False

    return Work(each, count, add)


@lru_cache(maxsize=4)  # a worker comes back to a curve slice by slice; a fought battle never changes
def _course(setup: str, seed: int) -> RecordedCourse:
    """Return the course of the battle with this document and seed."""
    return course_of(stored_setup(json.loads(setup)), seed)
