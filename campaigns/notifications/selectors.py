"""A reader's notifications, one page at a time, and events in words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from uuid import UUID

from django.db.models import QuerySet
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from campaigns.models import Mail, Notification, PushDevice
from campaigns.notifications.event_classes import EventType
from campaigns.notifications.event_types import EVENT_TYPES
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.site.pagination import Keyset, KeysetList, Slice

Facts = Mapping[str, object]
UUID_FACTS = ("match", "invitation", "webhook")  # facts that are a key in an address


@dataclass(frozen=True, slots=True, kw_only=True)
class EventText:
    """An event as one reader reads it."""

    title: str
    text: str
    do: str  # text of the link
    url: str  # a path; empty: the page is gone
    category: str


def describe_event(slug: str, facts: Facts, zone: tzinfo | None = None) -> EventText:
    """Return the event in words for a person, with times in their zone (the request's, if none is given)."""
    occasion = EVENT_TYPES.get(slug)
    if occasion is None:  # from a version with another list
        return EventText(title=slug.replace("-", " ").capitalize(), text="", do="", url="", category="")
    return EventText(
        title=occasion.title,
        text=format_sentence(occasion.says, facts, zone),
        do=occasion.do,
        url=path_of(occasion, facts),
        category=occasion.category,
    )


def format_sentence(words: str, facts: Facts, zone: tzinfo | None = None) -> str:
    """Return the text with its facts filled in; a missing fact is left out."""
    return " ".join(words.format_map(_SentenceFacts(facts, zone or timezone.get_current_timezone())).split())


def format_for_discord(words: str, facts: Facts) -> str:
    """Return the text with times that Discord shows in each reader's zone, and with Markdown in facts escaped."""
    values = {name: escape_markdown(str(value)) for name, value in facts.items()}
    for name, value in facts.items():
        if name.endswith("_at"):
            try:
                values[name] = f"<t:{int(datetime.fromisoformat(str(value)).timestamp())}:f>"
            except ValueError:
                continue
    return " ".join(words.format_map(defaultdict(str, values)).split())


def escape_markdown(text: str) -> str:
    """Escape the text so that Discord shows it literally."""
    return re.sub(r"([\\*_~`|>#\[\]()<])", r"\\\1", text)


def path_of(occasion: EventType, facts: Facts) -> str:
    """Return the path of the event's page; empty if these facts lead to none."""
    given = [
        UUID(str(facts[name])) if name in UUID_FACTS else facts[name] for name in occasion.place if facts.get(name)
    ]
    try:
        return reverse(occasion.route, args=given)
    except NoReverseMatch:
        return ""


def format_time(at: datetime, zone: tzinfo) -> str:
    """Return a time such as "Fri 4 Dec, 20:00"."""
    there = at.astimezone(zone)
    return f"{there:%a} {there.day} {there:%b}, {there:%H:%M}"


class _SentenceFacts(dict[str, str]):
    """Facts as a sentence shows them."""

    def __init__(self, facts: Facts, zone: tzinfo) -> None:
        super().__init__({name: str(value) for name, value in facts.items()})
        self.update({name: _time(str(value), zone) for name, value in facts.items() if name.endswith("_at")})

    def __missing__(self, key: str) -> str:
        return ""


def _time(text: str, zone: tzinfo) -> str:
    try:
        return format_time(datetime.fromisoformat(text), zone)
    except ValueError:
        return text


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


def notifications_of(player: int | Player) -> QuerySet[Notification]:
    """Return all notifications of the player, with what their texts need."""
    rows = Notification.objects.filter(player=player).select_related("news__club", "news__campaign")
    return rows.defer("news__club__about", "news__campaign__about", "news__campaign__scenarios")


ORDER = Keyset("-pk")
ALL_NOTIFICATIONS = KeysetList(lambda player: notifications_of(player), ORDER, PAGE_SIZE, player=int)
UNREAD = KeysetList(lambda player: notifications_of(player).filter(read_at=None), ORDER, PAGE_SIZE, player=int)


def inbox_page(player: Player, asked: Mapping[str, str], *, unread: bool = False) -> Slice[Notification]:
    """Return a page of the player's notifications, newest first."""
    return (UNREAD if unread else ALL_NOTIFICATIONS).asked(asked, player=player.pk)


def describe_notification(row: Notification, zone: tzinfo | None = None) -> NotificationRow:
    """Return the notification in words, with times in that zone or else in the request's."""
    news = row.news
    described = describe_event(news.occasion, {**news.facts, **row.own}, zone)
    place = news.campaign or news.club
    return NotificationRow(
        id=row.pk,
        occasion=news.occasion,
        category=described.category,
        title=described.title,
        text=described.text,
        do=described.do,
        url=described.url,
        where=place.name if place else "",
        at=news.occurred_at,
        is_read=row.read_at is not None,
    )


def mails_of(player: Player) -> list[Mail]:
    """Return the player's last mails, newest first: sent, waiting or failed."""
    rows = Mail.objects.filter(player=player).exclude(status=JobStatus.DONE, sent_at=None)
    return list(rows.order_by("-pk")[:MAX_MAILS])


def devices_of(player: Player) -> list[PushDevice]:
    """Return the browsers in which the player gets push notifications."""
    return list(PushDevice.objects.filter(player=player))
