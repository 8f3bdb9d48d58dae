"""Push notifications: the browsers that a player has registered, and every push on its way to one."""

from __future__ import annotations

import uuid
from urllib.parse import urlsplit

from django.db import models

from rosters.jobs import Job
from rosters.models import Player

from .occasions import Notification


class PushKey(models.Model):
    """The key that this site signs pushes with (VAPID). A browser only takes pushes signed with the key it has."""

    private = models.TextField(editable=False)  # PEM, encrypted
    public = models.CharField(max_length=100)  # as browsers are given it
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"key for notices {self.public[:12]}"


class PushDevice(models.Model):
    """A browser in which its player wants notifications. Anyone with its address and keys could send to it."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="push_devices")
    signed_with = models.ForeignKey(PushKey, on_delete=models.CASCADE, related_name="devices")
    endpoint_hash = models.CharField(max_length=64, unique=True)  # SHA-256
    endpoint = models.TextField(editable=False)  # encrypted, as are its keys
    secrets = models.TextField(editable=False)  # {"p256dh", "auth"}
    host = models.CharField(max_length=253)  # of its push service
    name = models.CharField(max_length=60)  # as its player calls it
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} of {self.player}"

    @staticmethod
    def host_of(endpoint: str) -> str:
        return (urlsplit(endpoint).hostname or "")[:253]


class PushNotification(Job):
    """A notification on its way to a device. If it arrives twice, the second replaces the first there."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    device = models.ForeignKey(PushDevice, on_delete=models.CASCADE, related_name="pushes")
    letter = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="pushes")
    sent_at = models.DateTimeField(null=True)  # None, though done: there was nothing left to show

    class Meta:
        db_table = "campaigns_push"
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["device", "letter"], name="push_once")]

    def __str__(self) -> str:
        return f"{self.letter} to {self.device}"
