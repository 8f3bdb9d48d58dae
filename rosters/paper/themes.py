"""How strokes and text of a card look in each theme of print/1: colour, greys only, or as little ink as will do. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Colour = tuple[float, float, float]  # red, green, blue, each 0 to 1
ThemeName = Literal["colour", "grey", "ink-saver"]


def colour(code: str) -> Colour:
    """The colour of a code such as #a8370b."""
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def grey_of(code: str) -> Colour:
    """The grey that is as light as that colour."""
    red, green, blue = colour(code)
    light = round(0.2126 * red + 0.7152 * green + 0.0722 * blue, 3)
    return light, light, light


@dataclass(frozen=True, slots=True)
class Stroke:
    """A pen: mm wide, its colour, and the mm of dash and gap if it is broken."""

    width: float
    colour: Colour
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Theme:
    """Colour of text by its tone, pens by kind of stroke, colour of filled shapes by kind."""

    tones: Mapping[str, Colour]
    strokes: Mapping[str, Stroke]
    fills: Mapping[str, Colour]
    has_band: bool = True
    is_grey: bool = False

    def band(self, code: str) -> Colour | None:
        """The band of a company of that colour; None where there is none."""
        if not code or not self.has_band:
            return None
        return grey_of(code) if self.is_grey else colour(code)


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


_INK, _SIGNAL, _BLACK = colour("#20231a"), colour("#a8370b"), colour("#000000")
_DARK = colour("#1c1c1c")

THEMES: dict[ThemeName, Theme] = {
    "colour": Theme(
        tones={"ink": _INK, "soft": colour("#55574a"), "signal": _SIGNAL},
        strokes=_pens(_INK, colour("#a9a28d"), _SIGNAL),
        fills={"qr": _BLACK, "shape": _INK},
    ),
    "grey": Theme(
        tones={"ink": _DARK, "soft": colour("#555555"), "signal": _DARK},
        strokes=_pens(_DARK, colour("#a0a0a0"), colour("#555555")),
        fills={"qr": _BLACK, "shape": _DARK},
        is_grey=True,
    ),
    "ink-saver": Theme(
        tones={"ink": _BLACK, "soft": _BLACK, "signal": _BLACK},
        strokes={
            "hair": Stroke(0.1, _BLACK),
            "faint": Stroke(0.06, _BLACK),
            "bar": Stroke(0.2, _BLACK),
            "box": Stroke(0.14, _BLACK),
            "hot": Stroke(0.14, _BLACK, (0.7, 0.5)),
            "mark": Stroke(0.25, _BLACK),
            "fold": Stroke(0.08, _BLACK, (1.2, 0.9)),
            "shape": Stroke(0.14, _BLACK),  # in outline
        },
        fills={"qr": _BLACK},
        has_band=False,
    ),
}
