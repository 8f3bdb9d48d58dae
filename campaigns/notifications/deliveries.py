"""Queue webhook deliveries and pushes, and build the signed body of a delivery.

They are queued in the transaction of the act, and sent after its commit.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import string
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db import transaction

from campaigns.encryption import decrypt, encrypt
from campaigns.models import (
    Club,
    Notification,
    NotificationEvent,
    PushDevice,
    PushNotification,
    Webhook,
    WebhookDelivery,
)
from campaigns.notifications.event_classes import public_title
from campaigns.notifications.event_types import EVENT_TYPES
from campaigns.notifications.selectors import escape_markdown, format_for_discord, format_sentence, path_of
from rosters.site.job_runs import wake
from rosters.site.mails import origin
from rosters.site.player_data import DepartedPlayer

WEBHOOK_FORMAT = "occasion/1"
MAX_DISCORD_LENGTH = 2000  # characters in a message
TEST_EVENT = "test"
ENCRYPTION_PURPOSE = "webhooks"


def webhook_body(webhook: Webhook, news: NotificationEvent, site: str) -> str:
    """Return the news in this webhook's format."""
    occasion = EVENT_TYPES[news.occasion]
    path = path_of(occasion, news.facts)
    url = f"{site}{path}" if site and path else ""
    if webhook.kind == Webhook.Kind.DISCORD:
        return _discord(public_title(occasion), format_for_discord(occasion.aloud, news.facts), url)
    named = {name for _, name, _, _ in string.Formatter().parse(occasion.aloud) if name}
    campaign = news.campaign
    return _json(
        {
            "muster": WEBHOOK_FORMAT,
            "occasion": news.occasion,
            "at": _iso(news.occurred_at),
            "title": public_title(occasion),
            "text": format_sentence(occasion.aloud, news.facts, UTC),
            "url": url,
            "club": _club(webhook.club),
            "campaign": {"id": campaign.pk, "name": campaign.name} if campaign else None,
            "match": news.facts.get("match"),
            "facts": {name: news.facts[name] for name in sorted(named) if name in news.facts},
        }
    )


def test_body(webhook: Webhook, now: datetime) -> str:
    """Return the body of a test."""
    text = f"This is a test message from {webhook.club.name}. Your webhook works."
    if webhook.kind == Webhook.Kind.DISCORD:
        return _discord("Test", text, "")
    return _json(
        {
            "muster": WEBHOOK_FORMAT,
            "occasion": TEST_EVENT,
            "at": _iso(now),
            "title": "Test",
            "text": text,
            "url": "",
            "club": _club(webhook.club),
            "campaign": None,
            "match": None,
            "facts": {},
        }
    )


def body_with_new_name(body: str, gone: DepartedPlayer) -> str:
    """Return the body with the new name of a player who left; one without their name stays the same byte for byte."""
    known: dict[str, Any] = json.loads(body)
    fresh: dict[str, object] = {}
    if "content" in known:
        fresh["content"] = _escape_names(gone).text(known["content"])
    for name in ("text", "title"):
        if name in known:
            fresh[name] = gone.text(known[name])
    if facts := known.get("facts"):
        fresh["facts"] = {name: gone.text(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
    fresh = {**known, **fresh}
    return body if fresh == known else _json(fresh)


def headers_of(webhook: Webhook, body: bytes, delivery: str, occasion: str, now: datetime) -> dict[str, str]:
    """Return the headers of a delivery; JSON is signed at the moment it is sent."""
    headers = {"Content-Type": "application/json", "User-Agent": "Muster-Webhook/1", "Connection": "close"}
    if webhook.kind == Webhook.Kind.DISCORD:
        return headers
    at = int(now.timestamp())
    return {
        **headers,
        "Muster-Delivery": delivery,
        "Muster-Occasion": occasion,
        "Muster-Signature": f"t={at},v1={signature(decrypt_secret(webhook.secret), at, body)}",
    }


def signature(secret: str, at: int, body: bytes) -> str:
    """Return HMAC-SHA256, keyed with the secret, of the time in seconds, a dot, and the body; in hex."""
    return hmac.digest(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hex()


def encrypt_secret(secret: str) -> str:
    """Encrypt the secret for storing, so that nobody can sign with a dump of the database."""
    return encrypt(secret, ENCRYPTION_PURPOSE)


def decrypt_secret(text: str) -> str:
    """Decrypt the secret; empty if its key is lost, which no receiver accepts."""
    return decrypt(text, ENCRYPTION_PURPOSE)


def _escape_names(gone: DepartedPlayer) -> DepartedPlayer:
    """Return the player with all names escaped as they are sent to Discord."""
    names, shared, addresses, longer = (
        frozenset(map(escape_markdown, texts)) for texts in (gone.names, gone.shared, gone.addresses, gone.longer)
    )
    return replace(
        gone, name=escape_markdown(gone.name), names=names, shared=shared, addresses=addresses, longer=longer
    )


def _club(club: Club) -> dict[str, object]:
    return {"slug": club.slug, "name": club.name}


def _discord(title: str, text: str, url: str) -> str:
    """Return a message that mentions nobody, whatever a company is called."""
    room = MAX_DISCORD_LENGTH - len(url) - len(title) - 8
    content = f"**{title}** {text[:room]}" + (f"\n{url}" if url else "")
    return _json({"content": content, "allowed_mentions": {"parse": []}})


def _json(document: Mapping[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


WEBHOOK_TASK = "campaigns.tasks.word_deliver"


def queue_deliveries(news: NotificationEvent, club: Club) -> None:
    """Queue the news for each of the club's webhooks that subscribe to its occasion."""
    for webhook in Webhook.objects.filter(club=club, enabled=True):
        if news.occasion in webhook.occasions:
            queue_delivery(webhook, news, news.occasion, webhook_body(webhook, news, origin()))


def queue_delivery(webhook: Webhook, news: NotificationEvent | None, occasion: str, body: str) -> WebhookDelivery:
    """Create the delivery and wake a worker."""
    row = WebhookDelivery.objects.create(webhook=webhook, news=news, occasion=occasion, body=body)
    transaction.on_commit(partial(wake, WEBHOOK_TASK, row.pk))
    return row


PUSH_TASK = "campaigns.tasks.word_push"


def queue_pushes(notifications: Sequence[Notification]) -> None:
    """Queue a push for each of these notifications and every device of its reader."""
    if not notifications:
        return
    devices: dict[int, list[int]] = {}
    readers = {notification.player_id for notification in notifications}
    for player, device in PushDevice.objects.filter(player__in=readers).values_list("player", "pk"):
        devices.setdefault(player, []).append(device)
    rows = PushNotification.objects.bulk_create(
        PushNotification(letter=notification, device_id=device)
        for notification in notifications
        for device in devices.get(notification.player_id, ())
    )
    for row in rows:
        transaction.on_commit(partial(wake, PUSH_TASK, row.pk))
