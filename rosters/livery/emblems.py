"""Emblems as pages show them: from a company's code, or its name, to the markup."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from systems.paper.emblems import FRAME, Emblem, EmblemError, Layer, layers, read_emblem, rolled
from systems.paper.emblems.tinctures import TINCTURES

Size = Literal["sign", "card", "page"]
LEVELS: dict[Size, int] = {"sign": 0, "card": 1, "page": 2}
KEPT = 2048
EDGE = 14  # of the frame: a line around all


def emblem_of(code: str, name: str) -> Emblem:
    """The company's emblem: that of its code, or the one that its name gives."""
    try:
        return read_emblem(code) if code else rolled(name)
    except EmblemError:
        return rolled(name)


def emblem_svg(emblem: Emblem, size: Size = "sign", *, is_alone: bool = False) -> SafeString:
    """The emblem for a page: for the eye alone beside the company's name, told in words where it stands alone."""
    told = (
        f'role="img" aria-label="Emblem: {escape(emblem.said)}"' if is_alone else 'aria-hidden="true" focusable="false"'
    )
    return mark_safe(  # all its parts are letters and numbers of our own
        f'<svg class="emblem emblem--{size}" viewBox="0 0 {FRAME} {FRAME}" {told}>{_paths(emblem, LEVELS[size])}</svg>'
    )


def emblem_placed(emblem: Emblem, x: float, y: float, wide: float) -> SafeString:
    """The emblem within a drawing of a page, that wide, with its upper left corner there; for the eye alone."""
    return mark_safe(
        f'<g class="emblem" transform="translate({x} {y}) scale({wide / FRAME:.4f})">{_paths(emblem, 0)}</g>'
    )


@lru_cache(maxsize=KEPT)
def _paths(emblem: Emblem, level: int) -> str:
    paints = {"field": TINCTURES[emblem.field].paint, "other": TINCTURES[emblem.other].paint}
    return "".join(
        f'<path class="{layer.paint}" d="{_data(layer)}"/>'
        if layer.is_stroke
        else f'<path fill="{paints[layer.paint]}" d="{_data(layer)}"/>'
        for layer in layers(emblem, level)
    )


def drawn_paths(emblem: Emblem, level: int, paint: Callable[[str], str]) -> str:
    """The same for a picture that has no style sheet, in paints of its own; its strokes take the colour around them."""
    paints = {"field": paint(emblem.field), "other": paint(emblem.other)}
    return "".join(
        f'<path fill="none" stroke-width="{EDGE}" d="{_data(layer)}"/>'
        if layer.is_stroke
        else f'<path fill="{paints[layer.paint]}" stroke="none" d="{_data(layer)}"/>'
        for layer in layers(emblem, level)
    )


def _data(layer: Layer) -> str:
    return "".join(_outline(shape) + ("" if layer.paint == "fine" else "z") for shape in layer.shapes)


def _outline(points: tuple[tuple[int, int], ...]) -> str:
    (x, y), *rest = points
    steps = []
    for each_x, each_y in rest:
        steps.append(f"{each_x - x} {each_y - y}")
        x, y = each_x, each_y
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}".replace(" -", "-")
