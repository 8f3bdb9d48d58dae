"""The curve of a battle beside its replay: the chances step by step, and the turning points as places on the stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from battles.models import Battle, Curve
from battles.replay.boards import ReplayBoard
from battles.selectors.curve import Chances, CurveView, curve_of
from battles.selectors.records import ReplayedRecord, replayed
from rosters.jobs import JobStatus
from systems import battle_rules

WIDTH, HEIGHT = 1000, 100  # of the drawing, which is stretched over the scrubber


@dataclass(frozen=True, slots=True)
class StageTurningPoint:
    """A turning point, where the replay shows it."""

    number: int  # the greatest first
    step: int
    at: str  # along the whole replay, as a percentage
    side: str  # letter of the side it helped
    gain: float  # in that side's favour
    title: str  # of the round
    says: str


@dataclass(frozen=True)
class StageCurve:
    """The panel under the scrubber: a curve, how far it is simulated, or the offer to simulate it."""

    battle: Battle
    told: ReplayedRecord
    board: ReplayBoard
    count: Curve | None
    may_ask: bool
    refused: str = ""  # why it was not simulated, for the reader who has just asked

    @property
    def is_counting(self) -> bool:
        return self.count is not None and not self.count.is_over

    @property
    def is_broken_off(self) -> bool:
        return self.count is not None and self.count.is_over and self.count.status != JobStatus.DONE

    @cached_property
    def view(self) -> CurveView | None:
        return CurveView(self.count, self.told) if self.count else None

    @property
    def sides(self) -> tuple[str, str]:
        one, other = self.told.record.setup.sides
        return one.name, other.name

    @cached_property
    def steps(self) -> dict[int, Chances]:
        """The chances after each step in which they were calculated, in order."""
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
        """The turning points, as far as they are calculated, the greatest first."""
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
        """Return the step of the replay that has that line of the record."""
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
    """Return the curve shown beside the replay of a battle; None if there is nothing to show or ask for."""
    told = replayed(battle)
    if told is None or told.board is None:
        return None
    is_old = battle.rules_version != battle_rules(battle.system).rules_version
    count = curve_of(battle)
    may_ask = count is None and told.record.hand is None and not is_old
    return StageCurve(battle, told, told.board, count, may_ask, refused) if count or may_ask else None
