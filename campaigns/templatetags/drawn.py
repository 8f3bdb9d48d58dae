"""The smallest pieces of campaigns' tables, of which a page may hold a hundred: drawn without a template for each."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from campaigns.selectors.rounds import FixtureSide

register = template.Library()


@register.simple_tag
def swatch(colour: str) -> SafeString:
    """A company's colour."""
    return format_html(
        '<svg class="swatch" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">'
        '<rect width="14" height="14" fill="{}"></rect></svg>\n',
        colour,
    )


@register.simple_tag
def fixture_side(side: FixtureSide) -> SafeString:
    """One side of a match: colour, company, player."""
    name = format_html("<b>{}</b>" if side.has_won else "{}", side.name)
    yours = mark_safe(' <span class="tag">yours</span>') if side.is_yours else ""
    return format_html('{} {}{} <span class="muted small">{}</span>\n', swatch(side.colour), name, yours, side.player)
