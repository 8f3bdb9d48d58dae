"""Changes of a campaign from one catalogue version to another, done or planned."""

from __future__ import annotations

from django.db import models

from rosters.models import Player

from .campaigns import Campaign


class UpgradeState(models.TextChoices):
    PLANNED = "planned", "planned"
    ADOPTED = "adopted", "adopted"
    CALLED_OFF = "called-off", "called off"
    UNDONE = "undone", "undone"


class CatalogueUpgrade(models.Model):
    """A campaign's change of its catalogue version, between two rounds: at once, before a given round, or on a day."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="adoptions")
    before = models.CharField(max_length=20)
    release = models.CharField(max_length=20)
    state = models.CharField(max_length=10, choices=UpgradeState, default=UpgradeState.PLANNED)
    from_round = models.PositiveSmallIntegerField(null=True, blank=True)  # the change is made before this round
    from_day = models.DateField(null=True, blank=True)  # in the site's own time zone
    options_before = models.JSONField(default=dict)  # the house rules before; the newer version may have retired some
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    adopted_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)  # called off or undone
    waits = models.CharField(max_length=300, blank=True)  # why it was due and couldn't be done

    class Meta:
        db_table = "campaigns_releaseadoption"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=models.Q(state="planned"), name="one_release_planned_per_campaign"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign} to release {self.release}"
