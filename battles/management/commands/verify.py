"""Simulate the battle of a record again, compare, and check its dice."""

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from systems.simulation.commands import Answer, answer_verify


class Command(DocumentCommand):
    help = (
        "Reruns the battle of a record. Prints `same` and facts about its dice, or the first line that differs "
        "(exit code 1)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--hash",
            metavar="HASH",
            help="hash of the dice published before the battle, to check that these dice were used",
        )

    def answer(self, data: bytes, options: dict[str, object]) -> Answer:
        return answer_verify(data, str(options["hash"] or ""))
