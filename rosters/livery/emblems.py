"""Emblems on web pages: from a company's code or name to the markup."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from systems.paper.emblems import FRAME, Emblem, EmblemError, Layer, layers, read_emblem, random_emblem
from systems.paper.emblems.tinctures import TINCTURES

EmblemSize = Literal["sign", "card", "page"]
LEVELS: dict[EmblemSize, int] = {"sign": 0, "card": 1, "page": 2}
EMBLEMS_CACHE_SIZE = 2048
EDGE = 14  # line width around the frame


def emblem_of(code: str, name: str) -> Emblem:
    """Return the company's emblem: by its code, or derived from its name."""
    try:
        return read_emblem(code) if code else random_emblem(name)
    except EmblemError:
        return random_emblem(name)


def emblem_svg(emblem: Emblem, size: EmblemSize = "sign", *, is_alone: bool = False) -> SafeString:
    """Return the emblem for a page; hidden from screen readers beside the company's name, described if `is_alone`."""
    told = (
        f'role="img" aria-label="Emblem: {escape(emblem.said)}"' if is_alone else 'aria-hidden="true" focusable="false"'
    )
    return mark_safe(  # all its parts are our own letters and numbers
        f'<svg class="emblem emblem--{size}" viewBox="0 0 {FRAME} {FRAME}" {told}>{_paths(emblem, LEVELS[size])}</svg>'
    )


def emblem_placed(emblem: Emblem, x: float, y: float, wide: float) -> SafeString:
    """Return the emblem inside another drawing, with that width and upper left corner; hidden from screen readers."""
    return mark_safe(
        f'<g class="emblem" transform="translate({x} {y}) scale({wide / FRAME:.4f})">{_paths(emblem, 0)}</g>'
    )


@lru_cache(maxsize=EMBLEMS_CACHE_SIZE)
def _paths(emblem: Emblem, level: int) -> str:
    paints = {"field": TINCTURES[emblem.field].paint, "other": TINCTURES[emblem.other].paint}
    return "".join(
        f'<path class="{layer.paint}" d="{_data(layer)}"/>'
        if layer.is_stroke
        else f'<path fill="{paints[layer.paint]}" d="{_data(layer)}"/>'
        for layer in layers(emblem, level)
    )


def drawn_paths(emblem: Emblem, level: int, paint: Callable[[str], str]) -> str:
    """Return the same for an image without a style sheet, in its own colours; strokes take the surrounding colour."""
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
