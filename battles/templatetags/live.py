"""Draws the units of a table: each once for all that is marked of it."""

from django import template
from django.utils.safestring import SafeString

from battles.live.shown import UnitShown
from rosters.pieces import piece

register = template.Library()


@register.simple_tag
def live_unit(unit: UnitShown, letter: str, is_open: bool) -> SafeString:
    """A unit's sheet with its marks, folded up or not."""
    context = {"unit": unit, "letter": letter, "is_open": is_open}
    return piece("battles/live/_unit.html", letter, is_open, unit.shows, context=lambda: context)
