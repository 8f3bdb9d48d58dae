"""Simulate one battle and print its record."""

import secrets

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from systems.simulation.commands import Answer, answer_resolve


class Command(DocumentCommand):
    help = "Simulates one battle of a set-up and prints its record as JSON lines."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", help="0 to 2^64 - 1; drawn if absent")
        parser.add_argument("--text", action="store_true", help="print a readable report instead")

    def answer(self, data: bytes, options: dict[str, object]) -> Answer:
        seed = secrets.randbits(64) if options["seed"] is None else options["seed"]
        return answer_resolve(data, seed, as_text=bool(options["text"]))
