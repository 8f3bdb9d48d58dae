"""Tables, their seats, and their acts. The log is only ever added to."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models

from rosters.models import Company, Player
from systems import system_choices


class LiveTable(models.Model):
    """A battle that two people play with miniatures, each with a phone beside it."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    system = models.SlugField(max_length=40, choices=system_choices)
    title = models.CharField(max_length=140)
    setup = models.JSONField()  # a setup/1 document
    forces = models.JSONField(default=list)  # one per side: {"company": id, "units": unit key -> ids}, or null
    code = models.CharField(max_length=8, unique=True, null=True, blank=True)  # while the other seat is free
    dice = models.OneToOneField("battles.SealedDice", on_delete=models.PROTECT, related_name="table")
    made_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_from = models.CharField(max_length=32, blank=True, db_index=True, editable=False)  # visitor without account
    length = models.PositiveIntegerField(default=0)  # the log's length: the place of its last event
    at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now_add=True, db_index=True)  # by the last event
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class LiveSeat(models.Model):
    """A side of a table, and its player. The key is its phone's address: for a visitor it is the only way in."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="seats")
    side = models.PositiveSmallIntegerField()  # 0 or 1
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=60)
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="live_seats")
    is_closed = models.BooleanField(default=False)  # its player is gone: the key lets nobody in
    company = models.ForeignKey(Company, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["side"]
        constraints = [models.UniqueConstraint(fields=["table", "side"], name="live_seat_once")]

    def __str__(self) -> str:
        return self.name


class LiveEvent(models.Model):
    """One act at a table. Never changed: a wrong one is undone by another."""

    table = models.ForeignKey(LiveTable, on_delete=models.CASCADE, related_name="events")
    place = models.PositiveIntegerField()  # in the log, from 1
    side = models.PositiveSmallIntegerField()
    phone = models.CharField(max_length=32, blank=True)  # which of a side's phones
    once = models.CharField(max_length=64)  # the phone's own key of this act: sent twice, it is done once
    seen = models.PositiveIntegerField(default=0)  # the last place that the phone knew of
    kind = models.SlugField(max_length=12)
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["table", "place"], name="live_event_place_once"),
            models.UniqueConstraint(fields=["table", "side", "once"], name="live_event_done_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.place}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("what was done at a table is never changed; it is taken back by another act")
        super().save(*args, **kwargs)
