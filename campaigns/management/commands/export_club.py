"""export_club ID: export a club with its members, campaigns and results as a club/1 document."""

from __future__ import annotations

import json

from django.core.management.base import BaseCommand, CommandParser

from campaigns.archive.club_document_rows import club_document
from campaigns.models import Club
from rosters.management.files import refusal


def club_named(name: str) -> Club:
    """Return the club with this number, or with this name in its address."""
    club = Club.objects.filter(slug=name.replace("\x00", "")).first()
    if club is None and name.isdecimal() and len(name) < 19:
        club = Club.objects.filter(pk=int(name)).first()
    if club is None:
        raise refusal(f"id: there is no club {ascii(name[:40])}")
    return club


class Command(BaseCommand):
    help = "Prints a club with its members, campaigns and results as a club/1 document."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", metavar="ID", help="the club's number, or its name as in its address")

    def handle(self, *args: object, id: str, **options: object) -> None:
        club = club_named(id)
        self.stdout.write(json.dumps(club_document(club), indent=2, ensure_ascii=False))
