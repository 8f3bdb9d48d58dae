"""Companies in galleries: each unit drawn as the silhouette of its size."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from rosters.roll import CompanyRow
from rosters.site.drawing import escape_markup, silhouettes
from systems.paper.silhouettes import silhouette

register = template.Library()


@register.simple_tag
def unit_figure(name: str, size: str) -> SafeString:
    """Return a unit's picture, with its name for screen readers, unless the name is beside it (empty name)."""
    shape = silhouette(size)
    said = f'<span class="vh">{escape_markup(name)}</span>' if name else ""
    if not shape:
        return mark_safe(f'<span class="figure figure--bare">{said}</span>')
    return mark_safe(  # all its parts are escaped
        f'<span class="figure" title="{escape_markup(name)}"><svg viewBox="0 0 64 64" aria-hidden="true" focusable="false">'
        f'<use href="{silhouettes()}#{shape}"></use></svg>{said}</span>'
    )


@register.simple_tag
def company_figures(row: CompanyRow) -> SafeString:
    """Return the units of a company in a row."""
    items = "".join(f"<li>{unit_figure(unit.name, unit.size)}</li>" for unit in row.shown)
    more = f'<li class="figures__more">+ {row.more}</li>' if row.more else ""
    return mark_safe(f'<ul class="figures">{items}{more}</ul>\n') if items else mark_safe("")
