"""Simulates one battle and prints its record."""

import secrets

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from battles.replay.fold import report_text
from systems.reading import read_setup
from systems.setups import parse_seed
from systems.simulation.resolve import resolve


class Command(DocumentCommand):
    help = "Fights one battle of a set-up and prints its record as JSON lines."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", help="0 to 2^64 - 1; drawn if absent")
        parser.add_argument("--text", action="store_true", help="print a report to read instead")

    def answer(self, data: bytes, options: dict[str, object]) -> None:
        seed = secrets.randbits(64) if options["seed"] is None else parse_seed(options["seed"])
        record = resolve(read_setup(data), seed)
        self.stdout.write(report_text(record) if options["text"] else record.text(), ending="")
