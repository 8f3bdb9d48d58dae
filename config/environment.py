"""Settings from the environment. An invalid value raises ImproperlyConfigured, which names the variable."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

YES, NO = ("1", "true", "yes", "on", "y", "ok"), ("0", "false", "no", "off", "n")
WANTED = {int: "a whole number", bool: "1 or 0"}
DATABASES = ("postgres", "postgresql", "psql", "pgsql", "sqlite")
QUOTED = "In its user and password write / as %2F, @ as %40, : as %3A, # as %23, ? as %3F and % as %25."
NO_PATH = "Muster needs a host name of its own and can't be served below a path."


class Environment(environ.Env):
    """A strict django-environ. An empty variable counts as missing."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        raw = str(self.ENVIRON.get(var, "")).strip()
        if not raw and default is not self.NOTSET:
            return default
        if raw.startswith("$"):
            raise ImproperlyConfigured(f"{var} begins with $, which can't be read. Write another value.")
        if cast is bool and raw.lower() not in (*YES, *NO):
            raise ImproperlyConfigured(f"{var} must be {WANTED[bool]}, not {raw!r}.")
        try:
            value = super().get_value(var, cast=cast, default=default, parse_default=parse_default)
        except ValueError:
            raise ImproperlyConfigured(f"{var} must be {WANTED.get(cast, 'something else')}, not {raw!r}.") from None
        return [item for each in value if (item := each.strip())] if cast is list else value

    def choice(self, var: str, choices: Sequence[str], *, default: str) -> str:
        """Return one of the choices; upper and lower case are accepted."""
        given = self.str(var, default=default)
        value = next((each for each in choices if each.lower() == given.lower()), given)
        if value not in choices:
            raise ImproperlyConfigured(f"{var} must be one of {', '.join(choices)}, not {value!r}.")
        return str(value)

    def address(self, var: str, schemes: Collection[str]) -> str:
        """Return a URL with one of these schemes; empty if it isn't set. No message contains its password."""
        value: str = self.str(var, default="")
        if value and (reason := _unreadable(value, schemes)):
            raise ImproperlyConfigured(f"{var} can't be read: {reason}")
        return value

    def origins(self, var: str) -> list[str]:
        """Return origins, such as https://muster.example."""
        found = [each.rstrip("/") for each in self.list(var, default=[])]
        for each in found:
            parts = urlsplit(each)
            if parts.scheme not in ("http", "https") or not parts.netloc:
                raise ImproperlyConfigured(f"{var}: {each!r} is not a web address. Write it as https://muster.example.")
            if parts.path or parts.query:
                raise ImproperlyConfigured(f"{var}: {each!r} has a path. {NO_PATH}")
        return found

    def hosts(self, var: str, *, default: list[str]) -> list[str]:
        """Return host names; an IPv6 address gets its brackets."""
        found = [
            f"[{each}]" if each.count(":") > 1 and each[0] != "[" else each for each in self.list(var, default=default)
        ]
        for each in found:
            if "/" in each or re.search(r"[^:\]]:\d+$|\]:\d+$", each):
                raise ImproperlyConfigured(
                    f"{var}: {each!r} is not a host name. Leave out the scheme, the port and the path."
                )
        return found


def refuse_path(script_name: str) -> None:
    """Raise ImproperlyConfigured if Muster is served below a path."""
    if script_name.strip("/"):
        raise ImproperlyConfigured(f"SCRIPT_NAME is {script_name!r}. {NO_PATH}")


def _unreadable(value: str, schemes: Collection[str]) -> str:
    try:
        parts = urlsplit(value)
        port_is_read = parts.port is None or parts.port > 0
    except ValueError:
        return f"its host or port is invalid. {QUOTED}"
    if parts.scheme not in schemes:
        return f"it must begin with one of {', '.join(f'{each}://' for each in sorted(schemes))}."
    after = value.partition("://")[2].partition(parts.netloc)[2] if parts.netloc else ""
    if not port_is_read or parts.fragment or "#" in value or "@" in after or re.search(r"%(?![0-9A-Fa-f]{2})", value):
        return f"one of its characters must be escaped. {QUOTED}"
    if parts.scheme.startswith("smtp") and not parts.hostname:
        return "it has no host."
    return ""
