"""Widths of text in the print fonts, for fitting and breaking lines before anything is rendered.

The numbers come from the font files themselves. Characters missing from our files are drawn in a system font; they
count as the widest likely, so text is never longer than measured.
"""

import unicodedata
from functools import lru_cache
from math import fsum
from pathlib import Path
from typing import Literal

FONT_DIR = Path(__file__).resolve().parents[2] / "static" / "fonts" / "print"
FontKey = Literal["head", "text"]
FILES: dict[FontKey, tuple[str, ...]] = {
    "head": ("barlow-condensed-700.ttf", "fira-sans-condensed-700.ttf"),
    "text": ("barlow-condensed-500.ttf", "fira-sans-condensed-500.ttf"),
}
MM_PER_PT = 25.4 / 72
SLACK = 1.01  # for rounding in the layout engine
EMOJI_EM = 1.3
WIDE_EM = 1.02
FOREIGN_EM = 0.95
ARABIC_EM, WIDE_ARABIC_EM, HEBREW_EM = 0.7, 1.1, 0.78  # joined forms, as in most text
WIDE_ARABIC = "سشصض"
NO_START = frozenset(
    "」』】〕〉》）］｝、。，．・：；？！ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ)]}’”»…"
)  # can't begin a line
NO_END = frozenset("「『【〔〈《（［｛([{‘“«")  # can't end a line
ZERO_WIDTH = {"Mn", "Me", "Cf"}
RIGHT_TO_LEFT = {"R", "AL"}
GREEK_CAPITALS = str.maketrans("ΆΈΉΊΌΎΏ", "ΑΕΗΙΟΥΩ")
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"


def width_mm(text: str, font: FontKey, size_pt: float) -> float:
    """Return the width of one line of text in mm, never less than it is drawn."""
    return _width_em(text, font) * size_pt * MM_PER_PT * SLACK


@lru_cache(maxsize=32768)
def _width_em(text: str, font: FontKey) -> float:
    advances = _advances(font)
    return fsum(advances.get(char) or _foreign_em(char) for char in text)


@lru_cache(maxsize=8192)
def direction_of(text: str) -> Literal["ltr", "rtl"]:
    """Return the direction of a line of text, which is the direction of its first letter outside isolated names."""
    if text.isascii():
        return "ltr"
    depth = 0
    for char in text:
        depth += (char == FIRST_STRONG_ISOLATE) - (char == POP_ISOLATE and depth > 0)
        kind = unicodedata.bidirectional(char)
        if not depth and kind in ("L", *RIGHT_TO_LEFT):
            return "ltr" if kind == "L" else "rtl"
    return "ltr"


def isolated(name: str) -> str:
    """Return a name for use in our sentences; a right-to-left name is isolated so that it moves nothing else."""
    if name.isascii() or not any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in name):
        return name
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"


def capitals(text: str) -> str:
    """Return the text in capitals; Greek ones without accents."""
    upper = text.upper()
    return upper if upper.isascii() else upper.translate(GREEK_CAPITALS)


def wrap(text: str, font: FontKey, size_pt: float, width: float) -> tuple[str, ...]:
    """Break the text into lines of at most `width` mm.

    Lines end at spaces; a word that is too long is broken at its hyphens, otherwise anywhere.
    """
    room = width / (size_pt * MM_PER_PT * SLACK)
    if _width_em(text, font) <= room and text == " ".join(text.split()):
        return (text,)
    space = _width_em(" ", font)
    lines: list[str] = []
    line, used = "", 0.0
    for word in text.split():
        wide = _width_em(word, font)
        if line and used + space + wide <= room:
            line, used = f"{line} {word}", used + space + wide
            continue
        if line:
            lines.append(line)
        line, used = word, wide
        while used > room and len(line) > 1:
            cut = _longest_fit(line, font, room)
            if cut >= len(line):
                break
            cut = line.rfind("-", 1, cut) + 1 or _kept_together(line, cut)
            lines.append(line[:cut])
            line = line[cut:]
            used = _width_em(line, font)
    return (*lines, line) if line or not lines else tuple(lines)


def fit_size(text: str, font: FontKey, sizes: tuple[float, ...], width: float) -> tuple[float, tuple[str, ...]]:
    """Return the largest of `sizes` at which the text takes one line, otherwise the smallest, and its lines."""
    for size in sizes:
        if width_mm(text, font, size) <= width:
            return size, (text,)
    return sizes[-1], wrap(text, font, sizes[-1], width)


def _longest_fit(word: str, font: FontKey, room: float) -> int:
    """Return how many characters fit into `room` em, at least one; combining marks stay with their character."""
    advances = _advances(font)
    used, cut = 0.0, 0
    for char in word:
        used += advances.get(char) or _foreign_em(char)
        if used > room and cut:
            break
        cut += 1
    at = cut
    while 1 < at < len(word) and _joins(word, at):
        at -= 1
    if at > 1 or not _joins(word, at):
        return at
    while cut < len(word) and _joins(word, cut):  # a single cluster wider than the line isn't broken
        cut += 1
    return cut


def _kept_together(word: str, cut: int) -> int:
    """Return where to break the word so that no line begins with a closing mark or ends with an opening one."""
    at = cut
    while at > 1 and (word[at] in NO_START or word[at - 1] in NO_END or _joins(word, at)):
        at -= 1
    return at if word[at] not in NO_START and word[at - 1] not in NO_END else cut


def _joins(word: str, at: int) -> bool:
    """Return whether a character joins the one before it: accents, variation selectors, joined emoji, skin tones."""
    char = word[at]
    return unicodedata.category(char) in ZERO_WIDTH or word[at - 1] == "\u200d" or "\U0001f3fb" <= char <= "\U0001f3ff"


@lru_cache(maxsize=4096)
def _foreign_em(char: str) -> float:
    if unicodedata.category(char) in ZERO_WIDTH:
        return 0.0
    if ord(char) >= 0x1F000:
        return EMOJI_EM
    direction = unicodedata.bidirectional(char)
    if direction == "AL":
        return WIDE_ARABIC_EM if char in WIDE_ARABIC else ARABIC_EM
    if direction == "R":
        return HEBREW_EM
    return WIDE_EM if unicodedata.east_asian_width(char) in "WF" else FOREIGN_EM


@lru_cache(maxsize=2)
def below_middle_em(font: FontKey) -> float:
    """Return how far the baseline is below the middle of a line, in em; also used for replacement characters."""
    from fontTools.ttLib import TTFont  # only the site sets text: `systems` alone needs neither it nor the fonts

    with TTFont(FONT_DIR / FILES[font][0], lazy=True) as file:
        rise: int = file["hhea"].ascent
        fall: int = file["hhea"].descent  # negative
        em: int = file["head"].unitsPerEm
    return (rise + fall) / 2 / em


@lru_cache(maxsize=4)
def _advances(font: FontKey) -> dict[str, float]:
    """Return the advance width, in em, of every character in the font's files; the first file with it counts."""
    from fontTools.ttLib import TTFont

    advances: dict[str, float] = {}
    for name in FILES[font]:
        with TTFont(FONT_DIR / name, lazy=True) as file:
            em, metrics = file["head"].unitsPerEm, file["hmtx"].metrics
            for code, glyph in file.getBestCmap().items():
                advances.setdefault(chr(code), metrics[glyph][0] / em)
    return advances
