"""The content of a PDF, read by poppler: independent of the code that drew it."""

from __future__ import annotations

import ctypes
import re
import subprocess
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

MM = 25.4 / 72


@dataclass(frozen=True)
class Word:
    """A word and its box, mm from the page's top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def words(path: Path) -> list[list[Word]]:
    """Return the words of each page."""
    found = _run("pdftotext", "-bbox", str(path), "-")
    pattern = re.compile(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>')
    return [
        [Word(unescape(text), *(float(value) * MM for value in box)) for *box, text in pattern.findall(page)]
        for page in found.split("<page ")[1:]
    ]


def text(path: Path) -> str:
    return " ".join(_run("pdftotext", str(path), "-").split())


def page_sizes(path: Path) -> list[tuple[float, float]]:
    """Return width and height of each page, mm, to the tenth."""
    found = _run("pdfinfo", "-f", "1", "-l", "9999", str(path))
    return [
        (round(float(width) * MM, 1), round(float(height) * MM, 1))
        for width, height in re.findall(r"^Page +\d+ size: +([\d.]+) x ([\d.]+) pts", found, re.MULTILINE)
    ]


def fonts(path: Path) -> list[tuple[str, bool]]:
    """Return the name of each font, and whether it is embedded."""
    lines = _run("pdffonts", str(path)).splitlines()[2:]
    return [(line.split()[0], line[-26:].split()[0] == "yes") for line in lines]


def smallest_type(pdf: bytes | Path) -> float:
    """Return the size of the smallest letter on paper, in points."""
    sizes = []
    for page in pypdfium2.PdfDocument(pdf):
        text = page.get_textpage()
        for at in range(text.count_chars()):
            matrix = pdfium.FS_MATRIX()
            if chr(pdfium.FPDFText_GetUnicode(text, at)).isspace() or pdfium.FPDFText_IsGenerated(text, at):
                continue
            assert pdfium.FPDFText_GetMatrix(text, at, ctypes.byref(matrix))
            sizes.append(pdfium.FPDFText_GetFontSize(text, at) * (matrix.c**2 + matrix.d**2) ** 0.5)
    assert sizes
    return min(sizes)


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", errors="replace").stdout
