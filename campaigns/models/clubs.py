"""Clubs: their members, who may join, and the activity log."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from rosters.models import Player


class Role(models.TextChoices):
    ORGANISER = "organiser", "organiser"
    ARBITER = "arbiter", "arbiter"
    PLAYER = "player", "player"


class RequestState(models.TextChoices):
    ASKED = "asked", "asked"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"
    WITHDRAWN = "withdrawn", "withdrawn"


class Club(models.Model):
    """A club. Everybody may read its page if it is public; it always has at least one organiser."""

    name = models.CharField(max_length=60, unique=True)
    slug = models.SlugField(max_length=60, unique=True)
    about = models.TextField(max_length=2000, blank=True)
    place = models.CharField(max_length=80, blank=True)
    is_public = models.BooleanField("seen by everybody", default=True)
    takes_requests = models.BooleanField("players may ask to join", default=True)
    shows_portraits = models.BooleanField("companies show pictures of their own", default=True)
    founded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A player in a club, in one role. An organiser may do everything that an arbiter may."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    joined_at = models.DateTimeField(auto_now_add=True)
    feed_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)  # opens feed and calendar as they may

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "player"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.player}, {self.get_role_display()} of {self.club}"


class Invitation(models.Model):
    """A way into a club: a link that anyone may use until it expires, or an invitation of one player by name."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    uses_left = models.PositiveSmallIntegerField(null=True, blank=True)  # None: no limit
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"invitation to {self.club}"

    @property
    def is_open(self) -> bool:
        """Return whether it still lets somebody in."""
        return self.withdrawn_at is None and self.expires_at > timezone.now() and self.uses_left != 0


class JoinRequest(models.Model):
    """A player's request to join a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="join_requests")
    message = models.CharField(max_length=300, blank=True)
    state = models.CharField(max_length=10, choices=RequestState, default=RequestState.ASKED)
    at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player"], condition=models.Q(state="asked"), name="join_asked_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} asks to join {self.club}"


class ActivityLogEntry(models.Model):
    """An entry of a club's activity log, written together with the act and never changed. It records every decision."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="diary")
    campaign = models.ForeignKey(
        "campaigns.Campaign", on_delete=models.CASCADE, null=True, blank=True, related_name="diary"
    )
    match = models.ForeignKey("campaigns.Match", on_delete=models.CASCADE, null=True, blank=True, related_name="diary")
    text = models.CharField(max_length=400)  # a sentence in the past tense, names included
    by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )  # None: the clock
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "campaigns_diaryentry"
        ordering = ["-pk"]
        verbose_name_plural = "activity log entries"

    def __str__(self) -> str:
        return self.text
