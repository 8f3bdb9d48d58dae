"""Where a club has its news sent to, and every sending with what was answered."""

from __future__ import annotations

import uuid
from urllib.parse import urlsplit

from django.db import models

from rosters.jobs import Job
from rosters.models import Player

from .clubs import Club
from .occasions import News


class Webhook(models.Model):
    """An address elsewhere that is told of a club's occasions, as signed JSON or as Discord takes it."""

    class Kind(models.TextChoices):
        JSON = "json", "signed JSON"
        DISCORD = "discord", "Discord"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.JSON)
    url = models.CharField(max_length=500)  # of Discord's, whoever has it may write there
    secret = models.TextField(blank=True, editable=False)  # encrypted; signs what is sent
    occasions = models.JSONField(default=list)  # slugs of what it is told of
    is_on = models.BooleanField(default=True)
    off_because = models.CharField(max_length=300, blank=True)  # why it was switched off; empty: by hand, or it is on
    failing_since = models.DateTimeField(null=True, editable=False)  # nothing was taken since
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} to {self.host}"

    @property
    def host(self) -> str:
        """As much of the address as a page shows."""
        return urlsplit(self.url).hostname or ""


class Delivery(Job):
    """One sending to a webhook: what was sent, and each answer. Its key tells a receiver that he has it already."""

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    news = models.ForeignKey(News, on_delete=models.SET_NULL, null=True, related_name="deliveries")
    occasion = models.SlugField(max_length=40)  # "test" for a test
    body = models.TextField()  # as it is sent, byte for byte
    answers = models.JSONField(default=list)  # [{"at": ..., "status": number or null, "said": ..., "ms": number}]

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["webhook", "-id"], name="delivery_log")]

    def __str__(self) -> str:
        return f"{self.occasion} to {self.webhook}"
