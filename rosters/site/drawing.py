"""How values stand in what is drawn without a template."""

from __future__ import annotations

from functools import cache
from html import escape

from django.templatetags.static import static


def escape_markup(value: object) -> str:
    """The value as a template shows it: marks as they are, all else escaped. Django's own asks first who is lazy."""
    return str(value.__html__()) if hasattr(value, "__html__") else escape(str(value))


@cache
def silhouettes() -> str:
    """Where the sheet of silhouettes is, as an attribute holds it; it stays there while this process lives."""
    return escape_markup(static("img/counters.svg"))
