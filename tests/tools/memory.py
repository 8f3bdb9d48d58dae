"""Measure the memory of a site: `make memory`.

Start a site as `make run` does on a small machine (one web process, one worker process), and wait until it is idle.
Then simulate 20 battles and print 20 designs while pages are read. Print the proportional set size, which counts shared
pages once: by process when idle, and at its peak. Linux only.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import cycle, islice, zip_longest
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from systems import ROSTERS, roster_rules  # noqa: E402 - Django must be set up first
from tests.tools.form_pages import forms_on  # noqa: E402
from tests.tools.site import Site  # noqa: E402
from tests.tools.soak_site import FORM, Visitor  # noqa: E402

SMALL = {"MUSTER_WEB_PROCESSES": "1", "MUSTER_WORKER_PROCESSES": "1"}
BATTLES = PRINTS = 20
VISITORS = 4  # a player may have ten prints in progress
PAGES = ("/", "/designs/", "/rules/", "/battles/", "/companies/", "/scenarios/", "/clubs/")
OPEN_PATIENCE, REST_SECONDS = 900.0, 60.0
REST_SAMPLES, SAMPLE_SECONDS = 15, 2.0
JOB_PATIENCE = 900.0  # seconds for all battles and prints together


def main() -> int:
    """Measure and print; return 1 if a battle or a print didn't finish."""
    with tempfile.TemporaryDirectory(prefix="muster-memory-") as name:
        site = Site(Path(name), settings=SMALL)
        try:
            site.wait_until_open(OPEN_PATIENCE)
            return measure(site)
        finally:
            site.stop()


def measure(site: Site) -> int:
    visitors = [Visitor(site.url, f"visitor{number}") for number in range(VISITORS)]
    for path in PAGES:
        visitors[0].get(path)
    time.sleep(REST_SECONDS)
    while any("warm_rules" in name for name in memory_by_process(site)):  # rules are compiled once
        time.sleep(1)
    report("At rest", rest := median_memory(site))
    jobs = [(visitor, visitor.post("/try/", FORM)[0]) for visitor in islice(cycle(visitors), BATTLES)]
    asked = islice(zip(cycle(visitors), design_pages(), strict=False), PRINTS)
    jobs += [(visitor, ask_for_print(visitor, path)) for visitor, path in asked]
    peak, ended, began = rest, set[str](), time.monotonic()
    while len(ended) < len(jobs) and time.monotonic() < began + JOB_PATIENCE:
        for visitor, address in jobs:
            if address not in ended and is_done(visitor.get(address)[1]):
                ended.add(address)
            peak = max(peak, memory_by_process(site), key=lambda found: sum(found.values()))
    report(f"The most while {BATTLES} battles and {PRINTS} prints ran", peak)
    print(f"{len(ended)} of {len(jobs)} done in {time.monotonic() - began:.0f} s")
    return 0 if len(ended) == len(jobs) else 1


def ask_for_print(visitor: Visitor, path: str) -> str:
    """Send the form of a print page unchanged; return the address of its job."""
    forms = forms_on(visitor.get(path)[1], role="visitor", page=path)
    form = next(each for each in forms if ("do", "print") in each.pairs)
    return visitor.post(path, dict(form.pairs))[0]


def design_pages() -> Iterable[str]:
    """Return the print pages of published designs, alternating between games."""
    pages = [[f"/print/design/{game}/{slug}/" for slug in roster_rules(game).published] for game in ROSTERS]
    return (page for each in zip_longest(*pages) for page in each if page)


def is_done(page: str) -> bool:
    return 'class="outcome"' in page or "file.pdf" in page


def median_memory(site: Site) -> dict[str, float]:
    """Return the sample with the median total, because a process may be starting during any one."""
    samples = []
    for _ in range(REST_SAMPLES):
        time.sleep(SAMPLE_SECONDS)
        samples.append(memory_by_process(site))
    return sorted(samples, key=lambda found: sum(found.values()))[len(samples) // 2]


def memory_by_process(site: Site) -> dict[str, float]:
    """Return the proportional set size in MiB, by process ID and command."""
    found = {}
    for pid in (site.process.pid, *site.processes()):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            match = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        except OSError:
            continue  # the process has ended
        if match:
            found[f"{pid} {short(command)}"] = int(match[1]) / 1024
    return found


def short(command: str) -> str:
    words = ("deploy.supervisor", "deploy.worker", "gunicorn", "celery", "warm_rules")
    return next((word for word in words if word in command), command[:40])


def report(title: str, found: dict[str, float]) -> None:
    print(f"{title}: {sum(found.values()):.0f} MiB", flush=True)
    for name, mib in found.items():
        print(f"  {mib:5.0f}  {name}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
