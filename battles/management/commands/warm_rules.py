"""Compiles the rules of every system, so that the first odds don't wait for it."""

import time

from django.core.management.base import BaseCommand

from systems import BATTLES
from systems.engine.odds import warm


class Command(BaseCommand):
    help = "Compiles the rules for the odds, or loads them from the compile cache."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        for slug in BATTLES:
            self.stdout.write(f"{slug}: readying the compiled rules; the first time takes half a minute ...")
            self.stdout.flush()
            began = time.perf_counter()
            warm(slug)
            self.stdout.write(f"{slug}: ready after {time.perf_counter() - began:.1f} s")
