"""Results of three pairs of Mech Campaign forces, by scenario and AI style: run `python -m benchmarks.inches`."""

from __future__ import annotations

import os
import sys
from itertools import product

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from benchmarks.engine import table, tally_games  # noqa: E402 - Django must be set up first
from systems import battle_rules  # noqa: E402

PAIRS = (("line-lance", "line-lance"), ("picket", "line-lance"), ("hammer", "rock-rats"))
GAMES = 20_000
ENDS = ("attacker_wins", "defender_wins", "draws", "retreats", "wipe_outs", "fields_left", "sabotages", "timeouts")
HEAD = (
    "| scenario | A | B | A's AI style | B's AI style | A wins | B wins | draws | retreat | wiped out | field left "
    "| sabotage | time | turns | units lost A | units lost B |"
)


def main(games: int = GAMES) -> None:
    print(HEAD)
    print(f"|{'---|' * (HEAD.count('|') - 1)}")
    system = battle_rules("mech-campaign")
    for scenario, pair in product(system.scenarios, PAIRS):
        for doctrines in product(system.doctrines, repeat=2):
            setup = table(scenario, (pair[0], doctrines[0]), (pair[1], doctrines[1]))
            total = tally_games(setup, games)
            shares = [f"{total.battle[name] / games:.1%}" for name in ENDS]
            lost = [sum(total.units[unit.key]["lost"] for unit in side.units) / games for side in setup.sides]
            means = [f"{total.battle['rounds'] / games:.1f}", *(f"{mean:.2f}" for mean in lost)]
            print(f"| {' | '.join([scenario, *pair, *doctrines, *shares, *means])} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
