"""Detect names that look alike: in another case, another script, or with other signs between the words."""

from __future__ import annotations

import unicodedata

SAME = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s"})  # in most fonts


def likeness(name: str) -> str:
    """Return a key that is equal for names that look alike: plain lower-case Latin letters if there are any."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    latin = "".join(map(_latin, bare)).casefold()
    letters = "".join(char for char in latin if char.isalnum() or char == "|").translate(SAME)
    return letters.replace("rn", "m").replace("vv", "w") or latin


def _latin(char: str) -> str:
    """Return the ASCII letter or digit that a character looks like, else the character."""
    if char.isascii():
        return char
    from confusable_homoglyphs.confusables import confusables_data  # takes 6 MB, which few processes need

    alike = (found["c"] for found in confusables_data.get(char, ()))
    return next((each for each in alike if each.isascii() and each.isalnum()), char)
