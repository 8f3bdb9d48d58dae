"""Battles with decisions by people: a list answers each question, and the battle stops when the list ends.

A game's order of play asks its AI through functions. Here a copy of the order of play runs in its own namespaces, with
the chooser in place of the AI; rules and AI stay unchanged. Nothing is kept between two answers: since the dice follow
from the seed, the battle is simulated from the beginning each time, with one more answer.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Annotated, Any

import pydantic

from systems.documents import Document, DocumentError
from systems.engine.dice import MAX_SEED, Log, SeededDice

MAX_ANSWERS = 5_000
Value = tuple[int, ...]  # an answer, as numbers that its question understands
Asks = Callable[..., Any]  # replaces a function of the AI
ENOUGH: Value = (-1,)  # the answer that ends a series of steps
Whole = Annotated[int, pydantic.Field(strict=True, ge=-1, le=10**6)]


class Hand(Document):
    """A person's decisions in a battle.

    `after`: the number of rounds or turns before they took over; `events`: instead, the number of events, if they took
    over in the middle of a round. From then on the dice are those of `seed`. `rest`: when the answers end, the AI
    carries on instead of the battle stopping.
    """

    sides: Annotated[tuple[Annotated[int, pydantic.Field(strict=True, ge=0, le=1)], ...], pydantic.Field(min_length=1)]
    after: Annotated[int, pydantic.Field(strict=True, ge=0, le=1000)] = 0
    events: Annotated[int, pydantic.Field(strict=True, ge=0, le=10**6)] = 0
    seed: Annotated[int, pydantic.Field(strict=True, ge=0, le=MAX_SEED)] | None = None
    answers: Annotated[tuple[tuple[Whole, ...], ...], pydantic.Field(max_length=MAX_ANSWERS)] = ()
    rest: bool = False

    @pydantic.model_serializer(mode="wrap")
    def _without_no_events(self, default: pydantic.SerializerFunctionWrapHandler) -> dict[str, object]:
        data: dict[str, object] = default(self)
        return {name: value for name, value in data.items() if name != "events" or value}


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal answer."""

    value: Value
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question for a side, with all legal answers."""

    side: int
    words: str
    answers: tuple[Answer, ...]
    doctrine: Value  # the AI's answer
    unit: int = -1  # the unit in question, by index in the state's list


class StoppedError(Exception):
    """Raised when the answers run out, with the open question."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.words)
        self.question = question


class DepartedError(Exception):
    """Raised during the AI's actions when the person wants something else, with their answer."""

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self.value = value


@dataclass
class Chooser:
    """Answers questions from a list, and records the state of dice and log at each question."""

    hand: Hand
    dice: SeededDice
    unit: Callable[[int], str]  # name of a unit, by index
    weapon: Callable[[int, int], str]  # name of a weapon, by index of the unit and slot
    log: Log = field(default_factory=list)  # of the battle
    stood: list[tuple[int, int]] = field(default_factory=list)

    def is_asked(self, side: int) -> bool:
        """Return whether a person currently decides for that side."""
        if side not in self.hand.sides or len(self.log) < self.hand.events:
            return False
        return not (self.hand.rest and len(self.stood) == len(self.hand.answers))

    def choose(
        self, side: int, words: str, answers: Sequence[Answer], doctrine: Value | Callable[[], Value], unit: int = -1
    ) -> Value:
        """Return the answer to a question; a question with a single answer isn't asked.

        A callable `doctrine` is called only when needed.
        """
        if not self.is_asked(side) or len(answers) < 2:
            return doctrine() if callable(doctrine) else doctrine
        at = len(self.stood)
        self.stood.append((self.dice.state, len(self.log)))
        if at == len(self.hand.answers):
            theirs = doctrine() if callable(doctrine) else doctrine
            raise StoppedError(Question(side, words, tuple(answers), theirs, unit))
        value = self.hand.answers[at]
        if all(value != each.value for each in answers):
            raise DocumentError(f"hand.answers.{at}", f"is no legal answer to: {words}")
        return value

    def steps(
        self,
        follow: Callable[[], None],
        ask: Callable[[Value | Callable[[], Value]], Value],
        take: Callable[[Value], None],
        theirs: Callable[[], Value],
    ) -> None:
        """Take one step after another until the person has had enough: the AI's while they agree, then their own.

        `follow` runs the AI's actions and calls `agree` at each step; `ask` puts the question, along with the AI's
        answer; `theirs` gives that answer once the person has departed from the AI. The answer `ENOUGH` ends the
        series.
        """
        try:
            follow()
        except DepartedError as departed:
            value = departed.value
        else:
            value = ask(ENOUGH)
        while value != ENOUGH:
            take(value)
            value = ask(theirs)

    def step(
        self,
        side: int,
        words: str,
        found: Sequence[Answer],
        doctrine: Value | Callable[[], Value],
        unit: int,
        enough: str = "Nothing more",
    ) -> Value:
        """Return the next step in a series; `ENOUGH` if there is none or nobody to ask.

        The AI's step is always offered.
        """
        values = {each.value for each in found}
        if not callable(doctrine) and doctrine not in values | {ENOUGH}:
            found = [*found, Answer(doctrine, "Let the AI choose")]
        if not found or not self.is_asked(side):
            return ENOUGH

        def theirs() -> Value:
            value = doctrine() if callable(doctrine) else doctrine
            return value if value in values or not callable(doctrine) else ENOUGH

        return self.choose(side, words, [*found, Answer(ENOUGH, enough)], theirs, unit)

    @staticmethod
    def agree(value: Value, ask: Callable[[Value | Callable[[], Value]], Value]) -> None:
        """Ask about the AI's next step; raises DepartedError if the person chooses another."""
        answer = ask(value)
        if answer != value:
            raise DepartedError(answer)

    @property
    def may_take_back(self) -> bool:
        """Return whether no dice have been rolled since the last answer, so that nothing new has been seen."""
        return len(self.stood) > 1 and self.stood[-1][0] == self.stood[-2][0]


@dataclass(frozen=True)
class InHand:
    """How a game lets people make decisions.

    `modules`: its order of play and its decisions; the module with `begin` and `go_on` comes last. `takes`: the
    replacement for each function, made from the chooser and the function. `follows`: the same, made from a copy of the
    function that already uses all the replacements in `takes`.
    """

    modules: tuple[str, ...]
    takes: Mapping[str, Callable[[Chooser, Asks], Asks]]
    follows: Mapping[str, Callable[[Chooser, Asks], Asks]] = field(default_factory=dict)

    def order_of_play(self, chooser: Chooser) -> tuple[Asks, Asks]:
        """Return the game's `begin` and `go_on`, with the chooser in place of the AI."""
        spaces = {name: dict(vars(importlib.import_module(name))) for name in self.modules}
        put: dict[FunctionType, Asks] = {}
        for name, space in spaces.items():
            for word, found in space.items():
                if isinstance(found, FunctionType) and word in self.takes:
                    put.setdefault(found, self.takes[word](chooser, found))
                elif isinstance(found, FunctionType) and found.__module__ == name:
                    again = FunctionType(found.__code__, space, word, found.__defaults__, found.__closure__)
                    again.__kwdefaults__ = found.__kwdefaults__
                    put[found] = self.follows[word](chooser, again) if word in self.follows else again
        for space in spaces.values():
            for word, found in space.items():
                if isinstance(found, FunctionType) and found in put:
                    space[word] = put[found]
        last = spaces[self.modules[-1]]
        return last["begin"], last["go_on"]
