"""export_club_archive ID -o FILE: pack a whole club in one ZIP."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from campaigns.archive.packing import pack_club
from campaigns.models import Club
from rosters.management.files import refusal
from rosters.services import RefusedError


def club_named(name: str) -> Club:
    """Return the club with this number or slug."""
    club = Club.objects.filter(slug=name.replace("\x00", "")).first()
    if club is None and name.isdecimal() and len(name) < 19:
        club = Club.objects.filter(pk=int(name)).first()
    if club is None:
        raise refusal(f"id: there is no club {ascii(name[:40])}")
    return club


class Command(BaseCommand):
    help = "Writes a club with its campaigns, companies and battles to a ZIP file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("id", metavar="ID", help="the club's ID or slug")
        parser.add_argument("-o", "--output", required=True, metavar="FILE", help="path of the ZIP file")

    def handle(self, *args: object, id: str, output: str, **options: object) -> None:
        club = club_named(id)
        try:
            data = pack_club(club, at=timezone.now())
        except RefusedError as error:
            raise refusal(error) from None
        try:
            Path(output).write_bytes(data)
        except OSError as error:
            raise refusal(f"{ascii(output)}: {error.strerror}") from None
        self.stdout.write(f"{club.name}: {len(data):,} bytes in {output}")
