"""A game night: companies that are ready for a game, and the games that Muster proposes to them."""

from __future__ import annotations

import uuid

from django.db import models

from battles.models import LiveTable
from rosters.models import Company

from .clubs import Club


class MatchmakingEntry(models.Model):
    """A company that waits for a game at a club's game night; in one club at a time."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="ready")
    company = models.OneToOneField(Company, on_delete=models.CASCADE, related_name="ready")
    at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField()

    class Meta:
        db_table = "campaigns_readycompany"
        ordering = ["pk"]
        verbose_name_plural = "matchmaking entries"

    def __str__(self) -> str:
        return f"{self.company} at {self.club}"


class OfferState(models.TextChoices):
    PROPOSED = "proposed", "proposed"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"
    EXPIRED = "expired", "expired"


class MatchmakingOffer(models.Model):
    """A game that Muster proposed to two ready companies because its odds are close to even."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="even_games")
    attacker = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="+")
    defender = models.ForeignKey(Company, on_delete=models.CASCADE, related_name="+")
    scenario_name = models.CharField(max_length=60)
    ground = models.CharField(max_length=60, blank=True)
    chance = models.FloatField()  # of the attacker; a draw counts half
    state = models.CharField(max_length=8, choices=OfferState, default=OfferState.PROPOSED)
    accepted = models.JSONField(default=list)  # sides that have accepted: 0 attacker, 1 defender
    at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    table = models.OneToOneField(LiveTable, on_delete=models.SET_NULL, null=True, blank=True, related_name="even_game")

    class Meta:
        db_table = "campaigns_evengame"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.attacker} against {self.defender}"
