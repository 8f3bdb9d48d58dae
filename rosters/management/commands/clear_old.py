"""clear_old: delete expired data, and the remains of killed workers."""

from __future__ import annotations

from datetime import timedelta

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from rosters.services.retention import clear_all
from rosters.site.retention import UNNAMED_FOR, Clearing


class Command(BaseCommand):
    help = (
        "Deletes expired prints, visitors' battles, odds, dice, sessions and tokens (see MUSTER_KEEP_...), and files and "
        "parts of jobs that killed workers left behind. The timer does this every hour."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only report what would be deleted")
        parser.add_argument(
            "--unnamed-for",
            type=int,
            default=int(UNNAMED_FOR.total_seconds()),
            metavar="SECONDS",
            help="minimum age of unreferenced files (default: %(default)s)",
        )

    def handle(self, *args: object, dry_run: bool, unnamed_for: int, **options: object) -> None:
        run = Clearing(
            now=timezone.now(),
            is_dry=dry_run,
            unnamed_for=timedelta(seconds=max(0, unnamed_for)),
        )
        for what, count in clear_all(run):
            self.stdout.write(f"{count:>7} {what}")
