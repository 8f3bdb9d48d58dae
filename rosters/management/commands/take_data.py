"""take_data PLAYER FILE: everything that is a player's, as the ZIP that he gets himself."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from rosters.documents.packing import packed
from rosters.management.files import refusal
from rosters.models import Player


class Command(BaseCommand):
    help = "Writes everything that is a player's to a ZIP, the same that he can have packed on his page."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("player", metavar="PLAYER", help="user name")
        parser.add_argument("file", metavar="FILE", help="the ZIP to write; nothing is overwritten")

    def handle(self, *args: Any, **options: Any) -> None:
        player = Player.objects.filter(username=options["player"].replace("\x00", "")).first()
        if player is None:
            raise refusal(f"player: there is no player {ascii(options['player'][:60])}")
        data = packed(player, at=timezone.now())
        try:
            with os.fdopen(os.open(options["file"], os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(data)
        except (OSError, ValueError) as error:
            raise refusal(f"{ascii(options['file'])}: {getattr(error, 'strerror', None) or error}") from None
        self.stdout.write(f"{options['file']}: everything of {player.username}, {len(data)} bytes")
