"""Win chance over time: calculated by workers, with its turning points, and shown beside a replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.db import transaction

from battles.models import Battle, Body, Curve
from battles.odds.chunks import Work
from battles.odds.services import get_or_create_count, question_hash
from battles.replay.boards import ReplayBoard
from battles.selectors.records import ReplayedRecord, replayed
from rosters.database.queries import PreparedQuery
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from systems import battle_rules
from systems.engine.events import Event
from systems.reading import stored_setup
from systems.setups import Setup, canonical
from systems.simulation.analysis import EventLine, RecordedCourse, course_of
from systems.simulation.odds import DEFAULT_SEED
from systems.simulation.summary import Share, share

MAX_PLACES = 200
MAX_BATTLES_PER_CURVE = 100_000  # the limit of a visitor
MAX_BATTLES = 1_000  # per place: the half width is below 3.1 points


@transaction.atomic
def curve_ask(*, battle: Battle, actor: Player | None = None, visitor: str = "") -> tuple[Curve, bool]:
    """Return the curve of a battle on this site, and whether it is new."""
    replay = replayed(battle)
    if replay is None:
        raise RefusedError("battle", "Only simulated battles have a win chance curve.")
    if refusal := curve_refusal(battle):
        raise RefusedError("battle", refusal)
    if replay.record.hand is not None:
        raise RefusedError("battle", "Battles played online have no win chance curve.")
    version = battle.rules_version
    places = places_of(replay.record.events, battle_rules(battle.system).rounds)
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
    """Return why a simulated battle can't be resumed; empty if it can."""
    is_old = battle.rules_version != battle_rules(battle.system).rules_version
    return "This battle used earlier rules and can’t be continued." if is_old else ""


def resume_refusal(battle: Battle, by_hand: str) -> str:
    """Return why nobody can continue a battle from one of its moments; empty if they can.

    `by_hand`: the reason to give for a battle that people played.
    """
    replay = replayed(battle)
    if replay is None:
        return "Only simulated battles can be continued."
    return by_hand if replay.record.hand is not None else curve_refusal(battle)


def places_of(events: tuple[Event, ...], opening: str) -> list[int]:
    """Return the places to calculate chances at, as numbers of events: the start, every roll, the end.

    If there are more than MAX_PLACES, some are left out evenly, but not the last one before each round.
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
    """Return how the battles of a curve are simulated: place by place, on the same dice at each."""
    each, seed, battle = curve.battles, int(curve.seed), curve.battle

    def count(first: int, runs: int) -> list[list[int]]:
        taken_up = _course(canonical(battle.setup), int(battle.seed))
        wins_by_place = []
        for place in curve.places[first // each : (first + runs) // each]:
            tally = taken_up.tally(place, seed, 0, each).battle
            wins_by_place.append([tally["attacker_wins"], tally["defender_wins"]])
        return wins_by_place

    def add(total: Body, part: list[list[int]]) -> tuple[Body, int, bool]:
        wins = [*total.get("wins", ()), *part]
        return {"wins": wins}, len(wins) * each, False

    return Work(each, count, add)


@lru_cache(maxsize=4)  # a worker needs it again for each slice; a finished battle never changes
def _course(setup: str, seed: int) -> RecordedCourse:
    """Return the course of the battle with this document and seed."""
    return course_of(stored_setup(json.loads(setup)), seed)


CURVE = PreparedQuery(lambda battle: Curve.objects.filter(battle=battle).select_related("asked_by"), battle=int)
MIN_TURNING_CHANGE = 0.1  # the change of a win chance that makes a turning point
MAX_MOMENTS = 8


def curve_of(battle: Battle) -> Curve | None:
    """Return the curve of a battle, if anybody has asked for it."""
    return CURVE.row(battle=battle.pk)


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of a battle after that number of events."""

    events: int
    a: Share
    d: Share

    @property
    def draw(self) -> float:
        return max(0.0, 1 - self.a.share - self.d.share)


@dataclass(frozen=True, slots=True)
class Turn:
    """The chances at the start of a round or turn."""

    title: str
    number: int
    chances: Chances


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Dice between two places that changed the chances."""

    title: str  # of the round
    number: int
    lines: tuple[EventLine, ...]  # those with dice
    before: Chances
    after: Chances
    step: int | None = None  # of the replay; None: the battle can't be drawn

    @property
    def gain(self) -> float:
        """The change for side A: its wins plus half of the draws."""
        return _expected_score(self.after) - _expected_score(self.before)


def _expected_score(chances: Chances) -> float:
    return chances.a.share + chances.draw / 2


@dataclass(frozen=True)
class CurveView:
    """A curve with the record of its battle."""

    row: Curve
    replay: ReplayedRecord

    @property
    def setup(self) -> Setup:
        return self.replay.record.setup

    @property
    def word(self) -> str:
        """The word for the parts of the record: "round" or "turn"."""
        return self.replay.rounds[0].word.lower()

    @property
    def events(self) -> int:
        """The number of events in the record."""
        return len(self.replay.record.events)

    @cached_property
    def points(self) -> tuple[Chances, ...]:
        """The chances at all places simulated so far."""
        each = self.row.battles
        wins = self.row.counts.get("wins", [])
        return tuple(
            Chances(events, share(a, each), share(d, each))
            for events, (a, d) in zip(self.row.places, wins, strict=False)
        )

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The chances at the start of each round simulated so far, and at the end."""
        found: list[Turn] = []
        for view in self.replay.rounds:
            first = view.steps[0].lines[0].number if found else 1
            if not self.points or self.points[-1].events < first - 1 and len(self.points) < len(self.row.places):
                break
            chances = max((at for at in self.points if at.events < first), key=lambda at: at.events)
            found.append(Turn(view.title, view.number, chances))
        return tuple(found)

    @property
    def end(self) -> Chances | None:
        """The chances at the end, once everything is simulated."""
        return self.points[-1] if len(self.points) == len(self.row.places) else None

    @cached_property
    def moments(self) -> tuple[TurningPoint, ...]:
        """The turning points: dice that changed the chances by MIN_TURNING_CHANGE or more, largest first."""
        found: list[TurningPoint] = []
        board = self.replay.board
        for before, after in zip(self.points, self.points[1:], strict=False):
            if abs(_expected_score(after) - _expected_score(before)) < MIN_TURNING_CHANGE:
                continue
            rounds = {line.number: view for view in self.replay.rounds for step in view.steps for line in step.lines}
            lines = self._lines[before.events : after.events]
            thrown = tuple(line for line in lines if line.faces) or lines[-1:]
            view = rounds[thrown[-1].number]
            step = board.steps_of_lines.get(thrown[-1].number) if board else None
            found.append(TurningPoint(view.title, view.number, thrown, before, after, step))
        return tuple(sorted(found, key=lambda moment: -abs(moment.gain))[:MAX_MOMENTS])

    @cached_property
    def _lines(self) -> tuple[EventLine, ...]:
        return tuple(line for view in self.replay.rounds for step in view.steps for line in step.lines)


WIDTH, HEIGHT = 1000, 100  # of the drawing, which is stretched over the scrubber


@dataclass(frozen=True, slots=True)
class StageTurningPoint:
    """A turning point at its place in the replay."""

    number: int  # largest first
    step: int
    at: str  # along the whole replay, as a percentage
    side: str  # letter of the side that it helped
    gain: float  # in that side's favour
    title: str  # of the round
    says: str


@dataclass(frozen=True)
class StageCurve:
    """The panel under the scrubber: a curve, its progress, or the offer to simulate it."""

    battle: Battle
    replay: ReplayedRecord
    board: ReplayBoard
    count: Curve | None
    may_ask: bool
    refused: str = ""  # why the reader's request was refused

    @property
    def is_counting(self) -> bool:
        return self.count is not None and not self.count.is_over

    @property
    def is_broken_off(self) -> bool:
        return self.count is not None and self.count.is_over and self.count.status != JobStatus.DONE

    @cached_property
    def view(self) -> CurveView | None:
        return CurveView(self.count, self.replay) if self.count else None

    @property
    def sides(self) -> tuple[str, str]:
        one, other = self.replay.record.setup.sides
        return one.name, other.name

    @cached_property
    def steps(self) -> dict[int, Chances]:
        """The chances after each step, where they were calculated, in order."""
        points = self.view.points if self.view else ()
        return {self._step(point.events): point for point in points}

    @property
    def areas(self) -> tuple[str, str]:
        """Side A's chances from below and side B's from above, each holding until the next calculated step."""
        return (
            self._area(HEIGHT, lambda chances: HEIGHT * (1 - chances.a.share)),
            self._area(0, lambda chances: HEIGHT * chances.d.share),
        )

    @property
    def first(self) -> Chances | None:
        return next(iter(self.steps.values()), None)

    @property
    def turned(self) -> tuple[StageTurningPoint, ...]:
        """The turning points calculated so far, largest first."""
        moments = self.view.moments if self.view else ()
        found = []
        for number, moment in enumerate(moments, start=1):
            step = moment.step or 1
            says = " ".join(line.sentence for line in moment.lines)
            side = "a" if moment.gain > 0 else "b"
            at = f"{self._x(step) * 100 / WIDTH:.2f}%"
            found.append(StageTurningPoint(number, step, at, side, abs(moment.gain), moment.title, says))
        return tuple(found)

    def _step(self, events: int) -> int:
        """Return the step of the replay that shows that event."""
        return self.board.steps_of_lines.get(events, 1)

    def _x(self, step: int) -> float:
        return WIDTH * (step - 1) / max(1, self.board.steps - 1)

    def _area(self, base: int, y: Callable[[Chances], float]) -> str:
        points = [(self._x(step), y(chances)) for step, chances in self.steps.items()]
        return _stairs_path(points, base) if points else ""


def _stairs_path(points: Iterable[tuple[float, float]], base: int) -> str:
    (first, _), *_rest = points = list(points)
    path = "".join(f"H{x:.1f}V{y:.1f}" for x, y in points)
    return f"M{first:.1f} {base}{path}V{base}Z"


def stage_curve(battle: Battle, refused: str = "") -> StageCurve | None:
    """Return the curve beside the replay of a battle; None if there is nothing to show or to ask for."""
    replay = replayed(battle)
    if replay is None or replay.board is None:
        return None
    is_old = battle.rules_version != battle_rules(battle.system).rules_version
    count = curve_of(battle)
    may_ask = count is None and replay.record.hand is None and not is_old
    return StageCurve(battle, replay, replay.board, count, may_ask, refused) if count or may_ask else None
