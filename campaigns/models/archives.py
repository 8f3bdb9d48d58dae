"""Whole clubs as archives: packed, restored, and the people who came with one until they take their places."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from rosters.jobs import Job
from rosters.models import Player

from .clubs import Club

WAITING = ["queued", "running"]


class ClubArchive(Job):
    """Everything of a club, packed for its organisers by a worker. The file is kept for some days."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="archives")
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # tables to pack; 0: not known yet
    size = models.PositiveBigIntegerField(null=True)  # bytes
    file = models.FileField(upload_to="archives/", blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(status__in=WAITING), name="club_archive_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"archive of {self.club}"

    @property
    def file_name(self) -> str:
        """Name in the storage of its ZIP, whichever worker writes it."""
        return f"archives/{self.key}.zip"


class ClubRestore(Job):
    """An archive that somebody brought, to be made a club of this site. The file goes when the job is over."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="restores")
    title = models.CharField(max_length=60)  # name of the club in the archive
    name = models.CharField(max_length=60, blank=True)  # that it gets here; empty: the one in the archive
    stands_for = models.CharField(
        max_length=150, blank=True
    )  # user name of who in the archive the asker is; empty: nobody
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # tables to check and to restore; 0: not known yet
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )  # that came of it
    told = models.JSONField(default=list)  # sentences on what is otherwise than in the archive
    file = models.FileField(upload_to="archives/", blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by"], condition=models.Q(status__in=WAITING), name="club_restore_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"restoring {self.title}"

    @property
    def file_name(self) -> str:
        """Name in the storage of what was brought."""
        return f"archives/in-{self.key}.zip"


class Placeholder(models.Model):
    """A player who came with an archive and can't sign in yet: whoever has the link takes his place, past and all."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="placeholder")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="placeholders")
    username = models.CharField(max_length=150, blank=True)  # in the archive; here it is free for whoever asks first
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"place of {self.player}"
