"""Plays a long campaign through the services: `python -m benchmarks.campaign [sqlite|postgres]`.

40 players, 10 rounds, 200 matches: submitted lists, reports, disputes, rulings, forfeits, and matches simulated with
autoplay orders. Prints the cost of its pages after one round and after ten, how long closing a round takes, and whether
all ledgers agree.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campaigns.models import Campaign, Match
    from rosters.models import Company, Player

PLAYERS, ROUNDS = 40, 10
LOOKS = 7  # per page; the median counts
FOUGHT_BY_ORDERS = 3  # matches per round that are simulated; the same number is forfeited, and disputed and ruled


@contextlib.contextmanager
def site(kind: str) -> Iterator[None]:
    """Set up an empty site in a temporary folder, on SQLite or on a temporary PostgreSQL server."""
    from tests import services

    compiled = os.path.abspath(os.path.join(os.environ.get("MUSTER_VAR", "var"), "compiled"))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="muster-bench-"))
        os.symlink(compiled, os.path.join(folder, "compiled"))
        os.mkdir(os.path.join(folder, "staticfiles"))
        os.environ |= {"MUSTER_VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        if kind == "postgres":
            os.environ["MUSTER_DATABASE_URL"] = f"{stack.enter_context(services.postgres())}/postgres"
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.test.utils import setup_test_environment

        settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        setup_test_environment()
        call_command("migrate", verbosity=0)
        yield


def build(players: int = PLAYERS) -> Campaign:
    """Create the club, its players and their companies, and a running campaign; return the campaign."""
    from campaigns.campaign.services import campaign_create, campaign_move
    from campaigns.clubs.services import club_create, member_add
    from campaigns.enrolments.services import enrolment_accept, enrolment_ask
    from rosters.models import Player

    organiser = Player.objects.create_user("organiser")
    club = club_create(by=organiser, name="The Long Table")
    campaign = campaign_create(
        club=club,
        by=organiser,
        system="meks-and-mercs",
        name="The Long War",
        points=500,
        scenarios=[{"value": "zone-battle", "name": "Zone battle"}],
        options={"season-mode": "standing-company"},
        tie_breakers=["buchholz", "destroyed"],
        map_kind="zones",
        absent_rule="orders",
        seats=players,
    )
    campaign = campaign_move(campaign=campaign, to="mustering", by=organiser)
    for number in range(players):
        player = Player.objects.create_user(f"player-{number}")
        member_add(club=club, player=player, role="player")
        asked = enrolment_ask(
            campaign=campaign,
            company=_company(player, number),
            by=player,
            doctrine=("cautious", "aggressive")[number % 2],
        )
        enrolment_accept(enrolment=asked, by=organiser)
    return campaign_move(campaign=campaign, to="running", by=organiser)


def _company(player: Player, number: int) -> Company:
    from rosters.services import company_create

    company = company_create(owner=player, system="meks-and-mercs", name=f"Company {number}", points=500)
    for seat in range(2):
        _crew(company, f"Pilot {number}.{seat}")
    return company


def _crew(company: Company, name: str) -> None:
    from rosters.services import pilot_assign, pilot_hire, unit_buy

    unit = unit_buy(company=company, by=company.owner, published="wasp")
    pilot = pilot_hire(company=company, by=company.owner, name=name)
    pilot_assign(company=company, by=company.owner, unit=unit, pilot=pilot)


def restock(campaign: Campaign) -> None:
    """Replace the losses of every company, as far as it can pay."""
    from rosters.ledger.records import company_record
    from rosters.services import RefusedError

    for enrolment in campaign.enrolments.select_related("company__owner"):
        record = company_record(enrolment.company)
        manned = [unit for unit in record.units.values() if unit.status == "ready" and unit.pilot]
        with contextlib.suppress(RefusedError):
            for seat in range(2 - len(manned)):
                _crew(enrolment.company, f"Recruit {seat}")


def play(
    campaign: Campaign, by: Player, *, by_orders: int = FOUGHT_BY_ORDERS, forfeits: int = FOUGHT_BY_ORDERS
) -> float:
    """Play one round, from planning to closing; return the seconds that closing took."""
    from django.utils import timezone

    from campaigns.army_lists.checks import default_list
    from campaigns.army_lists.services import list_submit
    from campaigns.models import Match, Round, RoundClose
    from campaigns.planning.services import round_open, round_plan
    from campaigns.results.rulings import match_rule
    from campaigns.results.services import match_confirm, report_make
    from campaigns.rounds.closing import round_close, round_close_work
    from rosters.services import RefusedError

    restock(campaign)
    row = round_open(round_=round_plan(campaign=campaign, by=by), by=by)
    places = list(campaign.territories.all())
    for at, match in enumerate(row.matches.select_related("attacker__company__owner", "defender__company__owner")):
        if places:
            Match.objects.filter(pk=match.pk).update(territory=places[at % len(places)])
        if match.defender is None or at < by_orders:
            continue  # left to the deadline
        owners = [match.attacker.company.owner, match.defender.company.owner]
        if at < by_orders + forfeits:
            match_rule(match=match, verdict="attacker-forfeits", reason="He never came.", by=by)
            continue
        try:
            for side in (0, 1):
                list_submit(match=match, side=side, by=owners[side], **default_list(match, side))
        except RefusedError:
            continue  # nothing left to field: the deadline decides
        match.refresh_from_db()
        contents = [
            _report(match, at, "attacker"),
            _report(match, at, "attacker" if at > by_orders + forfeits + FOUGHT_BY_ORDERS else "defender"),
        ]
        reported = report_make(match=match, side=0, content=contents[0], by=owners[0])
        if at % 2:
            match_confirm(match=match, side=1, report=reported.reports.get().pk, by=owners[1])
        elif report_make(match=match, side=1, content=contents[1], by=owners[1]).state == "disputed":
            match_rule(match=match, verdict="attacker", reason="The arbiter was there.", by=by)
    Round.objects.filter(pk=row.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    start = time.perf_counter()
    job = RoundClose.claim(round_close(round_=row, by=None).pk)
    assert job is not None
    assert round_close_work(job=job)
    return time.perf_counter() - start


def _report(match: Match, at: int, winner: str) -> dict[str, object]:
    """Return a report: in every fourth match a win with one kill, else no kills, and a draw if the attacker won."""
    if at % 4:
        return {"muster": "report/1", "winner": "draw" if winner == "attacker" else winner, "units": {}}
    killer, killed = (next(iter(force)) for force in match.forces)
    units = {killer: {"kills": 1}, killed: {"destroyed": True}}
    return {"muster": "report/1", "winner": winner, "units": units}


def last_match(campaign: Campaign) -> Match:
    """Return a match of the newest round, preferably a simulated one."""
    matches = campaign.rounds.latest("number").matches
    return matches.exclude(battle=None).first() or matches.earliest("pk")


def look(campaign: Campaign, reader: Player) -> dict[str, tuple[float, int]]:
    """Return the median processor time in milliseconds and the number of queries of each page, for this reader."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    match = last_match(campaign)
    pages = {
        "club": reverse("campaigns:club", args=[campaign.club.slug]),
        "club diary": reverse("campaigns:club_activity_log", args=[campaign.club.slug]),
        "campaign": reverse("campaigns:campaign", args=[campaign.pk]),
        "companies": reverse("campaigns:campaign_companies", args=[campaign.pk]),
        "round": reverse("campaigns:round", args=[campaign.pk, match.round.number]),
        "standings": reverse("campaigns:standings", args=[campaign.pk]),
        "match": reverse("campaigns:match", args=[match.key]),
        "news": reverse("campaigns:gazettes", args=[campaign.pk]),
        "company": reverse("rosters:company", args=[match.attacker.company_id]),
        "home": reverse("home"),
    }
    client, found = Client(), {}
    client.force_login(reader)
    for name, path in pages.items():
        client.get(path)
        spent = []
        for _ in range(LOOKS):
            with CaptureQueriesContext(connection) as queries:
                start = time.process_time()
                status = client.get(path).status_code
                spent.append(time.process_time() - start)
            assert status == 200, (path, status)
        found[name] = (1000 * statistics.median(spent), len(queries))
    return found


def run() -> None:
    """Build the campaign, play it and print the results."""
    from django.core.management import call_command

    from campaigns.models import Match

    start = time.perf_counter()
    campaign = build()
    by = campaign.club.memberships.get(role="organiser").player
    print(f"{PLAYERS} companies mustered in {time.perf_counter() - start:.1f} s; load {os.getloadavg()[0]:.1f}")
    looks = []
    for number in range(1, ROUNDS + 1):
        start = time.perf_counter()
        closing = play(campaign, by)
        states = Counter(
            Match.objects.filter(round__campaign=campaign, round__number=number).values_list("state", flat=True)
        )
        spent = time.perf_counter() - start
        print(f"round {number:2}: {spent:5.1f} s, of which closing {closing:4.1f} s; {dict(states)}")
        if number in (1, ROUNDS):
            looks.append(look(campaign, by))
    print(f"{'page':12} {'1 round':>16} {f'{ROUNDS} rounds':>22}")
    for name, (before, queries) in looks[0].items():
        after, more = looks[1][name]
        print(f"{name:12} {before:6.1f} ms {queries:3} queries {after:7.1f} ms {more:3} queries")
    call_command("reconcile")


if __name__ == "__main__":
    with site(sys.argv[1] if len(sys.argv) > 1 else "sqlite"):
        run()
