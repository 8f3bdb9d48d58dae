"""Simulates a club night on a site as it is deployed: `python -m benchmarks.night [seconds] [tables]`.

There are two phones at each table and a club display in the room. The site runs on gunicorn with the deployed
configuration, a worker, PostgreSQL and Redis. The phones poll their table as often as the page's script does, and mark
and roll every few seconds. Each player also has a battle simulated.

The web server and the worker are restarted three times: twice they are stopped, once they are killed. Prints how long
an act took to reach the other phone, and what was lost. Exits with 1 after an error, an act that was lost or done
twice, or a battle that wasn't simulated.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import statistics
import sys
import threading
import time
import urllib.parse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.load import Web, _part, session_of

if TYPE_CHECKING:
    from battles.models import LiveSeat
    from campaigns.models import Campaign
    from tests.services import Worker

SECONDS, TABLES = 600.0, 20
BEAT = 0.7  # seconds between two polls of a phone
THOUGHT = (3.0, 9.0)  # seconds between two acts of a phone
CLUB_DISPLAY_INTERVAL = 5.0  # seconds between two polls of the club display
PATIENCE = 8.0  # seconds until a phone gives up on an answer
RESTARTS = 3
CORES = 2  # for everything: site, worker, database, phones
ROLLS = 0.2  # share of all acts


@dataclass
class Night:
    """The results."""

    until: float
    answers: Counter[str] = field(default_factory=Counter)  # by request and status
    spent: list[float] = field(default_factory=list)  # seconds until an act was answered
    acts: dict[int, list[tuple[str, float, int]]] = field(default_factory=dict)  # by seat: key, time sent, log length
    looks: dict[int, list[tuple[float, int]]] = field(default_factory=dict)  # by seat: time, log length
    waiting: Counter[int] = field(default_factory=Counter)  # by seat: acts without an answer at the end
    down: list[tuple[float, float]] = field(default_factory=list)  # start and end of each outage
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        with self.lock:
            self.answers[what] += 1


class Phone:
    """The phone of one side of a table."""

    def __init__(self, port: int, seat: LiveSeat, cells: list[str], session: str, night: Night) -> None:
        self.port, self.seat, self.cells, self.night = port, seat.pk, cells, night
        self.path = f"/table/{seat.key}/"
        self.cookies = {"sessionid": session}
        self.dice = random.Random(seat.pk)
        self.tag = ""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        night.acts[self.seat], night.looks[self.seat] = [], []

    def ask(self, what: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Send a request; return its status and ETag, or status 0 if the site couldn't be reached."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "X-Live": "1"}
            headers |= {"X-CSRFToken": self.cookies["csrftoken"]}
        elif self.tag:
            headers["If-None-Match"] = self.tag
        try:
            self.connection.request("GET" if form is None else "POST", path, body, headers)
            answer = self.connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.night.count(f"{what}: not reached")
            return 0, ""
        for line in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = line.split(";")[0].partition("=")
            self.cookies[name] = value
        self.night.count(f"{what}: {answer.status}")
        return answer.status, answer.headers.get("ETag", "")

    def saw(self, tag: str) -> int:
        """Note the ETag of a response, and return the length of the log that it contains."""
        self.tag = tag
        length = int(tag.strip('W/"').split("-")[0])
        self.night.looks[self.seat].append((time.monotonic(), length))
        return length

    def look(self) -> None:
        status, tag = self.ask("look", f"{self.path}part/")
        if status == 200:
            self.saw(tag)

    def act(self) -> None:
        """Do one act; like the page's script, send it until it is answered."""
        key = f"{self.seat:06}-{len(self.night.acts[self.seat]):06}"
        form = {"act": key, "phone": f"phone-{self.seat}", "seen": "0"}
        if self.dice.random() < ROLLS:
            form |= {"dice": "2", "sides": "6", "need": "8", "what": "To hit", "do": "roll"}
        else:
            form["set"] = f"{self.dice.choice(self.cells)}:{self.dice.randrange(2)}"
        sent = time.monotonic()
        while True:
            status, tag = self.ask("act", f"{self.path}act/", form)
            if status == 200:
                self.night.acts[self.seat].append((key, sent, self.saw(tag)))
                self.night.spent.append(time.monotonic() - sent)
                return
            if time.monotonic() > self.night.until + 60:
                self.night.waiting[self.seat] += 1
                return
            time.sleep(BEAT)

    def play(self) -> None:
        while "csrftoken" not in self.cookies:
            self.ask("sheet", self.path)
        time.sleep(self.dice.uniform(0, BEAT))
        due = time.monotonic() + self.dice.uniform(*THOUGHT)
        while time.monotonic() < self.night.until:
            if time.monotonic() >= due:
                self.act()
                due = time.monotonic() + self.dice.uniform(*THOUGHT)
            else:
                self.look()
            time.sleep(BEAT)
        for _ in range(5):  # the other phone's last acts
            self.look()
            time.sleep(BEAT)


def club_display(port: int, path: str, night: Night) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    while time.monotonic() < night.until:
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            night.count(f"wall: {answer.status}")
        except (OSError, http.client.HTTPException):
            night.count("wall: not reached")
        connection.close()  # servers don't keep it open that long
        time.sleep(CLUB_DISPLAY_INTERVAL)


def seats(campaign: Campaign, tables: int) -> Iterator[tuple[LiveSeat, list[str]]]:
    """Start a round's tables; yield each seat with the cells that its side can mark."""
    from battles.live.sheet import table_sheet
    from campaigns.army_lists.checks import default_list
    from campaigns.army_lists.services import list_submit
    from campaigns.live_tables import match_table_seat
    from campaigns.planning.services import round_open, round_plan
    from systems.reading import stored_setup

    by = campaign.club.memberships.get(role="organiser").player
    row = round_open(round_=round_plan(campaign=campaign, by=by), by=by)
    for match in row.matches.select_related("attacker__company__owner", "defender__company__owner")[:tables]:
        assert match.defender is not None
        owners = [match.attacker.company.owner, match.defender.company.owner]
        for side in (0, 1):
            list_submit(match=match, side=side, by=owners[side], **default_list(match, side))
        match.refresh_from_db()
        for side in (0, 1):
            seat = match_table_seat(match=match, side=side, by=owners[side])
            cells = table_sheet(stored_setup(seat.table.setup)).cells
            yield seat, [name for name, cell in cells.items() if cell.takes(0) and cell.takes(1)]


def result_lines(night: Night) -> Iterator[str]:
    """Yield the lines of the report; the last one contains the numbers of lost acts and errors."""
    from battles.models import LiveEvent, LiveSeat

    others = {
        seat.pk: other.pk
        for seat in LiveSeat.objects.filter(pk__in=night.acts)
        for other in LiveSeat.objects.filter(table=seat.table_id).exclude(pk=seat.pk)
    }
    late, apart, unseen = [], [], 0
    for seat, acts in night.acts.items():
        looks = night.looks[others[seat]]
        for _key, sent, place in acts:
            seen = next((when for when, length in looks if length >= place), None)
            if seen is None:
                unseen += 1
                continue
            late.append(max(0.0, seen - sent))
            if not any(since - PATIENCE < sent < until + BEAT for since, until in night.down):
                apart.append(late[-1])
    kept = Counter(LiveEvent.objects.values_list("once", flat=True))
    asked = [key for acts in night.acts.values() for key, _, _ in acts]
    lost = sum(key not in kept for key in asked)
    twice = sum(number > 1 for number in kept.values())
    errors = sum(
        number
        for what, number in night.answers.items()
        if what.split(": ")[1] not in ("200", "302", "304", "not reached")
    )
    yield "; ".join(f"{what} {number}" for what, number in sorted(night.answers.items()))
    away = ", ".join(f"{until - since:.1f} s" for since, until in night.down)
    yield f"web and worker down and up again: {away}"
    yield f"an act answered: p50 {1000 * statistics.median(night.spent):.0f} ms, p95 {1000 * _part(night.spent, 0.95):.0f} ms"
    for name, spent in (("all night", late), ("but for the restarts", apart)):
        if not spent:
            yield f"seen by the other phone, {name}: no acts"
            continue
        p50, p95 = statistics.median(spent), _part(spent, 0.95)
        yield f"seen by the other phone, {name}: {len(spent)} acts, p50 {1000 * p50:.0f} ms, p95 {1000 * p95:.0f} ms, most {max(spent):.1f} s"
    yield f"{len(asked)} acts: {lost} lost, {twice} done twice, {unseen} not seen, {sum(night.waiting.values())} not answered; {errors} errors"


def pin() -> int:
    """Limit this process and its future children to the cores of a small machine; return their number."""
    cores = sorted(os.sched_getaffinity(0))[:CORES]
    os.sched_setaffinity(0, cores)
    return len(cores)


def run(seconds: float = SECONDS, tables: int = TABLES) -> int:
    """Run the night; return 0 if nothing went wrong."""
    from benchmarks import campaign as club_campaign
    from tests import services

    cores = pin()
    with contextlib.ExitStack() as stack:
        os.environ["MUSTER_REDIS_URL"] = stack.enter_context(services.redis())
        stack.enter_context(club_campaign.site("postgres"))
        club_campaign.PLAYERS = 2 * tables
        from django.conf import settings

        from battles.models import Battle
        from battles.services.battles import battle_queue
        from battles.tasks import battle_resolve
        from campaigns.clubs.services import display_link_create
        from rosters.jobs import JobStatus
        from systems import battle_rules
        from systems.setups import setup_json

        campaign = club_campaign.build()
        by = campaign.club.memberships.get(role="organiser").player
        found = list(seats(campaign, tables))
        link = display_link_create(club=campaign.club, by=by)

        def worker(number: int) -> Worker:
            made = services.Worker(os.environ, concurrency=1, beat=True, log=settings.VAR_DIR / f"worker-{number}.log")
            made.wait_ready()
            return made

        port = services.free_port()
        night = Night(until=0.0)
        site: list[Web | Worker] = [Web(port), worker(0)]
        stack.callback(lambda: [each.kill() for each in site])
        phones = [Phone(port, seat, cells, session_of(seat.player), night) for seat, cells in found if seat.player]
        setup = setup_json(battle_rules("mech-campaign").example())
        battles = [battle_queue(setup=setup, actor=seat.player) for seat, _cells in found]
        for battle in battles:
            battle_resolve.delay(battle.pk)
        print(
            f"{len(phones)} phones and a club display for {seconds:g} s; {cores} cores; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        night.until = time.monotonic() + seconds
        threads = [threading.Thread(target=phone.play) for phone in phones]
        threads.append(threading.Thread(target=club_display, args=(port, f"/wall/{link.key}/now/", night)))
        for thread in threads:
            thread.start()
        for at in range(RESTARTS):
            time.sleep(max(0.0, night.until - seconds * (RESTARTS - at) / (RESTARTS + 1) - time.monotonic()))
            since = time.monotonic()
            is_cut = at == 1  # a power cut: both end at once, and the operator starts the web server first
            for each in site if is_cut else site[:1]:
                each.kill() if is_cut else each.stop()
            web = Web(port)
            night.down.append((since, time.monotonic()))
            if not is_cut:
                site[1].stop()
            site[:] = [web, worker(at + 1)]
        for thread in threads:
            thread.join()
        lines = list(result_lines(night))
        print("\n".join(lines))
        fought = Battle.objects.filter(pk__in=[each.pk for each in battles], status=JobStatus.DONE).count()
        print(f"{fought} of {len(battles)} battles fought by the worker")
        is_well = fought == len(battles) and " 0 lost, 0 done twice, 0 not seen, 0 not answered; 0 errors" in lines[-1]
        return 0 if is_well else 1


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    sys.exit(run(given[0] if given else SECONDS, int(given[1]) if len(given) > 1 else TABLES))
