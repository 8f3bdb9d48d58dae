"""What was sent to webhooks names nobody who left: what is sent again has his new name."""

from __future__ import annotations

from collections.abc import Sequence

from campaigns.models import Delivery
from campaigns.occasions.bodies import body_forgotten
from rosters.site.leaving import Farewell


def deliveries_forget(clubs: Sequence[int], gone: Farewell) -> None:
    """The new name in what these clubs' webhooks were sent, and in what they answered."""
    for row in Delivery.objects.filter(webhook__club__in=clubs).only("pk", "body", "answers").iterator(200):
        body = body_forgotten(row.body, gone)
        answers = [{**line, "said": gone.text(line["said"])} for line in row.answers]
        if (body, answers) != (row.body, row.answers):
            Delivery.objects.filter(pk=row.pk).update(body=body, answers=answers)
