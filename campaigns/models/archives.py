"""Archives of whole clubs: packed, restored, and the placeholders of players who came with one."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from rosters.jobs import Job
from rosters.models import Player

from .clubs import Club

ACTIVE_STATUSES = ["queued", "running"]


class ClubArchive(Job):
    """Everything in a club, packed for its organisers by a worker. The file is kept for some days."""

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
                fields=["club"], condition=models.Q(status__in=ACTIVE_STATUSES), name="club_archive_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"archive of {self.club}"

    @property
    def file_name(self) -> str:
        """Return the name of its ZIP in the storage; the same for every worker."""
        return f"archives/{self.key}.zip"


class ClubRestore(Job):
    """An uploaded archive that becomes a club of this site. The file is deleted when the job ends."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="restores")
    title = models.CharField(max_length=60)  # name of the club in the archive
    name = models.CharField(max_length=60, blank=True)  # of the club here; empty: the one in the archive
    stands_for = models.CharField(max_length=150, blank=True)  # the asker's user name in the archive; empty: not in it
    parts_done = models.PositiveIntegerField(default=0)
    parts = models.PositiveIntegerField(default=0)  # tables to check and to restore; 0: not known yet
    club = models.ForeignKey(
        Club, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )  # the restored club
    told = models.JSONField(default=list)  # sentences about what differs from the archive
    file = models.FileField(upload_to="archives/", blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["asked_by"], condition=models.Q(status__in=ACTIVE_STATUSES), name="club_restore_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"restoring {self.title}"

    @property
    def file_name(self) -> str:
        """Return the name of the uploaded file in the storage."""
        return f"archives/in-{self.key}.zip"


class Placeholder(models.Model):
    """A player who came with an archive and can't sign in yet. Anyone with the link takes over their place and past."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="placeholder")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="placeholders")
    username = models.CharField(max_length=150, blank=True)  # in the archive; here anyone can take it
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"place of {self.player}"
