"""The speed of simulation: plain, compiled and in C, in one thread and in several, with a profile of the plain run.

The C program plays the same zone battle and is compiled on demand. It rolls the same dice, so its results are compared,
too.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from systems import BATTLES, battle_rules
from systems.engine.ends import PRIME
from systems.meks_and_mercs.battle.state import FITTING_SLOTS, WEAPON_SLOTS, State
from systems.reading import read_setup
from systems.setups import Setup
from systems.simulation import odds

SOURCE = Path(__file__).with_name("reference.c")
FLAGS = ("-O3", "-march=native")


@dataclass(frozen=True, slots=True)
class Reference:
    """The results of the C program, and its processor seconds."""

    attacker_wins: int
    defender_wins: int
    draws: int
    rounds: int
    lost: int
    fingerprint: int
    attacker_repair_squares: int
    defender_repair_squares: int
    mixed: int  # a checksum of how all battles ended, in order
    seconds: float


def compiler() -> str | None:
    """Return the path of a C compiler on this machine; None if there is none."""
    return next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)


def fight(setup: Setup, seed: int, battles: int, cc: str) -> Reference:
    """Simulate battles 0 .. battles - 1 of the seed in C. The set-up must be one that reference.c supports."""
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
    """Return a checksum of how battles ended, which depends on their order."""
    value = 0
    for end in ends:
        value = (value * 31 + end) % PRIME
    return value


def numbers_of(state: State) -> str:
    """Return a state in the format that reference.c reads."""
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


MATCHES = {
    "VIPER v DEMON": (["viper"], ["demon"]),
    "VIPER, WASP v DEMON, WASP": (["viper", "wasp"], ["demon", "wasp"]),
    "WASP v DRAKEN": (["wasp"], ["draken"]),
}
NAMES = ("Attacker", "Defender")
IN_C = ("VIPER v DEMON", "VIPER, WASP v DEMON, WASP")  # the forces that reference.c supports
COMPARED = (
    "attacker_wins", "defender_wins", "draws", "rounds", "fingerprint", "attacker_repair_squares",
    "defender_repair_squares",
)  # fmt: skip
TURNS = 9  # runs of C and of the compiled rules, in turn; the best of each counts
ROUNDS = 3  # the best counts, because other load on the machine only makes it slower
# The companies of section 9.1 of the ledger: the design and the pilot's level of each unit.
GAMES: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "opening-shots": ([("viper", "regular"), ("wasp", "green"), ("wasp", "green")],) * 2,
    "citadel": (
        [("thor", "regular"), ("warthog", "regular"), ("draken", "regular"), ("wasp", "green")],
        [("odin", "regular"), ("thor", "regular"), ("draken", "regular")],
    ),
}
TABLES = {  # battles on a measured table, in a scenario: ready-made force and AI style of each side
    "line lances": ("claim-dispute", ("line-lance", "aggressive"), ("line-lance", "aggressive")),
    "drones on both sides": ("claim-dispute", ("picket", "cautious"), ("scouts", "cautious")),
    "beacons": ("survey-beacons", ("line-lance", "aggressive"), ("rock-rats", "cautious")),
}
SKIRMISHES = {  # examples of Blazing Steel on its standard map, the same on both sides
    "a Hawker a side": ("hawker",),
    "four a side": ("skimmer", "darter", "hawker", "bulwark"),
}
PLAIN_TABLES = 20
COMPILED_TABLES = 5_000
PLAIN_GAMES = 100
COMPILED_GAMES = 20_000
PLAIN_BATTLES = 1_000
COMPILED_BATTLES = 100_000
CHUNK = 10_000  # games per run


Side = tuple[str, str, Sequence[Mapping[str, object]]]  # name, AI style, units


def setup_of(system: str, scenario: str, terrain: str, sides: Iterable[Side]) -> Setup:
    """Return a battle between these units; a unit's key is its side's first letter and its number."""
    return read_setup(
        {
            "muster": "setup/1",
            "system": system,
            "scenario": scenario,
            "terrain": terrain,
            "sides": [
                {
                    "name": name,
                    "doctrine": doctrine,
                    "units": [{"key": f"{name[0].lower()}{at}", **unit} for at, unit in enumerate(units, start=1)],
                }
                for name, doctrine, units in sides
            ],
        }
    )


def duel(*forces: list[str]) -> Setup:
    """Return a zone battle on Plain between published Meks, all Regular and aggressive."""
    sides = [
        (name, "aggressive", [{"design": slug} for slug in force]) for name, force in zip(NAMES, forces, strict=True)
    ]
    return setup_of("meks-and-mercs", "zone-battle", "plain", sides)


def game(scenario: str) -> Setup:
    """Return a battle of the scenario between the ledger's companies, all aggressive, without support."""
    sides = [
        (name, "aggressive", [{"design": slug, "pilot": {"experience": level}} for slug, level in company])
        for name, company in zip(NAMES, GAMES[scenario], strict=True)
    ]
    return setup_of("meks-and-mercs", scenario, "printed", sides)


def table(scenario: str, *sides: tuple[str, str]) -> Setup:
    """Return a Mech Campaign battle between ready-made forces on rolled terrain."""
    forces = battle_rules("mech-campaign").forces
    fielded = [
        (name, doctrine, [{"design": kind} for kind in forces[force]["units"]])
        for name, (force, doctrine) in zip("AB", sides, strict=True)
    ]
    return setup_of("mech-campaign", scenario, "rolled", fielded)


def tally_games(setup: Setup, games: int, seed: int = 0) -> odds.Tally:
    """Simulate `games` battles of the seed in chunks, and return their tally."""
    total = odds.tally(setup, seed, 0, min(CHUNK, games))
    while total.battles < games:
        total += odds.tally(setup, seed, total.battles, min(CHUNK, games - total.battles))
    return total


def skirmish(designs: tuple[str, ...]) -> Setup:
    """Return a battle of Blazing Steel between equal forces, both aggressive."""
    sides = [
        {
            "name": letter.upper(),
            "doctrine": "aggressive",
            "units": [{"key": f"{letter}{at}", "design": slug} for at, slug in enumerate(designs, start=1)],
        }
        for letter in "ab"
    ]
    return read_setup(
        {"muster": "setup/1", "system": "blazing-steel", "scenario": "skirmish", "terrain": "standard", "sides": sides}
    )


def seconds(work: Callable[[], object], rounds: int = 1) -> float:
    """Return the processor seconds of the fastest of several calls."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def compared(name: str, setup: Setup, plain_battles: int, compiled_battles: int) -> str:
    """Return a line with the battles per second of the plain and the compiled run, and their ratio."""
    plain = plain_battles / seconds(lambda: odds.tally(setup, 1, 0, plain_battles, compiled=False))
    fast = compiled_battles / seconds(lambda: odds.tally(setup, 1, 0, compiled_battles), ROUNDS)
    return f"{name:28} plain {plain:8,.0f}/s  compiled {fast:10,.0f}/s  ratio {fast / plain:6.1f}"


def by_hand() -> list[str]:
    """Compare the compiled run with the same battles in C: the speed, and whether all battles end the same way."""
    cc = compiler()
    if cc is None:
        return ["no C compiler here (cc, gcc or clang), so nothing is compared with C"]
    lines = []
    for name in IN_C:
        setup = duel(*MATCHES[name])
        by_c, by_us = [], []
        for _ in range(TURNS):  # alternating, so that load on the machine slows down both
            by_c.append(fight(setup, 1, COMPILED_BATTLES, cc))
            by_us.append(seconds(lambda: odds.tally(setup, 1, 0, COMPILED_BATTLES)))  # noqa: B023
        slow, fast = min(by_c, key=lambda found: found.seconds), COMPILED_BATTLES / min(by_us)
        tallies, ends = odds.tally_with_prints(setup, 1, 0, COMPILED_BATTLES)
        same = mixed(ends) == slow.mixed and all(tallies.battle[field] == getattr(slow, field) for field in COMPARED)
        hand = COMPILED_BATTLES / slow.seconds
        verdict = "the same battles" if same else "OTHER BATTLES"
        lines.append(
            f"{name:28} C     {hand:8,.0f}/s  compiled {fast:10,.0f}/s  ratio {fast / hand:6.2f}  {verdict}: "
            f"{slow.attacker_wins:,} and {slow.defender_wins:,} wins, {slow.draws:,} draws"
        )
    return lines


def shared() -> list[str]:
    """Compare the battles per second (wall time) of one, two and four threads of one process."""
    setup = duel(*MATCHES[IN_C[-1]])
    chunk, lines, alone = 25_000, [], 0.0
    for workers in (1, 2, 4):
        if workers > (os.cpu_count() or 1):
            break
        chunks = 8 * workers
        with ThreadPoolExecutor(workers) as pool:
            began = time.perf_counter()
            parts = list(pool.map(lambda at: odds.tally(setup, 1, at * chunk, chunk), range(chunks)))
            speed = sum(part.battles for part in parts) / (time.perf_counter() - began)
        alone = alone or speed
        lines.append(f"{workers} worker{'s' if workers > 1 else ' '}  {speed:10,.0f}/s  ratio {speed / alone:5.2f}")
    return lines


def profile(setup: Setup, battles: int) -> list[str]:
    """Return the plain run's time by module of the rules; profiling makes small functions look slower."""
    profiler = cProfile.Profile()
    profiler.runcall(odds.tally, setup, 1, 0, battles, compiled=False)
    spent: Counter[str] = Counter()
    for (file, _line, _name), (_, _, own, _, _) in pstats.Stats(profiler).stats.items():  # type: ignore[attr-defined]
        path = Path(file)
        is_rule = path.stem in ("dice", "plane") or "systems" in path.parts
        spent[path.stem if is_rule else "else"] += own
    whole = sum(spent.values())
    return ["  ".join(f"{name} {part / whole:.0%}" for name, part in spent.most_common() if part >= whole / 100)]


def run() -> list[str]:
    """Return the lines of the report: speeds and ratios, the comparison with C, threads and profiles."""
    lines = []
    for slug in BATTLES:
        started = time.perf_counter()
        was_warm = odds.is_warm(slug)
        odds.warm(slug)
        how = "loaded" if was_warm else "compiled"
        lines.append(f"rules of {slug} {how} in {time.perf_counter() - started:.1f} s")
    for name, forces in MATCHES.items():
        lines.append(compared(name, duel(*forces), PLAIN_BATTLES, COMPILED_BATTLES))
    for scenario in GAMES:
        lines.append(compared(f"whole game of {scenario}", game(scenario), PLAIN_GAMES, COMPILED_GAMES))
    for name, (scenario, *sides) in TABLES.items():
        lines.append(compared(f"in inches, {name}", table(scenario, *sides), PLAIN_TABLES, COMPILED_TABLES))
    for name, designs in SKIRMISHES.items():
        lines.append(compared(f"skirmish, {name}", skirmish(designs), PLAIN_TABLES, COMPILED_TABLES))
    lines += ["", "against C, on the same dice", *by_hand()]
    lines += ["", f"shared by threads, {IN_C[-1]}", *shared()]
    lines += ["", "where the plain run spends its time: zone battle", *profile(duel(*MATCHES[IN_C[-1]]), PLAIN_BATTLES)]
    lines += ["... and Opening Shots", *profile(game("opening-shots"), PLAIN_GAMES)]
    scenario, *sides = TABLES["drones on both sides"]
    lines += ["... and in inches, with drones", *profile(table(scenario, *sides), PLAIN_TABLES)]
    return lines
