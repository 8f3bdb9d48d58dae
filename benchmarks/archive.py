"""The archive of a club of 40 players, 10 rounds and 200 matches, beside pg_dump: `python -m benchmarks.archive [rounds]`.

Packs it, restores it on a site that has nothing else, packs it again and compares every row; prints seconds and bytes.
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
from typing import Any, TypeVar

from benchmarks.campaign import ROUNDS, build, play, site

MadeT = TypeVar("MadeT")


def timed(make: Callable[[], MadeT]) -> tuple[MadeT, float]:
    begun = time.perf_counter()
    made = make()
    return made, time.perf_counter() - begun


def dumped() -> bytes:
    """The whole database as pg_dump has it, compressed by itself."""
    from django.db import connection

    from tests.services import postgres_program

    given = connection.settings_dict
    keys = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGDATABASE": "NAME"}
    environment = os.environ | {key: str(given[name]) for key, name in keys.items() if given.get(name)}
    program = postgres_program("pg_dump")
    return subprocess.run([program, "--format=custom"], env=environment, capture_output=True, check=True).stdout


def emptied() -> None:
    """Takes all rows away; numbers go on where they were."""
    from django.apps import apps
    from django.db import connection

    kept = {"django_content_type", "auth_permission", "django_migrations"}
    tables = sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)} - kept)
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(tables)}")


def told(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """The rows of an archive by the name of their table, less what is another on another site by design."""
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        found = {
            name.removeprefix("rows/").removesuffix(".jsonl"): [
                json.loads(line) for line in held.read(name).splitlines()
            ]
            for name in held.namelist()
            if name.startswith("rows/")
        }
    found["rosters.player"] = [{**row, "date_joined": ""} for row in found["rosters.player"]]
    found["campaigns.diaryentry"] = [
        row
        for row in found["campaigns.diaryentry"]
        if "from an archive of" not in row["text"] and "other dice sealed" not in row["text"]
    ]
    found["battles.forecast"] = [{**row, "question": ""} for row in found["battles.forecast"]]
    found["battles.sealeddice"] = [
        row if row["revealed_at"] else {**row, "commitment": "", "at": ""} for row in found["battles.sealeddice"]
    ]
    return found


def main(rounds: int) -> None:
    from django.core.management import call_command
    from django.utils import timezone

    from campaigns.archive.packing import packed
    from campaigns.archive.services import club_restored
    from campaigns.ratings.selectors import club_ratings
    from rosters.models import Player

    campaign = build()
    by = campaign.club.memberships.get(role="organiser").player
    for _ in range(rounds):
        play(campaign, by)
    club = campaign.club
    dump, dump_seconds = timed(dumped)
    data, pack_seconds = timed(lambda: packed(club, at=timezone.now()))
    ratings = repr(club_ratings(club.pk))
    emptied()
    nora = Player.objects.create_user(by.username)
    made, restore_seconds = timed(lambda: club_restored(file=io.BytesIO(data), by=nora, stands_for=by.username))
    before, after = told(data), told(packed(made.club, at=timezone.now()))
    differ = [name for name, rows in before.items() if rows != after[name]]
    rows = sum(map(len, before.values()))
    print(
        f"{rows:,} rows; {rounds} rounds, {len(before['campaigns.match'])} matches, {len(before['rosters.player'])} players"
    )
    print(f"pg_dump    {dump_seconds:6.2f} s  {len(dump):>12,} bytes  (the whole site)")
    print(f"packed     {pack_seconds:6.2f} s  {len(data):>12,} bytes")
    print(f"restored   {restore_seconds:6.2f} s")
    print(f"packed again: {'the same' if not differ else 'different in ' + ', '.join(differ)}")
    print(f"ratings: {'the same' if repr(club_ratings(made.club.pk)) == ratings else 'DIFFERENT'}")
    call_command("reconcile")
    if differ:
        sys.exit(1)


if __name__ == "__main__":
    with site("postgres"):
        main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
