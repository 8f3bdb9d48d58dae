"""The shape of a walking machine, its legs, tracks, arms and shields, and its special armour.

Special armour: bricks, scales, layers, nets, plates, vanes, liners.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from systems.artwork import arms
from systems.artwork.canvas import MIDDLE, Body, Mounted, Pen, Point, arc, bar, box, chamfered, disc, hatching, slab

GROUND = 930.0
MIDDLE_X = 500.0
SIDES = (("right", -1), ("left", 1))  # from the pilot's view


@dataclass(frozen=True, slots=True)
class Shape:
    """The measurements of a machine, from weight, speed and armour."""

    tall: float
    half: float  # half the width of the chest
    limb: float  # thickness of an arm or a leg
    hip: float
    waist: float
    top: float  # of the chest
    spread: float  # of the feet, each from the middle
    plate: float
    has_head: bool

    @property
    def shoulder(self) -> tuple[float, float]:
        return self.half + self.limb * 0.62, self.top + self.tall * 0.075

    @property
    def depth(self) -> float:
        return self.waist - self.top


def shape_of(body: Body) -> Shape:
    is_person = body.frame in ("robot", "giant")
    tall = 760 + (150 if not is_person else 120) * body.bulk
    half = tall * (0.145 + 0.085 * body.bulk if not is_person else 0.125 + 0.06 * body.bulk)
    limb = tall * (0.092 + 0.034 * body.bulk + 0.02 * body.plate)
    legs = 0.42 + 0.05 * body.speed if not is_person else 0.46 + 0.03 * body.speed
    hip = GROUND - tall * legs
    waist = hip - tall * 0.035
    top = GROUND - tall * (0.8 if is_person else 0.86)
    if body.frame in ("quad", "tracked"):
        hip = GROUND - tall * 0.33
        waist, top = hip - tall * 0.02, hip - tall * 0.44
    return Shape(
        tall=tall, half=half, limb=limb, hip=hip, waist=waist, top=top, plate=body.plate, has_head=is_person,
        spread=half * (0.82 if not is_person else 0.95) + tall * 0.03,
    )  # fmt: skip


def calibre(tall: float) -> float:
    """Return the size of weapons: almost the same for all machines, so that a small one looks overgunned."""
    return 0.62 + tall / 1250


def _extra(body: Body, part: str) -> float:
    return dict(body.areas).get(part, 0.0)


def _leg(pen: Pen, body: Body, shape: Shape, sign: int, extra: float) -> None:
    limb, tall = shape.limb * (1 + 0.25 * extra), shape.tall
    foot_x = MIDDLE_X + sign * shape.spread
    hip = (MIDDLE_X + sign * shape.half * 0.5, shape.hip)
    length = GROUND - shape.hip
    is_bent = not shape.has_head and body.speed > 0.55
    if is_bent:
        knee = (foot_x + sign * limb * 0.75, shape.hip + length * 0.34)
        ankle = (foot_x - sign * limb * 0.1, GROUND - length * 0.2)
    else:
        knee = ((hip[0] + foot_x) / 2 + sign * limb * 0.22, shape.hip + length * 0.44)
        ankle = (foot_x, GROUND - tall * 0.075)
    pen.ink(bar(hip, knee, limb * 0.5), bar(knee, ankle, limb * 0.42))
    foot = limb * (1.3 if not is_bent else 1.4)
    _foot(pen, foot_x, foot, sign, tall, is_bent)
    if is_bent:
        pen.plate(chamfered(bar(knee, ankle, limb * 0.8, limb * 0.5), limb * 0.1), inset=limb * 0.12)
        pen.plate(chamfered(bar(hip, knee, limb * 0.86, limb * 1.08), limb * 0.18), inset=limb * 0.14)
        pen.plate(disc(*knee, limb * 0.44, 10), tint=True)
        pen.ink(disc(*knee, limb * 0.16, 10), least=MIDDLE)
        pen.line(bar(ankle, (foot_x, GROUND - 20), limb * 0.5)[:2])
        return
    thigh = chamfered(bar((hip[0], hip[1] + limb * 0.1), knee, limb * 0.9, limb * 0.8), limb * 0.14)
    pen.plate(thigh, inset=limb * 0.14)
    calf = limb * (1.02 + 0.24 * shape.plate)
    top, bottom = knee[1] + limb * 0.18, ankle[1] + tall * 0.012
    lean = foot_x - knee[0]
    shin = [
        (knee[0] - calf * 0.34, top), (knee[0] + calf * 0.34, top),
        (knee[0] + lean * 0.45 + calf * 0.54, top + (bottom - top) * 0.45), (foot_x + calf * 0.4, bottom),
        (foot_x - calf * 0.4, bottom), (knee[0] + lean * 0.45 - calf * 0.54, top + (bottom - top) * 0.45),
    ]  # fmt: skip
    pen.plate(chamfered(shin, limb * 0.07), inset=limb * 0.17)
    pen.plate(chamfered(_kneecap(*knee, limb), limb * 0.1), tint=True)
    for at in range(2):
        y = top + (bottom - top) * (0.6 + 0.14 * at)
        pen.fine([(foot_x - calf * 0.28, y), (foot_x + calf * 0.28, y)])
    if extra:  # a guard over the shin
        pen.plate(slab(foot_x, top + (bottom - top) * 0.3, bottom - 6, calf * 0.6, calf * 0.48, 8), tint=True)


def _kneecap(x: float, y: float, limb: float) -> list[Point]:
    return [
        (x - limb * 0.36, y - limb * 0.38), (x + limb * 0.36, y - limb * 0.38), (x + limb * 0.42, y + limb * 0.1),
        (x, y + limb * 0.46), (x - limb * 0.42, y + limb * 0.1),
    ]  # fmt: skip


def _foot(pen: Pen, x: float, width: float, sign: int, tall: float, is_bent: bool) -> None:
    top = GROUND - tall * (0.075 if not is_bent else 0.1)
    if is_bent:
        for toe in (-1, 0.1, 1):
            tip = (x + toe * width * 0.62, GROUND)
            pen.plate(
                [
                    (x - width * 0.12, top),
                    (x + width * 0.12, top),
                    (tip[0] + width * 0.2, GROUND),
                    (tip[0] - width * 0.2, GROUND),
                ],
                shade=False,
            )
        pen.plate(disc(x, top, width * 0.2, 10))
        return
    out = sign * width * 0.1
    pen.plate(
        chamfered(
            [(x - width * 0.3, top), (x + width * 0.3, top), (x + width * 0.5 + out, GROUND - tall * 0.022),
             (x + width * 0.52 + out, GROUND), (x - width * 0.52 + out, GROUND),
             (x - width * 0.5 + out, GROUND - tall * 0.022)],
            tall * 0.008,
        )
    )  # fmt: skip
    y = GROUND - tall * 0.022
    pen.line([(x - width * 0.5 + out, y), (x + width * 0.5 + out, y)])
    pen.fine(*([(x + width * at + out, y), (x + width * at + out, GROUND)] for at in (-0.18, 0.18)))


def _four_legs(pen: Pen, body: Body, shape: Shape, hurt: set[str]) -> None:
    limb = shape.limb
    for side, sign in SIDES:
        with pen.damaged(bool({f"{side}-leg", "all"} & hurt)):
            for far in (True, False):
                reach = shape.half * (1.05 if far else 0.62) + limb * (1.5 if far else 0.75)
                hip = (MIDDLE_X + sign * shape.half * (0.75 if far else 0.5), shape.hip - (20 if far else 0))
                knee = (MIDDLE_X + sign * reach, shape.hip - limb * (0.35 if far else 0.02))
                foot = (MIDDLE_X + sign * (reach + limb * (0.42 if far else 0.12)), GROUND - (34 if far else 0))
                pen.ink(bar(hip, knee, limb * 0.42))
                pen.plate(
                    chamfered(bar(knee, (foot[0], foot[1] - 20), limb * 0.74, limb * 0.34), limb * 0.08), inset=12
                )
                pen.plate(chamfered(bar(hip, knee, limb * 0.62, limb * 0.7), limb * 0.12))
                pen.plate(disc(*knee, limb * 0.36, 10), tint=True)
                pen.ink(disc(*knee, limb * 0.12, 8), least=MIDDLE)
                pen.plate(slab(foot[0], foot[1] - 32, foot[1], limb * 0.4, limb * 0.82, 5))
    pen.plate(slab(MIDDLE_X, shape.hip - 24, shape.hip + limb * 0.72, shape.half * 1.5, shape.half * 0.9, 18), inset=16)


def _tracks(pen: Pen, body: Body, shape: Shape, hurt: set[str]) -> None:
    height = (GROUND - shape.hip) * 0.92
    width = shape.limb * 1.5
    for side, sign in SIDES:
        x = MIDDLE_X + sign * (shape.half * 0.72 + width * 0.56)
        with pen.damaged(bool({f"{side}-leg", "all"} & hurt)):
            pen.plate(box(x - width / 2, GROUND - height, x + width / 2, GROUND, width * 0.2), shade=False)
            count = 7
            for at in range(count):
                y = GROUND - height * (0.1 + 0.84 * at / count)
                pen.ink(box(x - width * 0.42, y - height * 0.045, x + width * 0.42, y + height * 0.01))
            pen.plate(
                [(x - width * 0.62, GROUND - height * 0.78), (x - width * 0.5, GROUND - height - 14),
                 (x + width * 0.5, GROUND - height - 14), (x + width * 0.62, GROUND - height * 0.78)],
                tint=True,
            )  # fmt: skip
    pen.plate(slab(MIDDLE_X, shape.hip - 20, GROUND - height * 0.22, shape.half * 1.5, shape.half * 1.15, 14), inset=18)
    pen.ink(*(box(MIDDLE_X - shape.half * 0.4, y, MIDDLE_X + shape.half * 0.4, y + 8)
              for y in (GROUND - height * 0.5, GROUND - height * 0.4)), least=MIDDLE)  # fmt: skip


def toward_middle(point: Point, middle: Point, share: float) -> Point:
    return point[0] + (middle[0] - point[0]) * share, point[1] + (middle[1] - point[1]) * share


def _of(body: Body, place: str) -> list[Mounted]:
    return [each for each in body.mounted if each.place == place]


def _arm(pen: Pen, body: Body, shape: Shape, side: str, sign: int) -> None:
    limb, tall = shape.limb, shape.tall
    shoulder_x, shoulder_y = shape.shoulder
    carried = _of(body, f"{side}-arm")
    shields = [each for each in carried if each.kind in SHIELDS]
    weapons = [each for each in carried if each.kind not in SHIELDS]
    extra = _extra(body, f"{side}-arm")
    with pen.at(MIDDLE_X + sign * shoulder_x, shoulder_y):
        reach = sign * limb * 0.3
        elbow = (reach, tall * 0.17)
        pen.ink(bar((0, 0), elbow, limb * 0.46))
        pen.plate(bar((elbow[0] * 0.2, tall * 0.035), (elbow[0] * 0.8, tall * 0.135), limb * 0.66, limb * 0.6))
        held = next((each for each in weapons if each.kind in arms.HELD | arms.RAISED), None)
        is_gun_arm = bool(weapons) and held is None and not shape.has_head
        hand = (reach + sign * limb * 0.1, tall * (0.2 if is_gun_arm else 0.33))
        if held is not None:
            _hold(pen, held, hand, sign, tall)
        if is_gun_arm:
            _gun_arm(pen, weapons, hand, sign, tall, limb)
        else:
            _forearm(pen, [each for each in weapons if each is not held], elbow, hand, sign, limb, extra)
        width, height = (
            limb * (1.05 + 0.35 * shape.plate + 0.3 * extra),
            limb * (0.82 + 0.3 * shape.plate + 0.2 * extra),
        )
        pen.plate(
            chamfered([(-sign * width * 0.5, -height * 0.42), (sign * width * 0.2, -height * 0.62), (sign * width * 0.58, -height * 0.2),
                       (sign * width * 0.56, height * 0.5), (-sign * width * 0.42, height * 0.4)], limb * 0.08),
            tint=True, inset=limb * 0.14,
        )  # fmt: skip
        for each in shields:
            with pen.at(hand[0] + sign * limb * 0.35, hand[1] - limb * 0.5):
                _shield(pen, each, sign, tall)


def _forearm(pen: Pen, weapons: list[Mounted], elbow: Point, hand: Point, sign: int, limb: float, extra: float) -> None:
    """A forearm with its hand or claw; weapons on it point the same way as the hand."""
    pen.ink(bar(elbow, hand, limb * 0.4))
    sleeve = bar((elbow[0], elbow[1] - limb * 0.1), hand, limb * (0.74 + 0.2 * extra), limb * 0.86)
    pen.plate(chamfered(sleeve, limb * 0.12), inset=12)
    worn = next((each for each in weapons if each.kind in arms.WORN), None)
    if worn:
        with pen.at(*hand, size=limb / 92 * worn.size):
            arms.draw(pen, worn.kind, worn.barrels)
    else:
        x, y = hand
        pen.plate(box(x - limb * 0.3, y - limb * 0.04, x + limb * 0.3, y + limb * 0.44, limb * 0.14))
        pen.fine(*([(x + limb * step, y + limb * 0.14), (x + limb * step, y + limb * 0.4)] for step in (-0.1, 0.1)))
    for at, each in enumerate(each for each in weapons if each is not worn):
        with pen.at(hand[0] + sign * limb * (0.42 + 0.3 * at), hand[1] - limb * 0.75, size=0.6 * each.size):
            arms.draw(pen, each.kind, each.barrels)


SHIELDS = frozenset({"buckler", "shield", "tower-shield"})


def _shield(pen: Pen, shield: Mounted, sign: int, tall: float) -> None:
    unit = tall * 0.001 * shield.size
    match shield.kind:
        case "buckler":
            outline = disc(0, 0, 92 * unit, 8)
        case "shield":
            outline = [
                (-84 * unit, -130 * unit),
                (84 * unit, -130 * unit),
                (96 * unit, 30 * unit),
                (0, 190 * unit),
                (-96 * unit, 30 * unit),
            ]
        case _:
            outline = chamfered(
                [
                    (-94 * unit, -210 * unit),
                    (94 * unit, -210 * unit),
                    (106 * unit, 200 * unit),
                    (-106 * unit, 200 * unit),
                ],
                26 * unit,
            )
    pen.plate(outline, inset=22 * unit)
    pen.plate(disc(0, -6 * unit, 32 * unit, 6), tint=True, shade=False)
    if shield.kind != "buckler":
        pen.line([(0, -110 * unit), (0, -40 * unit)], [(0, 28 * unit), (0, 120 * unit)])
    if shield.kind == "tower-shield":
        pen.hole(box(-56 * unit, -168 * unit, 56 * unit, -150 * unit))
        pen.line(box(-56 * unit, -168 * unit, 56 * unit, -150 * unit))


def _hold(pen: Pen, held: Mounted, hand: Point, sign: int, tall: float) -> None:
    """Draw a weapon in a hand: a gun points down and out, a blade up and out."""
    unit = tall / 1000 * held.size
    if held.kind in arms.RAISED:
        with pen.at(
            hand[0], hand[1] + 10, turn=180 + sign * (26 if held.kind != "great-sword" else 16), size=unit * 1.42
        ):
            arms.draw(pen, held.kind, held.barrels)
        return
    with pen.at(hand[0], hand[1], turn=-sign * 18, size=unit * 1.5, mirror=sign < 0):
        arms.draw(pen, held.kind, held.barrels)


def _gun_arm(pen: Pen, weapons: list[Mounted], hand: Point, sign: int, tall: float, limb: float) -> None:
    """One weapon in place of the forearm, a second beside it, a third below."""
    count = len(weapons)
    for at, each in enumerate(weapons):
        size = calibre(tall) * each.size * (1.0 if count == 1 else 0.78)
        x = hand[0] + sign * limb * (0.0 if count == 1 else (at - (count - 1) / 2) * 0.72)
        lower = limb * 0.2 if each.kind in arms.BOXES else 0
        with pen.at(x, hand[1] + lower, turn=-sign * 5, size=size * 1.06, mirror=sign < 0):
            arms.draw(pen, each.kind, each.barrels)
    pen.plate(
        box(hand[0] - limb * 0.46, hand[1] - limb * 0.5, hand[0] + limb * 0.46, hand[1] + limb * 0.1, limb * 0.12)
    )


Layer = Literal["behind", "front", "over"]
Anchors = Mapping[str, Point]


def _liner(pen: Pen, at: Anchors, count: int) -> None:
    """A lining: a riveted hem around the chest."""
    x, y = at["chest"]
    half, depth = at["half"]
    for row in (-0.3, 0.26):
        pen.ink(*(disc(x + half * step, y + depth * row, 6, 6) for step in (-0.84, -0.62, 0.62, 0.84)), least=MIDDLE)
    pen.line([(x - half * 0.9, y + depth * 0.34), (x + half * 0.9, y + depth * 0.34)], least=0)


def _bricks(pen: Pen, at: Anchors, count: int) -> None:
    """Reactive armour: bricks."""
    x, y = at["chest"]
    half, depth = at["half"]
    for sign in (-1, 1):
        for row in range(2):
            for column in range(2):
                left = x + sign * half * (0.58 + 0.2 * column) - half * 0.085
                top = y + depth * (-0.14 + 0.17 * row)
                pen.plate(
                    box(left, top, left + half * 0.17, top + depth * 0.13, 3), tint=True, shade=False, least=MIDDLE
                )
    limb, tall = at["limb"]
    for sign in (-1, 1):
        for row in range(3):
            left = 500 + sign * at["leg"][0] - limb * 0.3
            pen.plate(
                box(
                    left,
                    at["leg"][1] + row * limb * 0.24,
                    left + limb * 0.6,
                    at["leg"][1] + row * limb * 0.24 + limb * 0.18,
                    3,
                ),
                tint=True,
                shade=False,
                least=MIDDLE,
            )


def _scales(pen: Pen, at: Anchors, count: int) -> None:
    """Armour against beams: overlapping scales."""
    x, y = at["chest"]
    half, depth = at["half"]
    for sign in (-1, 1):
        for row in range(3):
            cx, cy = x + sign * half * 0.7, y + depth * (-0.18 + 0.14 * row)
            pen.line(
                arc(cx - half * 0.12, cy, half * 0.12, 0, 180, 6), arc(cx + half * 0.12, cy, half * 0.12, 0, 180, 6)
            )
    limb, _ = at["limb"]
    for sign in (-1, 1):
        for row in range(3):
            pen.line(arc(500 + sign * at["leg"][0], at["leg"][1] + row * limb * 0.26, limb * 0.3, 0, 180, 6))


def _layers(pen: Pen, at: Anchors, count: int) -> None:
    """Spaced armour: a second plate in front of the first."""
    limb, tall = at["limb"]
    for sign in (-1, 1):
        x = 500 + sign * (at["leg"][0] + limb * 0.1)
        pen.plate([(x - limb * 0.42, at["leg"][1] - limb * 0.7), (x + limb * 0.42, at["leg"][1] - limb * 0.7),
                   (x + limb * 0.34, at["leg"][1] + limb * 0.2), (x - limb * 0.34, at["leg"][1] + limb * 0.2)])  # fmt: skip
        pen.line([(x - limb * 0.3, at["leg"][1] - limb * 0.54), (x + limb * 0.3, at["leg"][1] - limb * 0.54)])
    x, y = at["shoulder"]
    for sign in (-1, 1):
        pen.plate(slab(500 + sign * (x + limb * 0.62), y - limb * 0.5, y + limb * 0.5, limb * 0.3, limb * 0.36, 5))


def _net(pen: Pen, at: Anchors, count: int) -> None:
    """A net over one shoulder and the chest."""
    x, y = at["chest"]
    half, depth = at["half"]
    cloth = [(x - half * 1.2, y - depth * 0.46), (x - half * 0.3, y - depth * 0.5), (x + half * 0.25, y + depth * 0.1),
             (x - half * 0.1, y + depth * 0.56), (x - half * 0.5, y + depth * 0.3), (x - half * 1.0, y + depth * 0.5),
             (x - half * 1.25, y + depth * 0.1)]  # fmt: skip
    with pen.detail(MIDDLE):
        pen.plate(cloth, shade=False)
        placed = pen.placed(cloth)
        for slope in (0.8, -0.8):
            pen.fine(*hatching(placed, 24, slope), least=MIDDLE)


def _vanes(pen: Pen, at: Anchors, count: int) -> None:
    """Steering vanes on calves and shoulders, for a nimble machine."""
    limb, _ = at["limb"]
    x, y = at["shoulder"]
    for sign in (-1, 1):
        outer = 500 + sign * (x + limb * 0.3)
        pen.plate(
            [
                (outer, y - limb * 0.3),
                (outer + sign * limb * 0.7, y - limb * 1.1),
                (outer + sign * limb * 0.5, y + limb * 0.1),
            ],
            tint=True,
            shade=False,
        )
        leg = 500 + sign * (at["leg"][0] + limb * 0.4)
        pen.plate(
            [
                (leg, at["leg"][1] - limb * 0.2),
                (leg + sign * limb * 0.55, at["leg"][1] + limb * 0.5),
                (leg, at["leg"][1] + limb * 0.4),
            ],
            tint=True,
            shade=False,
        )


def _hull_plates(pen: Pen, at: Anchors, count: int) -> None:
    """A keel on each forearm, for a machine that turns into a boat."""
    x, y = at["shoulder"]
    limb, tall = at["limb"]
    for sign in (-1, 1):
        left = 500 + sign * (x + limb * 0.95)
        pen.plate([(left - limb * 0.2, y), (left + limb * 0.2, y), (left + limb * 0.26, y + tall * 0.2), (left, y + tall * 0.34),
                   (left - limb * 0.26, y + tall * 0.2)], inset=10)  # fmt: skip
