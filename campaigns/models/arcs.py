"""A campaign story: linked scenarios of a game; which companies attack, and which round plays which scenario.

What a match leaves to the next and the state of the story are not stored: they follow from the results.
"""

from __future__ import annotations

from django.db import models

from .campaigns import Campaign, Enrolment
from .matches import Round


class Storyline(models.Model):
    """How a campaign's story is played. Fixed from its first round on."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="arc")
    compensates = models.BooleanField(default=True)  # the stronger side of an uneven scenario gets fewer points

    class Meta:
        db_table = "campaigns_arc"

    def __str__(self) -> str:
        return f"war of {self.campaign}"


class StorylineRole(models.Model):
    """Whether a company attacks or defends in all matches of the story."""

    arc = models.ForeignKey(Storyline, on_delete=models.CASCADE, related_name="roles")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="+")
    attacks = models.BooleanField()  # or it defends

    class Meta:
        db_table = "campaigns_arcrole"
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["arc", "enrolment"], name="arc_role_once")]

    def __str__(self) -> str:
        return f"{self.enrolment.company} {'attacks' if self.attacks else 'defends'}"


class StorylineRound(models.Model):
    """A round in which a scenario of the story is played."""

    arc = models.ForeignKey(Storyline, on_delete=models.CASCADE, related_name="rounds")
    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="arc_step")
    step = models.PositiveSmallIntegerField()  # from 1

    class Meta:
        db_table = "campaigns_arcround"
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["arc", "step"], name="arc_step_once")]

    def __str__(self) -> str:
        return f"step {self.step} of {self.arc}"
