"""Read the mails that a site without a mail server stores as files, and check who may see them."""

import contextlib
import email
import email.policy
import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

MAX_MAILS = 50
MAX_MAIL_BYTES = 256 * 1024  # bytes of one file; more than any of our mails
SEPARATOR = b"\n" + b"-" * 79 + b"\n"  # written after each mail by Django's file-based backend
FROM_A_PROXY = re.compile(
    r"HTTP_(X_FORWARDED\w*|X_(REAL|CLIENT|CLUSTER_CLIENT|ORIGINAL)\w*|FORWARDED|VIA|CF_\w+|TRUE_CLIENT_IP)"
)


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail as its recipient would see it."""

    subject: str
    sender: str
    to: str
    sent_at: datetime | None
    text: str


def is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine: a loopback address, a loopback name, and no proxy.

    A proxy on the same machine gives everybody a loopback address, so if there may be one, or the request has passed
    one, the client counts as remote. Never raises: the error page for a foreign host name calls this too.
    """
    if settings.PROXIES or settings.HTTPS or any(map(FROM_A_PROXY.fullmatch, request.META)):
        return False
    host = split_domain_port(request.META.get("HTTP_HOST") or request.META.get("SERVER_NAME", ""))[0]
    return _is_loopback(request.META.get("REMOTE_ADDR", "")) and (host == "localhost" or _is_loopback(host.strip("[]")))


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def read_outbox(folder: Path | None = None, limit: int = MAX_MAILS) -> list[Mail]:
    """Return the last mails, newest first. A file that is no mail, too large or just deleted is skipped."""
    found: list[Mail] = []
    folder = folder or Path(settings.EMAIL_FILE_PATH)
    for path in sorted(folder.glob("*.log"), reverse=True):  # the names start with the time of writing
        try:
            if path.stat().st_size > MAX_MAIL_BYTES:
                continue
            data = path.read_bytes()
        except OSError:
            continue
        for part in reversed(data.split(SEPARATOR)):
            if part.strip():
                found.append(_parse_mail(part.lstrip(b"\n")))
            if len(found) >= limit:
                return found
    return found


def delete_mails_to(addresses: Iterable[str]) -> None:
    """Delete the mails to these addresses, if mails are stored here at all."""
    wanted = {each.lower() for each in addresses}
    if not wanted or not settings.EMAIL_LOCAL_OUTBOX:
        return
    for path in Path(settings.EMAIL_FILE_PATH).glob("*.log"):
        with contextlib.suppress(OSError):
            parts = [part for part in path.read_bytes().split(SEPARATOR) if part.strip()]
            kept = [part for part in parts if parseaddr(_parse_mail(part.lstrip(b"\n")).to)[1].lower() not in wanted]
            if not kept:
                path.unlink()
            elif len(kept) < len(parts):
                path.write_bytes(b"".join(part + SEPARATOR for part in kept))


def _parse_mail(data: bytes) -> Mail:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return Mail(
        subject=str(message["Subject"] or "(no subject)"),
        sender=str(message["From"] or ""),
        to=str(message["To"] or ""),
        sent_at=_date(str(message["Date"] or "")),
        text=_text(message),
    )


def _date(value: str) -> datetime | None:
    try:
        return parsedate_to_datetime(value)
    except ValueError:
        return None


def _text(message: EmailMessage) -> str:
    body = message.get_body(preferencelist=("plain",))
    try:
        return str(body.get_content()).strip() if body else ""
    except (LookupError, ValueError):  # an unknown charset or encoding
        return ""
