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
            "MUSTER_DEBUG is on, so error pages show settings and data to everyone.",
            hint="Remove MUSTER_DEBUG.",
            id="muster.E009",
        )


def _proxies() -> Iterator[CheckMessage]:
    if settings.PROXIES < 0:
        yield Error("MUSTER_PROXIES is below 0.", hint="Set it to the number of proxies.", id="muster.E001")
    if settings.HTTPS and settings.PROXIES == 0:
        yield Error(
            "MUSTER_HTTPS is on but MUSTER_PROXIES is 0, so all visitors would share the address, limits and "
            "quotas of the server that ends TLS.",
            hint="Set MUSTER_PROXIES to the number of proxies, usually 1.",
            id="muster.E002",
        )
    if settings.PROXIES > 0 and not settings.HTTPS:
        yield Error(
            "MUSTER_PROXIES is set but MUSTER_HTTPS is off, so passwords and cookies would be sent unencrypted.",
            hint="Let the proxy end TLS and set X-Forwarded-Proto, then set MUSTER_HTTPS=1.",
            id="muster.E003",
        )


def _hosts() -> Iterator[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        yield Error(
            "MUSTER_ALLOWED_HOSTS accepts any host name.", hint="List your site's host names.", id="muster.E004"
        )
    if set(settings.ALLOWED_HOSTS) <= LOCAL:
        yield Error(
            "MUSTER_ALLOWED_HOSTS only has this machine, so nobody else can reach the site.",
            hint="Add your site: MUSTER_ALLOWED_HOSTS=muster.example",
            id="muster.E005",
        )
    origins = [origin.partition("://")[2].removeprefix("*") for origin in settings.CSRF_TRUSTED_ORIGINS]
    names = {split_domain_port(origin)[0] for origin in origins}
    if strange := sorted(name for name in names if not validate_host(name, settings.ALLOWED_HOSTS)):
        yield Error(
            f"MUSTER_CSRF_ORIGINS has {', '.join(strange)}, which MUSTER_ALLOWED_HOSTS doesn't have.",
            hint="Use the same hosts in both.",
            id="muster.E006",
        )
    if settings.HTTPS and any(origin.startswith("http://") for origin in settings.CSRF_TRUSTED_ORIGINS):
        yield Error(
            "MUSTER_HTTPS is on but MUSTER_CSRF_ORIGINS has an http:// origin.",
            hint="Use https:// origins.",
            id="muster.E007",
        )


def _mails() -> Iterator[CheckMessage]:
    is_for_others = not set(settings.ALLOWED_HOSTS) <= LOCAL
    if settings.EMAIL_LOCAL_OUTBOX and is_for_others:
        yield Error(
            "There is no mail server: mails stay on this machine, and nobody can reset a password.",
            hint="Set MUSTER_EMAIL_URL.",
            id="muster.E008",
        )
    if settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory" and is_for_others:
        yield Warning(
            "MUSTER_EMAIL_VERIFICATION is not mandatory, so people can sign up with other people's addresses.",
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
            hint="Set your own host names and passwords.",
            id="muster.E010",
        )


def _is_example(name: str) -> bool:
    host = split_domain_port(name.partition("://")[2] or name)[0]
    return host == "example" or host.endswith(".example")
