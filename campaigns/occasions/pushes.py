"""Queue push notifications in the transaction of the act; they are sent after its commit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from campaigns.models import Notification, PushNotification, PushDevice
from rosters.site.job_runs import wake

PUSH_TASK = "campaigns.tasks.word_push"


def queue_pushes(letters: Sequence[Notification]) -> None:
    """Queue a push for each of these notifications and every device of its reader."""
    if not letters:
        return
    devices: dict[int, list[int]] = {}
    readers = {letter.player_id for letter in letters}
    for player, device in PushDevice.objects.filter(player__in=readers).values_list("player", "pk"):
        devices.setdefault(player, []).append(device)
    rows = PushNotification.objects.bulk_create(
        PushNotification(letter=letter, device_id=device) for letter in letters for device in devices.get(letter.player_id, ())
    )
    for row in rows:
        transaction.on_commit(partial(wake, PUSH_TASK, row.pk))
