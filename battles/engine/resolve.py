"""One recorded battle: header, events, outcome; and its proof, by running it again from the header."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, Literal

from battles.documents import Setup, canonical, parse_seed, read_setup, setup_hash, setup_json
from battles.engine import twin
from battles.engine.dice import Log, SeededDice
from battles.engine.events import Event, Outcome
from battles.engine.fielding import check_fielded
from battles.systems import get_system
from rosters.documents import Document, DocumentError, parse_document

FORMAT = "record/1"
MAX_RECORD_BYTES = 16 * 1024 * 1024


class Header(Document):
    """The first line of a record: everything that is needed to fight the battle again."""

    muster: Literal["record/1"]
    system: str
    rules_version: int
    seed: int
    setup_hash: str
    setup: dict[str, object]


@dataclass(frozen=True)
class Record:
    """A battle that was fought: what is needed to fight it again, what happened, how it ended."""

    setup: Setup
    seed: int
    rules_version: int
    events: tuple[Event, ...]
    outcome: Mapping[str, Any]

    @property
    def header(self) -> dict[str, Any]:
        return {
            "muster": FORMAT,
            "system": self.setup.system,
            "rules_version": self.rules_version,
            "seed": self.seed,
            "setup_hash": setup_hash(self.setup),
            "setup": setup_json(self.setup),
        }

    def lines(self) -> list[str]:
        """JSON lines: header, events, outcome; equal records give equal lines."""
        return [
            canonical(self.header),
            *(canonical(event.to_json()) for event in self.events),
            canonical({"outcome": self.outcome}),
        ]

    def text(self) -> str:
        """The record as a file."""
        return "\n".join(self.lines()) + "\n"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file, in hexadecimal."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def resolve(setup: Setup, seed: int) -> Record:
    """Fights battle 0 of the seed and records it."""
    system = get_system(setup.system)
    log: Log = []
    template = system.prepare(setup)
    check_fielded(setup, template)
    state = twin.plain_battle(system.fight, template, SeededDice(seed), log)
    outcome = system.outcome(setup, state)
    return Record(setup, seed, system.rules_version, system.events(setup, log), outcome.to_json())


def read_record(text: str) -> Record:
    """The record in this text, without running anything; raises DocumentError naming the line that is damaged."""
    if len(text) > MAX_RECORD_BYTES:
        raise DocumentError("document", f"larger than {MAX_RECORD_BYTES // 2**20} MiB")
    lines = text.splitlines()
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
        Outcome.from_json(outcome)
    except DocumentError as error:
        raise DocumentError(f"line {len(lines)}.{error.path}", error.reason) from None
    return Record(setup, seed, header.rules_version, tuple(events), outcome)


def _header(line: str) -> tuple[Header, Setup, int]:
    """The first line with its set-up and seed; raises DocumentError."""
    header = parse_document(Header, line, "line 1")
    try:
        setup = read_setup(header.setup)
    except DocumentError as error:
        raise DocumentError(f"line 1.setup.{error.path}", error.reason) from None
    if header.system != setup.system:
        raise DocumentError("line 1.system", "is not that of the set-up beside it")
    return header, setup, parse_seed(header.seed, "line 1.seed")


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        raise DocumentError(f"line {number}", "is not JSON") from None
    if not isinstance(body, dict):
        raise DocumentError(f"line {number}", "is not an object")
    return body


@dataclass(frozen=True, slots=True)
class Difference:
    """The first line in which a record differs from the battle fought again."""

    line: int  # from 1
    expected: str  # what the battle gives
    found: str  # what the file says


def verify(text: str) -> Difference | None:
    """Fights the battle of a record's header again; None if every line comes out the same.

    Raises DocumentError if the header can't be read or was written under other rules.
    """
    lines = text.splitlines()
    header, setup, seed = _header(lines[0] if lines else "")
    system = get_system(setup.system)
    if header.rules_version != system.rules_version:
        raise DocumentError(
            "line 1.rules_version",
            f"was fought by rules {header.rules_version}, these are rules {system.rules_version}",
        )
    again = resolve(setup, seed)
    for number, (expected, found) in enumerate(zip_longest(again.lines(), lines, fillvalue=""), start=1):
        if expected != found:
            return Difference(number, expected, found)
    return None
