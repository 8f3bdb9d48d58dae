"""Battles and odds in a real, separate worker that is killed midway: nothing is lost or done twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from battles.models import Battle, Chunk, Forecast, Record
from battles.odds import chunks
from battles.odds.services import forecast_ask, forecast_work
from rosters.jobs import JobStatus
from systems.reading import read_setup
from systems.simulation.odds import tally
from tests.battles.builders import duel, player, result_of
from tests.conftest import DATABASE
from tests.services import Worker, wait_until

RUNS = 400_000
BROKERS = pytest.mark.parametrize(  # the broker of a site with SQLite, and that of one with PostgreSQL. The other pair is a proof.
    "broker",
    [
        pytest.param("filesystem", marks=() if DATABASE == "sqlite" else pytest.mark.proof),
        pytest.param("redis", marks=pytest.mark.any_database),
    ],
)
LEASE = {"MUSTER_JOB_LEASE_SECONDS": "3"}


@BROKERS
def test_worker_fights_the_home_pages_battle(start_worker: Callable[..., Worker], broker: str, client: Any):
    start_worker(broker)
    form = {"a": "force:night-shift", "b": "force:archers-guild", "terrain": "plain"}
    answer = client.post("/try/", form | {"a_doctrine": "aggressive", "b_doctrine": "cautious", "do": "fight"})
    assert answer.status_code == 302
    wait_until(lambda: Battle.objects.get().status == JobStatus.DONE, "the battle")
    assert Record.objects.count() == 1
    assert "wins" in client.get(answer.headers["Location"]).content.decode() or result_of(Battle.objects.get())["draw"]


@pytest.mark.slow
@BROKERS
def test_worker_killed_midway_loses_no_results(start_worker: Callable[..., Worker], broker: str):
    worker = start_worker(broker, env=LEASE)
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=RUNS, seed=11, actor=player())
    wait_until(lambda: Forecast.objects.get().runs_done > 0, "the first figures", 90.0)
    worker.kill()
    killed = Forecast.objects.get()
    assert killed.status == JobStatus.RUNNING
    assert 0 < killed.runs_done < RUNS

    again = start_worker(broker, env=LEASE)
    wait_until(lambda: Forecast.objects.get().is_over, "the rest", 90.0)
    done = Forecast.objects.get()
    assert (done.status, done.runs_done) == (JobStatus.DONE, RUNS)
    assert done.counts == tally(read_setup(duel("demon", "saber")), 11, 0, RUNS).to_json()
    ended = done.ended_at
    again.stop()  # lets the rest of the queue run
    assert Forecast.objects.get().ended_at == ended


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize(
    "workers", [pytest.param(1, marks=pytest.mark.proof), 2, pytest.param(4, marks=pytest.mark.proof)]
)
def test_forecast_does_not_depend_on_the_number_of_workers(start_worker: Callable[..., Worker], workers: int):
    start_worker(concurrency=workers)
    kim = player()
    whole, _ = forecast_ask(setup=duel("demon", "saber"), runs=RUNS, seed=12, actor=kim)
    narrow, _ = forecast_ask(setup=duel("demon", "saber"), runs=RUNS, seed=13, half_width=0.004, actor=kim)
    wait_until(lambda: all(row.is_over for row in Forecast.objects.all()), "both", 90.0)
    whole.refresh_from_db()
    narrow.refresh_from_db()
    assert (whole.status, narrow.status) == (JobStatus.DONE, JobStatus.DONE)
    assert whole.counts == tally(read_setup(whole.setup), 12, 0, RUNS).to_json()
    assert narrow.counts == tally(read_setup(narrow.setup), 13, 0, narrow.runs_done).to_json()
    assert narrow.runs_done == 32_000
    assert not Chunk.objects.exists()


@pytest.mark.slow
@pytest.mark.any_database
def test_second_worker_continues_when_one_is_killed(start_worker: Callable[..., Worker]):
    doomed = start_worker(env=LEASE)
    start_worker(env=LEASE, beat=True)
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=RUNS, seed=14, actor=player())
    wait_until(lambda: Chunk.objects.filter(lease__isnull=False).count() == 2, "both at work", 60.0)
    doomed.kill()
    assert not Forecast.objects.get().is_over
    wait_until(lambda: Forecast.objects.get().is_over, "the rest", 90.0)
    done = Forecast.objects.get()
    assert (done.status, done.runs_done) == (JobStatus.DONE, RUNS)
    assert done.counts == tally(read_setup(done.setup), 14, 0, RUNS).to_json()


@pytest.mark.skipif(DATABASE == "sqlite", reason="threads of this process share one connection to SQLite's test file")
def test_parallel_workers_take_different_chunks(transactional_db: None):
    forecast, _ = forecast_ask(setup=duel(), runs=50_000, seed=15, actor=player())
    claimed = Forecast.claim(forecast.pk)
    assert claimed is not None
    work = forecast_work(forecast=claimed)

    def take(_number: int) -> list[tuple[int, int]]:
        try:
            taken = [chunks._take(claimed, work, 100) for _ in range(25)]
            return [(chunk.first, chunk.runs) for chunk in taken if chunk]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        found = sorted(chunk for taken in pool.map(take, range(8)) for chunk in taken)
    assert found == [(first, 100) for first in range(0, 20_000, 100)]
