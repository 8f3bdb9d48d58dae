"""Golden replays: short battles kept line by line. `python -m tests.tools.replays` fights them again and rewrites them."""

import json
import sys
from pathlib import Path

from systems import GAMES
from systems.engine.resolve import resolve
from systems.reading import read_setup

FOLDER = Path(__file__).resolve().parents[1] / "systems"


def golden_replays(slug: str) -> list[Path]:
    """The replay files of a rule system."""
    return sorted((FOLDER / slug.replace("-", "_") / "replays").glob("*.jsonl"))


def first_difference(text: str, again: str) -> str | None:
    """What to say about the first line that differs, None if there is none."""
    lines, now = text.splitlines(), again.splitlines()
    for number, (line, other) in enumerate(zip(lines, now, strict=False), start=1):
        if line != other:
            return f"line {number}\n  kept: {line}\n  now:  {other}"
    if len(lines) != len(now):
        return f"line {min(len(lines), len(now)) + 1}: {len(lines)} lines are kept, the battle now has {len(now)}"
    return None if text == again else "the end of the file"


def fight_again(path: Path) -> str:
    """The record that the battle of this file's header gives now, whatever else the file says."""
    header = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    return resolve(read_setup(header["setup"]), header["seed"]).text()


if __name__ == "__main__":
    GAMES.take_in("toy", "tests.toy")
    for path in sorted(FOLDER.glob("*/replays/*.jsonl")):
        difference = first_difference(path.read_text(encoding="utf-8"), again := fight_again(path))
        if difference:
            path.write_text(again, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(FOLDER)}: {difference}\n")
