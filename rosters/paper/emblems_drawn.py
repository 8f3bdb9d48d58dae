"""Emblems on paper: in their colours, or in greys of the same lightness where a theme has no colours."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from rosters.livery.emblems import drawn_paths
from rosters.paper.themes import Theme, grey_of
from systems.paper.emblems import FRAME, EmblemError, read_emblem
from systems.paper.emblems.tinctures import TINCTURES

SAVED = ("#ffffff", "#8a8a8a")  # light and dark in the ink-saver theme


def emblem_image(code: str, theme: Theme) -> str:
    """Return an img element of the emblem for a page; empty without an emblem."""
    try:
        emblem = read_emblem(code)
    except EmblemError:
        return ""
    paths = drawn_paths(emblem, 1, lambda letter: _paint(letter, theme))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {FRAME} {FRAME}">'
        f'<g stroke="{theme.page.ink}" stroke-linejoin="round">{paths}</g></svg>'
    )
    return f'<img class="emblem" alt="{escape(f"Emblem: {emblem.said}")}" src="data:image/svg+xml,{quote(svg)}">'


def _paint(letter: str, theme: Theme) -> str:
    tincture = TINCTURES[letter]
    if not theme.has_band:
        return SAVED[0] if tincture.is_light else SAVED[1]
    if theme.is_grey:
        return f"#{3 * f'{round(grey_of(tincture.paint)[0] * 255):02x}'}"
    return tincture.paint
