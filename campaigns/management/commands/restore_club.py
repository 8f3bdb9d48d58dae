"""restore_club FILE --organiser NAME: create a club from its archive."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from campaigns.archive.services import club_restore_now
from rosters.management.files import player_named, refusal
from rosters.services import RefusedError


class Command(BaseCommand):
    help = "Restores a club from an archive, completely or not at all. Its players get links that organisers can send them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the ZIP")
        parser.add_argument("--organiser", required=True, help="username of the player who becomes its organiser")
        parser.add_argument(
            "--stands-for", default="", metavar="NAME", help="the organiser in the archive who this player is"
        )
        parser.add_argument("--name", default="", help="new name for the club")

    def handle(self, *args: object, file: str, organiser: str, stands_for: str, name: str, **options: object) -> None:
        by = player_named("organiser", organiser)
        try:
            with Path(file).open("rb") as opened:
                made = club_restore_now(file=opened, by=by, name=name, stands_for=stands_for)
        except OSError as error:
            raise refusal(f"{ascii(file)}: {error.strerror}") from None
        except RefusedError as error:
            raise refusal(error) from None
        for line in made.differences:
            self.stdout.write(line)
        self.stdout.write(f"{made.club.name} is restored: /clubs/{made.club.slug}/")
