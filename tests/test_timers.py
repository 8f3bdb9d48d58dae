"""Timers keep running after the clock was wrong, and record when their work is done."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from config.beat import Scheduler
from config.celery import app
from rosters.site import heartbeats
from tests.services import Worker, wait_until

HOUR, DAY = 3600.0, 86_400.0


class Beat:
    """A timer with a clock that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)
        self.sent: list[str] = []
        monkeypatch.setattr(app, "now", lambda: self.now)
        monkeypatch.setattr("config.beat.note_start", lambda: True)
        monkeypatch.setattr(Scheduler, "producer", None)
        monkeypatch.setattr(Scheduler, "apply_async", lambda _, entry, **kwargs: self.sent.append(entry.name))
        self.scheduler = Scheduler(app=app)

    def shift_clock(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def run(self, seconds: float) -> list[str]:
        """Return the tasks that it sends in that time."""
        self.sent.clear()
        left = seconds
        while left > 0:
            pause = min(max(self.scheduler.tick(), 0.01), left)
            self.shift_clock(pause)
            left -= pause
        return list(self.sent)


def test_timers_continue_after_the_clock_was_a_day_ahead(monkeypatch: pytest.MonkeyPatch):
    beat = Beat(monkeypatch)
    usual = beat.run(HOUR)
    beat.shift_clock(DAY)
    assert beat.run(60).count("sweep-lapsed-jobs") >= 10
    beat.shift_clock(-DAY)
    after = beat.run(HOUR)
    assert set(usual) == set(settings.CELERY_BEAT_SCHEDULE)
    assert [name for name in set(usual) if abs(after.count(name) - usual.count(name)) > 1] == []


def test_restart_forgets_a_wrong_clock(monkeypatch: pytest.MonkeyPatch):
    beat = Beat(monkeypatch)
    beat.shift_clock(DAY)
    beat.run(60)
    beat.shift_clock(-DAY)
    beat.scheduler = Scheduler(app=app)
    assert beat.run(60).count("sweep-lapsed-jobs") >= 10


def test_worker_records_timers_work_and_beats_start(start_worker: Callable[..., Worker]):
    start_worker(beat=True)
    wait_until(lambda: not any(timer.is_late for timer in heartbeats.timers()), "beat", 60.0)
    started_at = {timer.name: timer.seen_at for timer in heartbeats.timers()}["count-balances"]
    wait_until(
        lambda: {each.name: each.seen_at for each in heartbeats.timers()}["sweep-lapsed-jobs"] != started_at,
        "the sweep", 60.0,
    )  # fmt: skip
