"""Send push notifications, signed and encrypted; add and remove devices."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from datetime import timedelta
from email.utils import parseaddr
from urllib.parse import urlsplit
from uuid import UUID

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from py_vapid import Vapid02

from campaigns.encryption import decrypt, encrypt
from campaigns.models import NotificationPreferences, PushDevice, PushKey, PushNotification
from campaigns.notifications.deliveries import PUSH_TASK
from campaigns.notifications.event_types import EVENT_TYPES
from campaigns.notifications.mails import get_zone
from campaigns.notifications.outbound_http import ForbiddenAddressError, WebhookResponse, parse_webhook_url, post
from campaigns.notifications.selectors import describe_notification
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_text
from rosters.site.job_runs import wake
from rosters.site.mails import origin
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff

ENCRYPTION_PURPOSE = "pushes"
PUBLIC_KEY_SIZE, AUTH_SECRET_SIZE = 65, 16  # bytes of a device's two keys
SIGNATURE_SECONDS = 12 * 3600  # seconds a signature is valid: a day is the maximum, and clocks differ
SITE_PATTERN = re.compile(r"https://[\w-]+(\.[\w-]+)+(:\d+)?")


class MissingKeyError(ValueError):
    """Raised if the key that encrypts a device's address is missing: nothing can be sent there any more."""


@transaction.atomic
def push_key() -> PushKey:
    """Return the key of this site: the newest that can still be used, or a new one."""
    newest = PushKey.objects.select_for_update().order_by("-pk").first()
    if newest is not None and decrypt(newest.private, ENCRYPTION_PURPOSE):
        return newest
    made = Vapid02()
    made.generate_keys()
    point = made.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return PushKey.objects.create(
        private=encrypt(made.private_pem().decode(), ENCRYPTION_PURPOSE), public=encode_base64url(point)
    )


def vapid_headers(device: PushDevice, endpoint: str) -> dict[str, str]:
    """Return the header that identifies the sender (RFC 8292). Raise MissingKeyError if the key is lost."""
    pem = decrypt(device.signed_with.private, ENCRYPTION_PURPOSE)
    if not pem:
        raise MissingKeyError
    parts = urlsplit(endpoint)
    key = Vapid02.from_pem(pem.encode())
    key.conf["no-strict"] = True  # strict mode refuses a contact with a port or on an inside network
    claims = {"sub": _contact(), "aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNATURE_SECONDS}
    found: dict[str, str] = key.sign(claims)
    return found


def encrypt_body(device: PushDevice, body: bytes) -> bytes:
    """Return the body encrypted for that browser alone (RFC 8291). Raise MissingKeyError if its keys can't be read."""
    found = decrypt(device.secrets, ENCRYPTION_PURPOSE)
    if not found:
        raise MissingKeyError
    keys = json.loads(found)
    sealed: bytes = http_ece.encrypt(
        body,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decode_base64url(keys["p256dh"]),
        auth_secret=decode_base64url(keys["auth"]),
        version="aes128gcm",
    )
    return sealed


def are_valid_keys(p256dh: str, auth: str) -> bool:
    """Return whether something could be encrypted with these keys."""
    try:
        point = decode_base64url(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        return len(point) == PUBLIC_KEY_SIZE and len(decode_base64url(auth)) == AUTH_SECRET_SIZE
    except (ValueError, Base64Error):
        return False


def encode_base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))


def _contact() -> str:
    """Return the address under which a push service can reach the site's owner."""
    site = origin()
    return site if SITE_PATTERN.fullmatch(site) else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


log = logging.getLogger(__name__)
MAX_DEVICES = 10  # devices of a player
DEFAULT_CATEGORY = "matches"  # the category switched on with a player's first device, if they have chosen none
PUSH_LIFETIME = timedelta(days=1)  # how long a push service keeps a push for a browser that is off
MAX_TEXT = 600  # characters; a push has no room for more
GONE_STATUSES = (404, 410)
REFUSED_STATUSES = (400, 401, 403, 413)  # would be refused again on a retry
RETRY_DELAYS = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 300, 1800, 7200, 21600))


@transaction.atomic
def device_add(*, player: Player, endpoint: str, p256dh: str, auth: str, name: str, public: str = "") -> PushDevice:
    """Register the browser with this address for notifications; a known one gets its new keys.

    `public` is the site's key that the browser was given. A browser that belonged to another player is taken from them.
    """
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if locked.left_at is not None:
        raise RefusedError("device", "This account no longer exists.")
    _check_endpoint(endpoint)
    if not are_valid_keys(p256dh, auth):
        raise RefusedError("keys", "These aren't a browser's keys. Reload the page and try again.")
    key = push_key()
    if public and public != key.public:
        raise RefusedError("public", "The site's key has changed. Reload the page and try again.")
    digest = _hash(endpoint)
    others = PushDevice.objects.filter(player=locked).exclude(endpoint_hash=digest)
    if others.count() >= MAX_DEVICES:
        raise RefusedError("device", f"You already get notifications in {MAX_DEVICES} browsers. Remove one first.")
    PushDevice.objects.filter(endpoint_hash=digest).exclude(player=locked).delete()
    row, _ = PushDevice.objects.update_or_create(
        endpoint_hash=digest,
        defaults={
            "player": locked,
            "signed_with": key,
            "endpoint": encrypt(endpoint, ENCRYPTION_PURPOSE),
            "secrets": encrypt(json.dumps({"p256dh": p256dh, "auth": auth}), ENCRYPTION_PURPOSE),
            "host": PushDevice.host_of(endpoint),
            "name": clean_text("name", name, longest=60, may_be_empty=True) or "A browser",
        },
    )
    preferences, _ = NotificationPreferences.objects.get_or_create(player=locked)
    if not preferences.pushes:
        preferences.pushes = [DEFAULT_CATEGORY]
        preferences.save(update_fields=["pushes"])
    return row


@transaction.atomic
def device_move(*, player: Player, before: str, endpoint: str, p256dh: str, auth: str, public: str) -> PushDevice:
    """Move the notifications of a browser to the new address its push service gave it, under the same name.

    Raise RefusedError if this player has no notifications there any more: they have stopped them.
    """
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    known = PushDevice.objects.select_for_update().filter(player=player, endpoint_hash=_hash(before)).first()
    if known is None:
        raise RefusedError("before", "This browser isn't set up for your notifications.")
    _check_endpoint(endpoint)
    PushDevice.objects.filter(endpoint_hash=_hash(endpoint)).exclude(pk=known.pk).delete()
    PushDevice.objects.filter(pk=known.pk).update(endpoint_hash=_hash(endpoint))
    return device_add(player=player, endpoint=endpoint, p256dh=p256dh, auth=auth, name=known.name, public=public)


@transaction.atomic
def device_remove(*, player: Player, key: UUID) -> bool:
    """Stop notifications in a device. Return False if the player has no such device."""
    gone, _ = PushDevice.objects.filter(player=player, key=key).delete()
    return bool(gone)


def _hash(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


def _check_endpoint(endpoint: str) -> None:
    if len(endpoint) > 1000:
        raise RefusedError("endpoint", "The browser's address is too long (max 1000 characters).")
    try:
        parse_webhook_url(endpoint)
    except ForbiddenAddressError as error:
        raise RefusedError("endpoint", str(error)) from None


# --- sending ----------------------------------------------------------------------------------------------------------


def push_send(*, job: PushNotification) -> bool:
    """Send a claimed push, finish it if there is nothing to show any more, or put it back for later."""
    job = PushNotification.objects.select_related(
        "device__player", "device__signed_with", "letter__news__club", "letter__news__campaign"
    ).get(pk=job.pk, lease=job.lease)
    if not _is_wanted(job):
        return job.finish()
    endpoint = decrypt(job.device.endpoint, ENCRYPTION_PURPOSE)
    try:
        body = encrypt_body(job.device, push_payload(job))
        headers = {
            **vapid_headers(job.device, endpoint),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(int(PUSH_LIFETIME.total_seconds())),
            "Topic": f"letter-{job.letter_id}",
            "Urgency": "normal",
            "Connection": "close",
        }
    except MissingKeyError:
        return _drop_device(job, "The key that encrypts this browser’s address is missing.")
    if not job.renew():
        return False
    try:
        answer = post(endpoint, body, headers)
    except ForbiddenAddressError as error:
        return _drop_device(job, str(error))
    if answer.is_taken:
        return job.finish(sent_at=timezone.now())
    if answer.status in GONE_STATUSES:
        return _drop_device(job, "The browser has unsubscribed.")
    return _retry_later(job, answer)


def push_payload(job: PushNotification) -> bytes:
    """Return what the service worker shows, as JSON, with times in the reader's zone."""
    notification = describe_notification(job.letter, get_zone(job.device.player.time_zone))
    text = notification.text if len(notification.text) <= MAX_TEXT else f"{notification.text[: MAX_TEXT - 1]}…"
    content = {
        "title": notification.title,
        "body": text,
        "url": reverse("campaigns:inbox_open", args=[notification.id]),
        "tag": f"letter-{notification.id}",
    }
    return json.dumps(content, ensure_ascii=False).encode()


def _is_wanted(job: PushNotification) -> bool:
    """Return whether the push is still useful: not too old, not read, and wanted by an active player of the club."""
    player, notification = job.device.player, job.letter
    if notification.player_id != player.pk:  # two players have registered the same browser at once
        return False
    if not player.is_active or player.left_at is not None or notification.read_at is not None:
        return False
    occasion = EVENT_TYPES.get(notification.news.occasion)
    preferences = NotificationPreferences.objects.filter(player=player).first()
    if occasion is None or preferences is None or occasion.category not in preferences.pushes:
        return False
    if job.waiting_since < timezone.now() - PUSH_LIFETIME:
        return False
    club = notification.news.club_id
    return occasion.to_strangers or club is None or player.memberships.filter(club=club).exists()


@transaction.atomic
def _drop_device(job: PushNotification, why: str) -> bool:
    """Delete the device with all pushes on their way to it."""
    if not job.claimed().exists():
        return False
    log.info("device %s dropped: %s", job.device_id, why)
    job.device.delete()
    return True


def _retry_later(job: PushNotification, answer: WebhookResponse) -> bool:
    reason = answer.text[:200] if answer.status is None else f"The push service responded {answer.status}."
    if answer.status in REFUSED_STATUSES or job.blips >= len(RETRY_DELAYS):
        log.warning("push %s was not taken: %s", job.pk, reason)
        return job.fail(reason)
    pause = RETRY_DELAYS[job.blips]
    put = job.put_back(pause)
    wake(PUSH_TASK, job.pk, after=pause)
    return put


def clear_pushes(run: Clearing) -> int:
    """Delete finished pushes that are old, and keys that no device uses. Return how many pushes were deleted."""
    old = expiry_cutoff(run.now, settings.KEEP_NEWS_DAYS)
    rows = PushNotification.objects.filter(status__in=(JobStatus.DONE, JobStatus.FAILED)).only("pk")
    newest = PushKey.objects.order_by("-pk").values_list("pk", flat=True).first()
    if newest is not None:
        PushKey.objects.filter(devices=None).exclude(pk=newest).delete()
    return 0 if old is None else clear_rows(rows.filter(ended_at__lt=old), run)
