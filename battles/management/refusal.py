"""What the commands on documents share: reading a file or stdin, and refusing in one line with exit code 2."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rosters.documents import DocumentError

MAX_INPUT = 16 * 1024 * 1024  # a record; documents are measured again when they are parsed


class DocumentCommand(BaseCommand):
    """A command on one document. Bad input: exit code 2, one line on stderr, nothing written."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the document; - reads stdin")

    def create_parser(self, *args: Any, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(*args, **kwargs)
        parser.error = _one_line(parser)  # type: ignore[method-assign]
        return parser

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.answer(read_input(options["file"]), options)
        except DocumentError as error:
            raise CommandError(f"{error.path}: {error.reason}", returncode=2) from None

    def answer(self, data: bytes, options: dict[str, Any]) -> None:
        """Prints the answer; raises DocumentError for what can't be taken."""
        raise NotImplementedError

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except BrokenPipeError:  # the reader has seen enough
            sys.stderr.close()
            raise SystemExit(0) from None


def _one_line(parser: ArgumentParser) -> Any:
    def error(message: str) -> NoReturn:
        sys.stderr.write(f"{' '.join(message.split())}\n")
        raise SystemExit(2)

    return error


def read_input(name: str) -> bytes:
    """The bytes of a file, or of stdin for `-`; raises DocumentError."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_INPUT + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MAX_INPUT + 1)
    except OSError as error:
        raise DocumentError("file", f"cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise DocumentError("file", "is no file name") from None
    if len(data) > MAX_INPUT:
        raise DocumentError("file", f"larger than {MAX_INPUT // 2**20} MiB")
    return data
