"""Sides of cards as SVG for pages: the very `CardPage` that `drawing.py` sets on paper, its unit a mm.

Lines of type lie where paper has them. What they are set in, the page says (`.card-side` of `rosters.css`): the fonts of
paper, as pages have them.
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
ANCHORS_TURNED = {"left": "end", "center": "middle", "right": ""}  # of lines that run right to left


def side_svg(page: CardPage, name: str, key: str, theme: Theme = THEMES["colour"]) -> str:
    """The side as an SVG element of that name; what is drawn has the key as its id, for whoever shows it again."""
    return (
        f'<svg class="card-side" viewBox="0 0 {page.size.width:g} {page.size.height:g}" role="img"'
        f' aria-label="{escape(name)}"><g id="{key}">{"".join(_drawn(page, theme))}</g></svg>'
    )


def _drawn(page: CardPage, theme: Theme) -> Iterator[str]:
    """All of it, in the order in which paper is drawn on."""
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
    """Strokes or filled shapes of a kind, as one path; nothing of a band without a colour."""
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
    """A code's runs of dark modules as strokes along their middle: half as long to write as their outlines."""
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
    """To the hundredth of a mm, in as few characters as that takes."""
    text = f"{length:.2f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


# --- text -------------------------------------------------------------------------------------------------------------


def _texts(texts: Sequence[TextBox], theme: Theme) -> Iterator[str]:
    """The lines, gathered by what they are set in."""
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
    """The size of its type, mm."""
    return text.size * MM_PER_PT


def _written(line: str) -> str:
    """A line with all its spaces, of which pages show but one where several follow each other."""
    return escape(line.translate(CONTROLS).replace("  ", " \u00a0"), quote=False)
