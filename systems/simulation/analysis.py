"""A record for readers: rounds and sentences, luck of the dice, positions to continue from.

Luck compares the dice with their expected results. A battle continued from a position keeps everything decided so far:
the round is replayed with its own dice up to that point, and fresh dice are rolled from there on.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from systems import battle_rules
from systems.battle_display import BandView, Situation, SupportLine, UnitView
from systems.engine import runner
from systems.engine.dice import SeededDice
from systems.engine.events import Event, Modifier
from systems.reading import describe_house_rules
from systems.setups import Setup
from systems.simulation.odds import Comparison, Tally, compare_on, tally_on
from systems.simulation.records import Record, check_fielded
from systems.text import format_signed


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event with its words."""

    number: int  # position in the record, from 1
    event: Event
    sentence: str
    look: str  # how the line looks: "hit", "crit", "move"
    verdict: bool | None  # whether its roll succeeded; None if there was no roll
    mark: str = ""  # one of `systems.engine.events.MARKS`, which readers look for
    weapon: str = ""  # the weapon it mentions
    marked_unit: str = ""  # key of the marked unit

    @property
    def rule(self) -> str:
        return self.event.rule

    @property
    def faces(self) -> tuple[int, ...]:
        return self.event.faces

    @property
    def dice(self) -> list[tuple[int, bool | None]]:
        """Each die and its verdict, which only the last die has; earlier ones were re-rolled."""
        made, last = self.verdict, len(self.faces) - 1
        return [(face, made if at == last else None) for at, face in enumerate(self.faces)]

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        return self.event.modifiers


@dataclass(frozen=True, slots=True)
class StepView:
    """The events of one step of a round."""

    slug: str
    title: str
    lines: tuple[EventLine, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round and the state at its end."""

    number: int
    title: str  # "Round 3", "Turn 3"
    steps: tuple[StepView, ...]
    units: tuple[UnitView, ...]
    bands: tuple[BandView, ...]

    @property
    def word(self) -> str:
        """The name for the record's parts: "Round" or "Turn"."""
        return self.title.rpartition(" ")[0]

    @property
    def steps_below_title(self) -> tuple[StepView, ...]:
        """The steps below the title, without the line "Round 3." that would only repeat it."""
        steps = [
            replace(step, lines=tuple(line for line in step.lines if line.sentence != f"{self.title}."))
            for step in self.steps
        ]
        return tuple(step for step in steps if step.lines)


def count_marks(record: Record) -> Counter[str]:
    """Count the record's marks, by `systems.engine.events.MARKS`."""
    facts = battle_rules(record.setup.system).facts
    return Counter(mark for event in record.events if (mark := facts[event.kind].mark_of(event)))


def rounds_of(record: Record) -> tuple[RoundView, ...]:
    """Return the record by round; earlier events belong to the first round, later ones to the last."""
    system = battle_rules(record.setup.system)
    tell = system.narrator(record.setup)
    parts = system.parts(record.setup, dict(system.unit_names(record.setup)))
    situation = system.opening(record.setup)
    rounds: list[tuple[int, list[EventLine], Situation]] = []
    for number, event in enumerate(record.events, start=1):
        situation = system.follow(situation, event)
        fact = system.facts[event.kind]
        weapon = parts(event).get(system.armed, "")
        mark, marked_unit = fact.mark_of(event), fact.marked_unit(event)
        line = EventLine(
            number, event, tell(event), fact.look_of(event), fact.verdict(event), mark, weapon, marked_unit
        )
        at = max(1, event.round)
        if not rounds or rounds[-1][0] != at:
            rounds.append((at, [], situation))
        rounds[-1][1].append(line)
        rounds[-1] = (at, rounds[-1][1], situation)
    return tuple(
        RoundView(
            number,
            system.round_title(record.setup, number),
            _steps(lines, system.step_title),
            tuple(unit for unit in view.units if not unit.is_reserve),
            view.bands,
        )
        for number, lines, view in rounds
    )


def _steps(lines: list[EventLine], title: Callable[[str], str]) -> tuple[StepView, ...]:
    steps: list[tuple[str, list[EventLine]]] = []
    for line in lines:
        if not steps or steps[-1][0] != line.event.step:
            steps.append((line.event.step, []))
        steps[-1][1].append(line)
    return tuple(StepView(slug, title(slug), tuple(step)) for slug, step in steps)


def support_of(record: Record) -> tuple[SupportLine, ...]:
    """Return the support of both sides and its results."""
    system = battle_rules(record.setup.system)
    tell = system.narrator(record.setup)
    return system.describe_support(record.setup, [(event, tell(event)) for event in record.events])


def report_text(record: Record) -> str:
    """Return the battle as a plain text report, with dice and rule IDs."""
    setup = record.setup
    system = battle_rules(setup.system)
    names = system.unit_names(setup)
    place = system.place_title(setup)
    lines = [f"{setup.sides[0].name} against {setup.sides[1].name}, {place}, seed {record.seed}"]
    if system.terms(setup.scenario):
        lines.append(f"  Terrain: {system.describe_ground(setup)}")
    rules = describe_house_rules(setup.system, setup.options)
    if rules:
        lines.append(f"  House rules: {'; '.join(map(str, rules))}")
    for side in setup.sides:
        lines.append(f"  {side.name} ({side.doctrine}): " + ", ".join(names[unit.key] for unit in side.units))
    for support in support_of(record):
        rolled = f" [dice {' '.join(map(str, support.faces))}]" if support.faces else ""
        used = "used" if support.is_used else "not used"
        lines.append(f"  Support of {setup.sides[support.side].name}: {support.result.name}{rolled}, {used}")
    for view in rounds_of(record):
        lines += ["", view.title]
        for step in view.steps_below_title:
            lines.append(f"  {step.title}")
            for line in step.lines:
                dice = f" [dice {' '.join(map(str, line.faces))}]" if line.faces else ""
                parts = ", ".join(f"{part.name} {format_signed(part.value)}" for part in line.modifiers)
                lines.append(f"    {line.sentence}{dice}{f' ({parts})' if parts else ''} {line.rule}")
    winner = record.outcome["winner"]
    lines += ["", f"Winner: {winner}" if winner else "A draw", f"Digest: {record.digest}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class DiceLuck:
    """Dice of one kind that one side rolled in a battle."""

    side: str
    what: str  # "hit", "save"
    dice: int
    successes: int
    expected: float
    spread: float  # standard deviation of the successes

    @property
    def surplus(self) -> float:
        """Return the number of successes above the expected number; negative for bad luck."""
        return self.successes - self.expected

    @property
    def verdict(self) -> str:
        """Describe the distance from the expected number.

        Within 1 standard deviation is usual; 2 happens once in twenty times.
        """
        distance = self.surplus / self.spread if self.spread else 0.0
        size = abs(distance)
        if size < 1:
            return "as usual"
        kind = "lucky" if distance > 0 else "unlucky"
        return f"very {kind}" if size >= 2 else kind


def dice_luck(setup: Setup, events: Iterable[Event]) -> tuple[DiceLuck, ...]:
    """Return each side's luck with hits and saves, from the number that each die needed.

    Kinds of dice that weren't rolled are left out. Every die counts, so a re-rolled one counts twice: whether a die is
    rolled depends only on earlier dice, so in the long run the successes match their expected number.
    """
    system = battle_rules(setup.system)
    side_of = dict(system.fielded(setup))
    sums: dict[tuple[int, str], tuple[int, int, Fraction, Fraction]] = {}
    for event in events:
        trial = system.trial(setup, event)
        if trial is None or trial.unit not in side_of:  # attacks from off the map have no unit
            continue
        place = (side_of[trial.unit], trial.what)
        dice, successes, expected, variance = sums.get(place, (0, 0, Fraction(0), Fraction(0)))
        sums[place] = (
            dice + trial.dice,
            successes + trial.successes,
            expected + trial.dice * trial.chance,
            variance + trial.dice * trial.chance * (1 - trial.chance),
        )
    return tuple(
        DiceLuck(setup.sides[at].name, what, dice, successes, float(expected), math.sqrt(variance))
        for (at, what), (dice, successes, expected, variance) in sorted(sums.items())
    )


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """A battle before the first round or after a round: state, dice, and number of events so far."""

    state: runner.State
    begun: bool
    dice: int  # state of the battle's stream of dice
    events: int


@dataclass(frozen=True)
class RecordedCourse:
    """A battle simulated again, with all positions to continue from."""

    setup: Setup
    stands: Sequence[RoundPosition]  # before the first round, then after every round except the last
    dice: Sequence[int]  # state of the stream after each event

    @property
    def events(self) -> int:
        return len(self.dice)

    @property
    def thrown(self) -> Sequence[int]:
        """Return the indexes of events that rolled new dice."""
        before = self.stands[0].dice
        found = []
        for at, after in enumerate(self.dice):
            if after != before:
                found.append(at)
            before = after
        return found

    def after(self, events: int) -> runner.Position:
        """Return the position after that many events; 0: the start."""
        if not 0 <= events <= self.events:
            raise ValueError(f"the battle has 0 to {self.events} events")
        turn = self.dice[events - 1] if events else self.stands[0].dice
        stand = max((stand for stand in self.stands if stand.events <= events), key=lambda stand: stand.events)
        return runner.Position(stand.state, stand.begun, stand.dice, turn)

    def tally(self, events: int, seed: int, first: int, count: int, *, compiled: bool = True) -> Tally:
        """Tally battles first .. first + count - 1 of the seed, all continued after that many events."""
        return tally_on(self.setup, self.after(events), seed, first, count, compiled=compiled)

    def otherwise(
        self, number: int, other: Setup, seed: int, first: int, count: int, *, compiled: bool = True
    ) -> Comparison:
        """Continue the battle from the start of that round, from 1, with its own and with the other set-up's orders.

        Both use the same dice. The other set-up may differ only in AI styles and orders.
        """
        other_position = self.turned(number, other)
        stand = self.stands[number]
        there = runner.Position(stand.state, stand.begun)
        return compare_on(self.setup, there, other_position, seed, first, count, compiled=compiled)

    def turned(self, number: int, other: Setup) -> runner.Position:
        """Return the position at the start of that round, counted from 1, with the other set-up's orders."""
        if not 1 <= number < len(self.stands):
            raise ValueError(f"the battle has rounds 1 to {len(self.stands) - 1}")
        stand = self.stands[number]
        return runner.Position(_with_orders_of(stand.state, self.setup, other), stand.begun)


def _with_orders_of(state: runner.State, before: Setup, after: Setup) -> runner.State:
    """Return the state with the second set-up's orders where they changed. No unit is moved."""
    system = battle_rules(before.system)
    found = runner.copy_state(state)
    for part, old, new in zip(found, system.prepare(before), system.prepare(after), strict=True):
        rows = zip(*((each if isinstance(each, list) else [each]) for each in (part, old, new)), strict=True)
        for row, was, becomes in rows:
            for field in dataclasses.fields(row):
                is_order = f"{type(row).__name__}.{field.name}" not in system.settled
                if is_order and getattr(was, field.name) != getattr(becomes, field.name):
                    setattr(row, field.name, getattr(becomes, field.name))
            if type(row).__name__ in system.planned:
                row.stamp = -1
    return found


class _Watch(list[tuple[str, dict[str, int]]]):
    """A log that also keeps the state of the dice at each fact."""

    def __init__(self, dice: SeededDice) -> None:
        super().__init__()
        self.dice = dice
        self.stands: list[int] = []

    def append(self, fact: tuple[str, dict[str, int]], /) -> None:
        super().append(fact)
        self.stands.append(self.dice.state)


def course_of(setup: Setup, seed: int) -> RecordedCourse:
    """Simulate battle 0 of the seed again and keep its positions."""
    system = battle_rules(setup.system)
    state = system.prepare(setup)
    check_fielded(setup, state)
    dice = SeededDice(seed)
    log = _Watch(dice)
    stands = [RoundPosition(runner.copy_state(state), begun=False, dice=dice.state, events=0)]
    system.begin(state, dice, log)
    goes_on = True
    while goes_on:
        stands.append(RoundPosition(runner.copy_state(state), begun=True, dice=dice.state, events=len(log)))
        goes_on = system.go_on(state, dice, log)
    return RecordedCourse(setup, stands, log.stands)
