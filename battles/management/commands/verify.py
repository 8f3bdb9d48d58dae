"""Fights the battle of a record again and compares."""

from typing import Any

from battles.engine.resolve import verify
from battles.management.documents import DocumentCommand
from rosters.documents import DocumentError


class Command(DocumentCommand):
    help = "Fights a record's battle again: `same`, or the first line that differs and exit code 1."

    def answer(self, data: bytes, options: dict[str, Any]) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise DocumentError("document", f"not UTF-8 text (byte {error.start})") from None
        difference = verify(text)
        if difference is None:
            self.stdout.write("same")
            return
        self.stdout.write(f"line {difference.line} differs")
        self.stdout.write(f"expected: {difference.expected}")
        self.stdout.write(f"found:    {difference.found}")
        raise SystemExit(1)
