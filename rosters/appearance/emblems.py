"""Emblems on web pages: their markup, and the options for changing one, each drawn as the resulting emblem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from systems.emblems import DARK, LIGHT, TINCTURES, Emblem, EmblemError, Layer, layers, random_emblem, read_emblem
from systems.emblems.charges import CHARGES
from systems.emblems.shields import DIVISIONS, FRAME, SHIELDS

EmblemSize = Literal["sign", "card", "page"]
LEVELS: dict[EmblemSize, int] = {"sign": 0, "card": 1, "page": 2}
EMBLEMS_CACHE_SIZE = 2048
EDGE = 14  # line width around the frame


def emblem_of(code: str, name: str) -> Emblem:
    """Return the emblem with this code; if the code is empty or invalid, one that is derived from the name."""
    try:
        return read_emblem(code) if code else random_emblem(name)
    except EmblemError:
        return random_emblem(name)


def emblem_svg(emblem: Emblem, size: EmblemSize = "sign", *, is_alone: bool = False) -> SafeString:
    """Return the emblem as an SVG; it is described to screen readers only if it stands alone, without a name."""
    aria = (
        f'role="img" aria-label="Emblem: {escape(emblem.description)}"'
        if is_alone
        else 'aria-hidden="true" focusable="false"'
    )
    return mark_safe(  # all its parts are our own letters and numbers
        f'<svg class="emblem emblem--{size}" viewBox="0 0 {FRAME} {FRAME}" {aria}>{_paths(emblem, LEVELS[size])}</svg>'
    )


def emblem_placed(emblem: Emblem, x: float, y: float, wide: float) -> SafeString:
    """Return the emblem for use inside another SVG, at this corner and width; hidden from screen readers."""
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
    """Return the emblem's paths for an image without a style sheet; strokes take the surrounding colour."""
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


SHAPES: Mapping[str, Mapping[str, object]] = {"shield": SHIELDS, "division": DIVISIONS, "charge": CHARGES}
GROUNDS = {"dark": "Light on dark", "light": "Dark on light"}
MAX_LENGTH = 40  # of the text from which a random emblem is derived


@dataclass(frozen=True, slots=True)
class EmblemOption:
    value: str
    name: str
    emblem: Emblem  # with this choice
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class EmblemOptionGroup:
    """The options for one part of an emblem; `slug` is the query parameter."""

    slug: str
    title: str
    options: tuple[EmblemOption, ...]


def chosen(asked: Mapping[str, str], now: Emblem, name: str) -> Emblem:
    """Return the requested emblem: a random one, or the current one with the requested parts replaced."""
    if (words := asked.get("roll")) is not None:
        return random_emblem(f"{name} {words[:MAX_LENGTH]}" if words else name)
    made = replace(now, **{part: asked[part] for part, known in SHAPES.items() if asked.get(part) in known})
    dark, light = _paints(now)
    dark = asked["dark"] if asked.get("dark") in DARK else dark
    light = asked["light"] if asked.get("light") in LIGHT else light
    ground = asked["ground"] if asked.get("ground") in GROUNDS else ground_of(now)
    return painted(made, dark, light, ground)


def emblem_option_groups(emblem: Emblem) -> tuple[EmblemOptionGroup, ...]:
    """Return the options for each part of the shown emblem."""
    dark, light = _paints(emblem)
    ground = ground_of(emblem)
    paints = {letter: tincture.name for letter, tincture in TINCTURES.items()}
    return (
        _shapes("charge", "Charge", emblem, {letter: each.name for letter, each in CHARGES.items()}),
        _shapes("shield", "Shield", emblem, {letter: each.name for letter, each in SHIELDS.items()}),
        _shapes("division", "Field", emblem, {letter: each.name for letter, each in DIVISIONS.items()}),
        EmblemOptionGroup("dark", "Dark colour", tuple(
            EmblemOption(each, paints[each], painted(emblem, each, light, ground), each == dark) for each in DARK
        )),
        EmblemOptionGroup("light", "Light colour", tuple(
            EmblemOption(each, paints[each], painted(emblem, dark, each, ground), each == light) for each in LIGHT
        )),
        EmblemOptionGroup("ground", "Contrast", tuple(
            EmblemOption(each, name, painted(emblem, dark, light, each), each == ground)
            for each, name in GROUNDS.items()
        )),
    )  # fmt: skip


def ground_of(emblem: Emblem) -> str:
    return "light" if TINCTURES[emblem.field].is_light else "dark"


def painted(emblem: Emblem, dark: str, light: str, ground: str) -> Emblem:
    """Return the emblem in these colours."""
    field, other = (light, dark) if ground == "light" else (dark, light)
    return replace(emblem, field=field, other=other)


def _paints(emblem: Emblem) -> tuple[str, str]:
    """Return the emblem's dark colour and its light colour."""
    return (emblem.other, emblem.field) if TINCTURES[emblem.field].is_light else (emblem.field, emblem.other)


def _shapes(slug: str, title: str, emblem: Emblem, names: Mapping[str, str]) -> EmblemOptionGroup:
    options = tuple(
        EmblemOption(letter, name, replace(emblem, **{slug: letter}), getattr(emblem, slug) == letter)
        for letter, name in names.items()
    )
    return EmblemOptionGroup(slug, title, options)
