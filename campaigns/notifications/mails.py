"""Send notifications by mail, at once or in a player's digest, and never twice.

If the mail server is down, sending is retried for a day. A mail that was given to it and may or may not have arrived is
not sent again: a duplicate mail is worse than a notification that waits on the page.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Channel, Mail, Membership, Notification, NotificationPreferences
from campaigns.notifications.event_types import EVENT_TYPES
from campaigns.notifications.selectors import NotificationRow, describe_notification, notifications_of
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.site.heartbeats import skip_unreadable
from rosters.site.job_runs import wake
from rosters.site.mails import origin
from systems.text import pluralize


def get_zone(name: str) -> tzinfo:
    """Return the time zone of that name; UTC if the name is unknown."""
    try:
        return ZoneInfo(name) if name else UTC
    except (OSError, ValueError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return UTC


def next_digest(preferences: NotificationPreferences, zone: str, now: datetime) -> datetime:
    """Return the next time after `now` at the hour set in the player's zone; for weekly digests on their weekday."""
    there = now.astimezone(get_zone(zone))
    due = there.replace(hour=preferences.hour, minute=0, second=0, microsecond=0, fold=0)
    while due.astimezone(UTC) <= now or (
        preferences.digest_frequency == NotificationPreferences.DigestFrequency.WEEKLY
        and due.weekday() != preferences.weekday
    ):
        due += timedelta(days=1)  # in local time: the hour stays the same when clocks change
    return due.astimezone(UTC)


log = logging.getLogger(__name__)
ACTIVE_STATUSES = (JobStatus.QUEUED, JobStatus.RUNNING)
TASK_NAME = "campaigns.tasks.word_mail"
MISSED_AFTER = timedelta(minutes=5)  # a notification that has waited longer without a mail was missed
MAX_AGE = timedelta(days=2)  # an immediate notification that couldn't be sent in this time stays on the page
MAX_NOTIFICATIONS = 50  # in one mail; the rest are on the page
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
MAX_PLAYERS = 500  # per run of the timer


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSection:
    """A mail's notifications about one campaign or club."""

    where: str
    notifications: tuple[NotificationRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MailContent:
    """The text of a mail."""

    subject: str
    text: str
    html: str
    headers: dict[str, str]


# --- queueing ---------------------------------------------------------------------------------------------------------


def queue_mails(players: Iterable[int]) -> None:
    """Queue a mail for each player, unless one is gathering already.

    It is sent a little later, with everything that has been added by then.
    """
    wanted = sorted(set(players))
    if not wanted:
        return
    pause = timedelta(seconds=settings.MAIL_GATHERS_SECONDS)
    due = timezone.now() + pause
    Mail.objects.bulk_create([Mail(player_id=pk, not_before=due) for pk in wanted], ignore_conflicts=True)
    found = Mail.objects.filter(player__in=wanted, status=JobStatus.QUEUED, is_digest=False, not_before=due)
    pks = list(found.values_list("pk", flat=True))

    def tell_workers() -> None:
        for pk in pks:
            wake(TASK_NAME, pk, after=pause)

    transaction.on_commit(tell_workers)


def queue_missed_mails() -> int:
    """Queue mails for immediate notifications that missed one already being sent. Return the number of players."""
    now = timezone.now()
    gathers = Mail.objects.filter(player=OuterRef("player"), status__in=ACTIVE_STATUSES, is_digest=False)
    rows = Notification.objects.filter(
        ~Exists(gathers),
        way=Channel.NOW,
        mail=None,
        read_at=None,
        news__occurred_at__lt=now - MISSED_AFTER,
        news__occurred_at__gt=now - MAX_AGE,
    )
    players = set(rows.values_list("player", flat=True)[:MAX_PLAYERS])
    with transaction.atomic():
        queue_mails(players)
    return len(players)


def queue_due_digests() -> int:
    """Queue the digests that are due. Return how many have something to report."""
    number = 0
    for pk in _due()[:MAX_PLAYERS]:
        with skip_unreadable(f"digest {pk}"):
            number += _queue_digest(pk)
    return number


def _due() -> list[int]:
    """Return the preferences of players whose digest is due, the longest due first."""
    rows = NotificationPreferences.objects.filter(next_digest_at__lte=timezone.now()).order_by("next_digest_at", "pk")
    return list(rows.values_list("pk", flat=True)[:MAX_PLAYERS])


@transaction.atomic
def _queue_digest(pk: int) -> bool:
    now = timezone.now()
    rows = NotificationPreferences.objects.select_for_update(of=("self",), no_key=True).select_related("player")
    row = rows.filter(pk=pk, next_digest_at__lte=now).first()
    if row is None:
        return False  # another worker was faster
    row.next_digest_at = next_digest(row, row.player.time_zone, now)
    row.save(update_fields=["next_digest_at"])
    if not _unsent_notifications(row.player, Channel.DIGEST).exists():
        return False
    mail = Mail.objects.create(player=row.player, is_digest=True)
    transaction.on_commit(lambda: wake(TASK_NAME, mail.pk))
    return True


# --- sending ----------------------------------------------------------------------------------------------------------


def mail_send(*, job: Mail) -> bool:
    """Send a claimed mail, finish it if there is nothing to send, or put it back for later."""
    if job.handed_at is not None:
        return job.fail("Interrupted while sending. It won't be sent again.")
    address = confirmed_address(job.player)
    notifications = _collect_notifications(job) if address else []
    if not notifications:
        return job.finish()
    written = build_mail(job.player, notifications, job)
    connection = get_connection()
    try:
        connection.open()
    except (OSError, SMTPException) as error:
        return _retry_later(job, error)
    try:
        return _hand_over(job, connection, address, written)
    finally:
        connection.close()


def _hand_over(job: Mail, connection: BaseEmailBackend, address: str, written: MailContent) -> bool:
    if not job.renew(handed_at=timezone.now()):
        return False  # another worker sends it by now
    message = EmailMultiAlternatives(
        written.subject, written.text, None, [address], headers=written.headers, connection=connection
    )
    message.attach_alternative(written.html, "text/html")
    try:
        message.send()
    except SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        return _refused(job, max(codes, default=550), error)
    except SMTPResponseException as error:
        return _refused(job, error.smtp_code, error)
    except (OSError, SMTPException) as error:
        log.warning("mail %s: the server broke off: %s", job.pk, error)
        return job.fail("The mail server disconnected while sending. It won't be sent again.")
    return job.finish(sent_at=timezone.now())


def _refused(job: Mail, code: int, error: Exception) -> bool:
    """Handle the server's refusal: temporary (4xx) or permanent."""
    job.claimed().update(handed_at=None)
    if 400 <= code < 500:
        return _retry_later(job, error)
    log.warning("mail %s was refused: %s", job.pk, error)
    return job.fail(f"The mail server rejected it ({code}).")


def _retry_later(job: Mail, error: Exception) -> bool:
    log.warning("mail %s could not be sent: %s: %s", job.pk, type(error).__name__, error)
    if job.blips >= len(RETRY_DELAYS):
        return job.fail("The mail server didn’t respond for a day.")
    pause = RETRY_DELAYS[job.blips]
    put = job.put_back(pause)
    wake(TASK_NAME, job.pk, after=pause)
    return put


@transaction.atomic
def _collect_notifications(job: Mail) -> list[Notification]:
    """Return the notifications to send in this mail. A retry sends the same ones, less any read since."""
    rows = _unsent_notifications(job.player, Channel.DIGEST if job.is_digest else Channel.NOW)
    rows.update(mail=job)
    found = notifications_of(job.player).filter(mail=job, read_at=None).order_by("pk")
    return _still_wanted(job.player, found)


def _unsent_notifications(player: Player, way: Channel) -> QuerySet[Notification]:
    rows = Notification.objects.filter(player=player, way=way, mail=None, read_at=None)
    return rows if way == Channel.DIGEST else rows.filter(news__occurred_at__gt=timezone.now() - MAX_AGE)


def _still_wanted(player: Player, notifications: Iterable[Notification]) -> list[Notification]:
    """Return the notifications, less those of clubs the player has left and categories no longer wanted by mail."""
    preferences = NotificationPreferences.objects.filter(player=player).first()
    clubs = set(Membership.objects.filter(player=player).values_list("club", flat=True))
    kept = []
    for notification in notifications:
        occasion = EVENT_TYPES.get(notification.news.occasion)
        if occasion is None or preferences is None or preferences.channel_of(occasion.category) == Channel.PAGE:
            continue
        if occasion.to_strangers or notification.news.club_id is None or notification.news.club_id in clubs:
            kept.append(notification)
    return kept


def confirmed_address(player: Player) -> str:
    """Return a confirmed address of the player; empty if they have none, or the account is closed."""
    if not player.is_active or player.left_at is not None:
        return ""
    rows = EmailAddress.objects.filter(user=player, verified=True).order_by("-primary", "pk")
    return next(iter(rows.values_list("email", flat=True)[:1]), "")


def has_address(player: Player) -> bool:
    return bool(confirmed_address(player))


# --- content ----------------------------------------------------------------------------------------------------------


def build_mail(player: Player, notifications: Sequence[Notification], job: Mail) -> MailContent:
    """Return the mail as text and HTML, with times in the reader's zone."""
    zone = get_zone(player.time_zone)
    rows = [describe_notification(notification, zone) for notification in notifications[:MAX_NOTIFICATIONS]]
    site = origin()
    preferences = NotificationPreferences.objects.get_or_create(player=player)[0]
    off = f"{site}{reverse('campaigns:mail_unsubscribe', args=[preferences.unsubscribe_key])}"
    context = {
        "reader": str(player),
        "groups": _groups(rows),
        "number": pluralize(len(notifications), "notifications"),
        "more": len(notifications) - len(rows),
        "is_digest": job.is_digest,
        "period": "day" if preferences.digest_frequency == NotificationPreferences.DigestFrequency.DAILY else "week",
        "site": site,
        "inbox": f"{site}{reverse('campaigns:inbox')}",
        "settings": f"{site}{reverse('campaigns:notification_settings')}",
        "off": off,
        "is_reachable": bool(site),
    }
    headers = {"Auto-Submitted": "auto-generated"}
    if site:
        host = site.partition("://")[2]
        headers |= {"Message-ID": f"<{job.key}@{host.partition(':')[0]}>"}
        headers |= {"List-Unsubscribe": f"<{off}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return MailContent(
        subject=f"[Muster] {_subject(rows, len(notifications))}",
        text=render_to_string("campaigns/mail/notifications.txt", context),
        html=render_to_string("campaigns/mail/notifications.html", context),
        headers=headers,
    )


def _subject(rows: Sequence[NotificationRow], number: int) -> str:
    first = " ".join(f"{rows[0].title}: {rows[0].where}".split()) if rows[0].where else rows[0].title
    return first if number == 1 else f"{first} and {number - 1} more"


def _groups(rows: Sequence[NotificationRow]) -> tuple[MailSection, ...]:
    found: dict[str, list[NotificationRow]] = {}
    for notification in rows:
        found.setdefault(notification.where or "Your companies", []).append(notification)
    return tuple(MailSection(where=where, notifications=tuple(notifications)) for where, notifications in found.items())
