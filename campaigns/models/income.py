"""What territories have paid."""

from __future__ import annotations

import uuid

from django.db import models

from .campaigns import Enrolment
from .matches import Round


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
