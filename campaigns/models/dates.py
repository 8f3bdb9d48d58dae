"""Players' availability, the dates that they have agreed on, and the key of each player's calendar."""

from __future__ import annotations

import uuid

from django.db import models

from rosters.models import Player

from .clubs import Club
from .matches import Match


class Availability(models.Model):
    """When a player can play: in one club, or in all clubs without an entry of their own. Days are calendar days."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="availabilities")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    weekdays = models.JSONField(default=list)  # evenings of every week, 0 is Monday
    days = models.JSONField(default=list)  # other evenings, as "2026-11-26"
    away = models.JSONField(default=list)  # [first day, last day], any number

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "availabilities"
        constraints = [
            models.UniqueConstraint(fields=["player", "club"], name="availability_once_per_club"),
            models.UniqueConstraint(fields=["player"], condition=models.Q(club=None), name="availability_once_for_all"),
        ]

    def __str__(self) -> str:
        return f"evenings of {self.player}{f' at {self.club}' if self.club else ''}"


class MatchDate(models.Model):
    """The date of a match: agreed by both sides, or proposed by one. An agreed date stays until another is agreed."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="date")
    agreed_at = models.DateTimeField(null=True, blank=True)  # when it is played
    proposed_at = models.DateTimeField(null=True, blank=True)  # when one side would like to play it
    side = models.PositiveSmallIntegerField(default=0)  # that proposed it: 0 attacker, 1 defender
    changed_at = models.DateTimeField(null=True, blank=True)  # when any of these changed last

    def __str__(self) -> str:
        return f"date of {self.match}"


class PlayerCalendar(models.Model):
    """The key that opens a player's calendar to a program without a session."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="calendar")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    def __str__(self) -> str:
        return f"calendar of {self.player}"
