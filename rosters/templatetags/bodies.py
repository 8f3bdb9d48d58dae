"""Pictures of units, drawn from their specs."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString

from rosters.bodies import DrawingSize, unit_svg, unit_drawing

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
    """Return the picture of a unit with that spec; empty where its game has none."""
    return unit_svg(unit_drawing(system, spec, condition or {}), size, colour=colour, css=css)
