"""reconcile: check that stored companies match their ledgers, and that the ledgers contain each match once."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from rosters import hooks
from rosters.database.transactions import read_snapshot
from rosters.ledger.records import differences
from rosters.models import Company


class Command(BaseCommand):
    help = (
        "Compares every company, unit and pilot with what the ledger adds up to, and every decided match with what "
        "stands in both ledgers; exit 1 on any difference."
    )

    @read_snapshot()  # otherwise sales during the run would look like differences
    def handle(self, *args: object, **options: object) -> None:
        checked = wrong = 0
        for company in Company.objects.prefetch_related("units", "pilots").order_by("pk").iterator(chunk_size=200):
            checked += 1
            for sentence in differences(company):
                wrong += 1
                self.stdout.write(f"company {company.pk} ({company.name}): {sentence}")
        for check in hooks.differences:
            for sentence in check():
                wrong += 1
                self.stdout.write(sentence)
        noun = "company" if checked == 1 else "companies"
        if wrong:
            raise CommandError(f"{checked} {noun} checked, {wrong} differences", returncode=1)
        self.stdout.write(f"{checked} {noun} checked, rows and ledger agree")
