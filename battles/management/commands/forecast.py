"""Simulates the odds of a set-up."""

import json
import time

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from battles.services.forecasts import DEFAULT_SEED
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import parse_seed
from systems.simulation.odds import odds, tally, warm

CHUNK = 250_000
MAX_BATTLES = 1_000_000_000


class Command(DocumentCommand):
    help = "Fights many battles of a set-up and prints how they end, as one JSON object."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--battles", required=True, help="how many")
        parser.add_argument("--seed", help=f"0 to 2^64 - 1; {DEFAULT_SEED} if absent")
        parser.add_argument("--plain", action="store_true", help="without the compiled rules: slow, the same counts")

    def answer(self, data: bytes, options: dict[str, object]) -> None:
        battles = parse_battles(str(options["battles"]))
        seed = DEFAULT_SEED if options["seed"] is None else parse_seed(options["seed"])
        setup = read_setup(data)
        compiled = not options["plain"]
        if compiled:
            warm(setup.system)
        total, done, seconds = None, 0, 0.0
        while done < battles:
            count = min(CHUNK, battles - done)
            began = time.perf_counter()
            part = tally(setup, seed, done, count, compiled=compiled)
            seconds += time.perf_counter() - began
            total = part if total is None else total + part
            done += count
        assert total is not None
        answer = odds(total, setup).to_json()
        self.stdout.write(json.dumps(answer | {"seconds": round(seconds, 3)}, ensure_ascii=False))


def parse_battles(text: str) -> int:
    """Return a number of battles; raises DocumentError."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if not 1 <= number <= MAX_BATTLES:
        raise DocumentError("battles", f"must be a whole number from 1 to {MAX_BATTLES:,}")
    return number
