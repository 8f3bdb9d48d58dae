"""The cup of a campaign: its groups, seeds, and the match for each place of the bracket. Winners are not stored."""

from __future__ import annotations

from django.db import models

from .campaigns import Campaign, Enrolment
from .matches import Match


class Seeding(models.TextChoices):
    TABLE = "table", "by the table: the best meet last"
    LOT = "lot", "drawn by lot"
    BY_HAND = "by-hand", "by hand"


class Cup(models.Model):
    """How a campaign's cup is played. Fixed once its first round is planned."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="cup")
    groups = models.PositiveSmallIntegerField(default=0)  # played before the knock-out; 0: knock-out only
    advance = models.PositiveSmallIntegerField(default=2)  # number of companies of each group that go on
    entrants = models.PositiveSmallIntegerField(default=0)  # number of companies, from the top of the standings; 0: all
    seeding = models.CharField(max_length=7, choices=Seeding, default=Seeding.LOT)
    has_third_place = models.BooleanField(default=False)  # the losers of the semi-finals play for it
    since = models.PositiveSmallIntegerField(null=True, blank=True)  # the first round planned for it

    def __str__(self) -> str:
        return f"cup of {self.campaign}"


class CupEntrant(models.Model):
    """A company's place in the cup."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="places")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="+")
    seed = models.PositiveSmallIntegerField()  # from 1, the best
    group = models.PositiveSmallIntegerField(default=0)  # from 1; 0: there are none

    class Meta:
        db_table = "campaigns_cupplace"
        ordering = ["seed"]
        constraints = [
            models.UniqueConstraint(fields=["cup", "enrolment"], name="cup_entrant_once"),
            models.UniqueConstraint(fields=["cup", "seed"], name="cup_seed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.enrolment.company}, seed {self.seed}"


class CupTie(models.Model):
    """A match of the knock-out. `place` is as in a heap: 1 the final, 2 and 3 the semi-finals; 0 for third place."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="ties")
    place = models.PositiveSmallIntegerField()
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="tie")

    class Meta:
        ordering = ["place"]
        constraints = [models.UniqueConstraint(fields=["cup", "place"], name="cup_tie_once")]

    def __str__(self) -> str:
        return f"place {self.place} of {self.cup}"
