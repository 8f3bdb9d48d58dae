"""Tags for drawings: units, emblems, galleries, small maps."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString, mark_safe

from rosters import fragment_cache
from rosters.appearance.emblems import EmblemSize, emblem_of, emblem_svg
from rosters.galleries import CompanyRow
from rosters.scenarios.selectors import ScenarioCard
from rosters.site.rendering import escape_markup, silhouettes
from rosters.unit_cache import DrawingSize, unit_drawing, unit_svg
from systems import roster_rules
from systems.artwork import silhouette

register = template.Library()


@register.simple_tag
def body(
    system: str,
    spec: Mapping[str, object],
    *,
    size: DrawingSize = "row",
    condition: Mapping[str, object] | None = None,
    colour: str = "",
    css: str = "",
) -> SafeString:
    """Return the picture of a unit with this spec; empty if its game has no pictures."""
    return unit_svg(unit_drawing(system, spec, condition or {}), size, colour=colour, css=css)


@register.simple_tag
def emblem(code: str, name: str, size: EmblemSize = "sign") -> SafeString:
    """Return the emblem of a company from its code and name."""
    return emblem_svg(emblem_of(code, name), size)


@register.simple_tag
def unit_figure(name: str, size: str) -> SafeString:
    """Return a unit's picture with its name for screen readers; `name` is empty if it stands beside the picture."""
    shape = silhouette(size)
    hidden_name = f'<span class="vh">{escape_markup(name)}</span>' if name else ""
    if not shape:
        return mark_safe(f'<span class="figure figure--bare">{hidden_name}</span>')
    return mark_safe(  # all its parts are escaped
        f'<span class="figure" title="{escape_markup(name)}"><svg viewBox="0 0 64 64" aria-hidden="true" focusable="false">'
        f'<use href="{silhouettes()}#{shape}"></use></svg>{hidden_name}</span>'
    )


@register.simple_tag
def company_figures(row: CompanyRow) -> SafeString:
    """Return pictures of the company's units in a row."""
    items = "".join(f"<li>{unit_figure(unit.name, unit.size)}</li>" for unit in row.visible_units)
    more = f'<li class="figures__more">+ {row.more}</li>' if row.more else ""
    return mark_safe(f'<ul class="figures">{items}{more}</ul>\n') if items else mark_safe("")


@register.simple_tag
def scenario_map(card: ScenarioCard) -> SafeString:
    """Return the map of a scenario; empty if its game has none. Players' own maps are rendered again after a change."""

    def context() -> dict[str, object]:
        return {"map": roster_rules(card.system).scenario_map(card.sheet), "name": card.name}

    return fragment_cache.render_fragment(
        "rosters/_small_map.html", card.system, card.value, card.name, card.changed_at, context=context
    )
