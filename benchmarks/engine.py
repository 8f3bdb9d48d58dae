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


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def run() -> list[str]:
    """One line a match: battles per second both ways, and their ratio."""
    started = time.perf_counter()
    odds.warm("meks-and-mercs")
    lines = [f"rules ready in {time.perf_counter() - started:.1f} s"]
    for name, (attackers, defenders) in MATCHES.items():
        setup = duel(attackers, defenders)
        plain = PLAIN_BATTLES / seconds(lambda s=setup: odds.tally(s, 1, 0, PLAIN_BATTLES, compiled=False))  # type: ignore[misc]
        fast = COMPILED_BATTLES / seconds(lambda s=setup: odds.tally(s, 1, 0, COMPILED_BATTLES))  # type: ignore[misc]
        lines.append(f"{name:28} plain {plain:8,.0f}/s  compiled {fast:10,.0f}/s  ratio {fast / plain:6.1f}")
    return lines
