"""Pictures of units: from a stored spec to its drawing, and to the markup for pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from systems import roster_rules
from systems.documents import DocumentError
from systems.paper.bodies import FRAME, Drawing, drawing
from systems.paper.bodies.drawing import svg_paths

DrawingSize = Literal["chit", "row", "plate"]
DETAIL_LEVELS: Mapping[DrawingSize, int] = {"chit": 0, "row": 1, "plate": 2}
DRAWINGS_CACHE_SIZE = 1024


def unit_drawing(system: str, spec: Mapping[str, object], condition: Mapping[str, object] = {}) -> Drawing | None:
    """Return the unit drawn as it is built; None where its game has no pictures, or the spec is invalid."""
    return _cached_drawing(system, json.dumps(spec, sort_keys=True), json.dumps(condition, sort_keys=True))


@lru_cache(maxsize=DRAWINGS_CACHE_SIZE)
def _cached_drawing(system: str, spec: str, condition: str) -> Drawing | None:
    rules = roster_rules(system)
    try:
        body = rules.body(rules.parse_spec(json.loads(spec)), json.loads(condition))
    except DocumentError:
        return None
    return drawing(body) if body else None


def support_drawing(system: str, slug: str) -> Drawing | None:
    """Return the drawing of a support unit."""
    body = roster_rules(system).support_body(slug)
    return drawing(body) if body else None


def unit_svg(made: Drawing | None, size: DrawingSize = "row", *, colour: str = "", css: str = "") -> SafeString:
    """Return the picture for a page, hidden from screen readers; empty without a drawing.

    The text beside it has the same facts.
    """
    return mark_safe(_svg(made, size, colour, css)) if made else mark_safe("")  # all its parts are escaped


def chit_svg(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object] = {}, *, colour: str = ""
) -> SafeString:
    """Return the unit's smallest picture: a silhouette in currentColor; empty if its game has no pictures."""
    return unit_svg(unit_drawing(system, spec, condition), "chit", colour=colour)


@lru_cache(maxsize=DRAWINGS_CACHE_SIZE)
def _svg(made: Drawing, size: DrawingSize, colour: str, css: str) -> str:
    level = DETAIL_LEVELS[size]
    left, top, side = (0, 0, FRAME) if size == "plate" else made.bounds
    tint = "livery" if colour else "tint"
    paths = "".join(
        f'<path class="{tint if kind == "tint" else kind}" d="{data}"/>' for kind, data in svg_paths(made, level)
    )
    fill = f' fill="{escape(colour)}"' if colour else ""
    return (
        f'<svg class="body body--{size}{f" {escape(css)}" if css else ""}" viewBox="{left} {top} {side} {side}"{fill}'
        f' aria-hidden="true" focusable="false">{paths}</svg>'
    )
