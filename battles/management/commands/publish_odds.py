"""Add the odds that come with Muster, so that nobody waits for common questions."""

from django.core.management.base import BaseCommand

from battles.odds.matrices import matrices_publish


class Command(BaseCommand):
    help = "Adds the matchups of the published designs, unless they are there already."

    def handle(self, *args: object, **options: object) -> None:
        if entered := matrices_publish():
            self.stdout.write(f"Matchups: {', '.join(entered)}.")
