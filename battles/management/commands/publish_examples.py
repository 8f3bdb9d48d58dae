"""Add the worked example of each game."""

from django.core.management.base import BaseCommand

from battles.examples import examples_publish


class Command(BaseCommand):
    help = "Adds the worked example of each game, unless it is there already."

    def handle(self, *args: object, **options: object) -> None:
        if entered := examples_publish():
            self.stdout.write(f"Worked examples: {', '.join(entered)}.")
