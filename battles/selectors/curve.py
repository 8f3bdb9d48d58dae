"""Win chance over time: a battle's curve as far as it is simulated, chances round by round, and turning points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from battles.models import Battle, Curve
from battles.selectors.records import ReplayedRecord
from rosters.site.compiled import PreparedQuery
from systems.setups import Setup
from systems.simulation.odds import Share, share
from systems.simulation.timeline import EventLine

CURVE = PreparedQuery(lambda battle: Curve.objects.filter(battle=battle).select_related("asked_by"), battle=int)
MIN_TURNING_CHANGE = 0.1  # the change of a win chance that makes a turning point
MAX_MOMENTS = 8


def curve_of(battle: Battle) -> Curve | None:
    """Return the curve of a battle, if anybody has asked for it."""
    return CURVE.row(battle=battle.pk)


@dataclass(frozen=True, slots=True)
class Chances:
    """The chances of a battle after that many events of its record."""

    events: int
    a: Share
    d: Share

    @property
    def draw(self) -> float:
        return max(0.0, 1 - self.a.share - self.d.share)


@dataclass(frozen=True, slots=True)
class Turn:
    """The chances at the start of a round, or of whatever the record is divided into."""

    title: str
    number: int
    chances: Chances


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The effect of the dice between two places on the chances."""

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
    """A curve with its battle's record."""

    row: Curve
    told: ReplayedRecord

    @property
    def setup(self) -> Setup:
        return self.told.record.setup

    @property
    def word(self) -> str:
        """The parts that the record is divided into: "round" or "turn"."""
        return self.told.rounds[0].word.lower()

    @property
    def events(self) -> int:
        """The number of events in the record."""
        return len(self.told.record.events)

    @cached_property
    def points(self) -> tuple[Chances, ...]:
        """The chances at all places that have been simulated."""
        each = self.row.battles
        wins = self.row.counts.get("wins", [])
        return tuple(
            Chances(events, share(a, each), share(d, each))
            for events, (a, d) in zip(self.row.places, wins, strict=False)
        )

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The chances at the start of each round that has been simulated, and at the end."""
        found: list[Turn] = []
        for view in self.told.rounds:
            first = view.steps[0].lines[0].number if found else 1
            if not self.points or self.points[-1].events < first - 1 and len(self.points) < len(self.row.places):
                break
            chances = max((at for at in self.points if at.events < first), key=lambda at: at.events)
            found.append(Turn(view.title, view.number, chances))
        return tuple(found)

    @property
    def end(self) -> Chances | None:
        """The result, once everything is simulated."""
        return self.points[-1] if len(self.points) == len(self.row.places) else None

    @cached_property
    def moments(self) -> tuple[TurningPoint, ...]:
        """The turning points: dice that moved the chances by MIN_TURNING_CHANGE or more, greatest first."""
        found: list[TurningPoint] = []
        board = self.told.board
        for before, after in zip(self.points, self.points[1:], strict=False):
            if abs(_expected_score(after) - _expected_score(before)) < MIN_TURNING_CHANGE:
                continue
            rounds = {line.number: view for view in self.told.rounds for step in view.steps for line in step.lines}
            lines = self._lines[before.events : after.events]
            thrown = tuple(line for line in lines if line.faces) or lines[-1:]
            view = rounds[thrown[-1].number]
            step = board.steps_of_lines.get(thrown[-1].number) if board else None
            found.append(TurningPoint(view.title, view.number, thrown, before, after, step))
        return tuple(sorted(found, key=lambda moment: -abs(moment.gain))[:MAX_MOMENTS])

    @cached_property
    def _lines(self) -> tuple[EventLine, ...]:
        return tuple(line for view in self.told.rounds for step in view.steps for line in step.lines)
