"""Formats of campaigns: phases, the cup, the campaign story, and income from territories.

Winners of a cup and the state of a story are not stored: they follow from the results.
"""

from __future__ import annotations

import uuid

from django.db import models

from campaigns.models.campaigns import Campaign, Enrolment
from campaigns.models.matches import Match, Round


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


class Seeding(models.TextChoices):
    TABLE = "table", "by the standings: the best meet last"
    LOT = "lot", "drawn by lot"
    BY_HAND = "by-hand", "by the organiser"


class Cup(models.Model):
    """How a campaign's cup is played. Fixed once its first round is planned."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="cup")
    groups = models.PositiveSmallIntegerField(default=0)  # played before the knock-out; 0: knock-out only
    advance = models.PositiveSmallIntegerField(default=2)  # number of companies of each group that advance
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


class Storyline(models.Model):
    """How a campaign's story is played. Fixed from its first round on."""

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="storyline")
    compensates = models.BooleanField(default=True)  # the stronger side of an uneven scenario gets fewer points

    class Meta:
        db_table = "campaigns_arc"

    def __str__(self) -> str:
        return f"war of {self.campaign}"


class StorylineRole(models.Model):
    """Whether a company attacks or defends in all matches of the story."""

    storyline = models.ForeignKey(Storyline, on_delete=models.CASCADE, related_name="roles", db_column="arc_id")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="+")
    attacks = models.BooleanField()  # or it defends

    class Meta:
        db_table = "campaigns_arcrole"
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["storyline", "enrolment"], name="arc_role_once")]

    def __str__(self) -> str:
        return f"{self.enrolment.company} {'attacks' if self.attacks else 'defends'}"


class StorylineRound(models.Model):
    """A round in which a scenario of the story is played."""

    storyline = models.ForeignKey(Storyline, on_delete=models.CASCADE, related_name="rounds", db_column="arc_id")
    round = models.OneToOneField(Round, on_delete=models.CASCADE, related_name="storyline_round")
    step = models.PositiveSmallIntegerField()  # from 1

    class Meta:
        db_table = "campaigns_arcround"
        ordering = ["step"]
        constraints = [models.UniqueConstraint(fields=["storyline", "step"], name="arc_step_once")]

    def __str__(self) -> str:
        return f"step {self.step} of {self.storyline}"


class TerritoryIncome(models.Model):
    """A company's income from its territories when a round closed, entered in its ledger under this key.

    Most companies that took part then have no income: 0 points. A company without a row wasn't in that round.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="incomes")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.CASCADE, related_name="incomes")
    points = models.PositiveIntegerField(default=0)
    places = models.JSONField(default=list)  # [[name, points], ...], in the order of the map

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["round", "enrolment"], name="territory_income_once")]

    def __str__(self) -> str:
        return f"{self.points} points to {self.enrolment.company}, {self.round}"
