"""Queueing deliveries: in the transaction of the act, sent after its commit."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from campaigns.models import Club, WebhookDelivery, NotificationEvent, Webhook
from campaigns.occasions.bodies import webhook_body
from rosters.services.mails import origin
from rosters.site.job_runs import wake

WEBHOOK_TASK = "campaigns.tasks.word_deliver"


def queue_deliveries(news: NotificationEvent, club: Club) -> None:
    """Queue the news for each of the club's webhooks that subscribe to its occasion."""
    for webhook in Webhook.objects.filter(club=club, is_on=True):
        if news.occasion in webhook.occasions:
            queue_delivery(webhook, news, news.occasion, webhook_body(webhook, news, origin()))


def queue_delivery(webhook: Webhook, news: NotificationEvent | None, occasion: str, body: str) -> WebhookDelivery:
    """Create the delivery and wake a worker."""
    row = WebhookDelivery.objects.create(webhook=webhook, news=news, occasion=occasion, body=body)
    transaction.on_commit(partial(wake, WEBHOOK_TASK, row.pk))
    return row
