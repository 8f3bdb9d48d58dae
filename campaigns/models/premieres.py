"""Watch parties: a match simulated with autoplay orders is shown to everybody step by step, at the announced time."""

from __future__ import annotations

from datetime import timedelta

from django.db import models

from rosters.jobs import Job, JobStatus
from rosters.models import Player

from .matches import Match


class WatchParty(Job):
    """The watch party of a match: a job that waits for its time, simulates, waits for the end, and decides the match.

    Until then there is no battle. The record is kept here, encrypted with a key that is not in the database.
    """

    LIVE = (JobStatus.QUEUED, JobStatus.RUNNING)
    LATE = timedelta(minutes=1)  # a shorter delay isn't shown

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="premiere")
    at = models.DateTimeField()  # as it was announced
    pace = models.PositiveSmallIntegerField()  # seconds a step
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    announced_at = models.DateTimeField(auto_now_add=True)
    is_off = models.BooleanField(default=False)  # called off too late for the round's closing: decided, not shown
    began_at = models.DateTimeField(null=True, editable=False)
    ends_at = models.DateTimeField(null=True, editable=False)
    cuts = models.JSONField(default=list, editable=False)  # number of the record's events at the end of each step
    record = models.TextField(blank=True, editable=False)  # encrypted; empty once the match is decided
    ended = models.CharField(max_length=300, blank=True)  # why it wasn't shown to its end; empty: it was

    class Meta:
        db_table = "campaigns_premiere"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"watch party of {self.match}"

    @property
    def is_live(self) -> bool:
        """Return whether it is upcoming or running."""
        return self.status in self.LIVE

    @property
    def minutes_late(self) -> int:
        """Return how many minutes later than announced it began; 0 if nobody would notice."""
        if self.began_at is None or self.began_at - self.at < self.LATE:
            return 0
        return round((self.began_at - self.at).total_seconds() / 60)
