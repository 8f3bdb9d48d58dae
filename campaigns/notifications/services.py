"""Create events and their notifications in the transaction of the act; `notify.py` decides who is notified of what.

If the act is rolled back, nobody is notified. Mails and webhooks are sent after the commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.models import (
    Campaign,
    Channel,
    Club,
    Mail,
    Match,
    Notification,
    NotificationEvent,
    NotificationPreferences,
)
from campaigns.notifications.deliveries import queue_deliveries, queue_pushes
from campaigns.notifications.event_classes import CATEGORY_BY_SLUG
from campaigns.notifications.event_types import EVENT_TYPES
from campaigns.notifications.mails import has_address, next_digest, queue_mails
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff

HOURS = range(24)
REMINDER_HOURS = (0, 6, 12, 24, 48, 72)
NO_OWN_FACTS: Mapping[int, Mapping[str, object]] = MappingProxyType({})


def notify(
    occasion: str,
    *,
    to: Iterable[int | None],
    facts: Mapping[str, object],
    by: Player | None = None,
    club: Club | None = None,
    campaign: Campaign | None = None,
    match: Match | None = None,
    own: Mapping[int, Mapping[str, object]] = NO_OWN_FACTS,
    once: str | None = None,
) -> NotificationEvent | None:
    """Create an event and notify these players, except the one who did it.

    Return None if it was notified before, or there is nobody to notify. `own`: facts for one reader only, by player id.
    Only members are notified of a club's events, unless the event type allows strangers.
    """
    declared = EVENT_TYPES[occasion]
    wanted = {pk for pk in to if pk is not None} - ({by.pk} if by else set())
    readers = Player.objects.filter(pk__in=wanted, is_active=True, left_at=None)
    if club is not None and not declared.to_strangers:
        readers = readers.filter(memberships__club=club)
    preferences = (
        list(
            readers.order_by("pk").values_list(
                "pk", "notification_preferences__channels", "notification_preferences__pushes"
            )
        )
        if wanted
        else []
    )
    if not preferences and not declared.aloud:
        return None
    try:
        with transaction.atomic():
            news = NotificationEvent.objects.create(
                occasion=occasion,
                club=club,
                campaign=campaign,
                match=match,
                facts=_to_json(facts),
                created_by=by,
                once=once,
            )
    except IntegrityError:
        return None
    notifications = Notification.objects.bulk_create(
        Notification(
            player_id=pk,
            news=news,
            own=_to_json(own.get(pk, {})),
            way=(channels or {}).get(declared.category, Channel.PAGE),
        )
        for pk, channels, _ in preferences
    )
    if club is not None and declared.aloud:
        queue_deliveries(news, club)
    pushed_to = {pk for pk, _, pushes in preferences if declared.category in (pushes or ())}
    queue_pushes([notification for notification in notifications if notification.player_id in pushed_to])
    queue_mails([notification.player_id for notification in notifications if notification.way == Channel.NOW])
    return news


def _to_json(facts: Mapping[str, object]) -> dict[str, object]:
    """Return the facts as a row stores them."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value if isinstance(value, int) else str(value)
        for name, value in facts.items()
        if value is not None
    }


# --- what a reader does with notifications ----------------------------------------------------------------------------


def mark_notifications_read(*, player: Player, up_to: int | None = None) -> int:
    """Mark the player's notifications up to this one as read. Return how many they were."""
    rows = Notification.objects.filter(player=player, read_at=None)
    if up_to is not None:
        rows = rows.filter(pk__lte=up_to)
    return rows.update(read_at=timezone.now())


def mark_notification(*, notification: Notification, is_read: bool) -> None:
    """Mark a notification as read or unread."""
    rows = Notification.objects.filter(pk=notification.pk)
    if is_read:
        rows.filter(read_at=None).update(read_at=timezone.now())
    else:
        rows.update(read_at=None)


@transaction.atomic
def preferences_set(
    *,
    player: Player,
    channels: Mapping[str, str] | None = None,
    pushes: Iterable[str] | None = None,
    digest_frequency: str | None = None,
    hour: int | None = None,
    weekday: int | None = None,
    remind_hours: int | None = None,
) -> NotificationPreferences:
    """Change a player's notification settings; what isn't given stays. Existing notifications don't change."""
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.left_at is not None:
        raise RefusedError("wishes", "This account no longer exists.")
    row, _ = NotificationPreferences.objects.get_or_create(player=locked)
    if channels is not None:
        row.channels = {category: way for category, way in {**row.channels, **channels}.items() if way != Channel.PAGE}
        if row.channels and not has_address(locked):
            raise RefusedError("wishes", "Confirm your email address first.")
    if pushes is not None:
        row.pushes = sorted(set(pushes) & set(CATEGORY_BY_SLUG))
    row.digest_frequency = row.digest_frequency if digest_frequency is None else digest_frequency
    row.hour = row.hour if hour is None else hour
    row.weekday = row.weekday if weekday is None else weekday
    row.remind_hours = row.remind_hours if remind_hours is None else remind_hours
    row.next_digest_at = (
        next_digest(row, locked.time_zone, timezone.now()) if Channel.DIGEST in row.channels.values() else None
    )
    row.save()
    return row


@transaction.atomic
def mail_stop(*, key: UUID) -> Player | None:
    """Stop all mail of the player whose settings have this key, or return None. Pages still show notifications."""
    row = (
        NotificationPreferences.objects.select_for_update(no_key=True)
        .select_related("player")
        .filter(unsubscribe_key=key)
        .first()
    )
    if row is None:
        return None
    row.channels, row.next_digest_at = {}, None
    row.save(update_fields=["channels", "next_digest_at"])
    return row.player


def clear_news(run: Clearing) -> int:
    """Delete old events with their notifications."""
    old = expiry_cutoff(run.now, settings.KEEP_NEWS_DAYS)
    return 0 if old is None else clear_rows(NotificationEvent.objects.filter(occurred_at__lt=old).only("pk"), run)


def clear_mails(run: Clearing) -> int:
    """Delete finished mails of the same age."""
    old = expiry_cutoff(run.now, settings.KEEP_NEWS_DAYS)
    rows = Mail.objects.filter(status__in=(JobStatus.DONE, JobStatus.FAILED)).only("pk")
    return 0 if old is None else clear_rows(rows.filter(ended_at__lt=old), run)
