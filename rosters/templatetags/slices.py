"""URLs of the neighbouring pages of a list."""

from __future__ import annotations

from django import template
from django.template.context import Context

from rosters.site.keyset import Slice

register = template.Library()


@register.simple_tag(takes_context=True)
def slice_link(context: Context, slice: Slice[object], way: str) -> str:
    """Return this URL with the place before or after the page; filters stay."""
    query = context["request"].GET.copy()
    for name in ("page", f"{slice.prefix}after", f"{slice.prefix}before"):
        query.pop(name, None)
    query[f"{slice.prefix}{way}"] = slice.after if way == "after" else slice.before
    return f"?{query.urlencode()}"
