"""The rolls of two phones without a network, as each of them reports them."""

from __future__ import annotations

import uuid

from django.db import models


class PairedDice(models.Model):
    """Two sealed chains, in alphabetical order."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    first = models.CharField(max_length=26)
    second = models.CharField(max_length=26)
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name_plural = "paired dice"
        constraints = [models.UniqueConstraint(fields=["first", "second"], name="paired_dice_once")]

    def __str__(self) -> str:
        return f"dice of {self.first[:5]} and {self.second[:5]}"

    @property
    def sealed(self) -> tuple[str, str]:
        return self.first, self.second


class PairedList(models.Model):
    """The rolls as one phone has them. Only the holder of its chain's last link can send it."""

    dice = models.ForeignKey(PairedDice, on_delete=models.CASCADE, related_name="lists")
    side = models.PositiveSmallIntegerField()  # 0: the first chain's
    name = models.CharField(max_length=40)  # as its player called themselves
    last = models.CharField(max_length=26)  # link of its chain
    rolls = models.JSONField()  # see sent.py
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["dice", "side"], name="paired_list_once")]

    def __str__(self) -> str:
        return f"{self.name} on {self.dice}"
