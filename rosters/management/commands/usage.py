"""usage: show how much of this site each account uses."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandParser
from django.template.defaultfilters import filesizeformat

from rosters.services.retention import size_of_database, size_of_files, usage_by_player
from systems.text import pluralize

COLUMNS = ("account", "companies", "prints", "battles", "rows", "files")


class Command(BaseCommand):
    help = "Lists the accounts that use the most: companies, prints, battles, rows of the database, and files."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--top", type=int, default=20, metavar="N", help="how many accounts to list (default: 20)")

    def handle(self, *args: object, top: int, **options: object) -> None:
        found = usage_by_player()
        lines = [COLUMNS] + [
            (each.username, str(each.companies), str(each.prints), str(each.battles), str(each.rows), _size(each.files))
            for each in found[: max(top, 0)]
        ]
        widths = [max(len(line[at]) for line in lines) for at in range(len(COLUMNS))]
        for line in lines:
            cells = [line[0].ljust(widths[0])] + [
                cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)
            ]
            self.stdout.write("  ".join(cells))
        accounts = pluralize(len(found), "accounts")
        sizes = f"database {_size(size_of_database())}, files {_size(size_of_files())}"
        self.stdout.write(f"{accounts} with data of their own; {sizes}")


def _size(number: int) -> str:
    return filesizeformat(number).replace("\xa0", " ")
