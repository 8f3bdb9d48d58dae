"""A reader's notifications in words, one page at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.db.models import QuerySet

from campaigns.models import Notification, Mail, PushDevice
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.site.keyset import Keyset, Slice
from rosters.site.listed import KeysetList

from .words import describe_event

PAGE_SIZE = 30
MAX_MAILS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationRow:
    """A notification as its reader sees it."""

    id: int
    occasion: str
    category: str
    title: str
    text: str
    do: str
    url: str
    where: str  # the campaign, or the club
    at: datetime
    is_read: bool


def letters_of(player: int | Player) -> QuerySet[Notification]:
    """Return all notifications of the player, with what their texts need."""
    rows = Notification.objects.filter(player=player).select_related("news__club", "news__campaign")
    return rows.defer("news__club__about", "news__campaign__about", "news__campaign__scenarios")


ORDER = Keyset("-pk")
LETTERS = KeysetList(lambda player: letters_of(player), ORDER, PAGE_SIZE, player=int)
UNREAD = KeysetList(lambda player: letters_of(player).filter(read_at=None), ORDER, PAGE_SIZE, player=int)


def inbox_page(player: Player, asked: Mapping[str, str], *, unread: bool = False) -> Slice[Notification]:
    """Return a page of the player's notifications, newest first."""
    return (UNREAD if unread else LETTERS).asked(asked, player=player.pk)


def describe_notification(row: Notification, zone: tzinfo | None = None) -> NotificationRow:
    """Return the notification in words, with times in that zone or else in the request's."""
    news = row.news
    said = describe_event(news.occasion, {**news.facts, **row.own}, zone)
    place = news.campaign or news.club
    return NotificationRow(
        id=row.pk,
        occasion=news.occasion,
        category=said.category,
        title=said.title,
        text=said.text,
        do=said.do,
        url=said.url,
        where=place.name if place else "",
        at=news.at,
        is_read=row.read_at is not None,
    )


def mails_of(player: Player) -> list[Mail]:
    """Return the player's last mails, newest first: sent, waiting or failed."""
    rows = Mail.objects.filter(player=player).exclude(status=JobStatus.DONE, sent_at=None)
    return list(rows.order_by("-pk")[:MAX_MAILS])


def devices_of(player: Player) -> list[PushDevice]:
    """Return the browsers in which the player gets push notifications."""
    return list(PushDevice.objects.filter(player=player))
