"""What came about and who was told: news once, a letter for each reader, and by which ways he wants to hear of it."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from rosters.jobs import Job, JobStatus
from rosters.models import Player

from .campaigns import Campaign
from .clubs import Club
from .matches import Match


class News(models.Model):
    """An occasion that came about, with the facts that its words are made of. Written in the transaction of the act."""

    occasion = models.SlugField(max_length=40)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, null=True, related_name="news")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, null=True, related_name="news")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="news")
    facts = models.JSONField(default=dict)  # texts and numbers by name; times as ISO 8601
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")  # None: the clock
    once = models.CharField(max_length=120, null=True, unique=True)  # names what is told a single time  # noqa: DJ001
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "news"
        indexes = [models.Index(fields=["at"], name="news_by_age")]

    def __str__(self) -> str:
        return f"{self.occasion} {self.pk}"


class Way(models.TextChoices):
    """How a reader hears of a category of occasions; the page has all of them."""

    PAGE = "page", "on the page only"
    NOW = "now", "by mail, at once"
    DIGEST = "digest", "by mail, in the digest"


class Mail(Job):
    """Letters as one mail, sent by a worker. Of those that go at once, one at a time gathers what comes meanwhile.

    `handed_at`: when it was given to the mail server; of one that was, and whose end nobody knows, no second is sent.
    """

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="mails")
    is_digest = models.BooleanField(default=False)
    handed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)  # None, though done: there was nothing to send any more

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


class Letter(models.Model):
    """News for one reader: unread until he has followed it or said so."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="letters")
    news = models.ForeignKey(News, on_delete=models.CASCADE, related_name="letters")
    own = models.JSONField(default=dict)  # facts that are his alone, before those of the news
    way = models.CharField(max_length=6, choices=Way, default=Way.PAGE)  # as he wanted it then
    read_at = models.DateTimeField(null=True)
    mail = models.ForeignKey(Mail, on_delete=models.SET_NULL, null=True, related_name="letters")

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["news", "player"], name="letter_once")]
        indexes = [
            models.Index(fields=["player", "-id"], name="letter_of_player"),
            models.Index(fields=["player"], name="letter_unread", condition=models.Q(read_at=None)),
            models.Index(fields=["way"], name="letter_to_mail", condition=models.Q(mail=None) & ~models.Q(way="page")),
        ]

    def __str__(self) -> str:
        return f"{self.news} for {self.player}"


class Wishes(models.Model):
    """How a player wants to hear of things. Who has none hears on the page, and is reminded a day before deadlines."""

    class Rhythm(models.TextChoices):
        DAILY = "daily", "every day"
        WEEKLY = "weekly", "every week"

    REMINDED = 24  # hours before a deadline

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="wishes")
    ways = models.JSONField(default=dict)  # category -> Way, where it is another than the page
    pushes = models.JSONField(default=list)  # categories of which his devices show notices
    rhythm = models.CharField(max_length=6, choices=Rhythm, default=Rhythm.DAILY)  # of the digest
    hour = models.PositiveSmallIntegerField(default=18)  # of his day
    weekday = models.PositiveSmallIntegerField(default=6)  # 0 is Monday
    remind_hours = models.PositiveSmallIntegerField(default=REMINDED)  # before a deadline; 0: never
    next_digest_at = models.DateTimeField(null=True, db_index=True)  # None: he wants none
    off_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)  # ends all mail without a sign-in

    class Meta:
        verbose_name_plural = "wishes"

    def __str__(self) -> str:
        return f"wishes of {self.player}"

    def way_of(self, category: str) -> Way:
        return Way(self.ways.get(category, Way.PAGE))
