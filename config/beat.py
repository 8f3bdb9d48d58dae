"""The timer's schedule. It can be kept in memory, because every entry runs at least hourly or by the clock."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from celery import beat
from django.db import connection

from rosters.site.heartbeats import note_start


class Scheduler(beat.Scheduler):
    """Scheduler that keeps running after the clock is set back.

    While a clock is fast it writes future times into the schedule, and nothing would run until they are reached.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.ticked_at: datetime | None = None
        self.is_start_noted = False
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        now = self.app.now()
        if self.ticked_at and now < self.ticked_at:
            self.forget_future()
        self.ticked_at = now
        if not self.is_start_noted:
            self.is_start_noted = note_start()
            connection.close()  # beat doesn't need it for anything else
        return float(super().tick(*args, **kwargs))

    def forget_future(self) -> None:
        """Restart the interval of each entry whose last run is in the future."""
        for entry in self.schedule.values():
            now = entry.default_now()
            entry.last_run_at = min(entry.last_run_at or now, now)
        self._heap = None  # the next tick builds it again
        self.is_start_noted = False
