"""Simulate the battle of a record again, compare, and check its dice."""

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from systems.simulation.commands import Answer, answer_verify


class Command(DocumentCommand):
    help = (
        "Fights a record's battle again: `same` and what is known of its dice, or the first line that differs and "
        "exit code 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--hash", metavar="HASH", help="of the sealed dice, as it was published before the battle: were these they?"
        )

    def answer(self, data: bytes, options: dict[str, object]) -> Answer:
        return answer_verify(data, str(options["hash"] or ""))
