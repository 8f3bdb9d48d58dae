"""`{% piece "campaigns/_fixtures.html" fixtures=sheet.fixtures %}` renders a template once for equal values.

It works like an include that sees only the values given to it. These values and the reader's time zone are the cache
key, so rows must be frozen and consist of texts, numbers and the like. The tag is built into all templates.
"""

from __future__ import annotations

from django import template
from django.db.models import Model
from django.utils import timezone
from django.utils.safestring import SafeString

from rosters import fragment_cache

register = template.Library()


@register.simple_tag
def piece(name: str, **given: object) -> SafeString:
    """Return the template rendered with these values. TypeError if a value can't be part of a cache key."""
    for value in given.values():
        if isinstance(value, Model):
            raise TypeError(f"{name}: a row of the database is equal to itself whatever is in it; give its values")
    shows = tuple((key, type(value), value) for key, value in given.items())
    return fragment_cache.render_fragment(name, timezone.get_current_timezone_name(), shows, context=lambda: given)
