"""Releases of a game's catalogue that a campaign has gone over to, or is to."""

from __future__ import annotations

from django.db import models

from rosters.models import Player

from .campaigns import Campaign


class AdoptionState(models.TextChoices):
    PLANNED = "planned", "planned"
    ADOPTED = "adopted", "adopted"
    CALLED_OFF = "called-off", "called off"
    UNDONE = "undone", "undone"


class ReleaseAdoption(models.Model):
    """A campaign goes from one release to another, between two rounds; at once, from a round on, or from a day on."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="adoptions")
    before = models.CharField(max_length=20)
    release = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=AdoptionState, default=AdoptionState.PLANNED)
    from_round = models.PositiveSmallIntegerField(null=True, blank=True)  # before which it is due
    from_day = models.DateField(null=True, blank=True)  # as the site's own zone has it
    options_before = models.JSONField(default=dict)  # house rules as they were; the newer release may have retired some
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    adopted_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)  # called off or undone
    waits = models.CharField(max_length=300, blank=True)  # why it was due and could not be

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(state="planned"), name="one_release_planned_per_campaign"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign} to release {self.release}"
