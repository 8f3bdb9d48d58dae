"""Section 6.6 of the ledger, BS-R01 to BS-R07: whole battles, compiled, against the ledger's sampled rates; and mirrors.

Both sides of the comparison are samples: they must agree within four standard errors of their difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from systems.blazing_steel.catalogue import CATALOGUE
from systems.simulation.odds import tally

from .tables import setup

BATTLES = 20_000  # of each row
SEED = 611
STANDARD_ERRORS = 4
ENDS = ("attacker_wins", "defender_wins", "draws")
FOUR = ("skimmer", "darter", "hawker", "bulwark")
BOLD, CAREFUL = ("aggressive", "aggressive"), ("aggressive", "cautious")


@dataclass(frozen=True)
class Row:
    """One row of the ledger's table."""

    forces: tuple[tuple[str, ...], tuple[str, ...]]
    doctrines: tuple[str, str]
    battles: int  # in the ledger's sample
    rates: tuple[float, float, float]  # of ENDS
    turns: float


ROWS = {
    "BS-R01": Row((("skimmer",), ("darter",)), BOLD, 4000, (0.463, 0.529, 0.008), 2.5),
    "BS-R02": Row((("hawker",), ("hawker",)), CAREFUL, 4000, (0.494, 0.503, 0.003), 4.3),
    "BS-R03": Row((("hawker",), ("mantis",)), BOLD, 4000, (0.337, 0.662, 0.002), 2.6),
    "BS-R04": Row((("bulwark",), ("colossus",)), BOLD, 2000, (0.121, 0.878, 0.001), 6.8),
    "BS-R05": Row((("colossus",), ("bulwark", "skimmer")), BOLD, 1000, (0.418, 0.582, 0.000), 9.3),
    "BS-R06": Row((FOUR, FOUR), BOLD, 600, (0.480, 0.515, 0.005), 15.0),
    "BS-R07": Row((FOUR, FOUR), CAREFUL, 600, (0.530, 0.465, 0.005), 16.6),
}


@pytest.mark.proof
@pytest.mark.rule("BS-020", "BS-196", "BS-AR16", "BS-AR34")
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_whole_battles_match_ledger_rates(row):
    counts = tally(setup(*row.forces, doctrines=row.doctrines), SEED, 0, BATTLES).battle

    assert counts["battles"] == BATTLES
    for name, expected in zip(ENDS, row.rates, strict=True):
        ours = counts[name] / BATTLES
        pooled = (ours * BATTLES + expected * row.battles) / (BATTLES + row.battles)
        error = math.sqrt(pooled * (1 - pooled) * (1 / BATTLES + 1 / row.battles))
        assert abs(ours - expected) <= STANDARD_ERRORS * error, f"{name}: {ours:.4f}, the ledger has {expected:.3f}"
    turns = counts["turns"] / BATTLES
    spread = math.sqrt(counts["turns_squares"] / BATTLES - turns * turns)
    error = spread * math.sqrt(1 / BATTLES + 1 / row.battles)
    assert abs(turns - row.turns) <= STANDARD_ERRORS * error + 0.05, (
        f"{turns:.3f} turns"
    )  # the ledger prints one decimal


@pytest.mark.proof
@pytest.mark.rule("BS-027", "BS-028")
@pytest.mark.parametrize("terrain", CATALOGUE.maps)
@pytest.mark.parametrize("force", [("hawker",), ("mantis", "skimmer"), FOUR], ids=len)
def test_equal_forces_win_equally_often_on_every_map(terrain, force):
    counts = tally(setup(force, force, terrain=terrain), SEED, 0, BATTLES).battle
    decided = counts["attacker_wins"] + counts["defender_wins"]
    error = math.sqrt(0.25 / decided)
    assert abs(counts["attacker_wins"] / decided - 0.5) <= STANDARD_ERRORS * error
