"""Units on paper: their marks as operators of a PDF page, written once for all cards that show the unit."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from rosters.paper.layout import Picture
from rosters.paper.themes import Colour, PictureInk, Theme
from systems.paper.bodies import FRAME, Drawing
from systems.paper.bodies.drawing import svg_paths
from systems.paper.bodies.ink import FULL, MIDDLE

if TYPE_CHECKING:
    from rosters.paper.weasyprint_inside import Stream

SHEET_MM = 26.0  # about as large as it stands on a datasheet
LARGE_MM = 24.0  # across: with panel lines, shade and ruler
KEPT = 256
BARE = ' stroke="none"'
STROKED = frozenset({"line", "fine", "hurt"})


def paint(stream: Stream, picture: Picture, ink: PictureInk, livery: Colour | None) -> None:
    """Puts the unit on a page whose unit is a mm, y down."""
    level = FULL if picture.side >= LARGE_MM else MIDDLE
    left, top, across = (0, 0, FRAME) if level == FULL else picture.drawing.bounds
    scale = picture.side / across
    with stream.stacked():
        if picture.turned:
            right, bottom = picture.x + picture.side, picture.y + picture.side
            stream.transform(a=-scale, d=-scale, e=right + left * scale, f=bottom + top * scale)
        else:
            stream.transform(a=scale, d=scale, e=picture.x - left * scale, f=picture.y - top * scale)
        stream.stream.append(_operators(picture.drawing, level, ink, livery or ink.tint, round(scale, 6)))


def picture_image(drawing: Drawing | None, name: str, theme: Theme, colour: str) -> str:
    """An img element of the unit for a page; empty without a drawing."""
    if drawing is None:
        return ""
    source = _source(drawing, theme.picture, theme.band(colour) or theme.picture.tint)
    return f'<img class="drawn" alt="{escape(f"{name} as it is built")}" src="{source}">'


@lru_cache(maxsize=KEPT)
def _source(drawing: Drawing, ink: PictureInk, tint: Colour) -> str:
    left, top, side = drawing.bounds
    fills = {"plate": ink.paper, "hole": ink.paper, "tint": tint, "steel": ink.steel, "ink": ink.line}
    paths = "".join(
        f'<path d="{data}" fill="{_css(fills[kind]) if kind in fills else "none"}"{BARE if kind in ("ink", "hole") else ""}/>'
        for kind, data in svg_paths(drawing, MIDDLE)
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {side} {side}"><g stroke="{_css(ink.line)}"'
        f' stroke-width="{side * ink.outline_mm / SHEET_MM:.1f}" stroke-linejoin="round">{paths}</g></svg>'
    )
    return f"data:image/svg+xml,{quote(svg)}"


def _css(colour: Colour) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)


@lru_cache(maxsize=KEPT)
def _operators(drawing: Drawing, level: int, ink: PictureInk, tint: Colour, scale: float) -> bytes:
    """Lines as thick on paper whatever the scale."""
    fills = {"plate": ink.paper, "hole": ink.paper, "tint": tint, "steel": ink.steel, "ink": ink.line}
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
