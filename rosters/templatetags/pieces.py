"""`{% piece "campaigns/_fixtures.html" fixtures=sheet.fixtures %}`: a template drawn once for all that it is given.

As an include that sees nothing but its own values; what they are is what it is kept by, with the reader's time zone. So
rows have to be values: frozen, and made of texts, numbers and their like. It is a built-in of all templates.
"""

from __future__ import annotations

from django import template
from django.db.models import Model
from django.utils import timezone
from django.utils.safestring import SafeString

from rosters import pieces

register = template.Library()


@register.simple_tag
def piece(name: str, **given: object) -> SafeString:
    """The template of that name with these values. Raises TypeError for what can't be kept by what it is."""
    for value in given.values():
        if isinstance(value, Model):
            raise TypeError(f"{name}: a row of the database is equal to itself whatever is in it; give its values")
    shows = tuple((key, type(value), value) for key, value in given.items())
    return pieces.piece(name, timezone.get_current_timezone_name(), shows, context=lambda: given)
