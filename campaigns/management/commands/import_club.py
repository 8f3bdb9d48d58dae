"""import_club FILE: create a club from a club/1 document; its players and their companies must exist here."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandParser

from campaigns.archive.club_document import MAX_BYTES, read_club
from campaigns.archive.club_document_rows import club_import
from rosters.management.files import read_file, refusal
from rosters.services import RefusedError
from systems.documents import DocumentError


class Command(BaseCommand):
    help = "Loads a club/1 document as a new club. Players are found by user name, companies by owner and name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the document, - for standard input")
        parser.add_argument("--name", help="the club's name here, if another club has its own")
        parser.add_argument(
            "--leave-out", action="store_true", help="leave out players who are not here, and campaigns that need them"
        )

    def handle(self, *args: object, file: str, name: str | None, leave_out: bool, **options: object) -> None:
        try:
            document = read_club(read_file(file, MAX_BYTES))
            if name:
                document = document.model_copy(update={"name": name})
            imported = club_import(document=document, leave_out=leave_out)
        except (DocumentError, RefusedError) as error:
            raise refusal(error) from None
        for line in imported.left_out:
            self.stdout.write(f"left out: {line}")
        self.stdout.write(f"{imported.club.name} is club {imported.club.pk}, at /clubs/{imported.club.slug}/")
