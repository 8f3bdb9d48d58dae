"""Removing the names of players who left from deliveries, so that a repeat has the new name."""

from __future__ import annotations

from collections.abc import Sequence

from campaigns.models import WebhookDelivery
from campaigns.occasions.bodies import body_with_new_name
from rosters.site.leaving import Farewell


def deliveries_forget(clubs: Sequence[int], gone: Farewell) -> None:
    """Write the new name into these clubs' deliveries and into the responses to them."""
    for row in WebhookDelivery.objects.filter(webhook__club__in=clubs).only("pk", "body", "answers").iterator(200):
        body = body_with_new_name(row.body, gone)
        answers = [{**line, "said": gone.text(line["said"])} for line in row.answers]
        if (body, answers) != (row.body, row.answers):
            WebhookDelivery.objects.filter(pk=row.pk).update(body=body, answers=answers)
