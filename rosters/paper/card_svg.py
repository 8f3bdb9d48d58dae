"""SVG of card sides for web pages: the same `CardPage` that `drawing.py` draws on paper, with 1 unit = 1 mm.

Lines of text are where they are on paper. The page sets the fonts (`.card-side` of `rosters.css`): the web versions of
the print fonts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape

from rosters.paper.layout import CardPage, TextBox
from rosters.paper.layout.page import CONTROLS
from rosters.paper.themes import THEMES, Theme, css_colour
from rosters.paper.units_drawn import picture_svg
from systems.paper.metrics import MM_PER_PT, below_middle_em

NUMBER = re.compile(r"-?\d*\.\d+")
MODULES = re.compile(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-\3z")  # a run of a code's dark modules
ANCHORS = {"left": "", "center": "middle", "right": "end"}
ANCHORS_TURNED = {"left": "end", "center": "middle", "right": ""}  # of right-to-left lines


def side_svg(page: CardPage, name: str, key: str, theme: Theme = THEMES["colour"]) -> str:
    """Return the side as an SVG element with that label; its drawing has the key as id, so that it can be reused."""
    return (
        f'<svg class="card-side" viewBox="0 0 {page.size.width:g} {page.size.height:g}" role="img"'
        f' aria-label="{escape(name)}"><g id="{key}">{"".join(_drawn(page, theme))}</g></svg>'
    )


def _drawn(page: CardPage, theme: Theme) -> Iterator[str]:
    """Yield all parts, in the order in which they are drawn on paper."""
    livery = theme.band(page.band)
    if livery and page.band_mm:
        yield f'<path fill="{css_colour(livery)}" d="M0 0h{page.size.width:g}v{_short(page.band_mm)}H0z"/>'
    for kind, paths in page.art.items():
        yield _art(page, theme, kind, "".join(paths))
    for picture in page.pictures:
        yield picture_svg(picture, theme.picture, livery)
    yield from _texts(page.texts, theme)


# --- strokes and shapes -----------------------------------------------------------------------------------------------


def _art(page: CardPage, theme: Theme, kind: str, path: str) -> str:
    """Return strokes or filled shapes of one kind as one path; empty for a band without a colour."""
    if stroke := theme.strokes.get(kind):
        dash = f' stroke-dasharray="{" ".join(map(_short, stroke.dash))}"' if stroke.dash else ""
        return (
            f'<path fill="none" stroke="{css_colour(stroke.colour)}" stroke-width="{_short(stroke.width)}"{dash}'
            f' d="{_rounded(path)}"/>'
        )
    fill = theme.band(page.band) if kind == "band" else theme.fills[kind]
    if fill is None:
        return ""
    return _code(path, css_colour(fill)) if kind == "qr" else f'<path fill="{css_colour(fill)}" d="{_rounded(path)}"/>'


def _code(path: str, ink: str) -> str:
    """Return a code's runs of dark modules as strokes along their middle: half as many characters as their outlines."""
    runs = MODULES.findall(path)
    height = max((float(high) for *_, high in runs), default=0.0)
    strokes = "".join(
        f"M{_short(float(left))} {_short(float(top) + float(high) / 2)}h{_short(float(wide))}"
        for left, top, wide, high in runs
    )
    return f'<path fill="none" stroke="{ink}" stroke-width="{height:.3f}" d="{strokes}"/>'


def _rounded(path: str) -> str:
    return NUMBER.sub(lambda found: _short(float(found[0])), path)


@lru_cache(maxsize=8192)
def _short(length: float) -> str:
    """Format a length to a hundredth of a mm, in as few characters as possible."""
    text = f"{length:.2f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


# --- text -------------------------------------------------------------------------------------------------------------


def _texts(texts: Sequence[TextBox], theme: Theme) -> Iterator[str]:
    """Yield the lines, grouped by font and style."""
    runs: dict[tuple[str, str], list[str]] = {}
    for text in texts:
        anchor = (ANCHORS_TURNED if text.direction == "rtl" else ANCHORS)[text.align]
        look = f' font-size="{_em(text):.3f}" fill="{css_colour(theme.tones[text.tone])}"'
        look += f' text-anchor="{anchor}"' if anchor else ""
        runs.setdefault((text.font, look), []).extend(_lines(text))
    for (font, look), lines in runs.items():
        yield f'<g class="card-side__{font}"{look}>{"".join(lines)}</g>'


def _lines(text: TextBox) -> Iterator[str]:
    x = text.x + {"left": 0.0, "center": text.width / 2, "right": text.width}[text.align]
    more = ' direction="rtl"' if text.direction == "rtl" else ""
    if text.turned:
        middle = f"{_short(text.x + text.width / 2)} {_short(text.y + text.leading * len(text.lines) / 2)}"
        more += f' transform="rotate(180 {middle})"'
    for at, line in enumerate(text.lines):
        if line.strip():
            y = text.y + (at + 0.5) * text.leading + below_middle_em(text.font) * _em(text)
            yield f'<text x="{_short(x)}" y="{_short(y)}"{more}>{_written(line)}</text>'


def _em(text: TextBox) -> float:
    """Return the type size in mm."""
    return text.size * MM_PER_PT


def _written(line: str) -> str:
    """Escape a line and keep all its spaces: browsers collapse several in a row into one."""
    return escape(line.translate(CONTROLS).replace("  ", " \u00a0"), quote=False)
