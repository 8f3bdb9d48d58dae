"""Mustering in games where units are bought for each match: the pilots who come, their support rolls, saved lists."""

from __future__ import annotations

from django.db import models

from battles.models import SealedDice
from rosters.models import Player
from systems import system_choices

from .matches import Match


class MatchPreparation(models.Model):
    """One side's first two steps towards a match: the pilots who come, then its support rolls, on dice of its own.

    The dice are sealed when the round opens. Only the side itself sees the rolls before the lists are revealed.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="musters")
    side = models.PositiveSmallIntegerField()  # 0 attacker, 1 defender
    dice = models.OneToOneField(SealedDice, on_delete=models.PROTECT, related_name="muster")
    pilots = models.JSONField(default=list)  # ids of the pilots who come
    rolls = models.JSONField(default=list)  # [{"faces": [..], "result": slug}], in the order they were rolled
    rolled = models.JSONField(default=dict)  # faces of other dice rolled before the purchase, by result
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    rolled_at = models.DateTimeField(null=True, blank=True)  # None: not yet

    class Meta:
        db_table = "campaigns_matchmuster"
        ordering = ["match", "side"]
        constraints = [models.UniqueConstraint(fields=["match", "side"], name="muster_once")]

    def __str__(self) -> str:
        return f"preparation of side {self.side} of {self.match_id}"

    @property
    def support(self) -> list[str]:
        """Return the slugs of the results rolled."""
        return [made["result"] for made in self.rolls]


class SavedList(models.Model):
    """Designs that a player likes to buy together; whether they are legal is checked when they are bought."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="saved_forces")
    system = models.SlugField(max_length=40, choices=system_choices)
    name = models.CharField(max_length=60)
    designs = models.JSONField()  # [{"design": slug or spec, "name": ...}]
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "campaigns_savedforce"
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["player", "system", "name"], name="saved_force_once")]

    def __str__(self) -> str:
        return self.name
