"""Win rates of the six scenarios compared with the ledger's: `python -m benchmarks.rates` prints them.

Each is printed with and without support. The companies are those of the ledger and of docs/examples/scenarios. The last
columns are empty where the ledger has no games.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from benchmarks.engine import tally_games  # noqa: E402 - Django must be set up first
from tests.systems.meks_and_mercs.battle import references  # noqa: E402
from tests.systems.meks_and_mercs.battle.references import BY_ROW, Rates, Row, every_row, rates_of  # noqa: E402

GAMES = 100_000
HEAD = (
    "| scenario | attacker | defender | support | attacker wins | defender wins | draws | turns "
    "| reference | attacker wins | defender wins | draws | turns | standard errors |"
)


def cells(rates: Rates) -> list[str]:
    return [*(f"{share:.1%}" for share in rates.shares), f"{rates.turns:.2f}"]


def line(row: Row, games: int) -> str:
    """Return a row of the table: our rates, the reference's, and the difference in standard errors."""
    ours = rates_of(tally_games(row.setup, games).battle)
    beside = [""] * 6
    if row in BY_ROW:
        name, theirs = BY_ROW[row]
        beside = [name, *cells(theirs), f"{ours.errors_off(theirs):.1f}"]
    given = [row.scenario, *row.doctrines, "yes" if row.has_support else "no"]
    return f"| {' | '.join([*given, *cells(ours), *beside])} |"


def main(games: int = GAMES) -> None:
    print(f"{games:,} games of each row of ours, {references.GAMES:,} of each reference", file=sys.stderr)
    print(HEAD)
    print(f"|{'---|' * (HEAD.count('|') - 1)}")
    for row in every_row():
        print(line(row, games), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
