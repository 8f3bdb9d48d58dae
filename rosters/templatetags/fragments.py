"""`{% piece "campaigns/_fixtures.html" fixtures=sheet.fixtures %}`: a template that is rendered once for equal values.

It works like an include that sees only its own values; they are the cache key, with the reader's time zone. So rows
have to be values: frozen, and made of texts, numbers and the like. It is a built-in of all templates.
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
    """Return the template rendered with these values. Raises TypeError for values that can't be part of a cache key."""
    for value in given.values():
        if isinstance(value, Model):
            raise TypeError(f"{name}: a row of the database is equal to itself whatever is in it; give its values")
    shows = tuple((key, type(value), value) for key, value in given.items())
    return fragment_cache.render_fragment(name, timezone.get_current_timezone_name(), shows, context=lambda: given)
