"""The results of all clubs' open matches compared with their odds, per game, as last calculated."""

from __future__ import annotations

from django.db import models

from systems import system_choices


class BalanceReport(models.Model):
    """The balance of a game, recalculated by the timer when its matches have changed. It names nobody."""

    system = models.SlugField(max_length=40, choices=system_choices, unique=True)
    seen = models.JSONField(default=list)  # fingerprint of the matches it was calculated from
    matches = models.PositiveIntegerField(default=0)  # number of matches with odds that it includes
    sheet = models.JSONField(default=dict)  # see balance.counting.Sheet
    counted_at = models.DateTimeField()

    class Meta:
        db_table = "campaigns_balance"
        ordering = ["system"]

    def __str__(self) -> str:
        return f"balance of {self.system}"
