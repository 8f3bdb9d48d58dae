"""Workers send heartbeats, and pages say if no worker runs for a waiting job."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.odds.services import forecast_ask
from battles.services.battles import battle_queue
from campaigns.models import RoundClose
from rosters.models import WorkerHeartbeat
from rosters.site import heartbeats
from rosters.site.heartbeats import Heartbeat, is_served
from tests.battles.builders import duel, player
from tests.campaigns.builders import a_campaign, a_match, a_round
from tests.example_shares import in_every_run
from tests.rosters.paper.test_jobs import ask
from tests.services import Worker, wait_until

NOBODY = "The server is busy or restarting. This will start automatically."


def add_worker(queues: str = "battles,forecasts,print", *, seconds_ago: float = 0) -> None:
    seen_at = timezone.now() - timedelta(seconds=seconds_ago)
    WorkerHeartbeat.objects.update_or_create(name="here:1", defaults={"queues": queues, "seen_at": seen_at})


def warns_of_no_worker(client: Any, url: str) -> bool:
    return NOBODY in client.get(url, follow=True).content.decode()


@pytest.mark.django_db
def test_waiting_battle_shows_that_no_worker_runs(client: Any):
    battle = battle_queue(setup=duel(), seed=1, actor=player())
    pages = [f"/battles/{battle.key}/", f"/battles/{battle.key}/progress/"]
    assert [warns_of_no_worker(client, page) for page in pages] == [True, True]
    add_worker()
    assert [warns_of_no_worker(client, page) for page in pages] == [False, False]
    add_worker(seconds_ago=60)
    assert [warns_of_no_worker(client, page) for page in pages] == [True, True]


@pytest.mark.django_db
def test_waiting_odds_show_that_no_worker_runs(client: Any):
    forecast, _ = forecast_ask(setup=duel(), runs=1_000, actor=player())
    assert warns_of_no_worker(client, f"/odds/{forecast.key}/")
    add_worker()
    assert not warns_of_no_worker(client, f"/odds/{forecast.key}/")


@pytest.mark.django_db
def test_worker_for_battles_serves_no_prints(client: Any):
    kim = player()
    job = ask(actor=kim)
    client.force_login(kim)
    add_worker("battles,forecasts")
    assert is_served("battles")
    assert warns_of_no_worker(client, reverse("rosters:print-job", args=[job.key]))
    add_worker("print")
    assert not is_served("battles")
    assert not warns_of_no_worker(client, reverse("rosters:print-job", args=[job.key]))


@pytest.mark.django_db
def test_waiting_round_close_shows_that_no_worker_runs(client: Any):
    row = a_round(a_campaign())
    a_match(row)
    client.force_login(row.campaign.club.memberships.get(role="organiser").player)
    RoundClose.objects.create(round=row, steps=[{"title": "Count", "state": "waiting", "text": ""}])
    page = reverse("campaigns:round", args=[row.campaign_id, row.number])
    assert warns_of_no_worker(client, page)
    add_worker()
    assert not warns_of_no_worker(client, page)


@pytest.mark.django_db
def test_worker_check_makes_one_query(django_assert_num_queries: Any):
    with django_assert_num_queries(1):
        assert not is_served("print")


def test_stopped_heartbeat_sends_no_more(monkeypatch: pytest.MonkeyPatch):
    done: list[str] = []
    reached, may_go_on = threading.Event(), threading.Event()

    def slow_beat(*, main: int) -> None:
        reached.set()
        may_go_on.wait(30)
        done.append("beat")

    monkeypatch.setattr(heartbeats, "worker_beat", slow_beat)
    monkeypatch.setattr(heartbeats, "BEAT_SECONDS", 0.0)
    beats = Heartbeat(main=1)
    beats.start()
    assert reached.wait(30)
    threading.Timer(0.05, may_go_on.set).start()
    beats.end()
    assert done == ["beat"]  # the current one ends, and no other begins


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize("broker", in_every_run(["redis"], ["filesystem", "redis"]))
def test_real_worker_is_seen_and_signs_off(start_worker: Callable[..., Worker], broker: str):
    worker = start_worker(broker)
    wait_until(lambda: is_served("battles") and is_served("print"), "a sign of life")
    worker.stop()
    assert not WorkerHeartbeat.objects.exists()
