"""The club display: a screen in the club's room."""

from __future__ import annotations

import uuid

from django.db import models

from rosters.models import Player

from .clubs import Club


class ClubDisplay(models.Model):
    """The secret link of a club's display: anyone who has it sees what members see of running campaigns."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="wall")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "campaigns_wall"

    def __str__(self) -> str:
        return f"display of {self.club}"
