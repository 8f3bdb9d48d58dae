"""Mails to a player, and the addresses in them where no request says under which name the site was asked."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import get_connection, send_mail
from django.core.mail.backends.filebased import EmailBackend as FileBackend
from django.urls import reverse

log = logging.getLogger(__name__)


def origin() -> str:
    """The first name that the operator has given the site; empty if none."""
    return settings.CSRF_TRUSTED_ORIGINS[0] if settings.CSRF_TRUSTED_ORIGINS else ""


def address_of(route: str) -> str:
    """The page in full, under that name."""
    return f"{origin()}{reverse(route)}"


def mail_tell(*, address: str, subject: str, text: str) -> bool:
    """Whether it was mailed; no address, or a mail server that is away, takes nothing from him and keeps nobody."""
    if not address:
        return False
    try:
        return bool(send_mail(f"[Muster] {subject}", text, None, [address]))
    except (OSError, SMTPException):
        log.exception("the mail %r was not sent", subject)
        return False


def mail_server_answers() -> bool:
    """Whether it takes a connection now; files always do."""
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
