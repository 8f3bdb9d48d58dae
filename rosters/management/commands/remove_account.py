"""remove_account PLAYER: remove an account immediately, even if it has founded clubs."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandParser

from rosters.accounts.deletion import account_remove, removal_fates
from rosters.accounts.ownership import refuse_last_operator
from rosters.management.files import player_named, refusal
from rosters.site.exceptions import RefusedError


class Command(BaseCommand):
    help = "Removes an account immediately. What others need stays without its name; clubs get another organiser."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("player", metavar="PLAYER", help="username")
        parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")

    def handle(self, *args: object, player: str, yes: bool, **options: object) -> None:
        whose = player_named("player", player)
        try:
            refuse_last_operator(whose)
            for fate in removal_fates(whose):
                self.stdout.write(f"  {fate}")
            asked = f"This can't be undone. Type {whose.username} to remove the account: "
            if not yes and self.read_answer(asked) != whose.username:
                raise refusal("Nothing was removed.")
            handed_on = account_remove(player=whose)
        except RefusedError as refused:
            raise refusal(refused.reason) from None
        self.stdout.write("\n".join([f"The account {player} is removed.", *handed_on]))

    @staticmethod
    def read_answer(question: str) -> str:
        """Return what was typed; empty without a terminal."""
        try:
            return input(question)
        except EOFError:
            return ""
