"""The themes of prints: colour, greys only, and as little ink as possible. Each is a set of named colours.

Pages get the colours as CSS custom properties, and style sheets use only these. Cards have pens and tones of the same
colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

Colour = tuple[float, float, float]  # red, green, blue, each 0 to 1
ThemeName = Literal["colour", "grey", "ink-saver"]
CROSS = (  # drawn through a box
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
    '<path d="M1.5 1.5 8.5 8.5M8.5 1.5 1.5 8.5" stroke="{ink}" stroke-width="1"/></svg>'
)
DARK_UP_TO = 0.36  # luminance up to which text on a colour is white


def colour(code: str) -> Colour:
    """Return the colour of a code such as #a8370b."""
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def grey_of(code: str) -> Colour:
    """Return the grey that is as light as this colour."""
    red, green, blue = colour(code)
    light = round(0.2126 * red + 0.7152 * green + 0.0722 * blue, 3)
    return light, light, light


def css_colour(parts: Colour) -> str:
    """Return the colour in the notation of CSS and SVG."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def luminance(code: str) -> float:
    """Return the relative luminance of a colour as defined by WCAG, 0 to 1."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour(code))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@dataclass(frozen=True, slots=True)
class Stroke:
    """A pen: its width in mm, its colour, and, if it is dashed, the lengths of dash and gap in mm."""

    width: float
    colour: Colour
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """The colours of a page, and a line width. `band` is the page's head, in the company's colour if possible."""

    ink: str
    soft: str  # for labels and notes
    line: str  # for hairlines that separate
    line_2: str  # for lines with a meaning: boxes, tracks
    signal: str
    fill: str  # stripes and empty parts of bars
    band: str
    on_band: str
    band_edge: str
    bar: str  # width of the heavy rule below a head
    side_a: str
    on_side_a: str
    side_b: str
    on_side_b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureInk:
    """The colours of unit pictures. `tint` is used if the company has no colour."""

    line: Colour
    paper: Colour = (1.0, 1.0, 1.0)
    tint: Colour
    steel: Colour
    hurt: Colour
    outline_mm: float = 0.16
    fine_mm: float = 0.07


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours of pages; for cards the text colours by tone, pens by kind of stroke, and fill colours by shape."""

    label: str
    page: Colours
    tones: Mapping[str, Colour]
    strokes: Mapping[str, Stroke]
    fills: Mapping[str, Colour]
    picture: PictureInk
    has_band: bool = True
    is_grey: bool = False

    def band(self, code: str) -> Colour | None:
        """Return the colour of the band on cards of a company with this colour; None if there is no band."""
        if not code or not self.has_band:
            return None
        return grey_of(code) if self.is_grey else colour(code)

    def css(self, code: str = "") -> str:
        """Return the custom properties of a page; its head has the company's colour if the theme allows it."""
        colours = "".join(
            f"--{one.name.replace('_', '-')}:{getattr(self.page, one.name)};" for one in fields(self.page)
        )
        css = f":root{{{colours}--cross:url('{CROSS.format(ink=self.page.ink.replace('#', '%23'))}')}}"
        if not code or not self.has_band or self.is_grey:
            return css
        on_band = "#ffffff" if luminance(code) < DARK_UP_TO else self.page.ink
        return f"{css}:root{{--band:{code};--on-band:{on_band};--band-edge:{code}}}"


def _pens(ink: Colour, soft: Colour, hot: Colour) -> dict[str, Stroke]:
    return {
        "hair": Stroke(0.18, ink),
        "faint": Stroke(0.1, soft),
        "bar": Stroke(0.7, ink),
        "box": Stroke(0.22, ink),
        "hot": Stroke(0.22, hot, (0.7, 0.5)),
        "mark": Stroke(0.4, ink),
        "fold": Stroke(0.12, soft, (1.2, 0.9)),
    }


_INK, _SIGNAL, _BLACK, _DARK, _WHITE = map(colour, ("#20231a", "#a8370b", "#000000", "#1c1c1c", "#ffffff"))

THEMES: dict[ThemeName, Theme] = {
    "colour": Theme(
        label="Colour",
        page=Colours(
            ink="#20231a", soft="#55574a", line="#cdc5af", line_2="#7f7a66", signal="#a8370b", fill="#f4efe2",
            band="#20231a", on_band="#ffffff", band_edge="#20231a", bar="0.32rem",
            side_a="#46562a", on_side_a="#ffffff", side_b="#35546f", on_side_b="#ffffff",
        ),
        tones={"ink": _INK, "soft": colour("#55574a"), "signal": _SIGNAL},
        strokes=_pens(_INK, colour("#a9a28d"), _SIGNAL),
        fills={"qr": _BLACK, "shape": _INK},
        picture=PictureInk(line=_INK, tint=colour("#dcd6c4"), steel=colour("#b4b0a0"), hurt=_SIGNAL),
    ),
    "grey": Theme(
        label="Greyscale",
        page=Colours(
            ink="#1c1c1c", soft="#505050", line="#c4c4c4", line_2="#757575", signal="#1c1c1c", fill="#efefef",
            band="#3a3a3a", on_band="#ffffff", band_edge="#3a3a3a", bar="0.32rem",
            side_a="#2e2e2e", on_side_a="#ffffff", side_b="#ffffff", on_side_b="#1c1c1c",
        ),
        tones={"ink": _DARK, "soft": colour("#555555"), "signal": _DARK},
        strokes=_pens(_DARK, colour("#a0a0a0"), colour("#555555")),
        fills={"qr": _BLACK, "shape": _DARK},
        picture=PictureInk(line=_DARK, tint=colour("#dcdcdc"), steel=colour("#b4b4b4"), hurt=_DARK),
        is_grey=True,
    ),
    "ink-saver": Theme(
        label="Ink saver: lines only",
        page=Colours(
            ink="#000000", soft="#000000", line="#000000", line_2="#000000", signal="#000000",
            fill="transparent", band="transparent", on_band="#000000", band_edge="#000000", bar="0.08rem",
            side_a="#ffffff", on_side_a="#000000", side_b="#ffffff", on_side_b="#000000",
        ),
        tones={"ink": _BLACK, "soft": _BLACK, "signal": _BLACK},
        strokes={
            "hair": Stroke(0.1, _BLACK),
            "faint": Stroke(0.06, _BLACK),
            "bar": Stroke(0.2, _BLACK),
            "box": Stroke(0.14, _BLACK),
            "hot": Stroke(0.14, _BLACK, (0.7, 0.5)),
            "mark": Stroke(0.25, _BLACK),
            "fold": Stroke(0.08, _BLACK, (1.2, 0.9)),
            "shape": Stroke(0.14, _BLACK),  # shapes are only outlined
        },
        fills={"qr": _BLACK},
        picture=PictureInk(
            line=_BLACK, tint=_WHITE, steel=_WHITE, hurt=_BLACK, outline_mm=0.1, fine_mm=0.05
        ),
        has_band=False,
    ),
}  # fmt: skip
