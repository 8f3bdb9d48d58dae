"""The servers of a site under load, killed hundreds of times with SIGKILL: nothing is lost, doubled or left.

MUSTER_TEST_KILLS is the number of kills per site (40); `-s` prints the figures.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.kills.load import Load
from tests.kills.site import PATIENCE, Site
from tests.services import wait_until

KILLS = int(os.environ.get("MUSTER_TEST_KILLS", "40"))
SECONDS = 2.0  # between two kills
PLAYERS = 6
ROUND_INTERVAL = 20.0  # seconds
SEED = int(os.environ.get("MUSTER_TEST_SEED", "1"))

pytestmark = pytest.mark.proof


@pytest.fixture
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    database, broker = request.param
    made = Site(database, broker, tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("site", [("postgres", "redis"), ("sqlite", "files")], indirect=True, ids="-".join)
def test_servers_killed_at_random_lose_and_double_nothing(site: Site, tmp_path: Path):
    began = time.monotonic()
    site.open()
    rounds = int(KILLS * SECONDS / ROUND_INTERVAL) + 1
    players = json.loads(site.run("-m", "tests.kills.world", str(PLAYERS), str(rounds), str(ROUND_INTERVAL)))
    load = Load(site.port, players, SEED)
    chance = random.Random(SEED)
    load.start()
    print(f"\n{site.database} and {site.broker}: open after {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    for number in range(KILLS):
        time.sleep(max(0.0, began + (number + 1) * SECONDS - time.monotonic()))
        site.look_after()
        site.kill_one(chance)
        if number % 10 == 9:  # let all servers be up from time to time
            site.wait_until_open()
            began = time.monotonic() - (number + 1) * SECONDS
            print(f"{number + 1} kills, {len(load.acts)} acts", flush=True)
    site.wait_until_open()
    time.sleep(5)
    load.stop()
    print(f"{sum(site.kills.values())} kills: {dict(site.kills.most_common())}", flush=True)
    print(f"answers: {dict(load.count_answers().most_common())}", flush=True)

    wait_until(lambda: _is_quiet(site), "all jobs are over", 2 * PATIENCE)
    acts = tmp_path / "acts.json"
    acts.write_text(json.dumps([asdict(act) for act in load.acts]))
    found = json.loads(site.run("-m", "tests.kills.checks", "check", str(acts)).splitlines()[-1])
    alone = {server.name: server.ended_by_itself for server in site.servers if server.ended_by_itself}
    print(f"ended by themselves: {alone}")
    print("\n".join(f"{count:>7} {what}" for what, count in found["figures"].items()))
    assert found["wrong"] == []


def _is_quiet(site: Site) -> bool:
    site.look_after()
    time.sleep(2)
    return not json.loads(site.run("-m", "tests.kills.checks", "open"))
