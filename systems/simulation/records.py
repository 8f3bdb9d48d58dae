"""Recorded battles, with or without people's decisions: simulate, write, read and verify.

A set-up whose units aren't all in the state is refused, because its results would be wrong.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from typing import Annotated, Any, Literal

import pydantic

from systems import battle_rules
from systems.catalogue import other_rules
from systems.documents import Document, DocumentError, parse_document
from systems.engine import runner
from systems.engine.choices import Hand, Question, StoppedError
from systems.engine.dice import Log, ReplacedDice, SeededDice, commitment, sealed_seed
from systems.engine.events import Event, check_outcome
from systems.engine.runner import State
from systems.reading import read_setup
from systems.setups import Setup, canonical, parse_seed, setup_hash, setup_json


def check_fielded(setup: Setup, template: State) -> None:
    """Raise DocumentError unless the state holds exactly the set-up's units, with their points."""
    system = battle_rules(setup.system)
    named = system.fielded(setup)
    worths = system.worths(setup)
    for at in range(2):
        fielded = [unit for unit in template.units if unit.side == at]
        keys = [key for key, side in named if side == at]
        if len(fielded) != len(keys):
            raise DocumentError(f"sides[{at}].units", f"{len(keys)} units are named, {len(fielded)} take the field")
        expected, points = sum(worths[key] for key in keys), sum(unit.cost for unit in fielded)
        if points != expected:
            raise DocumentError(f"sides[{at}].units", f"worth {expected} points, {points} points take the field")


@dataclass(frozen=True, slots=True)
class HandBattle:
    """A battle after the answers so far. `question` is None when the battle has ended."""

    state: runner.State
    log: Log
    question: Question | None
    may_take_back: bool
    seen: int  # number of notes when the last answer was given or the player took over


def play_by_hand(setup: Setup, seed: int, hand: Hand) -> HandBattle:
    """Simulate the battle of this seed from its set-up, using a person's answers.

    Raises DocumentError for an illegal or unasked answer, and for a game without such battles.
    """
    system = battle_rules(setup.system)
    if system.in_hand is None:
        raise DocumentError("hand", "battles of this game can't be played by hand")
    if hand.after and hand.events:
        raise DocumentError("hand.events", "a battle is taken up after a round or after an event, not both")
    if (hand.after + hand.events > 0) != (hand.seed is not None):
        raise DocumentError("hand.seed", "is there where a battle was taken up, and only there")
    state = system.prepare(setup)
    check_fielded(setup, state)
    log: Log = []
    dice = SeededDice(seed)
    if hand.after:
        system.begin(state, dice, log)
        for number in range(1, hand.after + 1):
            if not system.go_on(state, dice, log):
                raise DocumentError("hand.after", f"the battle was over after {number}")
        assert hand.seed is not None
        dice = SeededDice(hand.seed)
    elif hand.seed is not None:
        dice = ReplacedDice(seed, log, hand.events, hand.seed)
    before = len(log) or hand.events
    chooser = system.chooser(setup, hand, dice)
    chooser.log = log
    begin, go_on = system.in_hand.order_of_play(chooser)
    try:
        if not hand.after:
            begin(state, dice, log)
        while go_on(state, dice, log):
            pass
    except StoppedError as stopped:
        seen = chooser.stood[-2][1] if len(chooser.stood) > 1 else before
        return HandBattle(state, log, stopped.question, chooser.may_take_back, seen)
    if hand.events >= len(log):
        raise DocumentError("hand.events", f"the battle was over after {len(log)}")
    if len(chooser.stood) < len(hand.answers):
        raise DocumentError(f"hand.answers.{len(chooser.stood)}", "answers what nobody asked: the battle was over")
    return HandBattle(state, log, None, False, len(log))


RECORD_FORMAT = "record/1"
MAX_RECORD_BYTES = 16 * 1024 * 1024
RECORD_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")  # with its line ending
ENDS = {"\r\n": "with a carriage return and a line feed", "\r": "with a carriage return", "": "without a line feed"}


Hex = Annotated[str, pydantic.Field(pattern=r"^[0-9a-f]{64}$")]
Words = Annotated[str, pydantic.Field(max_length=100, pattern=r"^[^\r\n]+$")]


class HeaderDice(Document):
    """The provably fair dice of a seed: the published hash, and the values that hash and seed follow from."""

    commitment: Hex
    purpose: Literal["battle"]
    words: Annotated[tuple[Words, ...], pydantic.Field(max_length=10)]
    secret: Hex

    @property
    def is_committed(self) -> bool:
        """Return whether the hash belongs to the secret."""
        return commitment(self.secret) == self.commitment

    @property
    def seed(self) -> int:
        """Return the seed that these dice give."""
        return sealed_seed(self.secret, self.purpose, self.words)


class HeaderHand(Hand):
    """A person's decisions, in a record. `dice` are the provably fair dice behind their seed."""

    dice: HeaderDice | None = None


class Header(Document):
    """The first line of a record: everything needed to simulate the battle again."""

    muster: Literal["record/1"]
    system: str
    rules_version: int
    seed: int
    setup_hash: str
    setup: dict[str, object]
    dice: HeaderDice | None = None  # None: the person who started the simulation chose the seed
    hand: HeaderHand | None = None  # None: the AI made all decisions


@dataclass(frozen=True)
class Record:
    """A simulated battle: everything needed to simulate it again, its events and its outcome."""

    setup: Setup
    seed: int
    rules_version: int
    events: tuple[Event, ...]
    outcome: Mapping[str, Any]
    dice: HeaderDice | None = None
    hand: HeaderHand | None = None

    @property
    def header(self) -> dict[str, object]:
        dice = {"dice": self.dice.model_dump(mode="json")} if self.dice else {}
        return {
            "muster": RECORD_FORMAT,
            "system": self.setup.system,
            "rules_version": self.rules_version,
            "seed": self.seed,
            "setup_hash": setup_hash(self.setup),
            "setup": setup_json(self.setup),
            **dice,
            **({"hand": self.hand.model_dump(mode="json")} if self.hand else {}),
        }

    def lines(self) -> list[str]:
        """Return the JSON lines: header, events, outcome; equal records give equal lines."""
        return [
            canonical(self.header),
            *(canonical(event.to_json()) for event in self.events),
            canonical({"outcome": self.outcome}),
        ]

    def text(self) -> str:
        """Return the record as a file."""
        return "\n".join(self.lines()) + "\n"

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the file, in hexadecimal."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def resolve(setup: Setup, seed: int, dice: HeaderDice | None = None, hand: HeaderHand | None = None) -> Record:
    """Simulate battle 0 of the seed and record it; `dice` are the seed's provably fair dice, not checked here.

    With a `hand`, people decide; raises DocumentError if their answers are illegal or run out before the end.
    """
    system = battle_rules(setup.system)
    if hand is not None:
        standing = play_by_hand(setup, seed, hand)
        if standing.question is not None:
            raise DocumentError("hand.answers", f"end before the battle does; asked is: {standing.question.words}")
        events, end = system.events(setup, standing.log), system.outcome(setup, standing.state).to_json()
        return Record(setup, seed, system.rules_version, events, end, dice, hand)
    log: Log = []
    template = system.prepare(setup)
    check_fielded(setup, template)
    state = runner.plain_battle(system.fight, template, SeededDice(seed), log)
    outcome = system.outcome(setup, state)
    return Record(setup, seed, system.rules_version, system.events(setup, log), outcome.to_json(), dice)


def read_header(text: str) -> Header:
    """Return the header of the record in this text without reading the rest; raises DocumentError."""
    return _header(text.partition("\n")[0])[0]


def read_record(text: str) -> Record:
    """Return the record in this text without simulating it; raises DocumentError, naming the damaged line."""
    if len(text) > MAX_RECORD_BYTES:
        raise DocumentError("document", f"larger than {MAX_RECORD_BYTES // 2**20} MiB")
    lines = [_bare(line) for line in RECORD_LINE.findall(text)]
    if len(lines) < 2:
        raise DocumentError("document", "a record has a header line, event lines and an outcome line")
    header, setup, seed = _header(lines[0])
    if header.setup_hash != setup_hash(setup):
        raise DocumentError("line 1.setup_hash", "is not that of the set-up beside it")
    events = []
    for number, line in enumerate(lines[1:-1], start=2):
        body = _object(line, number)
        try:
            events.append(Event.from_json(body))
        except (KeyError, TypeError, ValueError):
            raise DocumentError(f"line {number}", "is not an event") from None
    last = _object(lines[-1], len(lines))
    outcome = last.get("outcome")
    if not isinstance(outcome, dict) or len(last) > 1:
        raise DocumentError(f"line {len(lines)}", "is not an outcome")
    try:
        check_outcome(outcome, battle_rules(setup.system).own_outcome)
    except DocumentError as error:
        raise DocumentError(f"line {len(lines)}.{error.path}", error.reason) from None
    return Record(setup, seed, header.rules_version, tuple(events), outcome, header.dice, header.hand)


def _header(line: str) -> tuple[Header, Setup, int]:
    """Return the first line with its set-up and seed; raises DocumentError."""
    header = parse_document(Header, line, "line 1")
    try:
        setup = read_setup(header.setup)
    except DocumentError as error:
        raise DocumentError(f"line 1.setup.{error.path}", error.reason) from None
    if header.system != setup.system:
        raise DocumentError("line 1.system", "is not that of the set-up beside it")
    return header, setup, parse_seed(header.seed, "line 1.seed")


def _object(line: str, number: int) -> dict[str, object]:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        raise DocumentError(f"line {number}", "is not JSON") from None
    if not isinstance(body, dict):
        raise DocumentError(f"line {number}", "is not an object")
    return body


class RulesVersionError(DocumentError):
    """Raised for a record from another rules version, which can't be verified here."""


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """The first line in which a record differs from its battle simulated again."""

    line: int  # from 1
    expected: str  # the right line
    found: str  # the line in the file
    reason: str = ""  # explains a difference that the two texts don't show


def verify(text: str) -> RecordDifference | None:
    """Simulate the battle of a record's header again; return None if the file is the same, byte for byte.

    If the header names provably fair dice, their hash and the seed must follow from the secret. Raises DocumentError if
    the header can't be read, RulesVersionError if the battle is from another rules version.
    """
    lines = (line.group() for line in RECORD_LINE.finditer(text))  # one by one: reading stops at the first wrong line
    first = next(lines, "")
    header, setup, seed = _header(first)
    system = battle_rules(setup.system)
    if reason := other_rules(system.versions, header.rules_version, system.rules_version):
        raise RulesVersionError("line 1.rules_version", reason)
    if header.dice is not None and (unsealed := _unsealed(header.dice, seed)):
        dice = header.dice.model_copy(update={"commitment": commitment(header.dice.secret)})
        right = Record(setup, dice.seed, header.rules_version, (), {}, dice, header.hand)
        return RecordDifference(1, canonical(right.header), _bare(first), unsealed)
    if header.hand is not None and (wrong := _unsealed_hand(header, setup, seed)):
        return RecordDifference(1, canonical(wrong[0].header), _bare(first), wrong[1])
    try:
        again = [f"{line}\n" for line in resolve(setup, seed, header.dice, header.hand).lines()]
    except DocumentError as error:
        raise DocumentError(f"line 1.{error.path}", error.reason) from None
    for number, (expected, found) in enumerate(zip_longest(again, chain([first], lines), fillvalue=""), start=1):
        if expected != found:
            return RecordDifference(number, _bare(expected), _bare(found), _ends(expected, found))
    return None


def _unsealed_hand(header: Header, setup: Setup, seed: int) -> tuple[Record, str] | None:
    """Return what is wrong with the dice after a player took over: the correct record's header, and the reason."""
    hand = header.hand
    if hand is None or hand.dice is None or hand.seed is None or not (reason := _unsealed(hand.dice, hand.seed)):
        return None
    dice = hand.dice.model_copy(update={"commitment": commitment(hand.dice.secret)})
    right = hand.model_copy(update={"dice": dice, "seed": dice.seed})
    return Record(setup, seed, header.rules_version, (), {}, header.dice, right), reason


def _unsealed(dice: HeaderDice, seed: int) -> str:
    """Return what is wrong with a seed that should come from these dice; empty if it is fine."""
    if not dice.is_committed:
        return "the hash is not that of the secret"
    return "" if dice.seed == seed else "the seed does not follow from these dice"


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _ends(expected: str, found: str) -> str:
    """Return how the line endings of two lines differ if their text is the same; otherwise empty."""
    if found and not _bare(found):
        return "an empty line too many"
    if not expected or _bare(expected) != _bare(found):
        return ""
    end = ENDS[found[len(_bare(found)) :]]
    return f"ends {end}" + (", not a line feed" if end.startswith("with ") else "")
