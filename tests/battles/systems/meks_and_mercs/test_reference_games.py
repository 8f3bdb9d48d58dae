"""Whole games on the map come out as often as the ledger's own games did: section 9.1, MM-R21 to MM-R44."""

import math

import pytest

from battles.engine.odds import tally

from .games import ROLLS, game

GAMES = 40_000  # of each row
SEED = 914
LEDGER_GAMES = 5_000
STANDARD_ERRORS = 4
SMALLEST_CHANCE = 1 / LEDGER_GAMES  # what the ledger rounds to nothing may still happen

A, C = "aggressive", "cautious"
# doctrines, support rolled, (attacker wins, defender wins, draw), mean turns
ROWS = {
    "MM-R21": ("opening-shots", (A, A), False, (0.5430, 0.4564, 0.0006), 6.78),
    "MM-R22": ("opening-shots", (C, C), False, (0.7840, 0.2160, 0.0000), 5.95),
    "MM-R23": ("opening-shots", (A, C), False, (0.6940, 0.3060, 0.0000), 6.24),
    "MM-R24": ("opening-shots", (A, A), True, (0.5028, 0.4936, 0.0036), 6.97),
    "MM-R25": ("hot-gates", (A, A), False, (0.7630, 0.2370, 0.0000), 2.44),
    "MM-R26": ("hot-gates", (C, C), False, (0.8782, 0.1218, 0.0000), 7.46),
    "MM-R27": ("hot-gates", (A, C), False, (0.6068, 0.3932, 0.0000), 2.34),
    "MM-R28": ("hot-gates", (A, A), True, (0.6610, 0.3390, 0.0000), 2.47),
    "MM-R29": ("buying-time", (A, A), False, (0.9992, 0.0006, 0.0002), 2.50),
    "MM-R30": ("buying-time", (C, C), False, (0.9460, 0.0384, 0.0156), 3.16),
    "MM-R31": ("buying-time", (A, C), False, (0.9112, 0.0666, 0.0222), 3.38),
    "MM-R32": ("buying-time", (A, A), True, (0.9958, 0.0028, 0.0014), 2.51),
    "MM-R33": ("breach", (A, A), False, (0.7934, 0.2066, 0.0000), 2.74),
    "MM-R34": ("breach", (C, C), False, (0.5754, 0.4246, 0.0000), 5.62),
    "MM-R35": ("breach", (A, C), False, (0.8602, 0.1398, 0.0000), 2.86),
    "MM-R36": ("breach", (A, A), True, (0.7620, 0.2380, 0.0000), 2.70),
    "MM-R37": ("head-to-head", (A, A), False, (0.4696, 0.4656, 0.0648), 1.80),
    "MM-R38": ("head-to-head", (C, C), False, (0.3154, 0.3322, 0.3524), 10.36),
    "MM-R39": ("head-to-head", (A, C), False, (0.5286, 0.3326, 0.1388), 6.10),
    "MM-R40": ("head-to-head", (A, A), True, (0.4730, 0.4764, 0.0506), 1.63),
    "MM-R41": ("citadel", (A, A), False, (0.0928, 0.9070, 0.0002), 5.71),
    "MM-R42": ("citadel", (C, C), False, (0.1314, 0.8686, 0.0000), 5.89),
    "MM-R43": ("citadel", (A, C), False, (0.1896, 0.8104, 0.0000), 5.66),
    "MM-R44": ("citadel", (A, A), True, (0.0990, 0.9008, 0.0002), 5.66),
}


@pytest.mark.rule("MM-012", "MM-015", "MM-A17", "MM-A19", "MM-A38", "MM-A39", "MM-A40", "MM-A41", "MM-A42")
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_whole_games_end_as_often_as_the_ledger_counted(row):
    scenario, doctrines, rolled, rates, turns = row
    attackers, defenders = ROLLS[scenario] if rolled else (0, 0)
    setup = game(scenario, doctrines=doctrines, support=(["roll"] * attackers, ["roll"] * defenders))

    counts = tally(setup, SEED, 0, GAMES).battle

    for name, expected in zip(("attacker_wins", "defender_wins", "draws"), rates, strict=True):
        ours = counts[name] / GAMES
        chance = min(max(expected, SMALLEST_CHANCE), 1 - SMALLEST_CHANCE)
        error = math.sqrt(chance * (1 - chance) * (1 / LEDGER_GAMES + 1 / GAMES))
        assert abs(ours - expected) <= STANDARD_ERRORS * error, f"{name}: {ours:.4f}, the ledger has {expected:.4f}"
    error = turns * math.sqrt(1 / LEDGER_GAMES + 1 / GAMES)  # their deviation is less than their mean
    assert abs(counts["rounds"] / GAMES - turns) <= STANDARD_ERRORS * error
