"""take_data PLAYER FILE: write a player's data to a file, as the ZIP that the player can download."""

from __future__ import annotations

import os

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from rosters.accounts.data_export import pack_files
from rosters.management.files import player_named, refusal


class Command(BaseCommand):
    help = "Writes a player's data to a ZIP, as their account page does."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("player", metavar="PLAYER", help="username")
        parser.add_argument("file", metavar="FILE", help="the ZIP to write; existing files aren't overwritten")

    def handle(self, *args: object, player: str, file: str, **options: object) -> None:
        whose = player_named("player", player)
        data = pack_files(whose, at=timezone.now())
        try:
            with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as written:
                written.write(data)
        except (OSError, ValueError) as error:
            raise refusal(f"{ascii(file)}: {getattr(error, 'strerror', None) or error}") from None
        self.stdout.write(f"{file}: everything of {whose.username}, {len(data)} bytes")
