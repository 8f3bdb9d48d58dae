"""Results of the six scenarios with every pair of AI styles, 100,000 games each.

`python -m benchmarks.scenarios` prints the table of docs/odds-meks-and-mercs.md. The forces are the companies of docs/examples/scenarios, with the pilots
named there; they are legal in points and tonnage for their scenario. Support is rolled for in each game.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from benchmarks.engine import tally_games  # noqa: E402 - Django must be set up first
from systems.reading import read_setup  # noqa: E402
from systems.setups import Setup  # noqa: E402
from systems.simulation.summary import odds  # noqa: E402

EXAMPLES = Path(__file__).resolve().parent.parent / "docs" / "examples" / "scenarios"
DOCTRINES = ("aggressive", "cautious")
GAMES = 100_000
HEAD = (
    "| scenario | attacker's AI style | defender's AI style | attacker wins | defender wins | draws | turns "
    "| Meks lost, attacker | Meks lost, defender |"
)


def setups() -> Iterator[tuple[str, str, tuple[str, str], Setup]]:
    """Yield the scenario, file name, AI styles and set-up of every example with every pair of AI styles."""
    for path in sorted(EXAMPLES.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        for doctrines in product(DOCTRINES, DOCTRINES):
            for side, doctrine in zip(document["sides"], doctrines, strict=True):
                side["doctrine"] = doctrine
            yield document["scenario"], path.stem, doctrines, read_setup(document)


def line(scenario: str, doctrines: tuple[str, str], setup: Setup, games: int) -> str:
    """Return a row of the table."""
    found = odds(tally_games(setup, games), setup)
    attacker, defender = found.sides
    own = {unit.key for side in setup.sides for unit in side.units}
    lost = [
        sum(unit.lost.share for unit in found.units if unit.side == side.name and unit.key in own)
        for side in setup.sides
    ]
    cells = [
        scenario, *doctrines, *(f"{share.share:.1%}" for share in (attacker.wins, defender.wins, found.draws)),
        f"{found.rounds:.1f}", *(f"{mean:.2f}" for mean in lost),
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def main(games: int = GAMES) -> None:
    print(HEAD)
    print(f"|{'---|' * (HEAD.count('|') - 1)}")
    began = time.perf_counter()
    for _scenario, name, doctrines, setup in setups():
        print(line(name, doctrines, setup, games), flush=True)
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
