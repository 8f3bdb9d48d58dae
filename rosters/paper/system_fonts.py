"""Find a font on this machine with a letter that the print fonts lack, through fontconfig, as Pango does for paper."""

from __future__ import annotations

import ctypes
from functools import lru_cache

OUTLINE, CHARSET, WEIGHT, FILE, INDEX = b"outline", b"charset", b"weight", b"file", b"index"
BOLD, MEDIUM = 200, 100


@lru_cache(maxsize=1)
def _fontconfig() -> ctypes.CDLL | None:
    """Return the library; None on a machine without it."""
    try:
        library = ctypes.CDLL("libfontconfig.so.1")
    except OSError:
        return None
    for name in ("FcCharSetCreate", "FcPatternCreate", "FcFontMatch"):
        getattr(library, name).restype = ctypes.c_void_p
    return library


@lru_cache(maxsize=4096)
def font_with(letter: str, *, is_bold: bool) -> tuple[str, int] | None:
    """Return file and index of a font that has the letter as an outline; None if there is none."""
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
    """Return file and index of the font found, if it has the letter: fontconfig may return only the nearest match."""
    has, outline, file, index = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_char_p(), ctypes.c_int()
    library.FcPatternGetCharSet(found, CHARSET, 0, ctypes.byref(has))
    library.FcPatternGetBool(found, OUTLINE, 0, ctypes.byref(outline))
    library.FcPatternGetString(found, FILE, 0, ctypes.byref(file))
    library.FcPatternGetInteger(found, INDEX, 0, ctypes.byref(index))
    if not (has and outline.value and file.value and library.FcCharSetHasChar(has, ord(letter))):
        return None
    return file.value.decode(errors="surrogateescape"), index.value & 0xFFFF
