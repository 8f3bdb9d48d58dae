"""Sendings are asked for: in the transaction of the act, and worked off after its commit."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from campaigns.models import Club, Delivery, News, Webhook
from campaigns.occasions.bodies import body_of
from rosters.services.mails import origin
from rosters.site.job_runs import wake

TASK = "campaigns.tasks.word_deliver"


def news_send(news: News, club: Club) -> None:
    """Has the club's webhooks told that want to hear of it."""
    for webhook in Webhook.objects.filter(club=club, is_on=True):
        if news.occasion in webhook.occasions:
            delivery_ask(webhook, news, news.occasion, body_of(webhook, news, origin()))


def delivery_ask(webhook: Webhook, news: News | None, occasion: str, body: str) -> Delivery:
    """The sending as a row, and a worker woken."""
    row = Delivery.objects.create(webhook=webhook, news=news, occasion=occasion, body=body)
    transaction.on_commit(partial(wake, TASK, row.pk))
    return row
