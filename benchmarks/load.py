"""Sends fifty players at once to a site as it is deployed: `python -m benchmarks.load [seconds] [players]`.

Starts gunicorn with the deployed configuration, a worker, PostgreSQL and Redis. Each player reads and writes, with a
pause of about a second between requests. Prints the responses by status and their times, compared with a bare page in
the same run; exits with 1 if any response was an error.
"""

from __future__ import annotations

import contextlib
import gzip
import http.client
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from rosters.models import Player

SECONDS, PLAYERS = 60.0, 50
THOUGHT = (0.5, 1.5)  # seconds between two requests of a player
SCALE = 0.02  # the size of the site, see `house`
PATIENCE = 60.0  # seconds until a request is given up
ACT = re.compile(r'name="act" value="([^"]+)"')


@dataclass
class Log:
    """The seconds and statuses of all requests, by what was requested."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, what: str, seconds: float, status: str) -> None:
        with self.lock:
            self.seconds[what].append(seconds)
            self.statuses[what][status] += 1

    def errors(self) -> int:
        return sum(
            number
            for status_counts in self.statuses.values()
            for status, number in status_counts.items()
            if status[0] not in "234"
        )

    def report_lines(self) -> Iterator[str]:
        bare = self.seconds.get("bare page") or [float("nan")]
        beside = _part(bare, 0.95)
        yield f"{'what':22} {'asked':>6} {'p50 ms':>7} {'p95 ms':>7} {'of bare p95':>11}  answers"
        for what, spent in sorted(self.seconds.items()):
            status_counts = ", ".join(f"{status}: {number}" for status, number in sorted(self.statuses[what].items()))
            p50, p95 = statistics.median(spent), _part(spent, 0.95)
            yield f"{what:22} {len(spent):6} {1000 * p50:7.0f} {1000 * p95:7.0f} {p95 / beside:11.1f}  {status_counts}"
        everything = [seconds for spent in self.seconds.values() for seconds in spent]
        yield f"{len(everything)} answers, {self.errors()} errors, p95 {1000 * _part(everything, 0.95):.0f} ms"


def _part(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


class Browser:
    """One player's connection, signed in."""

    def __init__(self, port: int, session: str, log: Log) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.cookies = {"sessionid": session}
        self.log = log

    def ask(self, what: str, path: str, form: dict[str, str] | None = None) -> str:
        """Send a request and return the page; empty if no response came."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        headers |= {"Accept-Encoding": "gzip"}
        body, page = None, b""
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers |= {"Content-Type": "application/x-www-form-urlencoded"}
            headers |= {"X-CSRFToken": self.cookies.get("csrftoken", "")}
        start = time.perf_counter()
        try:
            self.connection.request("POST" if form is not None else "GET", path, body, headers)
            answer = self.connection.getresponse()
            page = answer.read()
            if answer.headers.get("Content-Encoding") == "gzip":
                page = gzip.decompress(page)
            status = str(answer.status)
            for line in answer.headers.get_all("Set-Cookie") or ():
                name, _, value = line.split(";")[0].partition("=")
                self.cookies[name] = value
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            status = type(error).__name__
        self.log.write(what, time.perf_counter() - start, status)
        return page.decode(errors="replace")

    def undo(self, path: str) -> None:
        """Undo the act that this page offers to undo."""
        if act := ACT.search(self.ask("undo, shown", path)):
            self.ask("undo", path, {"act": act[1]})


Act = tuple[int, Callable[[Browser], object]]  # its weight, and the act


class Home(TypedDict):
    """A player's session and belongings."""

    session: str
    company: int
    battles: list[uuid.UUID]
    club: str
    campaign: int


def acts(home: Home, dice: random.Random) -> list[Act]:
    """Return the acts that a player with this company, club and campaign can do."""
    company, pk = f"/companies/{home['company']}/", home["company"]

    def reads(what: str, *paths: str) -> Callable[[Browser], object]:
        return lambda browser: browser.ask(what, dice.choice(paths))

    def writes(what: str, path: str, form: dict[str, str]) -> Callable[[Browser], object]:
        return lambda browser: browser.ask(what, path, form)

    battles = [f"/battles/{key}/" for key in home["battles"]]
    force = {"a": "force:night-shift", "b": "force:archers-guild", "terrain": "plain"}
    doctrines = {"a_doctrine": "aggressive", "b_doctrine": "cautious", "do": "fight"}
    return [
        (10, reads("bare page", "/bare/10000/")),
        (8, reads("home", "/")),
        (10, reads("companies", "/companies/", "/companies/?q=Grey")),
        (14, reads("company", company)),
        (5, reads("ledger", f"{company}ledger/")),
        (8, reads("battles", "/battles/", "/battles/?status=done")),
        (8, reads("battle", *battles)),
        (4, reads("new battle", "/battles/new/")),
        (6, reads("club", f"/clubs/{home['club']}/", f"/campaigns/{home['campaign']}/")),
        (5, reads("API", "/api/v1/battles/", "/api/v1/companies/", f"/api/v1/companies/{pk}/")),
        (8, writes("hire", f"{company}hire/", {"hire-name": "Ada", "hire-experience": "green"})),
        (6, writes("buy", f"{company}buy/", {"what": "published:wasp"})),
        (4, lambda browser: browser.undo(f"{company}undo/")),
        (2, writes("fight", "/try/", force | doctrines)),
    ]


class Web:
    """gunicorn with the deployed configuration, on this port."""

    def __init__(self, port: int) -> None:
        from tests.services import answers, wait_until

        command = [sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn_conf.py", "benchmarks.load_wsgi"]
        environment = os.environ | {"MUSTER_PORT": str(port), "MUSTER_LOG_LEVEL": "ERROR"}
        self.process = subprocess.Popen(command, env=environment, start_new_session=True)
        wait_until(lambda: answers(port), "gunicorn", 60.0, lambda: self.process.poll() is None)

    def stop(self) -> None:
        """Stop it as an operator does."""
        self.process.terminate()
        self.process.wait(30)

    def kill(self) -> None:
        """Kill it with all its children at once, as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextlib.contextmanager
def served() -> Iterator[int]:
    """Yield the port of a running gunicorn."""
    from tests.services import free_port

    port = free_port()
    web = Web(port)
    try:
        yield port
    finally:
        web.stop()


def session_of(player: Player) -> str:
    """Return the key of a session in which the player is signed in."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return session.session_key or ""


def people(count: int) -> list[Home]:
    """Build a site; return new players on it, each with a session and a company."""
    from battles.models import Battle
    from benchmarks import house
    from rosters.models import Player
    from rosters.services import company_create

    made = house.build(house.Size().times(SCALE))
    battles = list(Battle.objects.filter(visibility="public").order_by("-pk").values_list("key", flat=True)[:40])
    found = []
    for number in range(count):
        player = Player.objects.create_user(f"visitor-{number}")
        company = company_create(owner=player, system=house.SYSTEM, name=f"Load {number}", points=900)
        club, campaign = made.campaign.club.slug, made.campaign.pk
        name = session_of(player)
        found.append(Home(session=name, company=company.pk, battles=battles, club=club, campaign=campaign))
    return found


def play(port: int, home: Home, until: float, log: Log, seed: int) -> None:
    dice = random.Random(seed)
    browser = Browser(port, home["session"], log)
    weights, does = zip(*acts(home, dice), strict=True)
    browser.ask("company", f"/companies/{home['company']}/")  # its form has the CSRF token for all writes
    while time.monotonic() < until:
        dice.choices(does, weights)[0](browser)
        time.sleep(dice.uniform(*THOUGHT))


def run(seconds: float = SECONDS, players: int = PLAYERS) -> int:
    """Run the load; return 0 if no answer was an error."""
    from benchmarks.campaign import site
    from tests import services

    with contextlib.ExitStack() as stack:
        os.environ["MUSTER_REDIS_URL"] = stack.enter_context(services.redis())
        stack.enter_context(site("postgres"))
        homes = people(players)
        from django.conf import settings

        worker = services.Worker(os.environ, concurrency=1, beat=False, log=settings.VAR_DIR / "worker.log")
        stack.callback(worker.stop)
        worker.wait_ready()
        port, log = stack.enter_context(served()), Log()
        print(f"{players} players for {seconds:g} s; load {os.getloadavg()[0]:.1f}", flush=True)
        until = time.monotonic() + seconds
        threads = [
            threading.Thread(target=play, args=(port, home, until, log, seed)) for seed, home in enumerate(homes)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for line in log.report_lines():
            print(line)
        return 1 if log.errors() else 0


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    sys.exit(run(given[0] if given else SECONDS, int(given[1]) if len(given) > 1 else PLAYERS))
