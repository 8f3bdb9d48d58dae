"""Section 6.11 of the ledger, MC-M01 to MC-M12: whole battles, compiled, against the ledger's sampled rates.

Both sides of the comparison are samples: they must agree within four standard errors of their difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from systems.simulation.odds import tally
from tests.example_shares import in_every_run

from .tables import setup

BATTLES = 10_000  # of each row
LEDGER_BATTLES = 200_000
SEED = 611
STANDARD_ERRORS = 4
ENDS = (
    "attacker_wins", "defender_wins", "draws", "retreats", "wipe_outs", "fields_left", "sabotages", "timeouts",
)  # fmt: skip
CLAIM, BEACONS, SABOTAGE = "claim-dispute", "survey-beacons", "sabotage"


@dataclass(frozen=True)
class Row:
    """One row of the ledger's table."""

    forces: tuple[str, str]
    doctrines: tuple[str, str]
    scenario: str
    rates: tuple[float, ...]  # of ENDS
    turns: float
    lost: float


AA, AC, CA, CC = (
    (a, b) for a in ("aggressive", "cautious") for b in ("aggressive", "cautious")
)  # fmt: skip
LANCES = ("line-lance", "line-lance")
ROWS = {
    "MC-M01": Row(LANCES, AA, CLAIM, (0.4937, 0.4930, 0.0132, 0.4852, 0.2872, 0, 0, 0.2276), 9.946, 6.154),
    "MC-M02": Row(LANCES, AC, CLAIM, (0.4489, 0.5328, 0.0183, 0.4481, 0.1970, 0, 0, 0.3549), 10.436, 5.927),
    "MC-M03": Row(LANCES, CC, CLAIM, (0.4867, 0.4883, 0.0250, 0.3834, 0.1298, 0, 0, 0.4868), 10.840, 5.474),
    "MC-M04": Row(
        ("picket", "line-lance"), CA, CLAIM, (0.5974, 0.3839, 0.0188, 0.4243, 0.1221, 0.0033, 0, 0.4504), 10.743, 5.645
    ),
    "MC-M05": Row(
        ("picket", "picket"), AC, CLAIM, (0.4770, 0.5028, 0.0202, 0.4907, 0.0044, 0.0152, 0, 0.4897), 10.773, 5.733
    ),
    "MC-M06": Row(
        ("hammer", "rock-rats"), AC, CLAIM, (0.4142, 0.5674, 0.0184, 0.4132, 0.1830, 0, 0, 0.4038), 10.636, 5.619
    ),
    "MC-M07": Row(
        ("scouts", "skeleton"), CC, CLAIM, (0.6226, 0.3442, 0.0332, 0.1676, 0.2327, 0.0122, 0, 0.5875), 11.210, 4.459
    ),
    "MC-M08": Row(LANCES, AA, BEACONS, (0.4988, 0.4967, 0.0045, 0.1005, 0.0009, 0, 0, 0.8986), 7.953, 3.773),
    "MC-M09": Row(LANCES, AC, BEACONS, (0.5167, 0.4791, 0.0042, 0.0675, 0.0006, 0, 0, 0.9319), 7.973, 3.345),
    "MC-M10": Row(LANCES, AA, SABOTAGE, (0.4683, 0.5317, 0, 0.1869, 0.0577, 0, 0.4627, 0.2928), 7.164, 3.829),
    "MC-M11": Row(LANCES, CC, SABOTAGE, (0.5370, 0.4630, 0, 0.1042, 0.0217, 0, 0.5328, 0.3414), 6.775, 2.750),
    "MC-M12": Row(LANCES, AC, SABOTAGE, (0.4665, 0.5335, 0, 0.1689, 0.0576, 0, 0.4629, 0.3106), 7.109, 3.488),
}


@pytest.mark.rule("MC-030", "MC-122")
@pytest.mark.parametrize("name", in_every_run(("MC-M01", "MC-M08", "MC-M11"), ROWS))
def test_whole_battles_match_ledger_rates(name):
    row = ROWS[name]
    given = setup(*row.forces, doctrines=row.doctrines, scenario=row.scenario)

    counts = tally(given, SEED, 0, BATTLES).battle

    share = 1 / BATTLES + 1 / LEDGER_BATTLES
    assert counts["battles"] == BATTLES
    for name, expected in zip(ENDS, row.rates, strict=True):
        error = math.sqrt(expected * (1 - expected) * share)
        ours = counts[name] / BATTLES
        assert abs(ours - expected) <= STANDARD_ERRORS * error, f"{name}: {ours:.4f}, the ledger has {expected:.4f}"
    for total, expected in (("rounds", row.turns), ("lost", row.lost)):
        ours = counts[total] / BATTLES
        variance = counts[f"{total}_squares"] / BATTLES - ours * ours
        assert abs(ours - expected) <= STANDARD_ERRORS * math.sqrt(variance * share), f"{total}: {ours}"
