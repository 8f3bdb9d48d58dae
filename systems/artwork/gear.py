"""Visible systems: masts, dishes, nozzles, fins, wings, plates of special armour.

Each piece is drawn behind the machine, in front of its chest or over its arms, at the machine's anchors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from systems.artwork.canvas import FULL, MIDDLE, Body, Pen, arc, box, disc, mirrored, slab
from systems.artwork.limbs import Anchors, Layer, _bricks, _hull_plates, _layers, _liner, _net, _scales, _vanes

Draw = Callable[[Pen, Anchors, int], None]


def _mast(pen: Pen, x: float, foot: float, height: float) -> None:
    pen.ink(box(x - 4, foot - height, x + 4, foot))


def _whips(pen: Pen, at: Anchors, count: int) -> None:
    """Aerials."""
    x, y = at["top"]
    for n in range(count + 1):
        _mast(pen, x + at["half"][0] * (0.5 + 0.16 * n), y + 30, 150 - 26 * n)


def _link(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["top"]
    x -= at["half"][0] * 0.52
    _mast(pen, x, y + 30, 150)
    pen.ink(*(box(x - half, y - rise, x + half, y - rise + 8) for half, rise in ((34, 70), (24, 92), (14, 114))))


def _dish(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["top"]
    x += at["half"][0] * 0.46
    _mast(pen, x, y + 30, 90)
    pen.plate([*arc(x, y - 92, 54, 20, 160, 10)], shade=False)
    pen.line([(x, y - 60), (x, y - 104)], least=0)
    pen.ink(disc(x, y - 106, 8, 8))


def _small_eye(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["top"]
    x += at["half"][0] * 0.4
    pen.plate(box(x - 26, y - 44, x + 26, y + 16, 8))
    pen.hole(disc(x, y - 18, 13, 12))
    pen.ink(disc(x, y - 18, 9, 10))


def _wide_eye(pen: Pen, at: Anchors, count: int) -> None:
    """A rotating bar with an eye at each end."""
    x, y = at["top"]
    _mast(pen, x, y + 20, 90)
    pen.plate(box(x - 104, y - 104, x + 104, y - 66, 10))
    pen.ink(disc(x - 78, y - 85, 11, 10), disc(x + 78, y - 85, 11, 10))
    pen.line(*([(x + step, y - 100), (x + step, y - 70)] for step in (-36, -12, 12, 36)))


def _array(pen: Pen, at: Anchors, count: int) -> None:
    """A targeting system: an eyepiece on the chest's edge."""
    half, depth = at["half"]
    x, y = at["chest"]
    x, y = x - half * 0.7, y - depth * 0.08
    pen.plate(box(x - 30, y - 22, x + 30, y + 22, 6))
    pen.ink(disc(x, y, 15, 14))
    pen.hole(disc(x, y, 8, 12), least=MIDDLE)
    pen.line([(x - 30, y), (x - 15, y)], [(x + 15, y), (x + 30, y)])


def _jammer(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["top"]
    x -= at["half"][0] * 0.28
    _mast(pen, x, y + 20, 92)
    for radius in (24, 42, 60):
        pen.line(arc(x, y - 72, radius, -150, -30), least=0 if radius > 50 else MIDDLE)
    pen.ink(disc(x, y - 72, 12, 10))


def _director(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["top"]
    pen.plate(slab(x, y - 66, y + 10, 92, 66, 12))
    pen.hole(box(x - 34, y - 52, x + 34, y - 30))
    pen.ink(box(x - 30, y - 48, x + 30, y - 34))


def _ball(pen: Pen, x: float, y: float, guns: int) -> None:
    for n in range(guns):
        step = (n - (guns - 1) / 2) * 14
        pen.ink(box(x + step - 4, y - 58, x + step + 4, y))
    pen.plate(disc(x, y, 27, 14))


def _point_defense(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["shoulder"]
    _ball(pen, 500 - x * 0.98, y - at["limb"][0] * 0.66, 2)


def _phalanx(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["shoulder"]
    for sign in (-1, 1):
        _ball(pen, 500 + sign * x * 1.04, y - at["limb"][0] * 0.72, 3)


def _servos(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["leg"]
    limb, tall = at["limb"]
    for sign in (-1, 1):
        outer = 500 + sign * (x + limb * 0.6)
        pen.plate(box(outer - 9, y - tall * 0.14, outer + 9, y + tall * 0.02, 3), shade=False)
        pen.ink(box(outer - 4, y + tall * 0.02, outer + 4, y + tall * 0.09))


def _jets(pen: Pen, at: Anchors, count: int) -> None:
    """Nozzles behind the shoulders and calves."""
    x, y = at["shoulder"]
    limb, tall = at["limb"]
    for sign in (-1, 1):
        with pen.at(500 + sign * (x + limb * 0.5), y + limb * 0.1, turn=-sign * 24):
            pen.plate(box(-22, -86, 22, 80, 10))
            pen.plate(slab(0, 74, 116, 34, 62, 3), shade=False)
            pen.ink(slab(0, 106, 116, 46, 60))


def _pack(pen: Pen, at: Anchors, count: int) -> None:
    """A jump pack on the back with nozzles, larger for each additional pack."""
    half, depth = at["half"]
    x, y = at["chest"]
    size = 1 + 0.3 * (count - 1)
    for sign in (-1, 1):
        with pen.at(x + sign * half * 1.02, y - depth * 0.5, turn=sign * 14, size=size):
            pen.plate(slab(0, -96, 60, 50, 64, 10), inset=10)
            pen.plate(slab(0, 60, 96, 40, 66, 3), shade=False)
            pen.ink(slab(0, 88, 96, 56, 64))


def _boosters(pen: Pen, at: Anchors, count: int) -> None:
    half, depth = at["half"]
    x, y = at["chest"]
    for sign in (-1, 1):
        with pen.at(x + sign * half * 1.05, y - depth * 0.5, turn=sign * 20, size=1.25):
            pen.plate([(-24, -20), (10, -150), (34, -150), (34, 80), (-24, 80)], tint=True)
            pen.plate(slab(4, 80, 124, 44, 76, 3), shade=False)
            pen.ink(slab(4, 114, 124, 64, 74))


def _wings(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["chest"]
    half, depth = at["half"]
    wing = [(half * 0.5, -depth * 0.1), (half * 1.6, -depth * 0.95), (half * 3.1, -depth * 1.15), (half * 2.5, -depth * 0.45),
            (half * 1.9, -depth * 0.1), (half * 1.2, depth * 0.2)]  # fmt: skip
    with pen.at(x, y):
        for each in (wing, mirrored(wing)):
            pen.plate(each, inset=24)
        for sign in (-1, 1):
            pen.line(
                [(sign * half * 1.0, 0), (sign * half * 2.4, -depth * 0.9)],
                [(sign * half * 1.3, 0), (sign * half * 2.2, -depth * 0.55)],
            )


def _fins(pen: Pen, at: Anchors, count: int) -> None:
    """Water gear: fins on the calves, a screw on the hip."""
    x, y = at["leg"]
    limb, tall = at["limb"]
    for sign in (-1, 1):
        outer = 500 + sign * (x + limb * 0.3)
        pen.plate(
            [(outer, y - limb * 0.4), (outer + sign * limb * 1.0, y + limb * 0.5), (outer, y + limb * 0.9)],
            tint=True,
            shade=False,
        )
        pen.line([(outer, y + limb * 0.2), (outer + sign * limb * 0.7, y + limb * 0.5)])


def _sinks(pen: Pen, at: Anchors, count: int) -> None:
    """Heat sinks: one slat each, in two stacks at the sides."""
    x, y = at["belly"]
    half, depth = at["half"]
    for n in range(count):
        sign, row = (1 if n % 2 else -1), n // 2
        left = x + sign * half * 0.64
        top = y - depth * (0.12 + 0.1 * row)
        pen.plate(box(left - half * 0.26, top - depth * 0.07, left + half * 0.26, top, 4), shade=False)
        pen.ink(box(left - half * 0.18, top - depth * 0.045, left + half * 0.18, top - depth * 0.025), least=MIDDLE)


def _scope(pen: Pen, at: Anchors, count: int) -> None:
    _small_eye(pen, at, count)
    _array(pen, at, count)


def _gyros(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["hip"]
    for sign in (-1, 1):
        pen.plate(disc(500 + sign * x * 1.5, y, at["limb"][0] * 0.36, 16), shade=False)
        pen.line(disc(500 + sign * x * 1.5, y, at["limb"][0] * 0.22, 12))
        pen.ink(disc(500 + sign * x * 1.5, y, at["limb"][0] * 0.1, 8))


def _rods(pen: Pen, at: Anchors, count: int) -> None:
    """Coolant in rods at the back."""
    x, y = at["chest"]
    half, depth = at["half"]
    for sign in (-1, 1):
        for n in range(2):
            left = x + sign * half * (0.45 + 0.3 * n)
            pen.plate(box(left - 13, y - depth * 0.5 - 96 + 22 * n, left + 13, y - depth * 0.3, 8), shade=False)
            pen.ink(
                *(
                    box(
                        left - 12,
                        y - depth * 0.5 - 70 + 22 * n + 18 * k,
                        left + 12,
                        y - depth * 0.5 - 64 + 22 * n + 18 * k,
                    )
                    for k in range(2)
                ),
                least=MIDDLE,
            )


def _canisters(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["shoulder"]
    limb, _ = at["limb"]
    for sign in (-1, 1):
        for n in range(3):
            with pen.at(500 + sign * (x + limb * (0.1 + 0.24 * n)), y - limb * 0.42, turn=sign * (8 + 16 * n)):
                pen.plate(box(-10, -46, 10, 0, 3), shade=False)
                pen.ink(box(-8, -46, 8, -38))


def _drone_kind(pen: Pen, at: Anchors, count: int, kind: str) -> None:
    """Drones beside the machine."""
    side = {"gun-drone": -1, "blade-drone": 1, "sentry-drone": -1, "headed-drone": 1}[kind]
    height = {"gun-drone": 200, "blade-drone": 200, "sentry-drone": 800, "headed-drone": 620}[kind]
    for n in range(min(count, 4)):
        with pen.at(500 + side * (370 - 10 * (n % 2)), height + 150 * n * (1 if height < 600 else -1), size=1.6):
            pen.line([(-44, -26), (44, -26)], least=0)
            pen.plate([(-34, -14), (34, -14), (24, 20), (-24, 20)], tint=kind == "headed-drone")
            pen.ink(box(-3, -28, 3, -12))
            match kind:
                case "gun-drone":
                    pen.ink(box(-4, 16, 4, 50))
                case "blade-drone":
                    pen.plate([(-9, 18), (9, 18), (0, 56)], shade=False)
                case "sentry-drone":
                    pen.ink(box(-26, 18, -20, 46), box(20, 18, 26, 46), box(-4, 16, 4, 40))
                case _:
                    pen.hole(disc(-9, 2, 5, 6), disc(9, 2, 5, 6))
                    pen.ink(disc(-9, 2, 4, 6), disc(9, 2, 4, 6), least=MIDDLE)


def _wheels(pen: Pen, at: Anchors, count: int) -> None:
    """Wheels on the calves, for a machine that turns into a car."""
    limb, _ = at["limb"]
    for sign in (-1, 1):
        for rise in (0.2, 1.1):
            x = 500 + sign * (at["leg"][0] + limb * 0.62)
            pen.plate(disc(x, 900 - limb * rise, limb * 0.34, 14), shade=False)
            pen.ink(disc(x, 900 - limb * rise, limb * 0.15, 10))


def _tanks(pen: Pen, at: Anchors, count: int) -> None:
    """Long tanks behind the machine, for one that turns into a spaceship."""
    x, y = at["chest"]
    half, depth = at["half"]
    for sign in (-1, 1):
        left = x + sign * half * 1.5
        pen.plate(box(left - 34, y - depth * 1.05, left + 34, y + depth * 0.7, 30))
        pen.plate(slab(left, y + depth * 0.7, y + depth * 0.86, 40, 70, 3), shade=False)
        pen.ink(box(left - 34, y - depth * 0.5, left + 34, y - depth * 0.44), least=MIDDLE)


def _folded_wings(pen: Pen, at: Anchors, count: int) -> None:
    """Wings folded upwards, for a machine that turns into an aeroplane."""
    x, y = at["chest"]
    half, depth = at["half"]
    wing = [
        (half * 0.6, 0),
        (half * 1.0, -depth * 1.35),
        (half * 1.5, -depth * 1.2),
        (half * 1.7, -depth * 0.2),
        (half * 1.2, depth * 0.3),
    ]
    with pen.at(x, y):
        for each in (wing, mirrored(wing)):
            pen.plate(each, tint=True, inset=16)


def _coil(pen: Pen, at: Anchors, count: int) -> None:
    """Capacitors: cells at the belt."""
    x, y = at["belly"]
    for n in range(count):
        sign = 1 if n % 2 else -1
        left = x + sign * (at["half"][0] * 0.3)
        pen.plate(box(left - 16, y - 58, left + 16, y - 6, 5), shade=False)
        pen.ink(box(left - 8, y - 64, left + 8, y - 58))
        pen.ink(
            [
                (left + 4, y - 50),
                (left - 8, y - 30),
                (left, y - 30),
                (left - 4, y - 14),
                (left + 8, y - 36),
                (left, y - 36),
            ]
        )


def _loop(pen: Pen, at: Anchors, count: int) -> None:
    """Coolant in a hose from chest to hip."""
    x, y = at["belly"]
    half, depth = at["half"]
    for sign in (-1, 1):
        hose = [
            (x + sign * half * 0.5, y - depth * 0.4),
            (x + sign * half * 0.86, y - depth * 0.22),
            (x + sign * half * 0.8, y - 4),
            (x + sign * half * 0.4, y + 14),
        ]
        pen.line(hose, [(px + 9, py) for px, py in hose], least=0)


def _joints(pen: Pen, at: Anchors, count: int) -> None:
    """Covers over the knees, against the cold."""
    limb, _ = at["limb"]
    for sign in (-1, 1):
        x, y = 500 + sign * at["leg"][0] * 0.94, at["leg"][1] - limb * 0.2
        for n in range(3):
            pen.line([(x - limb * 0.44, y + n * 13), (x + limb * 0.44, y + n * 13)], least=MIDDLE)


def _grip(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["shoulder"]
    limb, tall = at["limb"]
    for sign in (-1, 1):
        cx, cy = 500 + sign * (x + limb * 0.4), y + tall * 0.31
        pen.plate(box(cx - limb * 0.46, cy - 12, cx + limb * 0.46, cy + 12, 4), tint=True, shade=False)


def _filters(pen: Pen, at: Anchors, count: int) -> None:
    x, y = at["top"]
    for sign in (-1, 1):
        pen.plate(disc(x + sign * 44, y + 62, 18, 12), shade=False)
        pen.ink(
            *(box(x + sign * 44 - 12, y + 54 + 8 * n, x + sign * 44 + 12, y + 57 + 8 * n) for n in range(3)),
            least=MIDDLE,
        )


def _finder(pen: Pen, at: Anchors, count: int) -> None:
    """A bar between two lenses above the head."""
    x, y = at["top"]
    pen.plate(box(x - 70, y - 30, x + 70, y - 12, 4), shade=False)
    pen.ink(disc(x - 62, y - 21, 12, 10), disc(x + 62, y - 21, 12, 10))


def _halo(pen: Pen, at: Anchors, count: int) -> None:
    """A barrier around the machine."""
    with pen.detail(MIDDLE):
        for start in range(200, 341, 20):
            pen.line(arc(500, 560, 440, start, start + 8 + 2 * min(count, 6), 4))


def _mane(pen: Pen, at: Anchors, count: int) -> None:
    """A commander's mantle."""
    x, y = at["chest"]
    half, depth = at["half"]
    cape = [(half * 1.2, -depth * 0.5), (half * 1.9, depth * 0.9), (half * 1.5, depth * 1.9), (half * 0.6, depth * 1.3)]
    with pen.at(x, y):
        for each in (cape, mirrored(cape)):
            pen.plate(each, tint=True, shade=False)
            pen.line([each[0], each[2]], [each[0], each[3]])


def _plume(pen: Pen, at: Anchors, count: int) -> None:
    """Levels of the pilot, as stripes on the left shoulder."""
    x, y = at["shoulder"]
    limb, _ = at["limb"]
    for n in range(min(count, 4)):
        top = y - limb * 0.3 + n * limb * 0.22
        pen.ink(box(500 + x - limb * 0.25, top, 500 + x + limb * 0.3, top + limb * 0.1), least=MIDDLE)


def _magazine(pen: Pen, at: Anchors, count: int) -> None:
    """A drum of rounds behind each shoulder, with a belt across."""
    x, y = at["shoulder"]
    limb, _ = at["limb"]
    pen.plate(disc(500 - x * 0.62, y - limb * 0.7, limb * 0.5, 16))
    pen.ink(disc(500 - x * 0.62, y - limb * 0.7, limb * 0.16, 10), least=MIDDLE)
    for n in range(5):
        pen.plate(
            box(
                500 - x * (0.62 - 0.22 * n) - 12,
                y - limb * 0.72 - 8,
                500 - x * (0.62 - 0.22 * n) + 12,
                y - limb * 0.52,
                3,
            ),
            shade=False,
        )


def _drone(kind: str) -> Draw:
    return lambda pen, at, count: _drone_kind(pen, at, count, kind)


KINDS: Final[dict[str, tuple[Layer, Draw]]] = {
    "aerials": ("behind", _whips),
    "link": ("behind", _link),
    "dish": ("behind", _dish),
    "small-eye": ("behind", _small_eye),
    "wide-eye": ("behind", _wide_eye),
    "array": ("front", _array),
    "scope": ("behind", _scope),
    "jammer": ("behind", _jammer),
    "director": ("behind", _director),
    "point-defense": ("over", _point_defense),
    "phalanx": ("over", _phalanx),
    "servos": ("behind", _servos),
    "liner": ("front", _liner),
    "jets": ("behind", _jets),
    "pack": ("behind", _pack),
    "boosters": ("behind", _boosters),
    "wings": ("behind", _wings),
    "fins": ("behind", _fins),
    "bricks": ("front", _bricks),
    "scales": ("front", _scales),
    "layers": ("over", _layers),
    "net": ("front", _net),
    "sinks": ("front", _sinks),
    "gyros": ("front", _gyros),
    "vanes": ("behind", _vanes),
    "rods": ("behind", _rods),
    "canisters": ("over", _canisters),
    "magazine": ("behind", _magazine),
    "wheels": ("behind", _wheels),
    "keels": ("over", _hull_plates),
    "tanks": ("behind", _tanks),
    "folded-wings": ("behind", _folded_wings),
    "coil": ("front", _coil),
    "loop": ("front", _loop),
    "joints": ("front", _joints),
    "grip": ("over", _grip),
    "filters": ("front", _filters),
    "finder": ("behind", _finder),
    "halo": ("over", _halo),
    "mane": ("behind", _mane),
    "stripes": ("over", _plume),
    "gun-drone": ("over", _drone("gun-drone")),
    "blade-drone": ("over", _drone("blade-drone")),
    "sentry-drone": ("over", _drone("sentry-drone")),
    "headed-drone": ("over", _drone("headed-drone")),
}


def fit(pen: Pen, body: Body, layer: Layer, at: Anchors) -> None:
    """Draw all gear in that layer, each kind once with its count."""
    for kind, count in Counter(body.gear).items():
        where, draw = KINDS[kind]
        if where == layer:
            draw(pen, at, count)


__all__ = ["FULL", "KINDS", "fit"]
