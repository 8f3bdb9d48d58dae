"""Win rates of each Blazing Steel example against each other, by map: `python -m benchmarks.duels` prints them."""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from systems import battle_rules, roster_rules  # noqa: E402 - Django must be set up first
from systems.reading import read_setup  # noqa: E402
from systems.simulation.odds import Tally, tally  # noqa: E402

SYSTEM = "blazing-steel"
GAMES = 10_000
SEED = 0


def duel(terrain: str, one: str, other: str, games: int) -> Tally:
    """Simulate `games` battles between two examples, both aggressive, and return their tally."""
    sides = [
        {"name": name, "doctrine": "aggressive", "units": [{"key": key, "design": design}]}
        for name, key, design in (("A", "a1", one), ("B", "b1", other))
    ]
    body = {"muster": "setup/1", "system": SYSTEM, "scenario": "skirmish", "terrain": terrain, "sides": sides}
    return tally(read_setup(body), SEED, 0, games)


def main(games: int = GAMES) -> None:
    designs = roster_rules(SYSTEM).published
    start, fought = time.perf_counter(), 0
    for terrain, name in battle_rules(SYSTEM).terrains.items():
        print(f"\n## What are the odds on the {name} map?\n")
        print(f"| A wins against | {' | '.join(design.name for design in designs.values())} |")
        print(f"|{'---|' * (len(designs) + 1)}")
        for one, design in designs.items():
            shares = []
            for other in designs:
                counts = duel(terrain, one, other, games).battle
                fought += games
                shares.append(f"{counts['attacker_wins'] / games:.1%} ({counts['turns'] / games:.1f})")
            print(f"| {design.name} ({design.printed_points}) | {' | '.join(shares)} |", flush=True)
    print(f"{fought / (time.perf_counter() - start):,.0f} battles a second", file=sys.stderr)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
