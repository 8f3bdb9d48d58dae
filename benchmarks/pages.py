"""Measures every page of a large site against a bare page: `python -m benchmarks.pages [scale] [sqlite]`.

Scale 1 is 10,000 companies, 20,000 battles, 100,000 ledger entries and a club of 40 after ten rounds; building it takes
minutes, and scale 0.05 half a minute. Times are median processor times of this process and its database session, for
compressed responses to Django's test client. The bare page for each page has the same length; the two are requested in
turn. Nothing here fails: a page above its budget is marked with "!".
"""

from __future__ import annotations

import logging
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.house import House
    from rosters.models import Player
    from tests.permissions.world import World

    Address = tuple[str, str, Player]  # its name, its path, and its reader

LOOKS = 9  # per page; the median counts
BUDGETS = (6.0, 9.0)  # bare pages, signed out and signed in
FRAME = 4_000  # bytes of a bare page without its filler
CAMPAIGN_PAGES = (
    "campaign", "campaign_companies", "standings", "campaign_map", "friendlies", "gazettes",
    "past_results", "campaign_settings",
)  # fmt: skip
CLUB_PAGES = (
    "club", "club_activity_log", "club_members", "club_hall_of_fame", "club_statistics", "club_night",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The measurements of one page for one reader."""

    name: str
    bytes: int
    ratio: float  # compared with the bare page
    milliseconds: float
    queries: int


def run(scale: float = 1.0, database: str = "postgres") -> Iterator[str]:
    """Build the site and measure its pages; yield the lines of the report."""
    from benchmarks.campaign import site

    with site(database):
        from benchmarks import house

        made = house.build(house.Size().times(scale))
        durations = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in made.seconds.items())
        yield f"The house on {database}: {durations}"
        yield from table(made)


def table(made: House) -> Iterator[str]:
    """Yield a line for each page, signed out and signed in: its kB, its time in bare pages, its queries."""
    from django.conf import settings

    settings.ROOT_URLCONF = "benchmarks.bare"
    logging.disable(logging.WARNING)
    yield f"{'page':34} {'kB':>5} {'out':>6} {'queries':>8} {'in':>7} {'queries':>8}   (in bare pages)"
    found: tuple[list[Measured], list[Measured]] = ([], [])
    for name, path, reader in addresses(made):
        row = [look(name, path, each) for each in (None, reader)]
        for side, seen in zip(found, row, strict=True):
            if seen:
                side.append(seen)
        if any(row):
            size = max(seen.bytes for seen in row if seen) / 1000
            cells = " ".join(_cell(seen, budget) for seen, budget in zip(row, BUDGETS, strict=True))
            yield f"{name[:34]:34} {size:5.0f} {cells}"
    for side, budget, word in zip(found, BUDGETS, ("signed out", "signed in"), strict=True):
        ratios = sorted(seen.ratio for seen in side)
        over = sum(ratio > budget for ratio in ratios)
        milliseconds = statistics.median(seen.milliseconds for seen in side)
        most = max(side, key=lambda seen: seen.ratio)
        yield (
            f"{word}: {len(side)} pages, median {statistics.median(ratios):.1f} bare pages ({milliseconds:.1f} ms), most "
            f"{most.ratio:.1f} ({most.name}); {over} above {budget:g}; {max(seen.queries for seen in side)} queries at most"
        )


def _cell(seen: Measured | None, budget: float) -> str:
    if seen is None:
        return f"{'-':>6} {'-':>8} "
    return f"{seen.ratio:6.1f}{'!' if seen.ratio > budget else ' '} {seen.queries:7}"


def look(name: str, path: str, reader: Player | None) -> Measured | None:
    """Measure the page for this reader; return None if the response isn't 200."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client, visitor = Client(headers={"accept-encoding": "gzip"}), Client(headers={"accept-encoding": "gzip"})
    if reader is not None:
        client.force_login(reader)
    if client.get(path).status_code != 200:
        return None
    plain = Client()
    plain.cookies = client.cookies
    size = len(plain.get(path).content)
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    queries = len(captured)
    beside = f"/bare/{max(0, size - FRAME)}/"
    visitor.get(beside)
    spent, bare = [], []
    for _ in range(LOOKS):
        spent.append(_seconds(lambda: client.get(path)))
        bare.append(_seconds(lambda: visitor.get(beside)))
    ratio = statistics.median(spent) / statistics.median(bare)
    return Measured(name=name, bytes=size, ratio=ratio, milliseconds=1000 * statistics.median(spent), queries=queries)


def _seconds(ask: Callable[[], object]) -> float:
    start = _spent()
    ask()
    return _spent() - start


def _spent() -> float:
    """Return the processor seconds of this process and its database session; other load doesn't affect them."""
    from django.db import connection

    spent = time.process_time()
    if connection.vendor == "postgresql":
        pid = connection.connection.info.backend_pid
        spent += int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    return spent


def addresses(made: House) -> Iterator[Address]:
    """Yield name, path and reader of each page: first the pages of the largest objects, then all other routes."""
    large = dict(_large(made))
    for name, (path, reader) in large.items():
        yield name, path, reader
    yield from _others(made.world)


def _large(made: House) -> Iterator[tuple[str, tuple[str, Player]]]:
    from django.urls import reverse

    from battles.models import Battle
    from benchmarks.campaign import last_match
    from rosters.models import Company

    campaign, company = made.campaign, made.long_company
    organiser = campaign.club.memberships.get(role="organiser").player
    owner = company.owner
    match = last_match(campaign)
    battles = Battle.objects.filter(visibility="public").order_by("-pk")
    middle = battles[battles.count() // 2]
    public = Company.objects.filter(visibility="public", disbanded_at=None).order_by("name", "pk")
    far = public[public.count() // 2]
    yield "home", (reverse("home"), organiser)
    yield "companies", (reverse("rosters:companies"), owner)
    yield "companies, half way", (f"{reverse('rosters:companies')}?after={far.pk}.{far.name}&page=170", owner)
    yield "companies, searched", (f"{reverse('rosters:companies')}?q=Grey", owner)
    for name in ("company", "company_settings", "company_export"):
        yield f"{name}, {made.size.trades} trades", (reverse(f"rosters:{name}", args=[company.pk]), owner)
    ledger = reverse("rosters:company", args=[company.pk], query={"show": "ledger"})
    yield f"company_ledger, {made.size.trades} trades", (ledger, owner)
    unit, pilot = company.units.filter(status="ready").earliest("position", "pk"), company.pilots.earliest("pk")
    yield "unit, many trades", (reverse("rosters:unit", args=[company.pk, unit.pk]), owner)
    yield "pilot, many trades", (reverse("rosters:pilot", args=[company.pk, pilot.pk]), owner)
    yield "company, print, many trades", (reverse("rosters:print-company", args=[company.pk]), owner)
    yield "company of the campaign", (reverse("rosters:company", args=[match.attacker.company_id]), organiser)
    own = match.attacker.company
    yield "company's own, of the campaign", (reverse("rosters:company", args=[own.pk]), own.owner)
    yield "battles", (reverse("battles:battles"), owner)
    yield "battles, half way", (f"{reverse('battles:battles')}?after={middle.pk}&page=200", owner)
    yield "battles, done", (f"{reverse('battles:battles')}?status=done", owner)
    yield "battles, failed", (f"{reverse('battles:battles')}?status=failed", owner)
    yield "battles, searched", (f"{reverse('battles:battles')}?text=19", owner)
    yield "battle", (reverse("battles:battle", args=[middle.key]), owner)
    yield "battles, new", (reverse("battles:quick-battle"), owner)
    yield "battles, log", (reverse("battles:log-battle"), owner)
    yield "inbox of 40", (reverse("campaigns:inbox"), organiser)
    for name in CLUB_PAGES:
        yield f"{name} of 40", (reverse(f"campaigns:{name}", args=[campaign.club.slug]), organiser)
    for name in CAMPAIGN_PAGES:
        yield f"{name} of 40", (reverse(f"campaigns:{name}", args=[campaign.pk]), organiser)
    for name in ("round", "results_entry"):
        yield f"{name} of 40", (reverse(f"campaigns:{name}", args=[campaign.pk, match.round.number]), organiser)
    yield "match of 40", (reverse("campaigns:match", args=[match.key]), organiser)
    yield "API companies", ("/api/v1/companies/", owner)
    yield "API company, many trades", (f"/api/v1/companies/{company.pk}/", owner)
    yield "API battles", ("/api/v1/battles/", owner)
    yield "API battles, half way", (f"/api/v1/battles/?after={middle.pk}", owner)
    yield "API battles, half way, offset", (f"/api/v1/battles/?offset={made.size.battles // 2}", owner)


def _others(world: World) -> Iterator[Address]:
    """Yield each remaining route that answers GET, with a reader who has access."""
    from rosters.models import Player
    from tests.permissions.routes import address, table
    from tests.permissions.world import ROLES

    order = ("attacker", "organiser", "arbiter", "defender", "operator", "member", "stranger")
    done = {"home", "rosters:companies", "battles:battles", "battles:quick-battle", "battles:log-battle"}
    for row in table():
        letters = row.expected.get("GET", "")
        role = next((role for role in order if letters and letters[ROLES.index(role)] == "."), None)
        if row.route in done or role is None or row.case.startswith("hidden"):
            continue
        done.add(row.route)
        reader = world.people[role]
        assert isinstance(reader, Player)
        yield row.route, address(row.route, world.cases[row.case]), reader


if __name__ == "__main__":
    asked = sys.argv[1:]
    sizes = [float(word) for word in asked if word.replace(".", "", 1).isdigit()]
    for line in run(sizes[0] if sizes else 1.0, "sqlite" if "sqlite" in asked else "postgres"):
        print(line, flush=True)
