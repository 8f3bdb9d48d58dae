"""Battles and odds in a real, separate worker, which is killed in the middle: nothing is lost, nothing done twice."""

from collections.abc import Callable
from typing import Any

import pytest

from battles.documents import read_setup
from battles.engine.odds import tally
from battles.models import Battle, Forecast, Record
from battles.services.forecasts import forecast_ask
from rosters.jobs import JobStatus
from tests.battles.builders import duel, player, result_of
from tests.services import Worker, wait_until

RUNS = 400_000
LEASE = {"MUSTER_JOB_LEASE_SECONDS": "3"}


@pytest.mark.parametrize("broker", ["filesystem", "redis"])
def test_a_battle_pressed_on_the_home_page_is_fought_by_the_worker(
    start_worker: Callable[..., Worker], broker: str, client: Any
):
    start_worker(broker)
    form = {"a": "force:night-shift", "b": "force:archers-guild", "terrain": "plain"}
    answer = client.post("/try/", form | {"a_doctrine": "aggressive", "b_doctrine": "cautious", "do": "fight"})
    assert answer.status_code == 302
    wait_until(lambda: Battle.objects.get().status == JobStatus.DONE, "the battle")
    assert Record.objects.count() == 1
    assert "wins" in client.get(answer.headers["Location"]).content.decode() or result_of(Battle.objects.get())["draw"]


@pytest.mark.parametrize("broker", ["filesystem", "redis"])
def test_a_worker_killed_in_the_middle_of_a_forecast_loses_nothing(start_worker: Callable[..., Worker], broker: str):
    worker = start_worker(broker, env=LEASE)
    forecast, _ = forecast_ask(setup=duel("demon", "saber"), runs=RUNS, seed=11, actor=player())
    wait_until(lambda: Forecast.objects.get().runs_done > 0, "the first figures", 90.0)
    worker.kill()
    killed = Forecast.objects.get()
    assert killed.status in (JobStatus.RUNNING, JobStatus.QUEUED)
    assert 0 < killed.runs_done < RUNS

    again = start_worker(broker, env=LEASE)
    wait_until(lambda: Forecast.objects.get().is_over, "the rest", 90.0)
    done = Forecast.objects.get()
    assert (done.status, done.runs_done) == (JobStatus.DONE, RUNS)
    assert done.counts == tally(read_setup(duel("demon", "saber")), 11, 0, RUNS).to_json()
    ended = done.ended_at
    again.stop()  # lets what is left in the queue run
    assert Forecast.objects.get().ended_at == ended
