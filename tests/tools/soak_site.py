"""Run a site as started by `make run` with some players, and print its memory over time.

    python -m tests.tools.soak_site [MINUTES [SECONDS_BETWEEN_BATTLES]]

Players take turns asking for battles on the home page, and look at each of them later. Defaults: 60 minutes and 2
seconds.
"""

from __future__ import annotations

import http.cookiejar
import re
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import deque
from pathlib import Path

from tests.tools.site import Site, memory_of

PLAYERS = 3  # each may ask for 1,200 battles an hour
SAMPLE_SECONDS = 30.0
LOOK_AFTER_SECONDS = 10.0  # a battle should have ended by then
LOOKS = 30  # before a battle counts as failed
FORM = {
    "a": "force:night-shift", "b": "force:archers-guild", "terrain": "plain", "a_doctrine": "aggressive",
    "b_doctrine": "cautious", "do": "fight",
}  # fmt: skip


class Visitor:
    """A browser with its cookies, signed up with a name."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.get("/accounts/signup/")
        password = "soak-the-site-7"
        self.post(
            "/accounts/signup/",
            {"username": name, "email": f"{name}@example.org", "password1": password, "password2": password},
        )

    def get(self, path: str) -> tuple[str, str]:
        """Return the final address, and the page."""
        with self.opener.open(urllib.parse.urljoin(self.url, path), timeout=60) as answer:
            return answer.geturl(), answer.read().decode()

    def post(self, path: str, form: dict[str, str]) -> tuple[str, str]:
        token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
        data = urllib.parse.urlencode(form | {"csrfmiddlewaretoken": token}).encode()
        with self.opener.open(urllib.parse.urljoin(self.url, path), data, timeout=60) as answer:
            return answer.geturl(), answer.read().decode()


def main(minutes: float, between: float) -> int:
    """Return 0 if every battle was simulated, else 1."""
    with tempfile.TemporaryDirectory(prefix="muster-soak-") as name:
        site = Site(Path(name))
        try:
            site.wait_until_open()
            return watch(site, minutes * 60, between)
        finally:
            site.stop()


def watch(site: Site, seconds: float, between: float) -> int:
    visitors = [Visitor(site.url, f"soaker{number}") for number in range(PLAYERS)]
    samples: list[dict[str, int]] = []
    battles: deque[tuple[float, str, int]] = deque()  # time of the next look, address, number of looks
    asked = done = failed = 0
    began = time.monotonic()
    sampled = -SAMPLE_SECONDS
    while (now := time.monotonic() - began) < seconds or battles:
        if now < seconds and now >= asked * between:
            try:
                address, _ = visitors[asked % PLAYERS].post("/try/", FORM)
                battles.append((now + LOOK_AFTER_SECONDS, address, 0))
            except (OSError, urllib.error.HTTPError) as error:
                failed += 1
                print(f"{now:6.0f} s: a battle could not be asked for: {error}", flush=True)
            asked += 1
        while battles and battles[0][0] <= now:
            _, address, looks = battles.popleft()
            if 'class="outcome"' in visitors[0].get(address)[1]:
                done += 1
            elif looks < LOOKS:
                battles.append((now + LOOK_AFTER_SECONDS, address, looks + 1))
            else:
                failed += 1
        if now - sampled >= SAMPLE_SECONDS:
            sampled = now
            samples.append(sample(site))
            memory = ", ".join(f"{name} {kib // 1024} MiB" for name, kib in samples[-1].items())
            print(f"{now:6.0f} s: {asked} asked for, {done} done; {memory}", flush=True)
        time.sleep(min(0.2, between / 4))
    print(table(samples))
    restarts = len(re.findall("it is started again", site.output()))
    print(f"{asked} battles asked for, {done} done, {failed} not; {restarts} processes started again")
    return 0 if done == asked else 1


def sample(site: Site) -> dict[str, int]:
    """Return the memory in KiB, by child and in total; memory shared by processes counts for each of them."""
    found = {name: sum(map(memory_of, site.processes(name))) for name in ("web", "worker")}
    found["supervisor"] = memory_of(site.process.pid)
    return found | {"all": sum(found.values())}


def table(samples: list[dict[str, int]]) -> str:
    """Format first, last and maximum of each, and the means of the quarters, which show growth."""
    rows = [f"{'MiB':12}{'first':>8}{'last':>8}{'most':>8}   means of the quarters"]
    for name in samples[0]:
        column = [each[name] / 1024 for each in samples]
        quarter = max(1, len(column) // 4)
        parts = [column[at : at + quarter] for at in range(0, quarter * 4, quarter)]
        means = "".join(f"{sum(part) / len(part):>8.0f}" for part in parts if part)
        rows.append(f"{name:12}{column[0]:>8.0f}{column[-1]:>8.0f}{max(column):>8.0f}   {means}")
    return "\n".join(rows)


if __name__ == "__main__":
    minutes, between = (float(part) for part in (*sys.argv[1:], *("60", "2")[len(sys.argv) - 1 :]))
    sys.exit(main(minutes, between))
