"""Simulate the odds of a set-up."""

import time

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from systems.simulation.commands import Answer, answer_forecast
from systems.simulation.odds import DEFAULT_SEED


class Command(DocumentCommand):
    help = "Simulates many battles of a set-up and prints the odds as one JSON object."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--battles", required=True, help="number of battles")
        parser.add_argument("--seed", help=f"0 to 2^64 - 1; {DEFAULT_SEED} if absent")
        parser.add_argument("--plain", action="store_true", help="don't use the compiled rules: slower, same result")

    def answer(self, data: bytes, options: dict[str, object]) -> Answer:
        battles, plain = str(options["battles"]), bool(options["plain"])
        return answer_forecast(data, battles, options["seed"], clock=time.perf_counter, is_plain=plain)
