"""Draws Open Graph images and badges, which show the subject of a page in chats and on other sites.

A preview image consists of text, colours and silhouettes, and is independent of its subject. A badge is an SVG with two
labels, for a club's website or a forum signature. Letters that the print fonts lack are taken from a system font, which
is found through fontconfig, as Pango does for paper.
"""

from __future__ import annotations

import ctypes
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from unicodedata import bidirectional

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.html import escape
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont, features

from rosters.card_layout.page import SILHOUETTE_SIDE, silhouette_outlines
from systems.paper.metrics import FILES, FONT_DIR, FontKey

OUTLINE, CHARSET, WEIGHT, FILE, INDEX = b"outline", b"charset", b"weight", b"file", b"index"
BOLD, MEDIUM = 200, 100


@lru_cache(maxsize=1)
def _fontconfig() -> ctypes.CDLL | None:
    """Return the fontconfig library; None on a machine without it."""
    try:
        library = ctypes.CDLL("libfontconfig.so.1")
    except OSError:
        return None
    for name in ("FcCharSetCreate", "FcPatternCreate", "FcFontMatch"):
        getattr(library, name).restype = ctypes.c_void_p
    return library


@lru_cache(maxsize=4096)
def font_with(letter: str, *, is_bold: bool) -> tuple[str, int] | None:
    """Return the file and index of a system font that has an outline of the letter; None if there is none."""
    library = _fontconfig()
    if library is None:
        return None
    letters, pattern = ctypes.c_void_p(library.FcCharSetCreate()), ctypes.c_void_p(library.FcPatternCreate())
    library.FcCharSetAddChar(letters, ord(letter))
    library.FcPatternAddCharSet(pattern, CHARSET, letters)
    library.FcPatternAddBool(pattern, OUTLINE, 1)
    library.FcPatternAddInteger(pattern, WEIGHT, BOLD if is_bold else MEDIUM)
    library.FcConfigSubstitute(None, pattern, 0)
    library.FcDefaultSubstitute(pattern)
    found = ctypes.c_void_p(library.FcFontMatch(None, pattern, ctypes.byref(ctypes.c_int())))
    try:
        return _file_of(library, found, letter) if found else None
    finally:
        library.FcPatternDestroy(pattern)
        library.FcCharSetDestroy(letters)
        if found:
            library.FcPatternDestroy(found)


def _file_of(library: ctypes.CDLL, found: ctypes.c_void_p, letter: str) -> tuple[str, int] | None:
    """Return the file and index of the font, or None if it lacks the letter: fontconfig returns the nearest match."""
    has, outline, file, index = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_char_p(), ctypes.c_int()
    library.FcPatternGetCharSet(found, CHARSET, 0, ctypes.byref(has))
    library.FcPatternGetBool(found, OUTLINE, 0, ctypes.byref(outline))
    library.FcPatternGetString(found, FILE, 0, ctypes.byref(file))
    library.FcPatternGetInteger(found, INDEX, 0, ctypes.byref(index))
    if not (has and outline.value and file.value and library.FcCharSetHasChar(has, ord(letter))):
        return None
    return file.value.decode(errors="surrogateescape"), index.value & 0xFFFF


WIDTH, HEIGHT = 1200, 630  # the size that link previews expect
EDGE = 72
PAPER, INK, SOFT, LINE, SIGNAL, BAND = "#f3eee1", "#20231a", "#55574a", "#cdc5af", "#a8370b", "#2b3020"
MAX_ROWS, MAX_UNITS = 6, 6
FINER = 4  # silhouettes are drawn this many times larger and then scaled down
CACHE_SECONDS = 600  # how long clients may cache a preview
STRONG = {"L": False, "R": True, "AL": True}  # whether letters of a bidirectional class run from right to left
SHAPES = features.check("raqm")  # whether joined and right-to-left letters can be drawn
FontFile = tuple[str, int]  # path, and the index of the font in the file
CACHE_SIZE = 128  # images of about 30 kB


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A line of a list: a colour, a text, and a figure at the end."""

    text: str
    figure: str = ""
    colour: str = ""
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class PreviewUnit:
    """The silhouette and the name of a unit."""

    shape: str
    name: str


@dataclass(frozen=True, slots=True)
class PreviewImage:
    kicker: str
    title: str
    rows: tuple[PreviewRow, ...] = ()
    units: tuple[PreviewUnit, ...] = ()
    foot: str = ""
    colour: str = SIGNAL


def preview_response(request: HttpRequest, preview: PreviewImage, *, is_public: bool) -> HttpResponseBase:
    """Return the image as a response, or 304 if the client already has it."""
    picture = draw_preview(preview)
    tag = f'"{hashlib.sha256(picture).hexdigest()[:32]}"'
    answer = HttpResponse(picture, content_type="image/png", headers={"ETag": tag})
    patch_cache_control(answer, max_age=CACHE_SECONDS, **({"public": True} if is_public else {"private": True}))
    return get_conditional_response(request, etag=tag, response=answer) or answer


@lru_cache(maxsize=CACHE_SIZE)
def draw_preview(preview: PreviewImage) -> bytes:
    """Return the preview image as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    _frame(pen, preview)
    top = 96.0
    _write(pen, (EDGE, top), preview.kicker.upper()[:70], "head", 30, SIGNAL)
    lines, size = _title(preview.title)
    for line in lines:
        top += size * 1.04
        _write(pen, (EDGE, top), line, "head", size, INK)
    top += 34
    pen.rectangle((EDGE, top, WIDTH - EDGE, top + 4), fill=INK)
    pen.rectangle((EDGE, top + 8, WIDTH - EDGE, top + 9), fill=INK)
    top += 30
    if preview.units:
        top = _counters(image, pen, preview.units[:MAX_UNITS], top)
    _rows(pen, preview.rows[:MAX_ROWS], top)
    sent = BytesIO()
    image.quantize(64, Image.Quantize.FASTOCTREE).save(sent, "PNG")
    return sent.getvalue()


def _frame(pen: ImageDraw.ImageDraw, preview: PreviewImage) -> None:
    pen.rectangle((0, 0, 18, HEIGHT), fill=preview.colour)
    pen.rectangle((0, HEIGHT - 64, WIDTH, HEIGHT), fill=BAND)
    for x in range(0, WIDTH, 15):
        pen.line((x, HEIGHT - 64, x, HEIGHT - (50 if x % 75 == 0 else 57)), fill=PAPER, width=1)
    _write(pen, (EDGE, HEIGHT - 18), "MUSTER", "head", 32, "#ff9a5c")
    foot = _cut(preview.foot, "text", 26, WIDTH - 2 * EDGE - 200)
    _write(pen, (WIDTH - EDGE, HEIGHT - 20), foot, "text", 26, PAPER, ends=True)


def _title(title: str) -> tuple[list[str], int]:
    """Return the title in one line or two, and the largest type size that fits."""
    text = title.upper()
    for size in (96, 84, 72):
        if _width(text, "head", size) <= WIDTH - 2 * EDGE:
            return [text], size
    first, rest = "", text.split()
    while rest and _width(f"{first} {rest[0]}".strip(), "head", 64) <= WIDTH - 2 * EDGE:
        first = f"{first} {rest.pop(0)}".strip()
    lines = [first or _cut(text, "head", 64, WIDTH - 2 * EDGE)]
    if first and rest:
        lines.append(_cut(" ".join(rest), "head", 64, WIDTH - 2 * EDGE))
    return lines, 64


def _counters(image: Image.Image, pen: ImageDraw.ImageDraw, units: tuple[PreviewUnit, ...], top: float) -> float:
    side, step = 132, (WIDTH - 2 * EDGE) // MAX_UNITS
    for at, unit in enumerate(units):
        left = EDGE + at * step
        pen.rectangle((left, top, left + side, top + side), outline=INK, width=3, fill="#faf7ef")
        image.paste(INK, (round(left + 6), round(top + 6)), _silhouette(unit.shape, side - 12))
        name = _cut(unit.name, "head", 26, step - 12)
        _write(pen, (left, top + side + 30), name, "head", 26, INK)
    return top + side + 46


@lru_cache(maxsize=32)
def _silhouette(shape: str, side: int) -> Image.Image:
    """Return the silhouette as a mask."""
    fine = Image.new("L", (side * FINER, side * FINER), 0)
    pen = ImageDraw.Draw(fine)
    scale = side * FINER / SILHOUETTE_SIDE
    for outline in silhouette_outlines(shape):
        pen.polygon([(x * scale, y * scale) for x, y in outline], fill=255)
    return fine.resize((side, side), Image.Resampling.LANCZOS)


def _rows(pen: ImageDraw.ImageDraw, rows: tuple[PreviewRow, ...], top: float) -> None:
    height = min(56.0, (HEIGHT - 64 - 12 - top) / max(1, len(rows)))
    size = int(height * 0.64)
    for row in rows:
        top += height
        line, left = top - height * 0.26, EDGE
        if row.colour:
            pen.rectangle((left, line - size * 0.72, left + size * 0.72, line), fill=row.colour)
            left += round(size * 1.1)
        font: FontKey = "head" if row.is_strong else "text"
        figure = _cut(row.figure, "head", size, 420)
        text = _cut(row.text, font, size, WIDTH - EDGE - left - _width(figure, "head", size) - 30)
        _write(pen, (left, line), text, font, size, INK)
        _write(pen, (WIDTH - EDGE, line), figure, "head", size, SOFT, ends=True)
        pen.line((EDGE, top, WIDTH - EDGE, top), fill=LINE, width=1)


def _cut(text: str, font: FontKey, size: int, width: float) -> str:
    """Return the text, shortened with an ellipsis if it is too long."""
    if _width(text, font, size) <= width:
        return text
    while text and _width(f"{text}…", font, size) > width:
        text = text[:-1].rstrip()
    return f"{text}…"


def text_width(text: str, size: int) -> float:
    """Return the width of a line in the condensed font, in pixels."""
    return _width(text, "text", size)


def _width(text: str, font: FontKey, size: int) -> float:
    return sum(run.length for run in _runs(text, font, size))


def _write(
    pen: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    font: FontKey,
    size: int,
    colour: str,
    *,
    ends: bool = False,
) -> None:
    """Draw a line of text that starts (or with `ends`, ends) at this point."""
    x = at[0] - (_width(text, font, size) if ends else 0)
    for run in _runs(text, font, size):
        pen.text((x, at[1]), run.text, fill=colour, font=run.face, anchor="ls", direction=run.direction)
        x += run.length


@dataclass(frozen=True, slots=True)
class TextRun:
    """A part of a line in one font and one direction."""

    text: str
    face: ImageFont.FreeTypeFont
    direction: str | None  # "rtl"; None if left to right, or if the machine lacks the library for it

    @property
    def length(self) -> float:
        return self.face.getlength(self.text, direction=self.direction)


def _runs(text: str, font: FontKey, size: int) -> list[TextRun]:
    """Return the text as runs from left to right, each in the first font that has its letters.

    Print fonts come first, then system fonts. Letters that no font has are left out.
    """
    kept = "".join(letter for letter in text if letter.isprintable() and _font_of(letter, font))
    text = kept if kept == text else " ".join(kept.split())
    ways = _ways(text)
    parts: list[tuple[str, FontFile, bool]] = []
    for letter, is_right in zip(text, ways, strict=True):
        before = parts[-1] if parts and parts[-1][2] == is_right else None
        is_neutral = bidirectional(letter) not in STRONG
        file = before[1] if before and is_neutral and _has(before[1], letter) else _font_of(letter, font)
        assert file is not None
        if before and before[1] == file:
            parts[-1] = (before[0] + letter, file, is_right)
        else:
            parts.append((letter, file, is_right))
    if _is_from_right(text):
        parts.reverse()
    return [
        TextRun(letters, _opened(*file, size), "rtl" if is_right and SHAPES else None)
        for letters, file, is_right in parts
    ]


def _ways(text: str) -> list[bool]:
    """Return for each letter whether it runs from right to left.

    Letters without a direction take the direction of their neighbours, or of the whole text if the neighbours differ.
    """
    strong = [STRONG.get(bidirectional(letter)) for letter in text]
    base = _is_from_right(text)
    before, after = list(strong), list(strong)
    for at in range(len(text)):
        before[at] = strong[at] if strong[at] is not None else before[at - 1] if at else base
    for at in reversed(range(len(text))):
        after[at] = strong[at] if strong[at] is not None else after[at + 1] if at + 1 < len(text) else base
    return [bool(one) if one == two else base for one, two in zip(before, after, strict=True)]


def _is_from_right(text: str) -> bool:
    """Return whether the text runs from right to left; its first letter with a direction decides."""
    return next((STRONG[way] for way in map(bidirectional, text) if way in STRONG), False)


def _font_of(letter: str, font: FontKey) -> FontFile | None:
    files = ((str(FONT_DIR / file), 0) for file in FILES[font])
    return next((file for file in files if _has(file, letter)), None) or font_with(letter, is_bold=font == "head")


def _has(file: FontFile, letter: str) -> bool:
    return ord(letter) in _letters(*file)


@lru_cache(maxsize=64)
def _opened(file: str, number: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(file, size, index=number)


@lru_cache(maxsize=16)
def _letters(file: str, number: int) -> frozenset[int]:
    return frozenset(TTFont(file, lazy=True, fontNumber=number).getBestCmap() or ())


BADGE_TYPE_SIZE, BADGE_PADDING, BADGE_HEIGHT = 13, 9, 24
LOOSER = 1.12  # extra width, because the viewer's font may be wider


def badge_response(what: str, value: str, colour: str, *, is_public: bool) -> HttpResponse:
    """Return the badge as a response, with the subject on the left and a fact about it on the right."""
    left, right = (round(text_width(text, BADGE_TYPE_SIZE) * LOOSER) + 2 * BADGE_PADDING for text in (what, value))
    words = (
        f'<text x="{x}" y="16" textLength="{width - 2 * BADGE_PADDING}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
        for text, x, width in ((what, BADGE_PADDING, left), (value, left + BADGE_PADDING, right))
    )
    description = escape(f"{what}: {value}")
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{BADGE_HEIGHT}" role="img" aria-label="{description}">'
        f'<title>{description}</title><rect width="{left}" height="{BADGE_HEIGHT}" fill="{BAND}"/>'
        f'<rect x="{left}" width="{right}" height="{BADGE_HEIGHT}" fill="{escape(colour)}"/>'
        f'<g fill="#fff" font-family="Barlow Condensed, Arial Narrow, Arial, sans-serif" font-size="{BADGE_TYPE_SIZE}"'
        f' font-weight="600">{"".join(words)}</g></svg>\n'
    )
    answer = HttpResponse(picture, content_type="image/svg+xml")
    patch_cache_control(answer, max_age=CACHE_SECONDS, **({"public": True} if is_public else {"private": True}))
    return answer
