"""Mails to players with links to the site, and the outbox of a site without a mail server.

Such a site stores mails as files. The outbox reads these files, and checks who may see them.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import ipaddress
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import get_connection, send_mail
from django.core.mail.backends.filebased import EmailBackend as FileBackend
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.urls import reverse

log = logging.getLogger(__name__)


LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})


def origin() -> str:
    """Return the first URL in the site's configuration; empty if there is none."""
    return next((each for each in settings.CSRF_TRUSTED_ORIGINS if "*" not in each), "")


def site_origin() -> str:
    """Return the first configured URL; if there is none, a URL with the first allowed host name."""
    if found := origin():
        return found
    names = [name for name in settings.ALLOWED_HOSTS if name not in LOCAL and not name.startswith((".", "*"))]
    host = names[0] if names else "localhost"
    return f"https://{host}" if settings.HTTPS else f"http://{host}:{settings.PORT}"


def address_of(route: str, *args: object) -> str:
    """Return the full URL of a page, for mails."""
    return f"{site_origin()}{reverse(route, args=args)}"


def site_of_mails() -> dict[str, str]:
    """Return the template context with the site's name, for mails written by allauth."""
    host = site_origin().partition("://")[2]
    return {"domain": host, "name": host}


def send_mail_to_player(*, address: str, subject: str, text: str) -> bool:
    """Send a mail; return whether it was sent. A missing address or a failing mail server raises no error."""
    if not address:
        return False
    try:
        return bool(send_mail(f"[Muster] {subject}", text, None, [address]))
    except (OSError, SMTPException, UnicodeError):  # the last: a host name that can't be written for mail servers
        log.exception("the mail %r was not sent", subject)
        return False


def mail_server_answers() -> bool:
    """Return whether the mail server accepts a connection now; always True if mails are stored as files."""
    connection = get_connection()
    if isinstance(connection, FileBackend):
        return True
    try:
        connection.open()
    except (OSError, SMTPException):
        log.exception("the mail server does not answer")
        return False
    connection.close()
    return True


MAX_MAILS = 50
MAX_MAIL_BYTES = 256 * 1024  # of one file; all our mails are smaller
SEPARATOR = b"\n" + b"-" * 79 + b"\n"  # Django's file-based backend writes it after each mail
FROM_A_PROXY = re.compile(
    r"HTTP_(X_FORWARDED\w*|X_(REAL|CLIENT|CLUSTER_CLIENT|ORIGINAL)\w*|FORWARDED|VIA|CF_\w+|TRUE_CLIENT_IP)"
)


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail as its recipient would see it."""

    subject: str
    sender: str
    to: str
    sent_at: datetime | None
    text: str


def is_local(request: HttpRequest) -> bool:
    """Return whether the request comes from this machine: it has a loopback address and a loopback host name.

    Through a proxy on this machine, all clients have a loopback address. So if a proxy is configured, or the request
    has passed one, the client counts as remote. This never raises, because the error page for unknown host names also
    calls it.
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
    """Return the latest mails, newest first. Files that are no mail, too large or just deleted are skipped."""
    found: list[Mail] = []
    folder = folder or Path(settings.EMAIL_FILE_PATH)
    for path in sorted(folder.glob("*.log"), reverse=True):  # names start with the time when the file was written
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
    """Delete the stored mails to these addresses, if this site stores mails."""
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
    except (LookupError, ValueError):  # unknown charset or encoding
        return ""
