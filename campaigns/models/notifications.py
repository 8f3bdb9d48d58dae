"""Events, notifications and settings, and their delivery by mail, push and webhook."""

from __future__ import annotations

import uuid
from urllib.parse import urlsplit

from django.db import models
from django.utils import timezone

from campaigns.models.campaigns import Campaign
from campaigns.models.clubs import Club
from campaigns.models.matches import Match
from rosters.jobs import Job, JobStatus
from rosters.models import Player


class NotificationEvent(models.Model):
    """An event with the facts that its text is built from. Written in the transaction of the act."""

    occasion = models.SlugField(max_length=40)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="news")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, null=True, related_name="news")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="news")
    facts = models.JSONField(default=dict)  # texts and numbers by name; times as ISO 8601
    created_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, related_name="+", db_column="by_id"
    )  # None: the timer
    once = models.CharField(max_length=120, null=True, unique=True)  # key of an event notified only once  # noqa: DJ001
    occurred_at = models.DateTimeField(default=timezone.now, db_column="at")

    class Meta:
        db_table = "campaigns_news"
        ordering = ["-pk"]
        indexes = [models.Index(fields=["occurred_at"], name="news_by_age")]

    def __str__(self) -> str:
        return f"{self.occasion} {self.pk}"


class Channel(models.TextChoices):
    """How a player is notified of a category of events; the page always shows all of them."""

    PAGE = "page", "on the site only"
    NOW = "now", "by mail, at once"
    DIGEST = "digest", "by mail, in the digest"


class Mail(Job):
    """Notifications in one mail, sent by a worker.

    At most one immediate mail per player is waiting; it gathers new notifications. `handed_at`: when it was given to
    the mail server. If that happened and the outcome is unknown, it isn't sent again.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="mails")
    is_digest = models.BooleanField(default=False)
    handed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)  # None, though done: there was nothing left to send

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(status=JobStatus.QUEUED, is_digest=False, blips=0),
                name="mail_gathers_once",
            )
        ]

    def __str__(self) -> str:
        return f"{'digest' if self.is_digest else 'mail'} {self.pk}"


class Notification(models.Model):
    """An event's notification for one reader: unread until they open it or mark it as read."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notifications")
    news = models.ForeignKey(NotificationEvent, on_delete=models.CASCADE, related_name="notifications")
    own = models.JSONField(default=dict)  # facts only for this reader; they override the event's facts
    way = models.CharField(max_length=6, choices=Channel, default=Channel.PAGE)  # as the reader wanted it at the time
    read_at = models.DateTimeField(null=True)
    mail = models.ForeignKey(Mail, on_delete=models.SET_NULL, null=True, related_name="notifications")

    class Meta:
        db_table = "campaigns_letter"
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["news", "player"], name="letter_once")]
        indexes = [
            models.Index(fields=["player", "-id"], name="letter_of_player"),
            models.Index(fields=["player"], name="letter_unread", condition=models.Q(read_at=None)),
            models.Index(fields=["way"], name="letter_to_mail", condition=models.Q(mail=None) & ~models.Q(way="page")),
        ]

    def __str__(self) -> str:
        return f"{self.news} for {self.player}"


class NotificationPreferences(models.Model):
    """A player's notification settings. Without a row: on the page only, and reminders a day before deadlines."""

    class DigestFrequency(models.TextChoices):
        DAILY = "daily", "every day"
        WEEKLY = "weekly", "every week"

    REMINDED = 24  # hours before a deadline

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="notification_preferences")
    channels = models.JSONField(default=dict, db_column="ways")  # category -> Channel, if other than the page
    pushes = models.JSONField(default=list)  # categories that are pushed to the player's devices
    digest_frequency = models.CharField(
        max_length=6, choices=DigestFrequency, default=DigestFrequency.DAILY, db_column="rhythm"
    )
    hour = models.PositiveSmallIntegerField(default=18)  # in the player's zone
    weekday = models.PositiveSmallIntegerField(default=6)  # 0 is Monday
    remind_hours = models.PositiveSmallIntegerField(default=REMINDED)  # before a deadline; 0: never
    next_digest_at = models.DateTimeField(null=True, db_index=True)  # None: no digest
    unsubscribe_key = models.UUIDField(  # stops all mail without signing in
        default=uuid.uuid4, unique=True, editable=False, db_column="off_key"
    )

    class Meta:
        db_table = "campaigns_wishes"
        verbose_name_plural = "notification preferences"

    def __str__(self) -> str:
        return f"notification preferences of {self.player}"

    def channel_of(self, category: str) -> Channel:
        return Channel(self.channels.get(category, Channel.PAGE))


class PushKey(models.Model):
    """The key that this site signs pushes with (VAPID). A browser only takes pushes signed with the key it has."""

    private = models.TextField(editable=False)  # PEM, encrypted
    public = models.CharField(max_length=100)  # as browsers are given it
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

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
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

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
    enabled = models.BooleanField(default=True, db_column="is_on")
    disabled_reason = models.CharField(max_length=300, blank=True, db_column="off_because")  # empty: a person did it
    failing_since = models.DateTimeField(null=True, editable=False)  # no delivery was accepted since
    created_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+", db_column="by_id")
    created_at = models.DateTimeField(auto_now_add=True, db_column="at")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} to {self.host}"

    @property
    def host(self) -> str:
        """Return the part of the address that pages show."""
        return urlsplit(self.url).hostname or ""


class WebhookDelivery(Job):
    """One delivery to a webhook: what was sent, and each response. A receiver recognises a repeat by its key."""

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
