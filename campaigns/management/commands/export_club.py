"""export_club ID: a club with its members, campaigns and results as a club/1 document."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from campaigns.clubs.document_rows import club_document
from campaigns.models import Club
from rosters.management.files import refusal


class Command(BaseCommand):
    help = "Prints a club with its members, campaigns and results as a club/1 document."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", metavar="ID", help="the club's number, or its name as in its address")

    def handle(self, *args: Any, **options: Any) -> None:
        text: str = options["id"]
        club = Club.objects.filter(slug=text.replace("\x00", "")).first()
        if club is None and text.isdecimal() and len(text) < 19:
            club = Club.objects.filter(pk=int(text)).first()
        if club is None:
            raise refusal(f"id: there is no club {ascii(text[:40])}")
        self.stdout.write(json.dumps(club_document(club), indent=2, ensure_ascii=False))
