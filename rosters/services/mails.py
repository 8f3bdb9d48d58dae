"""Mails to players, and their links: with the host name the operator has set, not a request's, which can be forged."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import get_connection, send_mail
from django.core.mail.backends.filebased import EmailBackend as FileBackend
from django.urls import reverse

log = logging.getLogger(__name__)


LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})


def origin() -> str:
    """Return the first URL that the operator has given the site; empty if none."""
    return next((each for each in settings.CSRF_TRUSTED_ORIGINS if "*" not in each), "")


def site_origin() -> str:
    """Return the same; without one, a URL with the first of the allowed host names."""
    if found := origin():
        return found
    names = [name for name in settings.ALLOWED_HOSTS if name not in LOCAL and not name.startswith((".", "*"))]
    host = names[0] if names else "localhost"
    return f"https://{host}" if settings.HTTPS else f"http://{host}:{settings.PORT}"


def address_of(route: str, *args: object) -> str:
    """Return the page's full URL, for mails."""
    return f"{site_origin()}{reverse(route, args=args)}"


def site_of_mails() -> dict[str, str]:
    """Return the site's name in the texts of allauth."""
    host = site_origin().partition("://")[2]
    return {"domain": host, "name": host}


def send_mail_to_player(*, address: str, subject: str, text: str) -> bool:
    """Send a mail; return whether it was sent. A missing address or a failing mail server changes nothing else."""
    if not address:
        return False
    try:
        return bool(send_mail(f"[Muster] {subject}", text, None, [address]))
    except (OSError, SMTPException):
        log.exception("the mail %r was not sent", subject)
        return False


def mail_server_answers() -> bool:
    """Return whether the mail server accepts a connection now; always true for files."""
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
