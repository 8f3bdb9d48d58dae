"""The war of a campaign over its game's scenarios: who attacks in it, and which round is which of them.

What a game left to the next, and how the war stands, is not stored: it follows from the results.
"""

from __future__ import annotations

from django.db import models

from .campaigns import Campaign, Enrolment
from .matches import Round


class Arc(models.Model):
    """How a campaign's war is played. Fixed from its first round on."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="arc")
    compensates = models.BooleanField(default=True)  # the stronger side of an uneven scenario gets fewer points

    def __str__(self) -> str:
        return f"war of {self.campaign}"


class ArcRole(models.Model):
    """What a company does in all games of the war."""

    arc = models.ForeignKey(Arc, on_delete=models.CASCADE, related_name="roles")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="+")
    attacks = models.BooleanField()  # or it defends

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["arc", "enrolment"], name="arc_role_once")]

    def __str__(self) -> str:
        return f"{self.enrolment.company} {'attacks' if self.attacks else 'defends'}"


class ArcRound(models.Model):
    """A round in which a scenario of the war is played."""

    arc = models.ForeignKey(Arc, on_delete=models.CASCADE, related_name="rounds")
    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="arc_step")
    step = models.PositiveSmallIntegerField()  # from 1

    class Meta:
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["arc", "step"], name="arc_step_once")]

    def __str__(self) -> str:
        return f"step {self.step} of {self.arc}"
