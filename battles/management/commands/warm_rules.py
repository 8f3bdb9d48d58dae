"""Compile the rules of every system, so that the first odds don't have to wait."""

import os
import threading
import time

from django.core.management.base import BaseCommand, CommandParser

from systems import BATTLES
from systems.engine.runner import compiling
from systems.simulation.odds import is_warm, warm


class Command(BaseCommand):
    help = "Compiles the rules of every game for the odds, unless they are compiled already."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--with-parent", type=int, metavar="PID", help="stop when this process, which started it, stops"
        )

    def handle(self, *args: object, **options: object) -> None:
        if options["with_parent"]:
            threading.Thread(target=end_with, args=[options["with_parent"]], daemon=True).start()
        for slug in BATTLES:
            with compiling(slug) as is_mine:
                if is_warm(slug):
                    self.say(f"{slug}: the rules are compiled already")
                elif not is_mine:
                    self.say(f"{slug}: another process is compiling the rules")
                else:
                    self.compile(slug)

    def compile(self, slug: str) -> None:
        self.say(f"{slug}: compiling the rules, which takes half a minute ...")
        began = time.perf_counter()
        warm(slug)
        self.say(f"{slug}: ready after {time.perf_counter() - began:.1f} s")

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def end_with(parent: int) -> None:
    """End this process when its parent ends, even if it is killed, or was before this process could look."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
