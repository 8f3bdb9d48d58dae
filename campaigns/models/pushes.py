"""Notices on a player's own devices: the browsers that he had them shown in, and every notice that goes there."""

from __future__ import annotations

import uuid
from urllib.parse import urlsplit

from django.db import models

from rosters.jobs import Job
from rosters.models import Player

from .occasions import Letter


class PushKey(models.Model):
    """The key that this site signs notices with (VAPID). Browsers take notices of the one they were given alone."""

    private = models.TextField(editable=False)  # PEM, encrypted
    public = models.CharField(max_length=100)  # as browsers are given it
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"key for notices {self.public[:12]}"


class PushDevice(models.Model):
    """A browser in which its player wants notices. Whoever has the address and its keys could send there."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="push_devices")
    signed_with = models.ForeignKey(PushKey, on_delete=models.CASCADE, related_name="devices")
    endpoint_hash = models.CharField(max_length=64, unique=True)  # SHA-256
    endpoint = models.TextField(editable=False)  # encrypted, as are its keys
    secrets = models.TextField(editable=False)  # {"p256dh", "auth"}
    host = models.CharField(max_length=253)  # whose service it is
    name = models.CharField(max_length=60)  # as its player knows it
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} of {self.player}"

    @staticmethod
    def host_of(endpoint: str) -> str:
        return (urlsplit(endpoint).hostname or "")[:253]


class Push(Job):
    """A letter on its way to a device. What arrives a second time takes the place of the first there."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    device = models.ForeignKey(PushDevice, on_delete=models.CASCADE, related_name="pushes")
    letter = models.ForeignKey(Letter, on_delete=models.CASCADE, related_name="pushes")
    sent_at = models.DateTimeField(null=True)  # None, though done: there was nothing to show any more

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "pushes"
        constraints = [models.UniqueConstraint(fields=["device", "letter"], name="push_once")]

    def __str__(self) -> str:
        return f"{self.letter} to {self.device}"
