"""The emblems of companies, to be shown beside their names. A built-in of all templates."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from rosters.livery.emblems import EmblemSize, emblem_of, emblem_svg

register = template.Library()


@register.simple_tag
def emblem(code: str, name: str, size: EmblemSize = "sign") -> SafeString:
    """Return the emblem of a company with that code and name."""
    return emblem_svg(emblem_of(code, name), size)
