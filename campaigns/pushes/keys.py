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

from campaigns.boxes import decrypt, encrypt
from campaigns.models import PushDevice, PushKey
from rosters.services.mails import origin

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
