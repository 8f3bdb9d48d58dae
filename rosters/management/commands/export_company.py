"""export_company ID: print a company with its ledger as a company/1 document."""

from __future__ import annotations

import json

from django.core.management.base import BaseCommand, CommandParser

from rosters.documents.import_export import company_signed
from rosters.management.files import refusal
from rosters.models import Company


class Command(BaseCommand):
    help = "Prints a company with its ledger as a company/1 document."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", metavar="ID", help="the company's number, as in its address")

    def handle(self, *args: object, id: str, **options: object) -> None:
        company = Company.objects.filter(pk=int(id)).first() if id.isdecimal() and len(id) < 19 else None
        if company is None:
            raise refusal(f"id: there is no company {ascii(id[:40])}")
        self.stdout.write(json.dumps(company_signed(company), indent=2, ensure_ascii=False))
