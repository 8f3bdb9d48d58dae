"""The webhooks of a club, and the log of one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.dateparse import parse_datetime

from campaigns.models import Club, Webhook, WebhookDelivery
from campaigns.notifications.deliveries import TEST_EVENT
from campaigns.notifications.event_classes import public_title
from campaigns.notifications.event_types import EVENT_TYPES
from rosters.jobs import JobStatus

MAX_DELIVERIES = 40  # deliveries in a log
CSS_CLASSES = {JobStatus.DONE: "good", JobStatus.FAILED: "bad"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRow:
    """One attempt: when it was, and the response."""

    at: datetime | None
    status: int | None
    text: str
    ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRow:
    """A delivery in the log."""

    key: UUID
    occasion: str
    title: str
    at: datetime
    state: str  # in a word
    look: str  # good, bad or warn
    reason: str
    again_at: datetime | None
    is_over: bool
    body: str
    answers: tuple[ResponseRow, ...]


def webhooks_of(club: Club) -> list[Webhook]:
    return list(Webhook.objects.filter(club=club).order_by("pk"))


def webhook_of(club: Club, key: UUID) -> Webhook | None:
    return Webhook.objects.select_related("club").filter(club=club, key=key).first()


def deliveries_of(webhook: Webhook) -> list[DeliveryRow]:
    """Return the log, newest first."""
    return [delivery_row(row) for row in webhook.deliveries.order_by("-pk")[:MAX_DELIVERIES]]


def delivery_row(row: WebhookDelivery) -> DeliveryRow:
    waits = row.status == JobStatus.QUEUED and bool(row.answers)
    words = {JobStatus.DONE: "taken", JobStatus.FAILED: "failed"}
    return DeliveryRow(
        key=row.key,
        occasion=row.occasion,
        title="Test"
        if row.occasion == TEST_EVENT
        else public_title(EVENT_TYPES[row.occasion])
        if row.occasion in EVENT_TYPES
        else "",
        at=row.waiting_since,
        state="retrying" if waits else words.get(JobStatus(row.status), "on its way"),
        look=CSS_CLASSES.get(JobStatus(row.status), "warn"),
        reason=row.failure,
        again_at=row.not_before if waits else None,
        is_over=row.is_over,
        body=row.body,
        answers=tuple(
            ResponseRow(
                at=parse_datetime(str(line.get("at", ""))),
                status=line.get("status"),
                text=str(line.get("said", "")),
                ms=int(line.get("ms", 0)),
            )
            for line in reversed(row.answers)
        ),
    )
