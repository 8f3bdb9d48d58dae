"""A match that is fought by orders, told to everybody step by step at the hour that was announced."""

from __future__ import annotations

from datetime import timedelta

from django.db import models

from rosters.jobs import Job, JobStatus
from rosters.models import Player

from .matches import Match


class Premiere(Job):
    """The telling of a match: a job that waits for its hour, fights, waits until all is told, and decides the match.

    Until then there is no battle. What was fought lies here under a key that is not in the database.
    """

    LIVE = (JobStatus.QUEUED, JobStatus.RUNNING)
    LATE = timedelta(minutes=1)  # so much later than announced is told

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="premiere")
    at = models.DateTimeField()  # as it was announced
    pace = models.PositiveSmallIntegerField()  # seconds a step
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    announced_at = models.DateTimeField(auto_now_add=True)
    is_off = models.BooleanField(default=False)  # called off too late for the round's closing: decided, and not told
    began_at = models.DateTimeField(null=True, editable=False)
    ends_at = models.DateTimeField(null=True, editable=False)
    cuts = models.JSONField(default=list, editable=False)  # after how many events of the record each step stands
    record = models.TextField(
        blank=True, editable=False
    )  # as it was fought, encrypted; empty once the match is decided
    ended = models.CharField(max_length=300, blank=True)  # why it was not told to its end; empty: it was

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"premiere of {self.match}"

    @property
    def is_live(self) -> bool:
        """Whether it is still to come, or on."""
        return self.status in self.LIVE

    @property
    def minutes_late(self) -> int:
        """How much later than announced it began; 0 where nobody would notice."""
        if self.began_at is None or self.began_at - self.at < self.LATE:
            return 0
        return round((self.began_at - self.at).total_seconds() / 60)
