"""Escaping for markup that is written without a template."""

from __future__ import annotations

from functools import cache
from html import escape

from django.templatetags.static import static


def escape_markup(value: object) -> str:
    """Return the value as a template would show it: markup as it is, everything else escaped.

    Django's own function first checks for lazy values.
    """
    return str(value.__html__()) if hasattr(value, "__html__") else escape(str(value))


@cache
def silhouettes() -> str:
    """Return the URL of the sheet of silhouettes, escaped for an attribute; cached for the life of the process."""
    return escape_markup(static("img/counters.svg"))
