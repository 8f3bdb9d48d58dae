"""Add the worked example of each game."""

from django.core.management.base import BaseCommand

from battles.examples import examples_publish


class Command(BaseCommand):
    help = "Enters the worked example of each game; a second time changes nothing."

    def handle(self, *args: object, **options: object) -> None:
        if entered := examples_publish():
            self.stdout.write(f"Worked examples: {', '.join(entered)}.")
