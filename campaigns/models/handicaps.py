"""What the stronger side of an uneven match gives up, proposed from the odds and agreed by both."""

from __future__ import annotations

from django.db import models

from rosters.jobs import Job
from rosters.models import Player

from .matches import Match


class Handicap(Job):
    """A handicap of a match: calculated by a worker, in force once both sides have agreed to it."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="handicap")
    asked_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    side = models.PositiveSmallIntegerField(null=True, blank=True)  # that has the handicap: 0 attacker, 1 defender
    kind = models.CharField(max_length=12, blank=True)  # what is given up; empty: nothing is proposed
    # Maximum points of its list; support rolls it goes without; how much harder its task is, in the game's unit.
    value = models.PositiveIntegerField(default=0)
    chance = models.FloatField(null=True, blank=True)  # of the attacker without it; a draw counts half
    chance_with = models.FloatField(null=True, blank=True)
    tried = models.JSONField(default=list)  # as calculated: see musters.handicap_counting.Tried
    basis = models.JSONField(null=True, blank=True)  # what it was calculated from: see musters.handicap_counting.Basis
    agreed = models.JSONField(default=list)  # the sides that have agreed
    reason = models.CharField(max_length=300, blank=True)  # why nothing is proposed

    def __str__(self) -> str:
        return f"handicap of {self.match}"

    @property
    def is_agreed(self) -> bool:
        """Return whether it is in force."""
        return bool(self.kind) and set(self.agreed) == {0, 1}
