"""check_design FILE: check a design/1 document and show its points."""

from __future__ import annotations

import json

from django.core.management.base import BaseCommand, CommandParser

from rosters.management.files import read_file, refusal
from systems.documents import DocumentError
from systems.simulation.commands import check_design


class Command(BaseCommand):
    help = "Prints legality, points and problems of a design/1 document as one JSON object."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the document, - for standard input")

        parser.add_argument(
            "--release", metavar="N", default="", help="catalogue version of the game (default: the newest)"
        )

    def handle(self, *args: object, file: str, release: str, **options: object) -> None:
        try:
            answer = check_design(read_file(file), release)
        except DocumentError as error:
            raise refusal(error) from None
        self.stdout.write(json.dumps(answer, ensure_ascii=False))
