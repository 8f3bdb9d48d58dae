"""Golden replays: records of short battles.

`python -m tests.tools.replays` simulates them again, rewrites those that differ and prints a line for each. A game
without a replay gets one of its example.
"""

import json
import re
import sys
from pathlib import Path

from systems import BATTLES, GAMES, battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.records import resolve

FOLDER = Path(__file__).resolve().parents[1] / "systems"


def golden_replays(slug: str) -> list[Path]:
    """Return the replay files of a rule system."""
    return sorted((FOLDER / slug.replace("-", "_") / "replays").glob("*.jsonl"))


def first_difference(text: str, again: str) -> str | None:
    """Describe the first line that differs; None if there is none."""
    lines, now = text.splitlines(), again.splitlines()
    for number, (line, other) in enumerate(zip(lines, now, strict=False), start=1):
        if line != other:
            return f"line {number}\n  kept: {line}\n  now:  {other}"
    if len(lines) != len(now):
        return f"line {min(len(lines), len(now)) + 1}: {len(lines)} lines are kept, the battle now has {len(now)}"
    return None if text == again else "the end of the file"


def fight_again(path: Path) -> str:
    """Return the present record for the battle in this file's header."""
    header = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    return resolve(read_setup(header["setup"]), header["seed"]).text()


def begin(folder: Path, slug: str) -> Path:
    """Write a first replay for a game: its example with seed 1."""
    path = folder / slug.replace("-", "_") / "replays" / "example.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(resolve(battle_rules(slug).example(), 1).text(), encoding="utf-8")
    return path


def rewrite(path: Path) -> str:
    """Simulate a replay again and save it; return a one-line message, empty if it is the same."""
    try:
        again = fight_again(path)
    except DocumentError as error:
        return f"can't be fought any more: {error}. Delete it, or write another set-up into its first line."
    difference = first_difference(path.read_text(encoding="utf-8"), again)
    if difference is None:
        return ""
    path.write_text(again, encoding="utf-8")
    where, *_ = re.split(r"[:\n]", difference)
    return f"rewritten; it differs first at {where}"


if __name__ == "__main__":
    GAMES.take_in("toy", "tests.toy")
    for slug in BATTLES:
        if not golden_replays(slug):
            sys.stdout.write(f"{begin(FOLDER, slug).relative_to(FOLDER)}: its first replay\n")
    for path in sorted(FOLDER.glob("*/replays/*.jsonl")):
        if message := rewrite(path):
            sys.stdout.write(f"{path.relative_to(FOLDER)}: {message}\n")
