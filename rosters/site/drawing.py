"""How values stand in what is drawn without a template."""

from __future__ import annotations

from html import escape


def marked(value: object) -> str:
    """The value as a template shows it: marks as they are, all else escaped. Django's own asks first who is lazy."""
    return str(value.__html__()) if hasattr(value, "__html__") else escape(str(value))
