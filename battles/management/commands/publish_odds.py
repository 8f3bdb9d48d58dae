"""Add the odds that come with Muster, so that nobody waits for common questions."""

from django.core.management.base import BaseCommand

from battles.odds.matrices import matrices_publish


class Command(BaseCommand):
    help = "Enters the matchup matrices of the published designs; a second time changes nothing."

    def handle(self, *args: object, **options: object) -> None:
        if entered := matrices_publish():
            self.stdout.write(f"Matchup matrices: {', '.join(entered)}.")
