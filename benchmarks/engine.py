"""How fast battles are fought: the compiled run against the plain run of the same rules, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable

from battles.documents import Setup, read_setup
from battles.engine import odds

MATCHES = {
    "WASP v DRAKEN": (["wasp"], ["draken"]),
    "VIPER v DEMON": (["viper"], ["demon"]),
    "VIPER, WASP v DEMON, WASP": (["viper", "wasp"], ["demon", "wasp"]),
}
# companies of the ledger's section 9.1: design and level of the pilot
GAMES: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "opening-shots": ([("viper", "regular"), ("wasp", "green"), ("wasp", "green")],) * 2,
    "citadel": (
        [("thor", "regular"), ("warthog", "regular"), ("draken", "regular"), ("wasp", "green")],
        [("odin", "regular"), ("thor", "regular"), ("draken", "regular")],
    ),
}
PLAIN_GAMES = 100
COMPILED_GAMES = 20_000
PLAIN_BATTLES = 1_000
COMPILED_BATTLES = 100_000


def duel(attackers: list[str], defenders: list[str]) -> Setup:
    """A zone battle on Plain between published Meks, everybody Regular and aggressive."""
    sides = [
        {
            "name": name,
            "doctrine": "aggressive",
            "units": [{"key": f"{name[0].lower()}{at}", "design": slug} for at, slug in enumerate(designs, start=1)],
        }
        for name, designs in (("Attacker", attackers), ("Defender", defenders))
    ]
    return read_setup(
        {"muster": "setup/1", "system": "meks-and-mercs", "scenario": "zone-battle", "terrain": "plain", "sides": sides}
    )


def game(scenario: str) -> Setup:
    """A scenario between the ledger's companies, everybody aggressive, without support."""
    sides = [
        {
            "name": name,
            "doctrine": "aggressive",
            "units": [
                {"key": f"{name[0].lower()}{at}", "design": slug, "pilot": {"experience": level}}
                for at, (slug, level) in enumerate(company, start=1)
            ],
        }
        for name, company in zip(("Attacker", "Defender"), GAMES[scenario], strict=True)
    ]
    return read_setup(
        {"muster": "setup/1", "system": "meks-and-mercs", "scenario": scenario, "terrain": "printed", "sides": sides}
    )


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def compared(name: str, setup: Setup, plain_battles: int, compiled_battles: int) -> str:
    """Battles per second both ways, and their ratio, as a line."""
    plain = plain_battles / seconds(lambda: odds.tally(setup, 1, 0, plain_battles, compiled=False))
    fast = compiled_battles / seconds(lambda: odds.tally(setup, 1, 0, compiled_battles))
    return f"{name:28} plain {plain:8,.0f}/s  compiled {fast:10,.0f}/s  ratio {fast / plain:6.1f}"


def run() -> list[str]:
    """One line a match: battles per second both ways, and their ratio."""
    started = time.perf_counter()
    odds.warm("meks-and-mercs")
    lines = [f"rules ready in {time.perf_counter() - started:.1f} s"]
    for name, (attackers, defenders) in MATCHES.items():
        lines.append(compared(name, duel(attackers, defenders), PLAIN_BATTLES, COMPILED_BATTLES))
    for scenario in GAMES:
        lines.append(compared(f"whole game of {scenario}", game(scenario), PLAIN_GAMES, COMPILED_GAMES))
    return lines
