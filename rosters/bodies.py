"""Units as pictures: from a spec, as documents and rows hold it, to its drawing and to the markup of pages."""

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

Size = Literal["chit", "row", "plate"]
LEVELS: Mapping[Size, int] = {"chit": 0, "row": 1, "plate": 2}
KEPT = 1024


def unit_drawing(system: str, spec: Mapping[str, object], condition: Mapping[str, object] = {}) -> Drawing | None:
    """The unit drawn as it is built; None where its game draws none, or the spec can't be read."""
    return _drawn(system, json.dumps(spec, sort_keys=True), json.dumps(condition, sort_keys=True))


@lru_cache(maxsize=KEPT)
def _drawn(system: str, spec: str, condition: str) -> Drawing | None:
    rules = roster_rules(system)
    try:
        body = rules.body(rules.parse_spec(json.loads(spec)), json.loads(condition))
    except DocumentError:
        return None
    return drawing(body) if body else None


def support_drawing(system: str, slug: str) -> Drawing | None:
    """The same of a support unit."""
    body = roster_rules(system).support_body(slug)
    return drawing(body) if body else None


def body_svg(made: Drawing | None, size: Size = "row", *, colour: str = "", css: str = "") -> SafeString:
    """The picture for a page, for the eye alone: what it shows stands beside it in words. Without a drawing nothing."""
    return mark_safe(_svg(made, size, colour, css)) if made else mark_safe("")  # all its parts are escaped


def chit(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object] = {}, *, colour: str = ""
) -> SafeString:
    """The unit as small as it can be told from others: a silhouette in currentColor; nothing if its game draws none."""
    return body_svg(unit_drawing(system, spec, condition), "chit", colour=colour)


@lru_cache(maxsize=KEPT)
def _svg(made: Drawing, size: Size, colour: str, css: str) -> str:
    level = LEVELS[size]
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
