"""How wide text runs in the print fonts, so that it can be fitted and broken before anything is rendered.

The numbers come from the font files themselves. Characters that our files do not have are set by a font of the system;
they are taken as wide as the widest likely, so that text never runs longer than measured.
"""

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Literal

from fontTools.ttLib import TTFont

FONT_DIR = Path(__file__).resolve().parents[2] / "static" / "fonts" / "print"
FontKey = Literal["head", "text"]
FILES: dict[FontKey, tuple[str, ...]] = {
    "head": ("barlow-condensed-700.ttf", "fira-sans-condensed-700.ttf"),
    "text": ("barlow-condensed-500.ttf", "fira-sans-condensed-500.ttf"),
}
MM_PER_PT = 25.4 / 72
SLACK = 1.01  # rounding in the layout engine
EMOJI_EM = 1.3
WIDE_EM = 1.02
FOREIGN_EM = 0.95
ZERO_WIDTH = {"Mn", "Me", "Cf"}


@lru_cache(maxsize=8192)
def width_mm(text: str, font: FontKey, size_pt: float) -> float:
    """Width of one line of text, in mm, never less than what is drawn."""
    advances = _advances(font)
    em = sum(advances.get(char) or _foreign_em(char) for char in text)
    return em * size_pt * MM_PER_PT * SLACK


def is_ours(text: str, font: FontKey) -> bool:
    """True if our own files have every character."""
    advances = _advances(font)
    return all(char in advances for char in text)


def wrap(text: str, font: FontKey, size_pt: float, width: float) -> tuple[str, ...]:
    """The text in lines no wider than `width` mm: broken at spaces; a word that is too long at its hyphens, else anywhere."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if width_mm(joined, font, size_pt) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        while width_mm(line, font, size_pt) > width and len(line) > 1:
            cut = _longest_fit(line, font, size_pt, width)
            cut = line.rfind("-", 1, cut) + 1 or cut
            lines.append(line[:cut])
            line = line[cut:]
    return (*lines, line) if line or not lines else tuple(lines)


def fit_size(text: str, font: FontKey, sizes: tuple[float, ...], width: float) -> tuple[float, tuple[str, ...]]:
    """The largest of `sizes` at which the text takes one line, else the smallest with the text broken into lines."""
    for size in sizes:
        if width_mm(text, font, size) <= width:
            return size, (text,)
    return sizes[-1], wrap(text, font, sizes[-1], width)


def _longest_fit(word: str, font: FontKey, size_pt: float, width: float) -> int:
    """How many characters fit; at least one; never between a character and what combines with it."""
    cut = 1
    while cut < len(word) and width_mm(word[: cut + 1], font, size_pt) <= width:
        cut += 1
    while cut < len(word) and unicodedata.category(word[cut]) in ZERO_WIDTH and cut > 1:
        cut -= 1
    return cut


@lru_cache(maxsize=4096)
def _foreign_em(char: str) -> float:
    if unicodedata.category(char) in ZERO_WIDTH:
        return 0.0
    if ord(char) >= 0x1F000:
        return EMOJI_EM
    return WIDE_EM if unicodedata.east_asian_width(char) in "WF" else FOREIGN_EM


@lru_cache(maxsize=4)
def _advances(font: FontKey) -> dict[str, float]:
    """Advance width in em of every character of the font's files; the first file that has a character sets it."""
    advances: dict[str, float] = {}
    for name in FILES[font]:
        with TTFont(FONT_DIR / name, lazy=True) as file:
            em, metrics = file["head"].unitsPerEm, file["hmtx"].metrics
            for code, glyph in file.getBestCmap().items():
                advances.setdefault(chr(code), metrics[glyph][0] / em)
    return advances
