"""The same zone battle written in C: compiled on demand, simulated with the same dice, compared and timed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from systems import battle_rules
from systems.engine.ends import PRIME
from systems.meks_and_mercs.battle.state import FITTING_SLOTS, WEAPON_SLOTS, State
from systems.setups import Setup

SOURCE = Path(__file__).with_name("reference.c")
FLAGS = ("-O3", "-march=native")


@dataclass(frozen=True, slots=True)
class Reference:
    """The results of the C loop, and its processor seconds."""

    attacker_wins: int
    defender_wins: int
    draws: int
    rounds: int
    lost: int
    fingerprint: int
    attacker_repair_squares: int
    defender_repair_squares: int
    mixed: int  # number derived from the ends of all battles in their order
    seconds: float


def compiler() -> str | None:
    """Return a C compiler of this machine, if there is one."""
    return next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)


def fight(setup: Setup, seed: int, battles: int, cc: str) -> Reference:
    """Simulate battles 0 .. battles - 1 of the seed in C. reference.c must support the set-up, see there."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "reference"
        subprocess.run([cc, *FLAGS, "-o", program, SOURCE], check=True)
        answer = subprocess.run(
            [program, str(seed), "0", str(battles)],
            input=numbers_of(battle_rules(setup.system).prepare(setup)),
            text=True,
            check=True,
            capture_output=True,
        )
    *counts, seconds = answer.stdout.split()
    return Reference(*map(int, counts), seconds=float(seconds))  # type: ignore[misc]


def mixed(ends: Iterable[int]) -> int:
    """Return the ends of battles in their order as one number, different for other ends and another order."""
    value = 0
    for end in ends:
        value = (value * 31 + end) % PRIME
    return value


def numbers_of(state: State) -> str:
    """Return a state as reference.c reads it."""
    numbers = [state.battle.attackers, state.battle.defenders]
    for at, unit in enumerate(state.units):
        numbers += [
            unit.price, unit.hits, unit.armor, unit.heat_rating, unit.movement_dice, unit.movement_bonus, unit.systems,
            unit.arms,
        ]  # fmt: skip
        for weapon in state.weapons[at * WEAPON_SLOTS : at * WEAPON_SLOTS + unit.arms]:
            numbers += [weapon.family, weapon.short, weapon.medium, weapon.long]
            numbers += [weapon.heat, weapon.dice, weapon.rerolls_miss, int(weapon.pack == 2)]
        numbers += [fitting.system for fitting in state.fittings[at * FITTING_SLOTS : (at + 1) * FITTING_SLOTS]]
    return " ".join(map(str, numbers))
