"""import_company FILE: import a company with its ledger from a company/1 document."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandParser

from rosters.documents.company import MAX_BYTES, read_company
from rosters.documents.import_export import company_import
from rosters.management.files import player_named, read_file, refusal
from rosters.services import RefusedError
from systems.documents import DocumentError


class Command(BaseCommand):
    help = "Loads a company/1 document as a new company of a player."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the document, - for standard input")
        parser.add_argument("--owner", required=True, help="username of the player who gets the company")

    def handle(self, *args: object, file: str, owner: str, **options: object) -> None:
        to = player_named("owner", owner)
        try:
            company = company_import(owner=to, document=read_company(read_file(file, MAX_BYTES)))
        except (DocumentError, RefusedError) as error:
            raise refusal(error) from None
        self.stdout.write(f"{company.name} is company {company.pk} of {to.username}")
