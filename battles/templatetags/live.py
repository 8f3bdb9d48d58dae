"""Renders the units of a table: each state of a unit only once."""

from django import template
from django.utils.safestring import SafeString

from battles.live.shown import UnitPanel
from rosters.pieces import render_fragment

register = template.Library()


@register.simple_tag
def live_unit(unit: UnitPanel, letter: str, is_open: bool) -> SafeString:
    """Return a unit's sheet with its marks, folded or open."""
    context = {"unit": unit, "letter": letter, "is_open": is_open}
    return render_fragment("battles/live/_unit.html", letter, is_open, unit.shows, context=lambda: context)
