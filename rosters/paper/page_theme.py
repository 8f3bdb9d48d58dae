"""Themes of everything on paper that is a page: one set of named colours each, put into the styles as custom properties.

Style sheets name colours only by these properties; drawings take them from the same place.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from rosters.paper.documents import PrintSettings

CROSS = (  # through a box
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
    '<path d="M1.5 1.5 8.5 8.5M8.5 1.5 1.5 8.5" stroke="{ink}" stroke-width="1"/></svg>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours and weights; `band` is the head of a page, in the company's colour where the theme has colours."""

    slug: str
    ink: str
    soft: str  # second voice: labels, notes
    line: str  # hairlines that separate
    line_2: str  # lines that mean something: boxes, tracks
    signal: str
    fill: str  # stripes and troughs
    band: str
    on_band: str
    band_edge: str
    bar: str  # width of the heavy rule below a head
    side_a: str
    on_side_a: str
    side_b: str
    on_side_b: str

    def css(self) -> str:
        named = (field.name for field in fields(self) if field.name != "slug")
        colours = "".join(f"--{name.replace('_', '-')}:{getattr(self, name)};" for name in named)
        return f":root{{{colours}--cross:url('{CROSS.format(ink=self.ink.replace('#', '%23'))}')}}"


COLOUR = Theme(
    slug="colour", ink="#20231a", soft="#55574a", line="#cdc5af", line_2="#7f7a66", signal="#a8370b", fill="#f4efe2",
    band="#20231a", on_band="#ffffff", band_edge="#20231a", bar="0.32rem",
    side_a="#46562a", on_side_a="#ffffff", side_b="#35546f", on_side_b="#ffffff",
)  # fmt: skip
GREY = Theme(
    slug="grey", ink="#1c1c1c", soft="#505050", line="#c4c4c4", line_2="#757575", signal="#1c1c1c", fill="#efefef",
    band="#3a3a3a", on_band="#ffffff", band_edge="#3a3a3a", bar="0.32rem",
    side_a="#2e2e2e", on_side_a="#ffffff", side_b="#ffffff", on_side_b="#1c1c1c",
)  # fmt: skip
INK_SAVER = Theme(
    slug="ink-saver", ink="#000000", soft="#000000", line="#000000", line_2="#000000", signal="#000000",
    fill="transparent", band="transparent", on_band="#000000", band_edge="#000000", bar="0.08rem",
    side_a="#ffffff", on_side_a="#000000", side_b="#ffffff", on_side_b="#000000",
)  # fmt: skip
THEMES = {theme.slug: theme for theme in (COLOUR, GREY, INK_SAVER)}


def theme_of(settings: PrintSettings) -> Theme:
    return THEMES[settings.theme]


def company_css(theme: Theme, colour: str) -> str:
    """What the company's colour changes: the band, where the theme has colours."""
    if theme is not COLOUR or not colour:
        return ""
    on_band = "#ffffff" if _luminance(colour) < 0.36 else theme.ink
    return f":root{{--band:{colour};--on-band:{on_band};--band-edge:{colour}}}"


def _luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, 0 to 1, as WCAG has it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
