"""export_company ID: a company with its ledger as a company/1 document."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from rosters.documents.company_rows import company_document
from rosters.management.files import refusal
from rosters.models import Company


class Command(BaseCommand):
    help = "Prints a company with its ledger as a company/1 document."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", metavar="ID", help="the company's number, as in its address")

    def handle(self, *args: Any, **options: Any) -> None:
        text: str = options["id"]
        company = Company.objects.filter(pk=int(text)).first() if text.isdecimal() and len(text) < 19 else None
        if company is None:
            raise refusal(f"id: there is no company {ascii(text[:40])}")
        self.stdout.write(json.dumps(company_document(company), indent=2, ensure_ascii=False))
