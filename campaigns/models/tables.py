"""Which live table a match is played at."""

from __future__ import annotations

from django.db import models

from battles.models import LiveTable

from .matches import Match


class MatchTable(models.Model):
    """The live table of a match: one for both sides' players."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="live")
    table = models.OneToOneField(LiveTable, on_delete=models.CASCADE, related_name="match_table")

    def __str__(self) -> str:
        return f"table of {self.match}"
