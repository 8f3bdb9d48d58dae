"""The commands on documents: check, resolve, forecast, verify. Shared by `python -m systems` and manage.py.

Each takes the bytes of a document and returns the text to print; all raise DocumentError for unusable input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from systems import UnknownSystemError, battle_rules, roster_rules
from systems.documents import DocumentError, parse_document, plain_json
from systems.legality import Problem
from systems.reading import read_design, read_scenario, read_setup
from systems.setups import Setup, parse_seed
from systems.simulation.analysis import report_text
from systems.simulation.odds import DEFAULT_SEED, tally, warm
from systems.simulation.records import HeaderDice, RecordDifference, read_header, resolve, verify
from systems.simulation.summary import odds

MAX_BATTLES = 1_000_000_000
CHUNK_SIZE = 250_000  # battles simulated at once


@dataclass(frozen=True, slots=True)
class Answer:
    """A command's output, and whether it means yes; no is exit code 1."""

    text: str
    is_yes: bool = True


def read_file(name: str, most: int) -> bytes:
    """Return the bytes of a file, or of standard input for `-`; at most `most` + 1."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(most + 1)
        with Path(name).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        raise DocumentError(ascii(name), getattr(error, "strerror", None) or str(error)) from None


def answer_check(data: bytes, release: str = "") -> Answer:
    """Check a design, a set-up or a scenario document against its game's rules.

    The output is one JSON object; a set-up's `points` are per side, and null if it breaks a rule. A design is read by
    the given release of its game's catalogue, by default the newest; a set-up names its own release.
    """
    document = plain_json(data)
    kind = document.get("muster") if isinstance(document, dict) else None
    if kind == "design/1":
        answer = check_design(data, release)
    elif release:
        raise DocumentError("release", "is only for designs; a set-up names its own")
    elif kind == "setup/1":
        answer = _check_setup(data)
    elif kind == "scenario/1":
        answer = _check_scenario(data)
    else:
        raise DocumentError("muster", "must be design/1, setup/1 or scenario/1; a record is checked with verify")
    return Answer(json.dumps(answer, ensure_ascii=False) + "\n", bool(answer["legal"]))


def check_design(data: bytes, release: str = "") -> dict[str, object]:
    """Return legality, points and problems of a design document; raises DocumentError."""
    document, spec = read_design(data, release)
    check = roster_rules(document.system, release).check_design(spec)
    return _legality(check.points, check.problems)


def _check_setup(data: bytes) -> dict[str, object]:
    refused: DocumentError | None = None
    try:
        read_setup(data)
    except DocumentError as error:  # gives the first reason; both sides' problems follow if they can be read
        refused = error
    try:
        setup = parse_document(Setup, data)
        checks = [
            battle_rules(setup.system).check_side(
                setup.scenario, at, side.units, side.support, setup.options, setup.catalogue_release
            )
            for at, side in enumerate(setup.sides)
        ]
    except (DocumentError, UnknownSystemError):
        assert refused is not None
        return _broken_rule(refused)
    problems = [each.moved(f"sides[{at}]") for at, check in enumerate(checks) for each in check.problems]
    if refused is not None and not problems:
        return _broken_rule(refused)
    points = {side.name: check.points for side, check in zip(setup.sides, checks, strict=True)}
    return _legality(points, problems)


def _check_scenario(data: bytes) -> dict[str, object]:
    try:
        read_scenario(data)
    except DocumentError as error:
        return _broken_rule(error)
    return _legality(None, ())


def _broken_rule(error: DocumentError) -> dict[str, object]:
    """Return the answer for a readable document that breaks a rule; re-raises the error if it names no rule."""
    if not error.rule:
        raise error
    return _legality(None, [Problem(error.rule, error.reason, error.path)])


def _legality(points: object, problems: list[Problem] | tuple[Problem, ...]) -> dict[str, object]:
    rows = [{"rule": each.rule, "message": each.message, "place": each.place} for each in problems]
    return {"legal": not problems, "points": points, "problems": rows}


def answer_resolve(data: bytes, seed: object, *, as_text: bool = False) -> Answer:
    """Simulate one battle of a set-up and return its record as JSON lines, or a readable report."""
    record = resolve(read_setup(data), parse_seed(seed))
    return Answer(report_text(record) if as_text else record.text())


def answer_forecast(
    data: bytes, battles: str, seed: object, *, clock: Callable[[], float], is_plain: bool = False
) -> Answer:
    """Simulate many battles of a set-up: the odds as one JSON object.

    `seconds` in it is the time of the simulation alone, measured by `clock`. With `is_plain` the rules aren't compiled:
    slower, with the same result.
    """
    count = _parse_battles(battles)
    number = DEFAULT_SEED if seed is None else parse_seed(seed)
    setup = read_setup(data)
    if not is_plain:
        warm(setup.system)
    return Answer(json.dumps(_forecast(setup, count, number, clock, is_plain), ensure_ascii=False) + "\n")


def _forecast(
    setup: Setup, battles: int, seed: int, clock: Callable[[], float], is_plain: bool
) -> Mapping[str, object]:
    total, seconds = None, 0.0
    for first in range(0, battles, CHUNK_SIZE):
        began = clock()
        part = tally(setup, seed, first, min(CHUNK_SIZE, battles - first), compiled=not is_plain)
        seconds += clock() - began
        total = part if total is None else total + part
    assert total is not None
    return odds(total, setup).to_json() | {"seconds": round(seconds, 3)}


def _parse_battles(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if not 1 <= number <= MAX_BATTLES:
        raise DocumentError("battles", f"must be a whole number from 1 to {MAX_BATTLES:,}")
    return number


def answer_verify(data: bytes, noted: str = "") -> Answer:
    """Simulate a record's battle again; return `same` with what is known of its dice, or the first different line.

    `noted` is the hash of the provably fair dice, as noted by the reader before the battle.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise DocumentError("document", f"not UTF-8 text (byte {error.start})") from None
    noted = noted.strip().lower()
    difference = verify(text)
    if difference is None:
        dice = read_header(text).dice
        difference = _of_other_dice(dice, noted)
    if difference is None:
        return Answer(f"same\n{_describe_dice(dice, bool(noted))}\n")
    lines = [
        f"line {difference.line} differs",
        f"expected: {difference.expected}",
        f"found:    {difference.found}",
        *([f"the line: {difference.reason}"] if difference.reason else []),
    ]
    return Answer("\n".join(lines) + "\n", is_yes=False)


def _of_other_dice(dice: HeaderDice | None, noted: str) -> RecordDifference | None:
    """Return the difference if the hash that the reader noted isn't the record's."""
    if not noted or (dice is not None and dice.commitment == noted):
        return None
    found = f"dice of the hash {dice.commitment}" if dice else "no provably fair dice: the seed was chosen"
    return RecordDifference(1, f"dice of the hash {noted}", found)


def _describe_dice(dice: HeaderDice | None, is_noted: bool) -> str:
    if dice is None:
        return "seed: chosen, not sealed; the player who simulated this battle could have tried many seeds"
    words = ", ".join(f'"{text}"' for text in dice.words) or "none"
    known = "the one you gave" if is_noted else "compare it with the one published before the battle"
    return f"seed: follows from sealed dice; for: {dice.purpose}; words: {words}; hash: {dice.commitment} ({known})"
