"""Upright monsters: tail, spines, claws, horns. Seen from the front."""

from __future__ import annotations

from systems.artwork import arms
from systems.artwork.canvas import MIDDLE, Body, Mounted, Pen, Point, arc, bar, chamfered, disc, mirrored, slab

SIDES = (("right", -1), ("left", 1))
OWN = frozenset({"breath", "tail", "blade", "drill"})  # weapons that are part of its body


def draw(pen: Pen, body: Body) -> None:
    big = 0.86 + 0.14 * body.bulk
    weapons = [each for each in body.mounted if each.kind in arms.KINDS]
    kinds = {each.kind for each in weapons}
    with pen.at(500 - 500 * big, 940 - 940 * big, size=big):
        _tail_of(pen, is_armed="tail" in kinds)
        _spines(pen, 5 + round(4 * body.plate))
        for side, sign in SIDES:
            with pen.damaged(f"{side}-leg" in body.hurt):
                _leg(pen, sign)
        with pen.damaged("chest" in body.hurt):
            trunk = [(380, 330), (620, 330), (706, 440), (690, 640), (610, 740), (390, 740), (310, 640), (294, 440)]
            pen.plate(chamfered(trunk, 30))
            for at in range(5):
                pen.plate(slab(500, 440 + 58 * at, 490 + 58 * at, 200 - 12 * at, 188 - 12 * at, 10), shade=False)
        for side, sign in SIDES:
            with pen.damaged(f"{side}-arm" in body.hurt):
                _arm(pen, weapons, sign)
        with pen.damaged("head" in body.hurt):
            _head(pen, "breath" in kinds)
        launched = [each for each in weapons if each.kind not in arms.WORN | OWN]
        for at, each in enumerate(launched[:4]):
            sign = 1 if at % 2 else -1
            with pen.at(500 + sign * 210, 330 - 40 * (at // 2), turn=180 + sign * 18, size=0.9 * each.size):
                arms.draw(pen, each.kind, each.barrels)


def _spines(pen: Pen, count: int) -> None:
    for at in range(count):
        angle = 200 + 140 * at / (count - 1)
        x, y = arc(500, 480, 210, angle, angle, 1)[0]
        tip = arc(500, 440, 370 + 30 * (at % 2), angle, angle, 1)[0]
        pen.plate([(x - 34, y + 20), tip, (x + 34, y + 20)], tint=True, shade=False)


def _leg(pen: Pen, sign: int) -> None:
    outline = ((60, 640), (210, 600), (270, 720), (220, 830), (236, 920), (70, 920), (96, 800))
    pen.plate([(500 + sign * x, y) for x, y in outline], inset=26)
    for toe in (84, 140, 196):
        claw = ((toe - 22, 906), (toe + 22, 906), (toe + 10, 948))
        pen.plate([(500 + sign * x, y) for x, y in claw], shade=False)


def _arm(pen: Pen, weapons: list[Mounted], sign: int) -> None:
    pen.plate(chamfered(bar((500 + sign * 190, 430), (500 + sign * 320, 570), 120, 84), 24), inset=18)
    pen.plate(chamfered(bar((500 + sign * 316, 556), (500 + sign * 300, 690), 86, 96), 20), tint=True)
    worn = next((each for each in weapons if each.kind in arms.WORN | {"blade", "drill"}), None)
    with pen.at(500 + sign * 298, 690, size=1.35 if worn else 0.8):
        arms.draw(pen, worn.kind if worn else "claw", worn.barrels if worn else 1)
    pen.plate(disc(500 + sign * 200, 420, 84, 10), tint=True)


def _wave(points: list[Point]) -> list[Point]:
    return [*points, *reversed(mirrored(points, 500))]


def _tail_of(pen: Pen, *, is_armed: bool) -> None:
    outline = [
        (560, 700),
        (720, 800),
        (850, 760),
        (900, 620),
        (866, 500),
        (930, 600),
        (946, 740),
        (880, 880),
        (700, 910),
        (540, 800),
    ]
    pen.plate(outline, inset=0)
    if is_armed:
        for point in ((880, 560), (930, 650), (930, 760)):
            pen.plate(
                [(point[0] - 10, point[1] - 30), (point[0] + 60, point[1] - 20), (point[0] + 4, point[1] + 34)],
                tint=True,
                shade=False,
            )


def _head(pen: Pen, breathes: bool) -> None:
    horn = [(566, 190), (640, 120), (650, 30), (700, 130), (640, 230)]
    for each in (horn, mirrored(horn, 500)):
        pen.plate(each, tint=True, shade=False)
    pen.plate(_wave([(500, 130), (560, 140), (616, 210), (606, 290), (560, 370), (500, 390)]), inset=0)
    for sign in (-1, 1):
        eye = [(500 + sign * 30, 226), (500 + sign * 92, 196), (500 + sign * 84, 240)]
        pen.hole(eye)
        pen.ink(eye, least=MIDDLE)
    jaw = _wave([(500, 300), (560, 290), (546, 346), (500, 360)])
    pen.hole(jaw)
    pen.ink(jaw)
    for x in (462, 487, 513, 538):
        pen.hole([(x - 10, 300), (x + 10, 300), (x, 324)])
    if breathes:
        with pen.at(500, 350, size=1.0):
            for turn in (-22, -8, 8, 22):
                with pen.at(0, 0, turn=turn):
                    pen.ink([(-4, 20), (4, 20), (10, 118), (-10, 118)])
