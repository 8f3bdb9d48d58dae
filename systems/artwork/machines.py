"""Walking machines from the front: chest, cockpit or head, arms, and two legs, four legs or tracks."""

from __future__ import annotations

from systems.artwork import arms
from systems.artwork.canvas import FULL, MIDDLE, Body, Mounted, Pen, Point, box, chamfered, disc, mirrored, slab
from systems.artwork.gear import fit
from systems.artwork.limbs import (
    GROUND,
    MIDDLE_X,
    SIDES,
    Shape,
    _arm,
    _extra,
    _four_legs,
    _leg,
    _of,
    _tracks,
    calibre,
    shape_of,
    toward_middle,
)


def draw(pen: Pen, body: Body) -> None:
    shape = shape_of(body)
    hurt = set(body.hurt)
    fit(pen, body, "behind", _anchors(shape))
    _mounted(pen, body, shape, "back")
    if body.frame == "quad":
        _four_legs(pen, body, shape, hurt)
    elif body.frame == "tracked":
        _tracks(pen, body, shape, hurt)
    else:
        for side, sign in SIDES:
            with pen.damaged(bool({f"{side}-leg", "all"} & hurt)):
                _leg(pen, body, shape, sign, _extra(body, f"{side}-leg"))
    for side, _ in SIDES:
        _mounted(pen, body, shape, f"{side}-leg")
    for side, _ in SIDES:
        _mounted(pen, body, shape, f"{side}-shoulder")
    if shape.has_head:
        with pen.damaged(bool({"head", "all"} & hurt)):
            _head(pen, body, shape)
    with pen.damaged(bool({"chest", "all"} & hurt)):
        _chest(pen, body, shape)
    fit(pen, body, "front", _anchors(shape))
    _mounted(pen, body, shape, "chest")
    _mounted(pen, body, shape, "head")
    for side, sign in SIDES:
        with pen.damaged(bool({f"{side}-arm", "all"} & hurt)):
            _arm(pen, body, shape, side, sign)
    fit(pen, body, "over", _anchors(shape))


def _anchors(shape: Shape) -> dict[str, Point]:
    shoulder_x, shoulder_y = shape.shoulder
    head = shape.top - (shape.tall * 0.1 if shape.has_head else 0)
    return {
        "top": (MIDDLE_X, head),
        "chest": (MIDDLE_X, shape.top + shape.depth * 0.5),
        "belly": (MIDDLE_X, shape.waist),
        "shoulder": (shoulder_x, shoulder_y),
        "half": (shape.half, shape.depth),
        "leg": (shape.spread, (shape.hip + GROUND) / 2),
        "limb": (shape.limb, shape.tall),
        "hip": (shape.half * 0.5, shape.hip),
    }


# --- the chest --------------------------------------------------------------------------------------------------------


def _chest(pen: Pen, body: Body, shape: Shape) -> None:
    half, top, waist = shape.half, shape.top, shape.waist
    extra = _extra(body, "chest")
    belly = half * 0.56
    pen.ink(slab(MIDDLE_X, waist - shape.depth * 0.3, shape.hip + 10, belly * 1.5, belly * 1.2))
    if body.frame not in ("quad", "tracked"):
        _hips(pen, shape)
    if shape.has_head:
        _robot_chest(pen, body, shape, extra)
        return
    low = waist - shape.depth * 0.12
    if body.bulk < 0.2:  # egg-shaped
        hull = [
            (-half * 0.55, top), (half * 0.55, top), (half, top + shape.depth * 0.3), (half * 0.92, top + shape.depth * 0.62),
            (half * 0.5, low), (-half * 0.5, low), (-half * 0.92, top + shape.depth * 0.62), (-half, top + shape.depth * 0.3),
        ]  # fmt: skip
    elif body.bulk < 0.55:
        hull = [
            (-half * 0.78, top), (half * 0.78, top), (half, top + shape.depth * 0.16), (half * 0.9, top + shape.depth * 0.6),
            (half * 0.55, low), (-half * 0.55, low), (-half * 0.9, top + shape.depth * 0.6), (-half, top + shape.depth * 0.16),
        ]  # fmt: skip
    else:
        hull = [
            (-half, top + shape.depth * 0.05), (-half * 0.3, top), (half * 0.3, top), (half, top + shape.depth * 0.05),
            (half * 1.04, top + shape.depth * 0.55), (half * 0.62, low), (-half * 0.62, low),
            (-half * 1.04, top + shape.depth * 0.55),
        ]  # fmt: skip
    placed = [(MIDDLE_X + x, y) for x, y in hull]
    pen.plate(chamfered(placed, half * 0.07), inset=half * 0.12)
    _breast(pen, body, shape)
    if extra:
        for sign in (-1, 1):
            x = MIDDLE_X + sign * half * 0.62
            pen.plate(
                slab(x, top + shape.depth * 0.22, top + shape.depth * 0.62, half * 0.5, half * 0.36, 8), tint=True
            )


def _breast(pen: Pen, body: Body, shape: Shape) -> None:
    """Draw the middle of a walker's chest: the cockpit, vents, the seams of its plates."""
    half, top, depth = shape.half, shape.top, shape.depth
    with pen.at(MIDDLE_X, 0):
        if body.bulk < 0.2:
            glass = [(-half * 0.5, top + depth * 0.2), (half * 0.5, top + depth * 0.2), (half * 0.66, top + depth * 0.42),
                     (half * 0.3, top + depth * 0.58), (-half * 0.3, top + depth * 0.58), (-half * 0.66, top + depth * 0.42)]  # fmt: skip
            pen.hole(glass)
            pen.ink(chamfered([toward_middle(each, (0, top + depth * 0.4), 0.16) for each in glass], 6))
            pen.hole([(-half * 0.3, top + depth * 0.27), (-half * 0.06, top + depth * 0.27), (-half * 0.22, top + depth * 0.42),
                      (-half * 0.4, top + depth * 0.4)])  # fmt: skip
            pen.line([(0, top + depth * 0.6), (0, top + depth * 0.84)])
            return
        if body.bulk < 0.55:
            _canopy(pen, half, top, depth)
        else:
            _sunk_head(pen, half, top, depth)
        rows = 2 + round(3 * body.bulk)
        for sign in (-1, 1):
            for at in range(rows):  # grilles
                y = top + depth * (0.68 + 0.045 * at)
                pen.line([(sign * half * 0.22, y), (sign * half * 0.52, y)], least=FULL)
            pen.fine([(sign * half * 0.56, top + depth * 0.14), (sign * half * 0.48, top + depth * 0.8)])


def _canopy(pen: Pen, half: float, top: float, depth: float) -> None:
    """A glazed front across the upper chest."""
    frame = [(-half * 0.46, top - depth * 0.07), (half * 0.46, top - depth * 0.07), (half * 0.66, top + depth * 0.2),
             (half * 0.34, top + depth * 0.36), (-half * 0.34, top + depth * 0.36), (-half * 0.66, top + depth * 0.2)]  # fmt: skip
    pen.plate(frame, shade=False)
    for left, right in ((-0.4, -0.16), (-0.13, 0.13), (0.16, 0.4)):
        lean = 1.24
        pane = [(half * left, top - depth * 0.03), (half * right, top - depth * 0.03),
                (half * right * lean, top + depth * 0.18), (half * left * lean, top + depth * 0.18)]  # fmt: skip
        pen.hole(pane)
        pen.ink(pane, least=MIDDLE)
    pen.hole(
        [
            (-half * 0.36, top),
            (-half * 0.3, top),
            (-half * 0.4, top + depth * 0.13),
            (-half * 0.44, top + depth * 0.13),
        ],
        least=FULL,
    )
    pen.plate(slab(0, top + depth * 0.24, top + depth * 0.62, half * 0.5, half * 0.34, 8), tint=True, inset=10)
    pen.line([(0, top + depth * 0.62), (0, top + depth * 0.8)], least=FULL)


def _sunk_head(pen: Pen, half: float, top: float, depth: float) -> None:
    """A head between the shoulders with a vision slit."""
    width = half * 0.56
    pen.plate(slab(0, top - depth * 0.13, top + depth * 0.17, width * 0.74, width, width * 0.12))
    slit = slab(0, top - depth * 0.02, top + depth * 0.07, width * 0.66, width * 0.78, 5)
    pen.hole(slit)
    pen.ink(slit, least=MIDDLE)
    pen.hole(box(-width * 0.24, top, -width * 0.1, top + depth * 0.045), least=FULL)
    pen.plate([(-half * 0.8, top + depth * 0.16), (-half * 0.24, top + depth * 0.2), (half * 0.24, top + depth * 0.2),
               (half * 0.8, top + depth * 0.16), (half * 0.7, top + depth * 0.36), (0, top + depth * 0.46),
               (-half * 0.7, top + depth * 0.36)], tint=True, shade=False)  # fmt: skip


def _robot_chest(pen: Pen, body: Body, shape: Shape, extra: float) -> None:
    half, top, depth = shape.half, shape.top, shape.depth
    with pen.at(MIDDLE_X, 0):
        pen.plate(slab(0, top + depth * 0.5, shape.waist, half * 0.95, half * 0.8, 10), inset=12)
        torso = [(-half * 0.82, top), (half * 0.82, top), (half * 1.05, top + depth * 0.14), (half * 0.86, top + depth * 0.56),
                 (half * 0.3, top + depth * 0.68), (-half * 0.3, top + depth * 0.68), (-half * 0.86, top + depth * 0.56),
                 (-half * 1.05, top + depth * 0.14)]  # fmt: skip
        pen.plate(torso, tint=body.frame == "robot" and body.bulk > 0.7)
        for sign in (-1, 1):
            vent = [(sign * half * 0.28, top + depth * 0.2), (sign * half * 0.74, top + depth * 0.2),
                    (sign * half * 0.66, top + depth * 0.42), (sign * half * 0.3, top + depth * 0.42)]  # fmt: skip
            pen.plate(vent, tint=True, shade=False)
            for at in range(3):
                y = top + depth * (0.25 + 0.06 * at)
                pen.line([(sign * half * 0.34, y), (sign * half * 0.64, y)], least=MIDDLE if at == 1 else FULL)
        if body.frame == "giant":  # where its rays come from
            wing = [
                (0, top + depth * 0.14),
                (half * 0.9, top + depth * 0.1),
                (half * 0.72, top + depth * 0.4),
                (0, top + depth * 0.6),
            ]
            pen.plate([*wing, *reversed(mirrored(wing[1:3]))], tint=True, shade=False)
        else:
            pen.plate(slab(0, top + depth * 0.06, top + depth * 0.5, half * 0.42, half * 0.3, 6))
            pen.ink(box(-half * 0.1, top + depth * 0.5, half * 0.1, top + depth * 0.56), least=MIDDLE)
        if extra:
            pen.plate(
                slab(0, top + depth * 0.6, top + depth * (0.8 + 0.16 * extra), half * 1.1, half * 0.6, 8), tint=True
            )


def _hips(pen: Pen, shape: Shape) -> None:
    half, limb = shape.half, shape.limb
    with pen.at(MIDDLE_X, 0):
        y = shape.hip
        skirt = limb * (0.5 + 0.5 * shape.plate)
        for sign in (-1, 1):
            pen.plate(
                [(sign * half * 0.24, y - limb * 0.3), (sign * half * 0.78, y - limb * 0.3),
                 (sign * (half * 0.86 + limb * 0.1), y + skirt * 0.7), (sign * half * 0.36, y + skirt * 0.9)],
                shade=sign > 0,
            )  # fmt: skip
        pen.plate(
            [(-half * 0.26, y - limb * 0.36), (half * 0.26, y - limb * 0.36), (half * 0.2, y + limb * 0.3),
             (0, y + limb * 0.75), (-half * 0.2, y + limb * 0.3)],
            tint=True,
        )  # fmt: skip


def _head(pen: Pen, body: Body, shape: Shape) -> None:
    """A helmet with a visor; faster machines have a higher crest, giants have horns."""
    size = shape.tall * (0.06 + 0.012 * _extra(body, "head"))
    with pen.at(MIDDLE_X, shape.top - size * 0.72):
        pen.ink(box(-size * 0.42, 0, size * 0.42, size * 1.1))
        if body.frame == "giant":
            horn = [(size * 0.5, -size * 0.5), (size * 1.5, -size * 1.1), (size * 2.0, -size * 2.3), (size * 1.15, -size * 1.5),
                    (size * 0.3, -size * 1.0)]  # fmt: skip
            for each in (horn, mirrored(horn)):
                pen.plate(each, tint=True, shade=False)
        else:
            fin = size * (0.35 + 0.75 * body.speed)
            crest = [(0, -size * 0.62), (size * 0.22, -size * 0.86), (size * 0.5 + fin, -size * 1.0 - fin * 0.8), (size * 0.2, -size * 1.04),
                     (0, -size * 0.96)]  # fmt: skip
            ear = [
                (size * 0.74, -size * 0.5),
                (size * 1.0, -size * 0.42),
                (size * 1.0, size * 0.3),
                (size * 0.74, size * 0.36),
            ]
            for each in (ear, mirrored(ear)):
                pen.plate(each, shade=False)
        helmet = [(-size * 0.55, -size * 0.9), (size * 0.55, -size * 0.9), (size * 0.86, -size * 0.35), (size * 0.82, size * 0.5),
                  (size * 0.46, size * 0.86), (-size * 0.46, size * 0.86), (-size * 0.82, size * 0.5), (-size * 0.86, -size * 0.35)]  # fmt: skip
        pen.plate(helmet)
        if body.bulk > 0.6 and body.frame == "robot":
            pen.hole(box(-size * 0.76, -size * 0.24, size * 0.76, size * 0.22))  # one eye moving in a slit
            pen.ink(box(-size * 0.72, -size * 0.2, size * 0.72, size * 0.18), least=MIDDLE)
            pen.hole(disc(size * 0.12, 0, size * 0.16, 10), least=MIDDLE)
        else:
            visor = [(-size * 0.74, -size * 0.26), (0, -size * 0.14), (size * 0.74, -size * 0.26), (size * 0.68, size * 0.12), (0, size * 0.24),
                     (-size * 0.68, size * 0.12)]  # fmt: skip
            pen.hole(visor)
            pen.ink(visor, least=MIDDLE)
            pen.hole(
                [
                    (-size * 0.56, -size * 0.14),
                    (-size * 0.2, -size * 0.06),
                    (-size * 0.3, size * 0.04),
                    (-size * 0.5, 0),
                ],
                least=FULL,
            )
            pen.plate(
                [
                    (-size * 0.3, size * 0.42),
                    (size * 0.3, size * 0.42),
                    (size * 0.22, size * 0.86),
                    (-size * 0.22, size * 0.86),
                ],
                shade=False,
            )
        if body.frame == "robot":
            pen.plate([*crest, *reversed(mirrored(crest[1:4]))], tint=True, shade=False)
        if extra := _extra(body, "head"):
            pen.plate(slab(0, -size * 1.1, -size * 0.55, size * (0.5 + extra * 0.5), size * 0.9, 4), tint=True)


def _mounted(pen: Pen, body: Body, shape: Shape, place: str) -> None:
    """Draw the weapons at a place: shoulders, chest or back."""
    weapons = [each for each in _of(body, place) if each.kind in arms.KINDS]
    shoulder_x, _ = shape.shoulder
    unit = calibre(shape.tall)
    count = len(weapons)
    with pen.damaged(bool({place, "all"} & set(body.hurt))):
        for at, each in enumerate(weapons):
            across = at - (count - 1) / 2
            if place.endswith("shoulder"):
                sign = 1 if place.startswith("left") else -1
                _on_shoulder(
                    pen,
                    each,
                    MIDDLE_X + sign * shoulder_x * (0.86 if not shape.has_head else 0.8),
                    shape,
                    sign,
                    at,
                    count,
                )
            elif place == "chest":
                x = MIDDLE_X + shape.half * (1.1 / max(count, 2)) * across * 1.15
                y = shape.top + shape.depth * (0.62 if not shape.has_head else 0.3)
                with pen.at(x, y, size=unit * 0.92 * each.size * (1 if count < 3 else 0.8)):
                    arms.face(pen, each.kind, each.barrels)
            elif place == "head":
                with pen.at(
                    MIDDLE_X + shape.half * (0.34 + 0.3 * at),
                    shape.top - shape.tall * 0.02,
                    size=unit * 0.5 * each.size,
                ):
                    arms.face(pen, each.kind, each.barrels)
            elif place == "back":
                sign = 1 if at % 2 else -1
                turn = 180 - sign * (24 + 16 * (at // 2))
                with pen.at(
                    MIDDLE_X + sign * shape.half * 0.6,
                    shape.top + shape.depth * 0.35,
                    turn=turn,
                    size=shape.tall / 1000 * each.size,
                ):
                    arms.draw(pen, each.kind, each.barrels)
            else:
                sign = 1 if place.startswith("left") else -1
                y = shape.hip + (GROUND - shape.hip) * (0.22 + 0.3 * at)
                x = MIDDLE_X + sign * (shape.half * 0.6 + shape.limb * (0.62 + 0.1 * at))
                pen.plate(box(x - 16, y - 20, x + 16, y + 12, 4), shade=False)
                with pen.at(x, y, size=unit * 0.7 * each.size):
                    arms.draw(pen, each.kind, each.barrels)


def _on_shoulder(pen: Pen, each: Mounted, x: float, shape: Shape, sign: int, at: int, count: int) -> None:
    unit = calibre(shape.tall) * each.size * (0.98 if count == 1 else 0.72)
    x += sign * shape.limb * 0.74 * (at - (count - 1) / 2)
    base = shape.top + shape.depth * 0.12
    if each.kind in arms.BOXES:
        pen.ink(box(x - 14, base - 40, x + 14, base + 20))
        with pen.at(x, base - 96 * unit, size=unit * 1.1):
            arms.draw(pen, each.kind, each.barrels)
        return
    with pen.at(x, base - 30 * unit, turn=180 + sign * 7, size=unit * 0.95):
        arms.draw(pen, each.kind, each.barrels)
