"""Figures of ratings as they are written."""

from __future__ import annotations

from django import template

register = template.Library()


@register.simple_tag
def signed(change: float) -> str:
    """A change in whole points, with its sign."""
    whole = round(change)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole < 0 else "0"


@register.simple_tag
def twice(deviation: float) -> str:
    """Half the width of the interval that holds 95 of 100."""
    return f"{deviation * 1.96:.0f}"
