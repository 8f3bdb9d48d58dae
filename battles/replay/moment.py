"""A step of a replay as a standalone picture: its drawings with their colours and signs in the file itself."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from battles.replay.boards import BoardKind

WIDTH, HEIGHT, HEAD, EDGE = 1200, 760, 84, 24
AWAY = re.compile(r'<div class="[^"]*\bis-away".*?</div>', re.S)  # the field of a fight when nobody fights
SVG_EDGES = re.compile(r"<(/?)svg\b[^>]*>")
GROUP_EDGES = re.compile(r"<(/?)g\b[^>]*>")
NOT_SHOWN = re.compile(r'class="[^"]*\bis-away\b')
SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.S)
FONT, MORE_LETTERS = "fonts/barlow-condensed-600.woff2", "fonts/barlow-condensed-600-more.woff2"
LATIN_EXTENDED_RANGE = "U+100-130,U+132-151,U+154-2BA,U+1E00-1EFF"
LATIN_EXTENDED = re.compile("[\u0100-\u0130\u0132-\u0151\u0154-\u02ba\u1e00-\u1eff]")  # letters that the second file has
STILL_STYLE = ".moment{font:600 30px var(--font-head);fill:var(--ink)}.moment--step{font-size:20px;fill:var(--ink-2)}"


def still_picture(title: str, kind: BoardKind, context: Mapping[str, object], step: str) -> tuple[str, str]:
    """Return the picture, and the hash by which a browser allows its styles; `context` is that of the kind's drawing."""
    drawings = [_visible_parts(each) for each in _drawings(AWAY.sub("", render_to_string(kind.drawing, dict(context))))]
    written = "".join((title, step, *drawings))
    drawings = [SYMBOL.sub(lambda sign: sign[0] if f'"#{sign[1]}"' in written else "", each) for each in drawings]
    style = _style(tuple(kind.styles), has_more=bool(LATIN_EXTENDED.search(written)))
    wide = (WIDTH - 2 * EDGE) / len(drawings)
    tall = HEIGHT - HEAD - EDGE
    placed = "".join(
        f'<svg x="{EDGE + at * wide:g}" y="{HEAD}" width="{wide:g}" height="{tall}"' + drawing.removeprefix("<svg")
        for at, drawing in enumerate(drawings)
    )
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>{escape(title)}: {escape(step)}</title><style>{style}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="var(--paper)"/>'
        f'<text class="moment" x="{EDGE}" y="40">{escape(title)}</text>'
        f'<text class="moment moment--step" x="{EDGE}" y="68">{escape(step)}</text>{placed}</svg>'
    )
    return text, f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


def _drawings(text: str) -> list[str]:
    """Return the drawings in a page's text, whole: a nested drawing is part of the outer one."""
    return [text[start:end] for start, end in _outermost(SVG_EDGES, text)]


def _visible_parts(drawing: str) -> str:
    """Return the drawing without the parts this step doesn't show, which are half of it or more."""
    kept, at = "", 0
    for start, end in _outermost(GROUP_EDGES, drawing, NOT_SHOWN):
        kept, at = kept + drawing[at:start], end
    return kept + drawing[at:]


def _outermost(edges: re.Pattern[str], text: str, wanted: re.Pattern[str] | None = None) -> Iterator[tuple[int, int]]:
    """Yield start and end of each outermost wanted element of one kind."""
    open_now = 0
    begun: tuple[int, int] | None = None  # where the element begins, and its depth
    for edge in edges.finditer(text):
        if not edge[1]:
            if not begun and (wanted is None or wanted.search(edge[0])):
                begun = edge.start(), open_now
            open_now += 1
            continue
        open_now -= 1
        if begun and begun[1] == open_now:
            yield begun[0], edge.end()
            begun = None


@cache
def _style(styles: tuple[str, ...], *, has_more: bool) -> str:
    """Return the style sheets of a drawing, in light mode, and its fonts."""
    face = _font_face(FONT) + (_font_face(MORE_LETTERS, f"unicode-range:{LATIN_EXTENDED_RANGE};") if has_more else "")
    sheets = [_static(f"css/{name}.css") for name in ("tokens", "stage")] + [_static(name) for name in styles]
    text = sheets[0].partition("/* night")[0] + "".join(sheets[1:])
    text = re.sub(r"/\*.*?\*/|@font-face \{.*?\}", "", text, flags=re.S)
    return re.sub(r"\s+", " ", text).replace("<", "").replace("&", "") + face + STILL_STYLE


def _font_face(font: str, letters: str = "") -> str:
    data = b64encode(_static_path(font).read_bytes()).decode()
    return f'@font-face{{font-family:"Barlow Condensed";{letters}src:url(data:font/woff2;base64,{data})}}'


def _static(name: str) -> str:
    return _static_path(name).read_text(encoding="utf-8")


def _static_path(name: str) -> Path:
    found = finders.find(name)
    assert isinstance(found, str), f"there is no {name}"
    return Path(found)
