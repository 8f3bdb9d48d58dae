"""Section 6.10 of the ledger: its eight battles die by die, and the rates of its thirteen pairings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from systems.mechastellar.battle import SYSTEM
from systems.mechastellar.battle import state as c
from systems.simulation.odds import tally

from .tables import FORCES, setup

STANDARD_ERRORS = 4
SEED = 611
FULL, FEW = 100_000, 4_000  # battles of each row
A, C = "aggressive", "cautious"


class LedgerDice:
    """The generator that rolled the ledger's battles."""

    def __init__(self, seed: int) -> None:
        self.at, self.rolled = seed, 0

    def face(self, sides: int) -> int:
        self.at = (1103515245 * self.at + 12345) % 2**31
        self.rolled += 1
        return 1 + self.at // 65536 % sides

    def choice(self, count: int) -> int:
        raise AssertionError("no battle of the ledger chooses at random")


def play_battle(first: str, second: str, doctrines: tuple[str, str], seed: int):
    """Return the state and dice at the end of a battle, and its notes."""
    state = SYSTEM.prepare(setup(FORCES[first], FORCES[second], doctrines=doctrines))
    dice, log = LedgerDice(seed), []
    SYSTEM.fight(state, dice, log)
    return state, dice, log


def test_generator_matches_ledger():
    assert [LedgerDice(7).face(10)] == [5]
    dice = LedgerDice(7)
    assert [dice.face(10) for _ in range(16)] == [5, 7, 9, 5, 2, 6, 5, 1, 6, 4, 4, 4, 1, 5, 10, 3]
    dice = LedgerDice(1)
    assert [dice.face(10) for _ in range(10)] == [9, 9, 4, 6, 2, 8, 1, 10, 3, 7]


@pytest.mark.rule("ST-022", "ST-040", "ST-041", "ST-042", "ST-043", "ST-113", "ST-114", "ST-370", "ST-371", "ST-372")
@pytest.mark.parametrize(
    ("first", "second", "doctrines", "seed", "expected"),
    [
        ("F1", "F2", (A, C), 1, (397, -2, 13, 0, 3, 0, 10600, 31)),
        ("F2", "F3", (A, A), 2, (227, 21, 3, 2, 0, 5200, 0, 15)),
        ("F4", "F5", (C, A), 3, (180, -5, 21, 0, 2, 0, 15000, 11)),
        ("F6", "F7", (A, C), 4, (157, -4, 16, 0, 2, 0, 18100, 11)),
        ("F8", "F9", (C, C), 5, (271, 27, -5, 2, 0, 10900, 0, 14)),
        ("F3", "F1", (C, A), 6, (242, -2, 21, 0, 4, 0, 17500, 16)),
        ("D1", "D1", (A, A), 7, (56, -2, 6, 0, 1, 0, 5000, 4)),
        ("D2", "D3", (A, C), 8, (32, -2, 12, 0, 1, 0, 7000, 2)),
    ],
)
def test_ledger_battles_match_die_by_die(first, second, doctrines, seed, expected):
    state, dice, _log = play_battle(first, second, doctrines, seed)
    left = [[unit for unit in state.units if unit.side == side and unit.status == c.STANDS] for side in range(2)]
    scores = [side.score for side in state.sides]
    hp = [sum(unit.hp for unit in units) for units in left]
    assert (dice.rolled, *scores, *map(len, left), *hp, state.battle.attacks) == expected


@pytest.mark.rule("ST-060", "ST-061", "ST-263", "ST-265", "ST-363", "ST-367", "ST-373", "ST-377", "ST-381")
def test_ledger_duel_matches_step_by_step():
    _state, _dice, log = play_battle("D1", "D1", (A, A), 7)
    events = SYSTEM.facts.events(log, ["a1", "b1"], SYSTEM.rounds)
    steps = [(event.kind, event.unit, tuple(event.faces)) for event in events]

    assert ("first-rolled", None, (5, 7)) in steps
    moves = [(event.unit, event.number("x"), event.number("y")) for event in events if event.kind == "unit-moved"]
    assert moves[:2] == [("b1", 2400, 3600 - 300), ("b1", 2400, 3200)]
    assert [each[2] for each in steps if each[0] == "attack-rolled"] == [
        (9, 5, 2, 6, 5),
        (3, 6, 5, 1, 1),
        (4, 1, 9, 1, 9, 8),
        (9, 9, 6, 7, 7, 7),
    ]
    assert [each[2] for each in steps if each[0] == "defence-rolled"] == [
        (1, 6, 4, 4, 4, 1, 5, 10),
        (3, 8, 10, 9, 2, 5, 10, 4),
        (6, 3, 5, 9),
        (5, 1, 4, 8),
    ]
    assert moves[3] == ("a1", 1235, 1577)
    turned = next(event for event in events if event.kind == "unit-moved" and event.number("x") == 1235)
    assert turned.number("ahead_y") / turned.number("ahead_x") == pytest.approx(math.tan(math.radians(54.34)), abs=0.01)
    focused = [event.number("total") for event in events if event.kind == "focus-used"]
    assert focused == [11, 10, 9]
    assert [event.number("actions") for event in events if event.kind == "zeal-used"] == [2]
    assert [event.number("damage") for event in events if event.kind == "damage-taken"] == [1300, 4500]
    (end,) = [event for event in events if event.kind == "battle-ended"]
    assert (end.number("score_a"), end.number("score_b")) == (-2, 6)


@dataclass(frozen=True)
class Row:
    """One row of the ledger's table of rates."""

    forces: tuple[str, str]
    doctrines: tuple[str, str]
    wins: tuple[float, float]
    points: tuple[float, float]
    standing: tuple[float, float]
    attacks: float


ROWS = [
    Row(("F1", "F2"), (A, A), (0.4277, 0.5637), (9.66, 9.63), (1.15, 1.23), 26.56),
    Row(("F1", "F2"), (C, A), (0.4676, 0.5225), (10.46, 9.28), (1.37, 1.18), 27.44),
    Row(("F2", "F2"), (A, C), (0.5316, 0.4619), (12.77, 11.59), (0.69, 0.57), 19.24),
    Row(("F2", "F3"), (A, A), (0.8468, 0.1484), (18.67, 3.26), (1.80, 0.31), 13.19),
    Row(("F3", "F1"), (C, C), (0.0590, 0.9400), (2.55, 19.95), (0.20, 3.46), 21.85),
    Row(("F4", "F5"), (A, A), (0.6161, 0.3651), (17.75, 11.22), (0.85, 0.64), 14.64),
    Row(("F4", "F5"), (A, C), (0.5318, 0.4310), (15.94, 12.55), (0.69, 0.73), 15.04),
    Row(("F6", "F7"), (A, C), (0.1454, 0.8323), (1.36, 14.59), (0.18, 1.29), 11.89),
    Row(("F8", "F9"), (C, A), (0.5081, 0.4882), (17.49, 15.34), (0.74, 1.03), 13.04),
    Row(("F6", "F1"), (A, A), (0.8399, 0.1601), (10.42, 4.26), (1.09, 0.41), 18.35),
    Row(("D1", "D1"), (A, A), (0.5007, 0.4975), (2.85, 2.82), (0.50, 0.50), 6.68),
    Row(("D2", "D3"), (A, A), (0.5719, 0.4280), (8.01, 3.29), (0.57, 0.43), 3.60),
    Row(("D5", "D4"), (A, C), (0.4779, 0.5221), (9.38, 8.95), (0.48, 0.52), 4.36),
]
NAMES = [f"{'-'.join(row.forces)}-{'-'.join(row.doctrines)}" for row in ROWS]


def check(row: Row, battles: int) -> None:
    """Compare the ledger's rates with ours: both are samples and agree within four standard errors of their difference."""
    counts = tally(setup(*(FORCES[each] for each in row.forces), doctrines=row.doctrines), SEED, 0, battles).battle
    more = 1 / battles + 1 / FULL
    draws = 1 - sum(row.wins)
    for name, expected in zip(("attacker_wins", "defender_wins", "draws"), (*row.wins, draws), strict=True):
        ours = counts[name] / battles
        error = math.sqrt(max(expected * (1 - expected), 1 / battles) * more)
        assert abs(ours - expected) <= STANDARD_ERRORS * error + 0.0001, f"{name}: {ours:.4f}, not {expected:.4f}"
    for name, mean in zip(("attacker_points", "defender_points", "attacks"), (*row.points, row.attacks), strict=True):
        ours = counts[name] / battles
        spread = counts[f"{name}_squares"] / battles - ours * ours
        assert abs(ours - mean) <= STANDARD_ERRORS * math.sqrt(spread * more) + 0.005, f"{name}: {ours:.3f}, not {mean}"
    for name, units, mean in zip(("attacker_standing", "defender_standing"), row.forces, row.standing, strict=True):
        ours = counts[name] / battles
        most = len(FORCES[units])
        spread = mean * (most - mean)  # the largest possible variance of a number from 0 to `most`
        assert abs(ours - mean) <= STANDARD_ERRORS * math.sqrt(spread * more) + 0.005, f"{name}: {ours:.3f}, not {mean}"


@pytest.mark.proof
@pytest.mark.rule("ST-042", "ST-370", "ST-372")
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_whole_battles_match_ledger_rates(row):
    check(row, FULL)


@pytest.mark.rule("ST-042", "ST-370", "ST-372")
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_few_battles_roughly_match_ledger_rates(row):
    check(row, FEW)
