"""What the open matches of all clubs came to beside their odds, game by game, as it was counted last."""

from __future__ import annotations

from django.db import models

from systems import system_choices


class Balance(models.Model):
    """The balance of a game. It is counted anew by the timer once its matches are others; nobody is named in it."""

    system = models.SlugField(max_length=40, choices=system_choices, unique=True)
    seen = models.JSONField(default=list)  # what shows whether its matches are still those that were counted
    matches = models.PositiveIntegerField(default=0)  # with odds, that were counted
    sheet = models.JSONField(default=dict)  # see balance.counting.Sheet
    counted_at = models.DateTimeField()

    class Meta:
        ordering = ["system"]

    def __str__(self) -> str:
        return f"balance of {self.system}"
