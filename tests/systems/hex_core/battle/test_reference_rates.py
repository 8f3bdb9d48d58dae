"""Section 6.5 of the ledger, HX-B01 to HX-B11: whole battles, compiled, against the ledger's sampled rates; and mirrors.

Both sides of the comparison are samples: they must agree within four standard errors of their difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from systems.engine.dice import Log, ScriptedDice, SeededDice
from systems.hex_core.battle import SYSTEM
from systems.hex_core.battle import state as c
from systems.setups import Setup
from systems.simulation.odds import tally
from tests.example_shares import share

from .tables import setup, squad

BATTLES = 20_000
SEED = 77
STANDARD_ERRORS = 4


@dataclass(frozen=True)
class Row:
    """One row of the ledger's table."""

    terrain: str
    mission: str
    a: tuple[str, str]  # squad and doctrine
    b: tuple[str, str]
    rates: tuple[float, float, float, float]  # A wins, B wins, draws, the first player wins
    rounds: float
    battles: int = BATTLES  # in the ledger's sample


BOLD, CAREFUL = "aggressive", "cautious"
ROWS = {
    "HX-B01": Row(
        "open-plain", "elimination", ("warden", BOLD), ("warden", BOLD), (0.4976, 0.5024, 0, 0.633), 3.38, 100_000
    ),
    "HX-B02": Row(
        "open-plain", "elimination", ("warden", BOLD), ("longbow", CAREFUL), (0.5235, 0.4764, 0, 0.564), 2.56
    ),
    "HX-B03": Row("open-plain", "elimination", ("mauler", BOLD), ("kestrel", BOLD), (0.6160, 0.3840, 0, 0.511), 2.75),
    "HX-B04": Row("open-plain", "elimination", ("line", BOLD), ("line", BOLD), (0.4948, 0.5050, 0.0001, 0.646), 5.39),
    "HX-B05": Row(
        "open-plain", "elimination", ("line", BOLD), ("line", CAREFUL), (0.6399, 0.3600, 0.0001, 0.574), 6.43
    ),
    "HX-B06": Row("broken-town", "elimination", ("line", BOLD), ("skyhook", BOLD), (0.5427, 0.4573, 0, 0.574), 4.80),
    "HX-B07": Row("frost-pass", "elimination", ("anvil", CAREFUL), ("line", BOLD), (0.4667, 0.5333, 0, 0.532), 7.56),
    "HX-B08": Row("coast", "elimination", ("shore", BOLD), ("line", BOLD), (0.3789, 0.6211, 0, 0.533), 7.65),
    "HX-B09": Row(
        "broken-town", "domination", ("raiders", BOLD), ("skyhook", CAREFUL), (0.1870, 0.8113, 0.0018, 0.507), 4.63
    ),
    "HX-B10": Row("open-plain", "retrieval", ("line", BOLD), ("anvil", CAREFUL), (0.7981, 0.2019, 0, 0.582), 2.82),
    "HX-B11": Row(
        "frost-pass", "assassination", ("line", CAREFUL), ("skyhook", CAREFUL), (0.6313, 0.3687, 0, 0.503), 3.28
    ),
}


def setup_of(row: Row) -> Setup:
    """Return the set-up of a row."""
    return setup(
        squad(row.a[0]),
        squad(row.b[0]),
        doctrines=(row.a[1], row.b[1]),
        mission=row.mission,
        terrain=row.terrain,
    )


def compare(row: Row, battles: int) -> None:
    counts = tally(setup_of(row), SEED, 0, battles).battle
    assert counts["battles"] == battles
    for name, expected in zip(("attacker_wins", "defender_wins", "draws", "first_wins"), row.rates, strict=True):
        ours = counts[name] / battles
        pooled = (ours * battles + expected * row.battles) / (battles + row.battles)
        error = math.sqrt(pooled * (1 - pooled) * (1 / battles + 1 / row.battles))
        far = abs(ours - expected)
        assert far <= STANDARD_ERRORS * error + 0.00005, f"{name}: {ours:.4f}, the ledger has {expected:.4f}"
    rounds = counts["rounds"] / battles
    spread = math.sqrt(counts["rounds_squares"] / battles - rounds * rounds)
    error = spread * math.sqrt(1 / battles + 1 / row.battles)
    assert abs(rounds - row.rounds) <= STANDARD_ERRORS * error + 0.005, (
        f"{rounds:.3f} Rounds"
    )  # the ledger prints two decimals


@share(500, BATTLES)
@pytest.mark.rule("HX-035", "HX-163", "HX-164", "HX-165", "HX-166", "HX-167", "HX-168", "HX-169")
@pytest.mark.rule("HX-A10", "HX-A11", "HX-A13", "HX-A14", "HX-A47", "HX-A56")
@pytest.mark.parametrize(
    "row",
    [pytest.param(row, marks=pytest.mark.slow if name in ("HX-B05", "HX-B06") else ()) for name, row in ROWS.items()],
    ids=ROWS,
)
def test_whole_battles_match_ledger_rates(row, examples):
    compare(row, examples)


# --- the same battle turned by half -----------------------------------------------------------------------------------


class RecordingDice(SeededDice):
    """Seeded dice that record their faces."""

    __slots__ = ("tape",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.tape: list[int] = []

    def face(self, sides: int) -> int:
        self.tape.append(super().face(sides))
        return self.tape[-1]


def swap_sides(given: Setup) -> Setup:
    """Return the same set-up with its sides exchanged."""
    return given.model_copy(update={"sides": (given.sides[1], given.sides[0])})


def check_mirror(given: Setup, seed: int) -> None:
    """Check that the exchanged battle ends turned by 180 degrees, with the other winner."""
    dice = RecordingDice(seed)
    log: Log = []
    one = SYSTEM.prepare(given)
    SYSTEM.fight(one, dice, log)
    pairs = sum(kind == "off-rolled" for kind, _parts in log)
    offs = [dice.tape[2 * at + turn] for at in range(pairs) for turn in (1, 0)]
    other = SYSTEM.prepare(swap_sides(given))
    tape = ScriptedDice([*offs, *dice.tape[2 * pairs :]])
    SYSTEM.fight(other, tape, [])
    assert tape.faces == []
    b = one.battle
    assert (other.battle.round, other.battle.turns, other.battle.reason) == (b.round, b.turns, b.reason)
    assert other.battle.winner == (1 - b.winner if b.winner >= 0 else c.NOBODY)
    moved = [*range(b.count_a, b.count_a + b.count_b), *range(b.count_a)]
    for at, i in enumerate(moved):
        u, v = one.units[i], other.units[at]
        assert (v.at, v.facing) == (207 - u.at, (u.facing + 3) % 6)
        assert (v.status, v.level, v.shield, v.form, v.kills, v.cover) == (
            (u.status, u.level, u.shield, u.form, u.kills, u.cover)
        )
        parts = [[s.areas[k * c.AREAS + area].dp for area in range(c.AREAS)] for s, k in ((one, i), (other, at))]
        assert parts[0] == parts[1]


SQUADS = ("line", "skyhook", "anvil", "raiders")


PAIRS = tuple(zip(SQUADS, SQUADS[1:], strict=False))
MISSIONS = ("elimination", "domination", "retrieval", "assassination")
MIRRORED = [
    pytest.param(mission, terrain, at, marks=() if at == number % len(PAIRS) else pytest.mark.slow)
    for number, (mission, terrain) in enumerate(
        zip(MISSIONS, ("open-plain", "broken-town", "coast", "frost-pass"), strict=True)
    )
    for at in range(len(PAIRS))
]


@pytest.mark.rule("HX-057", "HX-058")
@pytest.mark.parametrize(("mission", "terrain", "at"), MIRRORED)
def test_battle_is_same_turned_by_half(mission, terrain, at):
    a, b = PAIRS[at]
    given = setup(squad(a), squad(b), doctrines=(BOLD, CAREFUL), mission=mission, terrain=terrain)
    check_mirror(given, at)


@pytest.mark.proof
@pytest.mark.rule("HX-057", "HX-058")
def test_2000_random_battles_are_same_turned_by_half():
    import random

    rng = random.Random(5)
    kinds = [*SQUADS, "shore"]
    names = list(SYSTEM.scenarios)
    for seed in range(2_000):
        terrain = rng.choice(["open-plain", "broken-town", "coast", "frost-pass"])
        here = kinds if terrain == "coast" else SQUADS
        a, b = (rng.sample(squad(rng.choice(here)), rng.randint(1, 3)) for _ in range(2))
        mission = rng.choice(names)
        if mission == "assassination" and any(set(each) == {"bastion"} for each in (a, b)):
            mission = "elimination"
        given = setup(
            a,
            b,
            doctrines=(rng.choice([BOLD, CAREFUL]), rng.choice([BOLD, CAREFUL])),
            mission=mission,
            terrain=terrain,
            hit_location=rng.choice(["called", "rolled"]),
        )
        check_mirror(given, seed)
