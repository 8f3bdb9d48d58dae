"""The addresses to which a club's events are sent, and every delivery with the responses to it."""

from __future__ import annotations

import uuid
from urllib.parse import urlsplit

from django.db import models

from rosters.jobs import Job
from rosters.models import Player

from .clubs import Club
from .occasions import NotificationEvent


class Webhook(models.Model):
    """An address that receives a club's events, as signed JSON or in Discord's format."""

    class Kind(models.TextChoices):
        JSON = "json", "signed JSON"
        DISCORD = "discord", "Discord"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.JSON)
    url = models.CharField(max_length=500)  # anyone who has a Discord address may post there
    secret = models.TextField(blank=True, editable=False)  # encrypted; signs what is sent
    occasions = models.JSONField(default=list)  # slugs of the events it receives
    is_on = models.BooleanField(default=True)
    off_because = models.CharField(max_length=300, blank=True)  # why it is off; empty: by a person, or it is on
    failing_since = models.DateTimeField(null=True, editable=False)  # no delivery was accepted since
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} to {self.host}"

    @property
    def host(self) -> str:
        """Return the part of the address that pages show."""
        return urlsplit(self.url).hostname or ""


class WebhookDelivery(Job):
    """One delivery to a webhook: what was sent, and each response. By its key a receiver recognises a repeat."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    news = models.ForeignKey(NotificationEvent, on_delete=models.SET_NULL, null=True, related_name="deliveries")
    occasion = models.SlugField(max_length=40)  # "test" for a test
    body = models.TextField()  # as it is sent, byte for byte
    answers = models.JSONField(default=list)  # [{"at": ..., "status": number or null, "said": ..., "ms": number}]

    class Meta:
        db_table = "campaigns_delivery"
        ordering = ["-pk"]
        verbose_name_plural = "webhook deliveries"
        indexes = [models.Index(fields=["webhook", "-id"], name="delivery_log")]

    def __str__(self) -> str:
        return f"{self.occasion} to {self.webhook}"
