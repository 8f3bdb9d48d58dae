"""Phases: which rounds of a campaign belong together, and under what name."""

from __future__ import annotations

from django.db import models

from .campaigns import Campaign


class Phase(models.Model):
    """The rounds from `first_round` until the next phase begins."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="phases")
    first_round = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    text = models.TextField(max_length=2000, blank=True)

    class Meta:
        ordering = ["first_round"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "first_round"], name="phase_begins_once"),
            models.UniqueConstraint(fields=["campaign", "name"], name="phase_name_once"),
        ]

    def __str__(self) -> str:
        return self.name
