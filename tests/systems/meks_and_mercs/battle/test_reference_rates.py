"""Section 9.1 of the ledger, MM-R01 to MM-R12: whole zone battles, compiled, against the ledger's sampled rates.

Both sides of the comparison are samples: they must agree within four standard errors of their difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from systems.simulation.odds import tally
from tests.example_shares import share

from .builders import Sketch, Table, unit

SEED = 912
STANDARD_ERRORS = 4


@dataclass(frozen=True)
class Row:
    """One row of the ledger's table."""

    attackers: list[Sketch]
    defenders: list[Sketch]
    terrain: str
    doctrines: tuple[str, str]
    battles: int
    rates: tuple[float, float, float]  # A wins, D wins, draw
    rounds: float


BOTH = ("aggressive", "aggressive")
COMPANY: list[Sketch] = ["viper", "wasp", "wasp"]
ROWS = {
    "MM-R01": Row(["wasp"], ["draken"], "plain", BOTH, 40000, (0.0100, 0.9841, 0.0059), 2.79),
    "MM-R02": Row(["wasp"], ["wasp"], "plain", BOTH, 40000, (0.4758, 0.4763, 0.0479), 7.09),
    "MM-R03": Row(["viper"], ["demon"], "plain", BOTH, 40000, (0.3612, 0.5872, 0.0517), 6.23),
    "MM-R04": Row(["viper"], ["demon"], "plain", ("cautious", "cautious"), 40000, (0.2426, 0.7442, 0.0132), 8.26),
    "MM-R05": Row(["saber"], ["sagitarii"], "wood", BOTH, 40000, (0.1311, 0.8293, 0.0395), 4.42),
    "MM-R06": Row(["thor"], ["odin"], "plain", BOTH, 40000, (0.0825, 0.8860, 0.0315), 13.56),
    "MM-R07": Row(["warthog"], ["draken"], "urban", BOTH, 20000, (0.4022, 0.2447, 0.3530), 22.01),
    "MM-R08": Row(COMPANY, COMPANY, "plain", ("aggressive", "cautious"), 20000, (0.6033, 0.3577, 0.0391), 14.04),
    "MM-R09": Row(["draken", "viper"], ["thor", "wasp"], "plain", BOTH, 20000, (0.4620, 0.5066, 0.0314), 10.95),
    "MM-R10": Row(["warthog"], ["infantry", "infantry"], "wood", BOTH, 20000, (0.9747, 0.0184, 0.0069), 3.58),
    "MM-R11": Row(
        [unit("wasp", experience="green")],
        [unit("wasp", experience="elite")],
        "plain",
        BOTH,
        20000,
        (0.1507, 0.8217, 0.0276),
        6.40,
    ),
    "MM-R12": Row(["thor"], ["thor"], "moors", BOTH, 20000, (0.4633, 0.4505, 0.0862), 16.83),
}


@share(40_000, 200_000)
@pytest.mark.rule("MM-025", "MM-026")
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_whole_battles_match_ledger_rates(row, examples):
    table = Table(row.attackers, row.defenders, terrain=row.terrain, doctrines=row.doctrines)

    counts = tally(table.setup, SEED, 0, examples).battle

    assert counts["battles"] == examples
    for name, expected in zip(("attacker_wins", "defender_wins", "draws"), row.rates, strict=True):
        ours = counts[name] / examples
        error = math.sqrt(expected * (1 - expected) * (1 / row.battles + 1 / examples))
        assert abs(ours - expected) <= STANDARD_ERRORS * error, f"{name}: {ours:.4f}, the ledger has {expected:.4f}"
    error = row.rounds * math.sqrt(1 / row.battles + 1 / examples)  # the standard deviation is less than the mean
    assert abs(counts["rounds"] / examples - row.rounds) <= STANDARD_ERRORS * error
