"""Checks for `manage.py check --deploy`: unsafe, contradictory and example settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.utils import parseaddr

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.http.request import split_domain_port, validate_host

LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})


@register(Tags.security, deploy=True)
def check_settings(app_configs: Sequence[AppConfig] | None, **_more: object) -> list[CheckMessage]:
    """Return the errors and warnings, each with the setting to change."""
    return [*_debug(), *_proxies(), *_hosts(), *_mails(), *_examples()]


def _debug() -> Iterator[CheckMessage]:
    if settings.DEBUG:
        yield Error(
            "MUSTER_DEBUG is on: an error's page shows settings and data to whoever meets it.",
            hint="Leave MUSTER_DEBUG out.",
            id="muster.E009",
        )


def _proxies() -> Iterator[CheckMessage]:
    if settings.PROXIES < 0:
        yield Error("MUSTER_PROXIES is below 0.", hint="Say how many proxies there are.", id="muster.E001")
    if settings.HTTPS and settings.PROXIES == 0:
        yield Error(
            "MUSTER_HTTPS is on and MUSTER_PROXIES is 0: whatever ends TLS stands before Muster, and all visitors would "
            "share its address, its limits and its quotas.",
            hint="Set MUSTER_PROXIES to the number of proxies, mostly 1.",
            id="muster.E002",
        )
    if settings.PROXIES > 0 and not settings.HTTPS:
        yield Error(
            "MUSTER_PROXIES says that a proxy stands before Muster, and MUSTER_HTTPS is off: passwords and cookies would "
            "travel in the clear.",
            hint="Let the proxy end TLS and set X-Forwarded-Proto, then set MUSTER_HTTPS=1.",
            id="muster.E003",
        )


def _hosts() -> Iterator[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        yield Error("MUSTER_ALLOWED_HOSTS takes any name.", hint="Name those of your site.", id="muster.E004")
    if set(settings.ALLOWED_HOSTS) <= LOCAL:
        yield Error(
            "MUSTER_ALLOWED_HOSTS names this machine only, so nobody else is answered.",
            hint="Name your site: MUSTER_ALLOWED_HOSTS=muster.example",
            id="muster.E005",
        )
    origins = [origin.partition("://")[2].removeprefix("*") for origin in settings.CSRF_TRUSTED_ORIGINS]
    names = {split_domain_port(origin)[0] for origin in origins}
    if strange := sorted(name for name in names if not validate_host(name, settings.ALLOWED_HOSTS)):
        yield Error(
            f"MUSTER_CSRF_ORIGINS trusts {', '.join(strange)}, which MUSTER_ALLOWED_HOSTS does not name.",
            hint="Name the same hosts in both.",
            id="muster.E006",
        )
    if settings.HTTPS and any(origin.startswith("http://") for origin in settings.CSRF_TRUSTED_ORIGINS):
        yield Error(
            "MUSTER_CSRF_ORIGINS has an origin without TLS, and MUSTER_HTTPS is on.",
            hint="Write https:// origins.",
            id="muster.E007",
        )


def _mails() -> Iterator[CheckMessage]:
    is_for_others = not set(settings.ALLOWED_HOSTS) <= LOCAL
    if settings.EMAIL_LOCAL_OUTBOX and is_for_others:
        yield Error(
            "There is no mail server: mails stay on this machine, and who forgets his password gets none.",
            hint="Set MUSTER_EMAIL_URL.",
            id="muster.E008",
        )
    if settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory" and is_for_others:
        yield Warning(
            "MUSTER_EMAIL_VERIFICATION is not mandatory: anybody can sign up with the address of somebody else.",
            hint="Set MUSTER_EMAIL_VERIFICATION=mandatory.",
            id="muster.W001",
        )


def _examples() -> Iterator[CheckMessage]:
    """Yield an error if settings still have values from the example file: .example host names, or its passwords."""
    database = settings.DATABASES["default"]
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    found = {
        "MUSTER_ALLOWED_HOSTS": any(map(_is_example, settings.ALLOWED_HOSTS)),
        "MUSTER_CSRF_ORIGINS": any(map(_is_example, settings.CSRF_TRUSTED_ORIGINS)),
        "MUSTER_EMAIL_FROM": _is_example(sender),
        "MUSTER_EMAIL_URL": not settings.EMAIL_LOCAL_OUTBOX
        and (_is_example(settings.EMAIL_HOST or "") or settings.EMAIL_HOST_PASSWORD == "password"),
        "MUSTER_DATABASE_URL": database.get("PASSWORD") == "password",
    }
    if names := [name for name, is_example in found.items() if is_example]:
        yield Error(
            f"{', '.join(names)} still {'has' if len(names) == 1 else 'have'} the value of the example file.",
            hint="Write your own host names and passwords.",
            id="muster.E010",
        )


def _is_example(name: str) -> bool:
    host = split_domain_port(name.partition("://")[2] or name)[0]
    return host == "example" or host.endswith(".example")
