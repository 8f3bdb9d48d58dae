"""The offer of a site without players."""

from __future__ import annotations

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from campaigns.archive.selectors import has_players

register = template.Library()


@register.simple_tag
def restore_offered() -> SafeString:
    """Return the offer to restore a club from an archive if nobody has signed up to the site yet; else nothing."""
    return mark_safe("") if has_players() else mark_safe(render_to_string("campaigns/_restore_offered.html"))
