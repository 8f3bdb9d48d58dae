"""Sign and encrypt push notifications, with the libraries of the authors of the standards."""

from __future__ import annotations

import json
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from email.utils import parseaddr
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from py_vapid import Vapid02

from campaigns.boxes import boxed, unboxed
from campaigns.models import PushDevice, PushKey
from rosters.services.mails import origin

BOX = "pushes"
POINT, AUTH = 65, 16  # bytes of a device's two keys
HOLDS = 12 * 3600  # seconds a signature is valid: a day is the maximum, and clocks differ
SITE = re.compile(r"https://[\w-]+(\.[\w-]+)+(:\d+)?")


class KeyLostError(ValueError):
    """Raised if the key that encrypts a device's address is missing: nothing can be sent there any more."""


@transaction.atomic
def push_key() -> PushKey:
    """Return the key of this site: the newest that can still be used, or a new one."""
    newest = PushKey.objects.select_for_update().order_by("-pk").first()
    if newest is not None and unboxed(newest.private, BOX):
        return newest
    made = Vapid02()
    made.generate_keys()
    point = made.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return PushKey.objects.create(private=boxed(made.private_pem().decode(), BOX), public=encoded(point))


def signed(device: PushDevice, endpoint: str) -> dict[str, str]:
    """Return the header that identifies the sender (RFC 8292). Raise KeyLostError if the key is lost."""
    pem = unboxed(device.signed_with.private, BOX)
    if not pem:
        raise KeyLostError
    parts = urlsplit(endpoint)
    key = Vapid02.from_pem(pem.encode())
    key.conf["no-strict"] = True  # strict mode refuses a contact with a port or on an inside network
    claims = {"sub": _contact(), "aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + HOLDS}
    found: dict[str, str] = key.sign(claims)
    return found


def encrypted(device: PushDevice, body: bytes) -> bytes:
    """Return the body encrypted for that browser alone (RFC 8291). Raise KeyLostError if its keys can't be read."""
    found = unboxed(device.secrets, BOX)
    if not found:
        raise KeyLostError
    keys = json.loads(found)
    sealed: bytes = http_ece.encrypt(
        body,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decoded(keys["p256dh"]),
        auth_secret=decoded(keys["auth"]),
        version="aes128gcm",
    )
    return sealed


def are_keys(p256dh: str, auth: str) -> bool:
    """Return whether something could be encrypted with these keys."""
    try:
        point = decoded(p256dh)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        return len(point) == POINT and len(decoded(auth)) == AUTH
    except (ValueError, Base64Error):
        return False


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))


def _contact() -> str:
    """Return the address under which a push service can reach the site's owner."""
    site = origin()
    return site if SITE.fullmatch(site) else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
