"""The paints of emblems, dark and light. A field and its charge have one of each, so that the charge is visible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tincture:
    slug: str
    name: str
    paint: str
    is_light: bool = False


# By their letter in a code: it never changes its meaning.
TINCTURES: Mapping[str, Tincture] = {
    "r": Tincture("red", "Red", "#a3241c"),
    "b": Tincture("blue", "Blue", "#1f4f8f"),
    "g": Tincture("green", "Green", "#2f6a34"),
    "k": Tincture("black", "Black", "#20231a"),
    "p": Tincture("purple", "Purple", "#68336f"),
    "n": Tincture("brown", "Brown", "#7a4a1c"),
    "t": Tincture("teal", "Teal", "#0f6066"),
    "m": Tincture("maroon", "Maroon", "#54101f"),
    "w": Tincture("white", "White", "#fbf8ef", is_light=True),
    "y": Tincture("yellow", "Yellow", "#f0c23c", is_light=True),
    "s": Tincture("sand", "Sand", "#d2bd8a", is_light=True),
    "i": Tincture("ice", "Ice", "#b3dbe8", is_light=True),
    "l": Tincture("lime", "Lime", "#bfd968", is_light=True),
    "o": Tincture("rose", "Rose", "#f3b9ad", is_light=True),
}
DARK = tuple(letter for letter, each in TINCTURES.items() if not each.is_light)
LIGHT = tuple(letter for letter, each in TINCTURES.items() if each.is_light)
