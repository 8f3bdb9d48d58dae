"""Emblems of companies: their code, their tinctures, and their drawing in layers. Pure.

The code is five letters: shield, division, charge, tincture of the field, tincture of the charge. One tincture is dark
and the other light, so that the charge is visible.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from systems.artwork.canvas import FULL, Point, shade_of
from systems.emblems.charges import CHARGES, REACH
from systems.emblems.shields import DIVISIONS, SHIELDS, Division, Outline, Shield, area, box_of, cut, moved


@dataclass(frozen=True, slots=True)
class Tincture:
    slug: str
    name: str
    paint: str
    is_light: bool = False


# By their letters in codes; a letter never changes its meaning.
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


CODE_LENGTH = 5
CODE_PARTS: Sequence[tuple[str, Mapping[str, object]]] = (
    ("shield", SHIELDS),
    ("division", DIVISIONS),
    ("charge", CHARGES),
    ("field", TINCTURES),
    ("other", TINCTURES),
)


class EmblemError(ValueError):
    """Raised for an invalid code; the message is a sentence for the player."""


@dataclass(frozen=True, slots=True)
class Emblem:
    """An emblem, with the letter of each part. One tincture is light, the other dark."""

    shield: str
    division: str
    charge: str
    field: str
    other: str

    @property
    def code(self) -> str:
        return self.shield + self.division + self.charge + self.field + self.other

    @property
    def description(self) -> str:
        """The emblem in words, for screen readers."""
        lies = TINCTURES[self.other].name.lower()
        parted = DIVISIONS[self.division].name.lower()
        divided = f", {parted}" if parted != "plain" else ""
        return (
            f"{CHARGES[self.charge].name.lower()} in {lies} on a {TINCTURES[self.field].name.lower()} "
            f"{SHIELDS[self.shield].name.lower()}{divided}"
        )


def read_emblem(code: str) -> Emblem:
    """Return the emblem for that code; raises EmblemError."""
    if len(code) != CODE_LENGTH:
        raise EmblemError(f"must be {CODE_LENGTH} letters long.")
    for letter, (part, known) in zip(code, CODE_PARTS, strict=True):
        if letter not in known:
            raise EmblemError(f"knows no {part} “{letter}”.")
    made = Emblem(*code)
    if TINCTURES[made.field].is_light == TINCTURES[made.other].is_light:
        raise EmblemError("needs one light and one dark colour, or nobody sees what is on it.")
    return made


def random_emblem(words: str) -> Emblem:
    """Return an emblem derived from these words: always the same one, and mostly different for different words."""
    number = int.from_bytes(hashlib.sha256(words.encode()).digest(), "big")
    chosen: list[str] = []
    for letters in (tuple(SHIELDS), tuple(DIVISIONS), tuple(CHARGES), DARK, LIGHT):
        number, at = divmod(number, len(letters))
        chosen.append(letters[at])
    shield, division, charge, dark, light = chosen
    field, other = (dark, light) if number % 2 else (light, dark)
    return Emblem(shield, division, charge, field, other)


Paint = Literal["field", "other", "edge", "fine"]  # the two tinctures; strokes for edges and for shade
Corners = tuple[tuple[int, int], ...]
BORDER = 0.83  # scale of the field within a border
CACHE_SIZE = 512


@dataclass(frozen=True, slots=True)
class Layer:
    """Shapes in one paint, in whole units of a FRAME by FRAME square, y down."""

    paint: Paint
    shapes: tuple[Corners, ...]

    @property
    def is_stroke(self) -> bool:
        return self.paint in ("edge", "fine")


@lru_cache(maxsize=CACHE_SIZE)
def layers(emblem: Emblem, level: int) -> tuple[Layer, ...]:
    """Return the layers in painting order; `level`: 0 a symbol in a line of text, 1 a card, 2 a page."""
    return tuple(_merged(_layers(emblem, level)))


def _layers(emblem: Emblem, level: int) -> Iterator[Layer]:
    shield, division = SHIELDS[emblem.shield], DIVISIONS[emblem.division]
    yield from _ground(shield, division)
    pieces = division.pieces(shield)
    for is_hole, shapes in _charge(shield, division, emblem.charge, level):
        yield _layer("field" if is_hole else "other", shapes)
        crossed = [part for shape in shapes for piece in pieces if (part := cut(shape, piece))]
        yield _layer("other" if is_hole else "field", crossed)
    if level == FULL:
        yield Layer("fine", shade_of(_whole(shield.shape)))
    yield _layer("edge", [shield.shape])


def _ground(shield: Shield, division: Division) -> Iterator[Layer]:
    if division.is_border:
        yield _layer("other", [shield.shape])
        yield _layer("field", [_shrunk(shield, BORDER)])
        return
    yield _layer("field", [shield.shape])
    yield _layer("other", [part for piece in division.pieces(shield) if (part := cut(shield.shape, piece))])


def _charge(shield: Shield, division: Division, letter: str, level: int) -> Iterator[tuple[bool, list[Outline]]]:
    size = shield.reach * division.size / REACH
    x, y = shield.middle[0], shield.middle[1] + division.drop * shield.reach
    for part in CHARGES[letter].parts:
        if part.least <= level:
            yield part.is_hole, [moved(shape, x, y, size) for shape in part.shapes]


def _shrunk(shield: Shield, size: float) -> Outline:
    """Return the shield scaled down about the centre of its box."""
    left, top, right, bottom = box_of(shield.shape)
    x, y = (left + right) / 2, (top + bottom) / 2
    return moved(shield.shape, x * (1 - size), y * (1 - size), size)


def _layer(paint: Paint, shapes: Sequence[Sequence[Point]]) -> Layer:
    return Layer(paint, tuple(corners for shape in shapes if len(corners := _whole(shape)) > 2))


def _whole(shape: Sequence[Point]) -> Corners:
    """Return the shape in whole units, clockwise and without repeated corners, so that a path's shapes add up."""
    corners: list[tuple[int, int]] = []
    for x, y in shape if area(shape) > 0 else reversed(shape):
        corner = round(x), round(y)
        if not corners or corners[-1] != corner:
            corners.append(corner)
    return tuple(corners)


def _merged(given: Iterator[Layer]) -> Iterator[Layer]:
    """Merge consecutive layers of the same paint; drop empty ones."""
    kept: Layer | None = None
    for layer in given:
        if not layer.shapes:
            continue
        if kept and kept.paint == layer.paint:
            kept = Layer(kept.paint, kept.shapes + layer.shapes)
            continue
        if kept:
            yield kept
        kept = layer
    if kept:
        yield kept
