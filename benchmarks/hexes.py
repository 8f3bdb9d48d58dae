"""Win rates of Hex Core squads on their maps, and the speed of simulation: `python -m benchmarks.hexes` prints them."""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from systems.hex_core.battle import SYSTEM  # noqa: E402
from systems.simulation.odds import tally  # noqa: E402 - Django must be set up first
from tests.systems.hex_core.battle.test_reference_rates import ROWS, SEED, Row, setup_of  # noqa: E402

BATTLES = 20_000
HEAD = "| | map | mission | side A | side B | A wins | B wins | who goes first wins | rounds | reference: A wins | battles a second |"


def line(name: str, row: Row, battles: int) -> str:
    """Return a row of the table: our results and the reference's."""
    given = setup_of(row)
    tally(given, SEED, 0, 1)  # compiles the rules
    start = time.perf_counter()
    counts = tally(given, SEED, 0, battles).battle
    speed = battles / (time.perf_counter() - start)
    shares = [f"{counts[each] / battles:.2%}" for each in ("attacker_wins", "defender_wins", "first_wins")]
    sides = [f"{squad}, {doctrine}" for squad, doctrine in (row.a, row.b)]
    cells = [name, SYSTEM.terrains[row.terrain], row.mission, *sides, *shares, f"{counts['rounds'] / battles:.2f}"]
    return f"| {' | '.join([*cells, f'{row.rates[0]:.2%}', f'{speed:,.0f}'])} |"


def main(battles: int = BATTLES) -> None:
    print(f"{battles:,} battles of each row", file=sys.stderr)
    print(HEAD)
    print(f"|{'---|' * (HEAD.count('|') - 1)}")
    for name, row in ROWS.items():
        print(line(name, row, battles), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
