"""A battle that somebody plays online, until it is finished and becomes an ordinary battle."""

from __future__ import annotations

import uuid

from django.db import models

from rosters.models import Player, Visibility
from systems import system_choices


class SoloBattle(models.Model):
    """Everything needed to replay a battle up to its present state: set-up, dice, and the answers so far.

    The finished battle gets its key; then this row is deleted.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    setup = models.JSONField()  # a setup/1 document
    rules_version = models.PositiveIntegerField()
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.LINK)
    sides = models.JSONField()  # 0 and 1: the sides that people play
    liveries = models.JSONField(default=dict)  # colours of the companies that fight in it, by the letter of their side
    dice = models.ForeignKey("battles.SealedDice", on_delete=models.PROTECT, related_name="+")
    answers = models.JSONField(default=list)  # a list of numbers each, see systems/engine/choosing.py
    version = models.PositiveIntegerField(default=0)  # grows with every answer, and with every one taken back
    # for a recorded battle that was resumed
    after = models.PositiveIntegerField(default=0)  # its rounds, or turns, that stay; 0: none was resumed
    events = models.PositiveIntegerField(default=0)  # its events that stay, if that ends within a round; or 0
    seed = models.CharField(max_length=20, blank=True)  # the seed of the part that stays
    seed_dice = models.JSONField(null=True)  # the sealed dice of that seed, as its record names them
    asked_by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    asked_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor
    at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = "battle by hand"
        verbose_name_plural = "battles by hand"

    def __str__(self) -> str:
        return self.title
