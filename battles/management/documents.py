"""Base of the commands that read a document from a file or stdin; errors are one line and exit code 2."""

import sys
from typing import NoReturn

from django.core.management.base import BaseCommand, CommandParser

from rosters.management.files import read_file, refusal
from systems.documents import DocumentError
from systems.simulation.commands import Answer
from systems.simulation.records import MAX_RECORD_BYTES


class DocumentCommand(BaseCommand):
    """A command on one document. Bad input gives exit code 2, one line on stderr, and no output."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the document; - reads stdin")

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: object) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)

        def error(message: str) -> NoReturn:
            sys.stderr.write(f"{' '.join(message.split())}\n")
            raise SystemExit(2)

        parser.error = error  # type: ignore[method-assign]
        return parser

    def handle(self, *args: object, **options: object) -> None:
        try:
            answer = self.answer(read_file(str(options["file"]), MAX_RECORD_BYTES), options)
        except DocumentError as error:
            raise refusal(error) from None
        self.stdout.write(answer.text, ending="")
        if not answer.is_yes:
            raise SystemExit(1)

    def answer(self, data: bytes, options: dict[str, object]) -> Answer:
        """Return the answer; raises DocumentError for a document that can't be used."""
        raise NotImplementedError

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except BrokenPipeError:  # the reader has closed the pipe
            sys.stderr.close()
            raise SystemExit(0) from None
