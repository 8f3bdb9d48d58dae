"""demo: loads the demo club."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse

from rosters.demo import USERNAME, demo_load


class Command(BaseCommand):
    help = "Loads the demo club: a player and public companies. Loading it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--base-url", default="http://localhost:8000", help="where the site answers")

    def handle(self, *args: object, base_url: str, **options: object) -> None:
        loaded = demo_load()
        base = base_url.rstrip("/")
        self.stdout.write(f"Demo club: {'loaded' if loaded.made else 'already there'}.")
        for company in loaded.companies:
            self.stdout.write(f"  {company.name}: {base}{reverse('rosters:company', args=[company.pk])}")
        for part in loaded.parts:
            self.stdout.write(f"  {part.name}: {base}{part.path}")
        login = f"{base}{reverse('account_login')}"
        if loaded.password:
            self.stdout.write(f"  Sign in at {login} as {USERNAME} with the password {loaded.password}")
        else:
            self.stdout.write(f"  Sign in at {login} as {USERNAME}; the password was chosen elsewhere")
