"""Positions of a recorded battle after each round and each throw, to be continued from there.

Everything decided stays: from the beginning of the round to the chosen point the battle's own dice are rolled again,
and fresh ones from there on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from systems import battle_rules
from systems.engine import twin
from systems.engine.dice import SeededDice
from systems.setups import Setup
from systems.simulation.fielding import check_fielded
from systems.simulation.odds import Comparison, Tally, compare_on, tally_on


@dataclass(frozen=True, slots=True)
class RoundPosition:
    """A battle before the first round, or after one: the state, the dice, and the number of events so far."""

    state: twin.State
    begun: bool
    dice: int  # state of the battle's stream of dice
    events: int


@dataclass(frozen=True)
class RecordedCourse:
    """A battle simulated again, with all its positions to continue from."""

    setup: Setup
    stands: Sequence[RoundPosition]  # before the first round, then after each except the last
    dice: Sequence[int]  # state of the stream after each event

    @property
    def events(self) -> int:
        return len(self.dice)

    @property
    def thrown(self) -> Sequence[int]:
        """Return the indexes of the events with new dice since the event before."""
        before = self.stands[0].dice
        found = []
        for at, after in enumerate(self.dice):
            if after != before:
                found.append(at)
            before = after
        return found

    def after(self, events: int) -> twin.Position:
        """Return the position after that many events; 0: before everything."""
        if not 0 <= events <= self.events:
            raise ValueError(f"the battle has 0 to {self.events} events")
        turn = self.dice[events - 1] if events else self.stands[0].dice
        stand = max((stand for stand in self.stands if stand.events <= events), key=lambda stand: stand.events)
        return twin.Position(stand.state, stand.begun, stand.dice, turn)

    def tally(self, events: int, seed: int, first: int, count: int, *, compiled: bool = True) -> Tally:
        """Tally battles first .. first + count - 1 of the seed, continued after that many events."""
        return tally_on(self.setup, self.after(events), seed, first, count, compiled=compiled)

    def otherwise(
        self, number: int, other: Setup, seed: int, first: int, count: int, *, compiled: bool = True
    ) -> Comparison:
        """Continue the battle at the start of that round, from 1, as it was and with the orders of the other set-up.

        Both use the same dice. The other set-up may differ in AI styles and orders only.
        """
        told = self.turned(number, other)
        stand = self.stands[number]
        there = twin.Position(stand.state, stand.begun)
        return compare_on(self.setup, there, told, seed, first, count, compiled=compiled)

    def turned(self, number: int, other: Setup) -> twin.Position:
        """Return the position at the start of that round, from 1, with the orders of the other set-up."""
        if not 1 <= number < len(self.stands):
            raise ValueError(f"the battle has rounds 1 to {len(self.stands) - 1}")
        stand = self.stands[number]
        return twin.Position(_with_orders_of(stand.state, self.setup, other), stand.begun)


def _with_orders_of(state: twin.State, before: Setup, after: Setup) -> twin.State:
    """Return the state with the changed orders of the second set-up. No unit is moved."""
    system = battle_rules(before.system)
    found = twin.copy_state(state)
    for part, old, new in zip(found, system.prepare(before), system.prepare(after), strict=True):
        rows = zip(*((each if isinstance(each, list) else [each]) for each in (part, old, new)), strict=True)
        for row, was, becomes in rows:
            for field in dataclasses.fields(row):
                is_told = f"{type(row).__name__}.{field.name}" not in system.settled
                if is_told and getattr(was, field.name) != getattr(becomes, field.name):
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
    stands = [RoundPosition(twin.copy_state(state), begun=False, dice=dice.state, events=0)]
    system.begin(state, dice, log)
    goes_on = True
    while goes_on:
        stands.append(RoundPosition(twin.copy_state(state), begun=True, dice=dice.state, events=len(log)))
        goes_on = system.go_on(state, dice, log)
    return RecordedCourse(setup, stands, log.stands)
