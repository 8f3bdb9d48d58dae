"""Tags for printing: buttons of the print form, and whether a system has cards."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from rosters.paper.products import CARD
from rosters.site.drawing import escape_markup

register = template.Library()


@register.filter
def prints_cards(system: str) -> bool:
    """Return whether units of that rule system have a card."""
    return CARD.is_made(system)


@register.simple_tag(takes_context=True)
def print_swap(context: template.Context, do: str, unit: int | None = None) -> SafeString:
    """Return the attributes of a button that changes the form in place: with `do`, for that unit if there is one."""
    path, of = escape_markup(context["request"].get_full_path()), "" if unit is None else f":{unit}"
    return mark_safe(
        f' hx-post="{path}" hx-vals=\'{{"do": "{escape_markup(do)}{of}"}}\' hx-target="#print-form" hx-select="#print-form" '
        'hx-swap="outerHTML show:none"'
    )
