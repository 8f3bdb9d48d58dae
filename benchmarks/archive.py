"""Compares the archive of a club of 40 players, 10 rounds and 200 battles with pg_dump and pg_restore.

`python -m benchmarks.archive [rounds] [players]`, or `python -m benchmarks.archive demo` for the demo club. Packs the
club, restores it on an empty site, packs it again and compares every row; prints rows, seconds and bytes. Half of each
round's matches are simulated by the server and have records; the other half are reported by their players.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.campaign import PLAYERS, ROUNDS, build, play, site

if TYPE_CHECKING:
    from campaigns.models import Club

MadeT = TypeVar("MadeT")


def timed(make: Callable[[], MadeT]) -> tuple[MadeT, float]:
    begun = time.perf_counter()
    made = make()
    return made, time.perf_counter() - begun


def postgres(program: str, *arguments: str, data: bytes = b"") -> bytes:
    """Return the output of a PostgreSQL program on the site's database."""
    from django.db import connection

    from tests.services import postgres_program

    given = connection.settings_dict
    keys = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGDATABASE": "NAME"}
    environment = os.environ | {key: str(given[name]) for key, name in keys.items() if given.get(name)}
    command = [postgres_program(program), *arguments]
    return subprocess.run(command, env=environment, input=data, capture_output=True, check=True).stdout


def dumped() -> bytes:
    """Return the whole database in pg_dump's compressed format."""
    return postgres("pg_dump", "--format=custom")


def undumped(dump: bytes) -> None:
    """Restore the dump to the database `again`."""
    postgres("pg_restore", "--no-owner", "--exit-on-error", "--dbname=again", data=dump)


def emptied() -> None:
    """Delete all rows; number sequences continue."""
    from django.apps import apps
    from django.db import connection

    kept = {"django_content_type", "auth_permission", "django_migrations"}
    tables = sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)} - kept)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(tables)}")


def archive_rows(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of an archive by table, without values that are meant to differ between sites."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        found = {
            name.removeprefix("rows/").removesuffix(".jsonl"): [
                json.loads(line) for line in archive.read(name).splitlines()
            ]
            for name in archive.namelist()
            if name.startswith("rows/")
        }
    found["rosters.player"] = [{**row, "date_joined": ""} for row in found["rosters.player"]]
    found["campaigns.activitylogentry"] = [
        row
        for row in found["campaigns.activitylogentry"]
        if "from an archive of" not in row["text"] and "other dice sealed" not in row["text"]
    ]
    found["battles.forecast"] = [{**row, "question": ""} for row in found["battles.forecast"]]
    found["battles.sealeddice"] = [
        row if row["revealed_at"] else {**row, "commitment": "", "sealed_at": ""} for row in found["battles.sealeddice"]
    ]
    return found


def played(rounds: int, players: int) -> tuple[Club, str]:
    """Play `rounds` rounds; return the club, and the user name of its organiser."""
    campaign = build(players)
    by = campaign.club.memberships.get(role="organiser").player
    for number in range(1, rounds + 1):
        begun = time.perf_counter()
        play(campaign, by, by_orders=players // 4, forfeits=0)
        print(f"round {number:2}: {time.perf_counter() - begun:5.1f} s", flush=True)
    return campaign.club, by.username


def demo() -> tuple[Club, str]:
    """Load the demo club; return it, and the user name of its organiser."""
    from campaigns.models import Club
    from rosters.demo import USERNAME, demo_load

    demo_load()
    return Club.objects.get(), USERNAME


def measure(club: Club, organiser: str) -> bool:
    """Print the time and size of packing and restoring; return False if the restored club differs."""
    from django.core.management import call_command
    from django.utils import timezone

    from campaigns.archive.packing import pack_club
    from campaigns.archive.services import club_restore_now
    from rosters.models import Player
    from tests.campaigns.archives.clubs import rated

    dump, dump_seconds = timed(dumped)
    postgres("createdb", "again")
    _, undump_seconds = timed(lambda: undumped(dump))
    postgres("dropdb", "again")
    data, pack_seconds = timed(lambda: pack_club(club, at=timezone.now()))
    ratings = rated(club)
    name_shown = Player.objects.get(username=organiser).name_shown
    emptied()
    nora = Player.objects.create_user(organiser, name_shown=name_shown)
    made, restore_seconds = timed(lambda: club_restore_now(file=io.BytesIO(data), by=nora, stands_for=organiser))
    before, after = archive_rows(data), archive_rows(pack_club(made.club, at=timezone.now()))
    differ = [name for name, rows in before.items() if rows != after[name]]
    same_ratings = rated(made.club) == ratings
    counts = {name: len(before[name]) for name in ("rosters.player", "campaigns.match", "battles.battle")}
    players, matches, battles = counts.values()
    print(
        f"{sum(map(len, before.values())):,} rows: {players} players, {matches} matches, {battles} battles, "
        f"{len(before['battles.record'])} records; load {os.getloadavg()[0]:.1f}"
    )
    print(f"pg_dump     {dump_seconds:6.2f} s  {len(dump):>12,} bytes  (the whole site)")
    print(f"pg_restore  {undump_seconds:6.2f} s")
    print(f"packed      {pack_seconds:6.2f} s  {len(data):>12,} bytes")
    print(f"restored    {restore_seconds:6.2f} s  (checked: digests, values, ledgers, books, records)")
    print(f"packed again: {'the same, row by row' if not differ else 'DIFFERENT in ' + ', '.join(differ)}")
    print(f"ratings: {'the same' if same_ratings else 'DIFFERENT'}")
    call_command("reconcile")
    return not differ and same_ratings


def main(arguments: list[str]) -> None:
    begun = time.perf_counter()
    if arguments == ["demo"]:
        club, organiser = demo()
    else:
        rounds, players = [*map(int, arguments), *(ROUNDS, PLAYERS)[len(arguments) :]]
        club, organiser = played(rounds, players)
    print(f"made in {time.perf_counter() - begun:.1f} s")
    if not measure(club, organiser):
        sys.exit(1)


if __name__ == "__main__":
    with site("postgres"):
        main(sys.argv[1:])
