"""Charges, the figures on shields: filled shapes, holes in them, and mirrored copies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from systems.artwork.canvas import ALWAYS, MIDDLE, bar, disc, mirrored
from systems.emblems.shields import Outline, moved, outlines, turned

REACH = 100  # half the width of a charge


@dataclass(frozen=True, slots=True)
class ChargePart:
    """Shapes of a charge; the field shows through holes."""

    shapes: tuple[Outline, ...]
    is_hole: bool = False
    least: int = ALWAYS  # the smallest size at which it is drawn


@dataclass(frozen=True, slots=True)
class Charge:
    name: str
    parts: tuple[ChargePart, ...]


def charge(name: str, *parts: ChargePart) -> Charge:
    return Charge(name, parts)


def solid(*given: str | Sequence[Outline]) -> ChargePart:
    return ChargePart(_shapes(given))


def hole(*given: str | Sequence[Outline], least: int = ALWAYS) -> ChargePart:
    return ChargePart(_shapes(given), True, least)


def detail(*given: str | Sequence[Outline]) -> ChargePart:
    """Return a hole that small drawings leave out."""
    return hole(*given, least=MIDDLE)


def both(*given: str | Sequence[Outline]) -> tuple[Outline, ...]:
    """Return the shapes and their mirror images."""
    shapes = _shapes(given)
    return (*shapes, *(tuple(mirrored(each)) for each in shapes))


def round_about(count: int, *given: str | Sequence[Outline], start: float = 0) -> tuple[Outline, ...]:
    """Return the shapes repeated `count` times around the centre."""
    shapes = _shapes(given)
    return tuple(turned(each, start + at * 360 / count) for at in range(count) for each in shapes)


def slanted(degrees: float, *given: str | Sequence[Outline]) -> tuple[Outline, ...]:
    return tuple(turned(each, degrees) for each in _shapes(given))


def shifted(x: float, y: float, *given: str | Sequence[Outline], size: float = 1) -> tuple[Outline, ...]:
    return tuple(moved(each, x, y, size) for each in _shapes(given))


def dot(x: float, y: float, radius: float) -> tuple[Outline, ...]:
    return (tuple(disc(x, y, radius, 24 if radius > 14 else 14)),)


def stroke(data: str, width: float) -> tuple[Outline, ...]:
    """Return a line of that width along the path, with rounded corners."""
    found: list[Outline] = []
    for line in outlines(data):
        found += [tuple(bar(start, end, width)) for start, end in zip(line, line[1:], strict=False)]
        found += [tuple(disc(x, y, width / 2, 10)) for x, y in line[1:-1]]
    return tuple(found)


def star(points: int, reach: float, waist: float, start: float = -90) -> tuple[Outline, ...]:
    step = math.pi / points
    from_top = math.radians(start)
    return (
        tuple(
            (
                (reach if at % 2 == 0 else waist) * math.cos(from_top + at * step),
                (reach if at % 2 == 0 else waist) * math.sin(from_top + at * step),
            )
            for at in range(2 * points)
        ),
    )


def _shapes(given: Sequence[str | Sequence[Outline]]) -> tuple[Outline, ...]:
    return tuple(shape for each in given for shape in (outlines(each) if isinstance(each, str) else each))


_BLADE = "M0 -100L15 -76L14 38L-14 38L-15 -76Z"
_HILT = ("M-46 34Q0 46 46 34L46 52Q0 62 -46 52Z", "M-9 52L9 52L9 82L-9 82Z")
_AXE = "M-7 -96L7 -96L7 100L-7 100Z"
_AXE_HEAD = "M7 -78Q36 -78 62 -96Q78 -52 62 -10Q36 -30 7 -30Z"

# By their letters in codes; a letter never changes its meaning.
CHARGES: Mapping[str, Charge] = {
    "s": charge("Star", solid(shifted(0, 8, star(5, 102, 42)))),
    "c": charge(
        "Crescent",
        solid("M-56 -76C-122 -20 -104 92 0 96C104 92 122 -20 56 -76C92 -8 62 46 0 46C-62 46 -92 -8 -56 -76Z"),
    ),
    "u": charge(
        "Sun",
        solid(round_about(8, "M-15 -58L0 -104L15 -58Z"), round_about(8, "M-9 -58L0 -84L9 -58Z", start=22.5)),
        solid(dot(0, 0, 54)),
        hole(stroke("M-42 0Q-42 -42 0 -42Q42 -42 42 0Q42 42 0 42Q-42 42 -42 0", 7), least=1),
        solid(dot(0, 0, 30)),
    ),
    "t": charge(
        "Tower",
        solid(
            "M-66 -96L-38 -96L-38 -74L-14 -74L-14 -96L14 -96L14 -74L38 -74L38 -96L66 -96L66 -44L50 -34L56 78L78 78L78 98"
            "L-78 98L-78 78L-56 78L-50 -34L-66 -44Z"
        ),
        hole("M-22 98L-22 50Q-22 26 0 26Q22 26 22 50L22 98Z"),
        hole("M-8 -22L8 -22L8 8L-8 8Z"),
        detail(stroke("M-50 -38L50 -38", 5), both(stroke("M30 44L54 44", 4), stroke("M24 -4L50 -4", 4))),
    ),
    "w": charge(
        "Sword",
        solid(
            "M0 -100L20 -72L17 34L-17 34L-20 -72Z",
            "M-60 30Q0 44 60 30L60 52Q0 64 -60 52Z",
            "M-11 52L11 52L11 80L-11 80Z",
            dot(0, 86, 16),
        ),
        detail(stroke("M0 -70L0 22", 6)),
    ),
    "x": charge(
        "Crossed swords",
        solid(slanted(42, _BLADE, *_HILT, dot(0, 88, 13))),
        hole(slanted(-42, "M0 -108L19 -82L17 34L-17 34L-19 -82Z")),
        solid(slanted(-42, _BLADE, *_HILT, dot(0, 88, 13))),
        detail(slanted(42, stroke("M0 -76L0 -24", 5), stroke("M0 20L0 28", 5)), slanted(-42, stroke("M0 -76L0 28", 5))),
    ),
    "a": charge(
        "Crossed axes",
        solid(slanted(38, _AXE, _AXE_HEAD)),
        hole(slanted(-38, "M-13 -60L13 -60L13 100L-13 100Z")),
        solid(slanted(-38, _AXE, both(_AXE_HEAD)[1:])),
        detail(slanted(38, stroke("M50 -84Q60 -52 50 -20", 5)), slanted(-38, stroke("M-50 -84Q-60 -52 -50 -20", 5))),
    ),
    "h": charge(
        "Hammer",
        solid("M-76 -88L60 -88L60 -82L92 -62L92 -38L60 -24L60 -18L-76 -18Z", "M-14 -18L14 -18L18 100L-18 100Z"),
        detail(
            stroke("M-52 -88L-52 -18", 6),
            stroke("M58 -84L58 -22", 5),
            stroke("M-17 62L17 62", 5),
            stroke("M-17 78L17 78", 5),
        ),
    ),
    "n": charge(
        "Spanner",
        solid(
            slanted(
                40,
                "M-16 -28L-16 60C-44 72 -44 98 -18 112L-18 84L0 76L18 84L18 112C44 98 44 72 16 60L16 -28"
                "C48 -42 48 -92 18 -108L18 -72L0 -62L-18 -72L-18 -108C-48 -92 -48 -42 -16 -28Z",
            )
        ),
        detail(slanted(40, stroke("M0 -20L0 48", 7))),
    ),
    "g": charge(
        "Gear",
        solid(round_about(9, "M-17 -70L-12 -100L12 -100L17 -70Z"), dot(0, 0, 76)),
        hole(dot(0, 0, 30)),
        detail(round_about(6, dot(0, -53, 9), start=30)),
    ),
    "k": charge(
        "Skull",
        solid(
            "M0 -98C62 -98 88 -58 84 -12C82 12 68 24 54 32L54 54L-54 54L-54 32C-68 24 -82 12 -84 -12C-88 -58 -62 -98 0 -98Z",
            "M-40 50L40 50L36 96L-36 96Z",
        ),
        hole(both("M16 -22Q40 -36 60 -18Q62 14 40 18Q18 16 16 -22Z"), "M0 20L14 46L-14 46Z"),
        hole(stroke("M0 62L0 98", 6), both(stroke("M20 62L19 98", 6))),
        detail(stroke("M-40 58L40 58", 5), both(stroke("M62 30Q74 20 74 2", 4))),
    ),
    "f": charge(
        "Wolf",
        solid(
            "M0 98L-24 82L-34 48L-64 40L-60 26L-88 14L-78 -2L-96 -26L-80 -40L-78 -100L-36 -66L0 -74L36 -66L78 -100L80 -40"
            "L96 -26L78 -2L88 14L60 26L64 40L34 48L24 82Z"
        ),
        hole(both("M20 -14L58 -30L48 -4L26 0Z")),
        hole("M-14 72L14 72L0 88Z", both("M60 -78L64 -52L46 -60Z"), least=1),
        detail(both(stroke("M10 4L18 62", 5), stroke("M48 14L34 40", 4)), stroke("M0 -56L0 -22", 5)),
    ),
    "b": charge(
        "Bull",
        solid(
            "M0 98L-30 90L-40 60L-46 8L-84 -8L-80 -24L-46 -26C-78 -34 -100 -58 -94 -98C-82 -66 -58 -56 -32 -52L0 -58L32 -52"
            "C58 -56 82 -66 94 -98C100 -58 78 -34 46 -26L80 -24L84 -8L46 8L40 60L30 90Z"
        ),
        hole(both("M18 -8L38 -16L34 6Z", "M8 66L22 60L20 78L8 76Z")),
        detail(stroke("M0 -44L-14 -26L0 0L14 -26Z", 4), both(stroke("M28 14L22 48", 4)), stroke("M-24 50L24 50", 4)),
    ),
    "e": charge(
        "Eagle",
        solid(
            both(
                "M6 -46L26 -40L44 -78L98 -96L92 -66L98 -58L86 -44L92 -30L78 -22L80 -4L64 -2L62 18L46 14L40 30L22 16L8 20Z"
            ),
            "M-16 -44L16 -44L26 6L18 48L-18 48L-26 6Z",
            "M-14 40L14 40L34 92L14 82L0 100L-14 82L-34 92Z",
            "M-18 -58Q-20 -92 8 -92Q26 -90 38 -66L20 -68Q14 -56 16 -40L-16 -40Z",
            both("M14 44L44 58L58 50L54 62L62 72L46 68L40 80L36 66L10 56Z"),
        ),
        hole(dot(8, -78, 5), least=1),
        detail(
            both(stroke("M32 -44L84 -60", 4), stroke("M30 -28L78 -34", 4), stroke("M28 -12L64 -8", 4)),
            stroke("M0 56L0 86", 4),
        ),
    ),
    "y": charge(
        "Stag",
        solid(
            "M0 98L-20 88L-24 54L-40 10L-74 2L-66 -12L-38 -10L-22 -24L22 -24L38 -10L66 -12L74 2L40 10L24 54L20 88Z",
            both(
                stroke("M14 -22C24 -50 60 -40 62 -98", 13),
                stroke("M45 -52C66 -46 86 -52 92 -80", 11),
                stroke("M30 -44C26 -60 30 -74 36 -92", 11),
                stroke("M54 -60Q74 -76 76 -98", 9),
            ),
        ),
        hole(both("M12 14L28 6L24 24Z"), "M-10 80L10 80L0 92Z"),
        detail(both(stroke("M6 30L12 66", 4)), both(stroke("M44 0L62 -5", 4))),
    ),
    "o": charge(
        "Owl",
        solid(
            "M-58 -98Q0 -66 58 -98Q70 -60 62 -26Q76 30 40 78L-40 78Q-76 30 -62 -26Q-70 -60 -58 -98Z",
            both("M10 74L40 74L44 96L30 88L24 98L18 88L8 94Z"),
        ),
        hole(both(dot(27, -42, 23)), "M0 -34L10 -8L0 8L-10 -8Z"),
        solid(both(dot(27, -42, 10))),
        detail(
            both(stroke("M10 22L20 32L30 22", 5), stroke("M10 42L20 52L30 42", 5), stroke("M50 -4Q54 36 36 66", 5)),
            stroke("M-10 32L0 42L10 32", 5),
            stroke("M-10 52L0 62L10 52", 5),
        ),
    ),
    "d": charge(
        "Serpent",
        solid(
            stroke("M-62 84C40 98 92 60 28 26C-30 0 -86 -18 -44 -60C-26 -76 2 -74 20 -66", 25),
            "M-62 72L-98 66L-62 96Z",
            "M14 -86L56 -88L92 -62L62 -44L16 -50Z",
            stroke("M86 -62L98 -74", 5),
            stroke("M86 -62L100 -54", 5),
        ),
        hole(dot(52, -70, 7)),
        detail(stroke("M-46 86C30 92 70 64 22 38", 5), stroke("M-8 18C-50 -2 -66 -22 -44 -46", 5)),
    ),
    "j": charge(
        "Scorpion",
        solid(
            "M0 -34L26 -18L30 14L18 44L-18 44L-30 14L-26 -18Z",
            stroke("M0 40C-6 78 34 96 56 76C72 60 60 36 42 40", 16),
            "M46 54L24 30L58 28Z",
            both(stroke("M16 -22L46 -40L52 -60", 12), stroke("M26 -2L62 -14L74 6", 8), stroke("M26 12L60 12L70 32", 8)),
            stroke("M-22 28L-50 36L-54 58", 8),
            stroke("M22 28L44 26", 8),
            both("M38 -54Q30 -84 50 -100Q46 -80 56 -76Q62 -88 74 -92Q78 -64 58 -50Z"),
        ),
        detail(stroke("M-24 6L24 6", 5), stroke("M-22 24L22 24", 5), both(dot(10, -16, 5))),
    ),
    "i": charge(
        "Spider",
        solid(
            "M0 -8C36 -8 46 30 36 60Q22 92 0 96Q-22 92 -36 60C-46 30 -36 -8 0 -8Z",
            dot(0, -26, 24),
            both(
                stroke("M14 -34L44 -66L34 -100", 9),
                stroke("M20 -26L64 -46L84 -84", 9),
                stroke("M20 -16L70 -8L98 26", 9),
                stroke("M16 -8L62 26L72 78", 9),
            ),
        ),
        hole("M-16 26L16 26L4 44L16 62L-16 62L-4 44Z"),
        detail(both(dot(9, -34, 5))),
    ),
    "p": charge(
        "Paw",
        solid(
            "M0 -6C40 -6 62 34 62 62C60 92 26 90 0 80C-26 90 -60 92 -62 62C-62 34 -40 -6 0 -6Z",
            both(
                "M24 -30Q12 -52 20 -76L26 -98L36 -76Q50 -52 40 -30Q32 -18 24 -30Z",
                "M66 6Q56 -12 66 -34L80 -58L86 -30Q94 -6 82 8Q74 16 66 6Z",
            ),
        ),
        detail(
            both(stroke("M22 -58Q30 -64 40 -58", 4), stroke("M68 -22Q76 -28 86 -20", 4)),
            stroke("M-30 48Q0 24 30 48", 6),
        ),
    ),
    "r": charge(
        "Fist",
        solid(
            "M-62 -30L-62 -76L-32 -76L-32 -84L-2 -84L-2 -84L28 -84L28 -76L60 -72L60 -18L84 -8L74 22L44 44L44 66L-46 66L-46 40"
            "L-66 14Z",
            "M-56 74L54 74L62 98L-64 98Z",
        ),
        hole(stroke("M-32 -84L-32 -34", 7), stroke("M-2 -84L-2 -34", 7), stroke("M28 -80L28 -34", 7)),
        detail(stroke("M-62 -30L56 -30", 6), stroke("M60 -18L8 -8L20 10L60 2", 5), stroke("M-40 86L38 86", 5)),
    ),
    "m": charge(
        "Walker",
        solid(
            "M-44 -84L44 -84L56 -62L50 -28L22 -16L-22 -16L-50 -28L-56 -62Z",
            "M-20 -16L20 -16L26 6L-26 6Z",
            both(
                "M60 -92L94 -92L94 -34L86 -34L86 -2L68 -2L68 -34L60 -34Z",
                "M54 -66L62 -66L62 -52L54 -52Z",
                "M14 2L36 -2L58 34L46 76L66 84L66 98L14 98L14 84L26 76L32 38Z",
            ),
        ),
        hole("M-30 -66L30 -66L22 -46L-22 -46Z"),
        detail(
            both(stroke("M64 -74L90 -74", 5), stroke("M28 46L52 40", 5)),
            stroke("M0 -66L0 -46", 5),
            stroke("M-34 -34L34 -34", 4),
        ),
    ),
    "l": charge(
        "Helm",
        solid("M0 -92C54 -92 76 -58 76 -10L76 72L34 98L-34 98L-76 72L-76 -10C-76 -58 -54 -92 0 -92Z"),
        hole(both("M10 -14L62 -22L62 -6L10 4Z")),
        hole(stroke("M0 16L0 88", 7), both(dot(24, 34, 6), dot(46, 30, 6), dot(24, 56, 6), dot(46, 52, 6)), least=1),
        detail(stroke("M0 -88L0 -30", 6), both(stroke("M4 -30L72 -40", 4))),
    ),
    "q": charge(
        "Key",
        solid(
            dot(0, -56, 42),
            "M-11 -20L11 -20L11 100L-11 100Z",
            "M11 40L52 40L52 58L34 58L34 72L52 72L52 94L11 94Z",
            "M-24 -16L24 -16L24 -2L-24 -2Z",
        ),
        hole(dot(0, -56, 21)),
        detail(stroke("M0 8L0 90", 5)),
    ),
    "z": charge(
        "Anchor",
        solid(
            "M-10 -54L10 -54L10 70L-10 70Z",
            "M-50 -40L50 -40L50 -20L-50 -20Z",
            dot(0, -74, 25),
            "M0 100C-56 92 -88 60 -88 20L-98 28L-82 -12L-54 22L-68 20C-64 48 -40 70 0 74C40 70 64 48 68 20L54 22L82 -12L98 28"
            "L88 20C88 60 56 92 0 100Z",
        ),
        hole(dot(0, -74, 11)),
        detail(stroke("M0 -10L0 62", 4)),
    ),
    "v": charge(
        "Lightning",
        solid("M22 -100L-58 16L-10 10L-34 100L60 -24L8 -18L46 -100Z"),
        detail(stroke("M20 -70L-26 -4L6 -6L-8 44", 5)),
    ),
    "0": charge(
        "Flame",
        solid(
            "M8 -100C18 -66 50 -54 58 -14L70 -40C94 20 78 96 0 98C-78 96 -92 20 -62 -28L-46 4C-46 -40 -8 -52 8 -100Z"
        ),
        hole("M4 -18C8 8 36 20 36 52C36 80 18 90 0 90C-22 90 -40 76 -36 48C-24 56 -18 54 -18 46C-20 18 0 8 4 -18Z"),
        solid("M2 36C6 52 18 58 16 72Q12 86 0 86Q-14 86 -14 70C-14 58 0 54 2 36Z"),
    ),
    "1": charge(
        "Horse",
        solid(
            "M-48 98L-50 80C-50 40 -14 32 -8 -2L-34 14L-46 32L-66 24L-72 6L-40 -44L-30 -72L-38 -98L-8 -84C52 -80 76 -20 72 32"
            "C70 56 62 68 62 80L62 98Z"
        ),
        hole(dot(-22, -42, 7), stroke("M-62 12L-52 8", 5)),
        detail(stroke("M6 -68C40 -58 52 -10 48 40", 6), stroke("M-46 82L58 82", 6), stroke("M-8 -2Q8 -8 12 -26", 5)),
    ),
    "2": charge(
        "Pine",
        solid("M0 -100L34 -50L18 -50L52 0L32 0L70 58L12 58L12 98L-12 98L-12 58L-70 58L-32 0L-52 0L-18 -50L-34 -50Z"),
        detail(stroke("M0 -66L0 44", 5), both(stroke("M0 -20L16 -6", 4), stroke("M0 28L26 48", 4))),
    ),
    "3": charge(
        "Lily",
        solid(
            "M0 -100C30 -66 30 -34 12 14L-12 14C-30 -34 -30 -66 0 -100Z",
            both("M12 14C14 -34 34 -60 62 -60C96 -60 102 -14 74 -4C78 -26 64 -36 54 -28C42 -16 50 6 34 16Z"),
            "M-46 18L46 18L46 38L-46 38Z",
            "M-12 38L12 38C12 66 20 84 0 100C-20 84 -12 66 -12 38Z",
            both("M14 38L40 38C38 60 52 62 62 50C66 76 28 86 14 38Z"),
        ),
        detail(stroke("M0 -72L0 0", 4), stroke("M-40 28L40 28", 4)),
    ),
    "4": charge(
        "Grenade",
        solid(
            dot(0, 38, 60),
            "M-20 -12L20 -12L24 -30L-24 -30Z",
            "M-22 -34C-44 -52 -36 -74 -22 -86C-20 -74 -14 -70 -8 -72C-14 -86 -6 -96 6 -104C6 -88 14 -84 18 -72"
            "C24 -76 24 -82 24 -90C44 -70 42 -50 22 -34Z",
        ),
        detail(stroke("M-42 38Q-40 6 -14 -4", 7), stroke("M-22 -22L22 -22", 4)),
    ),
    "5": charge(
        "Anvil",
        solid(
            "M-98 -58L-46 -58L-46 -70L86 -70L86 -40C60 -38 38 -22 34 4L44 40L74 52L74 84L-62 84L-62 52L-32 40L-22 4"
            "C-30 -20 -72 -22 -98 -58Z"
        ),
        detail(stroke("M-46 -58L-46 -34", 5), stroke("M-44 -46L84 -46", 5), stroke("M-54 66L66 66", 5)),
    ),
    "6": charge(
        "Mountain",
        solid("M-100 84L-42 -18L-22 8L22 -90L100 84Z"),
        hole("M22 -70L42 -26L30 -34L20 -14L12 -30L2 -26Z", "M-42 0L-30 18L-40 26L-46 18L-54 24Z"),
        detail(stroke("M24 10L50 78", 4), stroke("M-10 30L-34 78", 4)),
    ),
    "7": charge(
        "Horseshoe",
        solid(
            "M-38 98L-66 98L-66 84L-58 80C-94 40 -94 -92 0 -94C94 -92 94 40 58 80L66 84L66 98L38 98L28 78C64 38 54 -52 0 -52"
            "C-54 -52 -64 38 -28 78Z"
        ),
        hole(both(dot(36, -62, 6), dot(62, -26, 6), dot(64, 16, 6)), dot(0, -74, 6), least=1),
        detail(both(stroke("M42 88L60 88", 4))),
    ),
    "8": charge(
        "Die",
        solid(slanted(12, "M-68 -80L68 -80L80 -68L80 68L68 80L-68 80L-80 68L-80 -68Z")),
        hole(slanted(12, dot(0, 0, 16), *(dot(x, y, 16) for x in (-42, 42) for y in (-42, 42)))),
    ),
    "9": charge(
        "Crown",
        solid(
            "M-80 84L-96 -34L-52 8L-46 -60L-20 2L0 -84L20 2L46 -60L52 8L96 -34L80 84Z",
            dot(0, -84, 13),
            both(dot(46, -62, 11), dot(92, -36, 11)),
        ),
        hole("M-66 50L66 50L64 62L-64 62Z"),
        detail(dot(0, 26, 9), both(dot(34, 30, 7))),
    ),
}
