"""demo: load the demo club, or remove it."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from rosters.demo import USERNAME, demo_load, demo_player, demo_remove, site_is_in_use
from rosters.site.exceptions import RefusedError
from rosters.site.mails import site_origin

IN_USE = "This site already has accounts. The demo club can only be loaded into an empty site."


class Command(BaseCommand):
    help = "Loads the demo club: a player and public companies. Loading it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--base-url", default="", help="address of the site")
        parser.add_argument("--if-empty", action="store_true", help="do nothing if there are accounts")
        parser.add_argument("--remove", action="store_true", help="remove the demo club and everything it owns")

    def handle(self, *args: object, base_url: str, if_empty: bool, remove: bool, **options: object) -> None:
        if remove:
            self._remove()
        elif not settings.DEMO:
            raise CommandError("MUSTER_DEMO is 0, so there is no demo club here.")
        elif not site_is_in_use() or (demo_player() and not if_empty):
            self._load((base_url or site_origin()).rstrip("/"))
        elif if_empty:
            is_there = "there already, and left as it is" if demo_player() else "left out"
            self.stdout.write(f"Demo club: {is_there}, since this site has accounts.")
        else:
            raise CommandError(IN_USE)

    def _remove(self) -> None:
        try:
            rows = demo_remove()
        except RefusedError as refused:
            raise CommandError(f"The demo club stays: {refused.reason}") from None
        self.stdout.write(f"Demo club: removed, {rows} rows." if rows else "There is no demo club.")

    def _load(self, base: str) -> None:
        loaded = demo_load()
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
