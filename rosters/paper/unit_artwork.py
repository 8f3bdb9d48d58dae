"""Unit pictures on paper: their marks as PDF operators, cached for all cards that show the same unit."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from rosters.card_layout import Picture
from rosters.paper.themes import Colour, PictureInk, Theme, css_colour
from systems.artwork import Drawing, svg_paths
from systems.artwork.canvas import FRAME, FULL, MIDDLE, MarkKind

if TYPE_CHECKING:
    from rosters.paper.weasyprint_inside import Stream


SHEET_MM = 26.0  # approximate size of a picture on a data sheet
LARGE_MM = 24.0  # pictures of this width or more have panel lines, shade and ruler
KEPT = 256
BARE = ' stroke="none"'
STROKED = frozenset({"line", "fine", "hurt"})


def paint(stream: Stream, picture: Picture, ink: PictureInk, colour: Colour | None) -> None:
    """Draw the unit on a page whose unit is 1 mm, with y downwards."""
    level, left, top, scale = _placing(picture)
    with stream.stacked():
        if picture.turned:
            right, bottom = picture.x + picture.side, picture.y + picture.side
            stream.transform(a=-scale, d=-scale, e=right + left * scale, f=bottom + top * scale)
        else:
            stream.transform(a=scale, d=scale, e=picture.x - left * scale, f=picture.y - top * scale)
        stream.stream.append(_operators(picture.drawing, level, ink, colour or ink.tint, round(scale, 6)))


def picture_svg(picture: Picture, ink: PictureInk, colour: Colour | None) -> str:
    """Return the unit as an element of an SVG whose unit is 1 mm."""
    level, left, top, scale = _placing(picture)
    if picture.turned:
        right, bottom = picture.x + picture.side, picture.y + picture.side
        move = f"translate({right + left * scale:.2f} {bottom + top * scale:.2f}) scale({-scale:.5f})"
    else:
        move = f"translate({picture.x - left * scale:.2f} {picture.y - top * scale:.2f}) scale({scale:.5f})"
    paths = _paths(picture.drawing, level, ink, colour or ink.tint, f"{ink.fine_mm / scale:.1f}")
    return (
        f'<g transform="{move}" fill="none" stroke="{css_colour(ink.line)}" stroke-width="{ink.outline_mm / scale:.1f}"'
        f' stroke-linejoin="round" stroke-linecap="round">{paths}</g>'
    )


def _placing(picture: Picture) -> tuple[int, int, int, float]:
    """Return the level of detail, the left and top of the visible part of the drawing, and its scale in mm per unit."""
    level = FULL if picture.side >= LARGE_MM else MIDDLE
    left, top, across = (0, 0, FRAME) if level == FULL else picture.drawing.bounds
    return level, left, top, picture.side / across


def picture_image(drawing: Drawing | None, name: str, theme: Theme, colour: str) -> str:
    """Return an img element of the unit; empty without a drawing."""
    if drawing is None:
        return ""
    source = _source(drawing, theme.picture, theme.band(colour) or theme.picture.tint)
    return f'<img class="drawn" alt="{escape(f"{name} as it is built")}" src="{source}">'


@lru_cache(maxsize=KEPT)
def _source(drawing: Drawing, ink: PictureInk, tint: Colour) -> str:
    left, top, side = drawing.bounds
    fills = _fills(ink, tint)
    paths = "".join(
        f'<path d="{data}" fill="{css_colour(fills[kind]) if kind in fills else "none"}"{BARE if kind in ("ink", "hole") else ""}/>'
        for kind, data in svg_paths(drawing, MIDDLE)
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {side} {side}"><g stroke="{css_colour(ink.line)}"'
        f' stroke-width="{side * ink.outline_mm / SHEET_MM:.1f}" stroke-linejoin="round">{paths}</g></svg>'
    )
    return f"data:image/svg+xml,{quote(svg)}"


@lru_cache(maxsize=KEPT)
def _paths(drawing: Drawing, level: int, ink: PictureInk, tint: Colour, fine: str) -> str:
    """Return the marks as SVG paths; the group around them sets the pen and the joints."""
    looks = {kind: f' fill="{css_colour(fill)}"' for kind, fill in _fills(ink, tint).items()}
    looks |= {kind: looks[kind] + BARE for kind in ("ink", "hole")}
    looks |= {"line": "", "fine": f' stroke-width="{fine}"'}
    looks["hurt"] = f'{looks["fine"]} stroke="{css_colour(ink.hurt)}"'
    return "".join(f'<path{looks[kind]} d="{data}"/>' for kind, data in svg_paths(drawing, level))


def _fills(ink: PictureInk, tint: Colour) -> dict[MarkKind, Colour]:
    """Return the fill colours by kind of mark; kinds without one are strokes."""
    return {"plate": ink.paper, "hole": ink.paper, "tint": tint, "steel": ink.steel, "ink": ink.line}


@lru_cache(maxsize=KEPT)
def _operators(drawing: Drawing, level: int, ink: PictureInk, tint: Colour, scale: float) -> bytes:
    """Return the marks as PDF operators, whose line width on paper is the same at any scale."""
    fills = _fills(ink, tint)
    parts = ["1 j 1 J", f"{_rgb(ink.line)} RG"]
    fill: Colour | None = None
    width = 0.0
    for mark in drawing.seen(level):
        thick = (ink.fine_mm if mark.kind in ("fine", "hurt") else ink.outline_mm) / scale
        if thick != width and mark.kind not in ("ink", "hole"):
            width = thick
            parts.append(f"{width:.2f} w")
        if mark.kind not in STROKED and fills[mark.kind] != fill:
            fill = fills[mark.kind]
            parts.append(f"{_rgb(fill)} rg")
        for (x, y), *rest in mark.outlines:
            parts.append(f"{x} {y} m " + " ".join(f"{x} {y} l" for x, y in rest))
            if not mark.is_open:
                parts.append("h")
        if mark.kind == "hurt":
            parts.append(f"q {_rgb(ink.hurt)} RG S Q")
        else:
            parts.append("S" if mark.is_open else "f" if mark.kind in ("ink", "hole") else "B")
    return "\n".join(parts).encode()


def _rgb(colour: Colour) -> str:
    return " ".join(f"{part:.3f}" for part in colour)
