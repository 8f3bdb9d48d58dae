"""Units that don't walk: vehicles, hovercraft and ships from the side, aircraft and spacecraft from above."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from systems.artwork import arms, beasts
from systems.artwork.canvas import MIDDLE, Body, Mounted, Pen, Point, arc, bar, box, chamfered, disc, slab

GROUND = 800.0
ALONG = -90.0  # turns a weapon so that it points to the right
NOSE_UP = 180.0


def draw(pen: Pen, body: Body) -> None:
    with pen.damaged("all" in body.hurt):
        FRAMES[body.frame](pen, body)


def _hurt(body: Body, part: str) -> bool:
    return part in body.hurt


def _weapons(body: Body) -> list[Mounted]:
    return [each for each in body.mounted if each.kind in arms.KINDS]


def _guns_along(pen: Pen, weapons: list[Mounted], x: float, y: float, size: float, pitch: float = 46) -> None:
    for at, each in enumerate(weapons):
        with pen.at(x, y + pitch * (at - (len(weapons) - 1) / 2), turn=ALONG, size=size * each.size):
            arms.draw(pen, each.kind, each.barrels)


def _on_roof(pen: Pen, weapons: list[Mounted], places: Sequence[Point], size: float = 0.8) -> None:
    """Draw weapons on the roof, launchers upright and guns flat, one per place as long as there are places."""
    for each, (x, y) in zip(weapons, places, strict=False):
        if each.kind in arms.BOXES:
            with pen.at(x, y - 74 * size, size=size * each.size):
                arms.draw(pen, each.kind, each.barrels)
            continue
        with pen.at(x, y - 30 * size, turn=ALONG, size=size * each.size * 0.8):
            arms.draw(pen, each.kind, each.barrels)


def _nozzles(pen: Pen, body: Body, x: float, y: float) -> None:
    """Draw nozzles at the stern, one for each engine."""
    gear = Counter(body.gear)
    for at in range(gear["pack"] + 2 * gear["boosters"]):
        top = y - 64 + 44 * at
        pen.plate([(x, top), (x - 60, top - 10), (x - 60, top + 46), (x, top + 36)], shade=False)
        pen.ink(box(x - 70, top - 12, x - 58, top + 48))


# --- on the ground ----------------------------------------------------------------------------------------------------


def _running_gear(pen: Pen, left: float, right: float, height: float, wheels: int) -> None:
    pen.plate(
        chamfered([(left + 50, GROUND - height), (right - 20, GROUND - height), (right, GROUND - height * 0.55),
                   (right - 90, GROUND), (left + 80, GROUND), (left, GROUND - height * 0.5)], 26),
        shade=False,
    )  # fmt: skip
    pitch = (right - left - 150) / (wheels - 1)
    radius = min(pitch * 0.44, height * 0.36)
    for at in range(wheels):
        x = left + 80 + pitch * at
        pen.ink(disc(x, GROUND - height * 0.36, radius, 16))
        pen.hole(disc(x, GROUND - height * 0.36, radius * 0.5, 12), least=MIDDLE)


def _tank(pen: Pen, body: Body) -> None:
    long = 560 + 240 * body.bulk
    left, right = 480 - long / 2, 480 + long / 2
    height = 120 + 40 * body.bulk
    weapons = _weapons(body)
    deck = GROUND - height - 74 - 40 * body.plate
    with pen.damaged(_hurt(body, "turret")):
        _guns_along(pen, [each for each in weapons if each.place == "turret"], 590, deck - 62, 1.45)
        turret = [
            (300, deck - 8),
            (340, deck - 110 - 24 * body.plate),
            (560, deck - 124 - 24 * body.plate),
            (650, deck - 66),
            (620, deck - 8),
        ]
        pen.plate(chamfered(turret, 14), inset=18)
        pen.plate(box(372, deck - 150 - 24 * body.plate, 470, deck - 112 - 24 * body.plate, 8), tint=True)
        pen.ink(box(388, deck - 136 - 24 * body.plate, 454, deck - 126 - 24 * body.plate), least=MIDDLE)
    roof = deck - 120 - 24 * body.plate
    rear = [each for each in weapons if each.place == "back"]
    _on_roof(pen, rear, ((500, roof), (left + 80, deck), (left + 190, deck), (370, roof)), 0.9)
    with pen.damaged(_hurt(body, "hull")):
        hull = [(left + 24, deck), (right - 150, deck - 10), (right + 14, GROUND - height * 0.9), (right - 30, GROUND - height * 0.55),
                (left + 20, GROUND - height * 0.6)]  # fmt: skip
        pen.plate(chamfered(hull, 16), inset=20)
    _running_gear(pen, left, right, height, 5 + round(2 * body.bulk))
    for at in range(4):
        x = left + 60 + (long - 150) / 4 * at
        pen.plate(
            box(x, GROUND - height - 18, x + (long - 150) / 4 - 8, GROUND - height * (0.72 - 0.3 * body.plate), 6),
            tint=at == 1,
        )
    _guns_along(pen, [each for each in weapons if each.place == "hull"], right - 60, GROUND - height - 24, 0.8)
    _nozzles(pen, body, left + 30, deck + 30)
    _roof_gear(pen, body, 300, deck - 4)


def _roof_gear(pen: Pen, body: Body, x: float, y: float) -> None:
    """Draw an aerial and one box for each other system."""
    pen.ink(box(x - 3, y - 210, x + 3, y))
    extra = [kind for kind in body.gear if kind not in ("pack", "boosters")]
    for at in range(len(extra)):
        pen.plate(box(x - 70 - 44 * at, y - 46, x - 34 - 44 * at, y + 2, 5), tint=at % 2 == 1, shade=False)


def _sapper(pen: Pen, body: Body) -> None:
    with pen.damaged(_hurt(body, "hull")):
        pen.plate([(720, 520), (960, 690), (720, 790)], inset=0)
        pen.line([(770, 560), (800, 770)], [(830, 600), (850, 746)], [(890, 642), (904, 716)], least=0)
        pen.plate(box(690, 500, 738, 796, 10))
        pen.plate(chamfered([(120, 560), (200, 470), (600, 450), (700, 520), (700, 700), (120, 700)], 18), inset=20)
        pen.hole(chamfered([(560, 490), (640, 510), (664, 560), (560, 560)], 6))
        pen.ink(chamfered([(568, 500), (632, 516), (650, 552), (568, 552)], 6))
    _running_gear(pen, 110, 720, 150, 6)
    for at in range(4):
        pen.plate(box(170 + 112 * at, 630, 272 + 112 * at, 690, 6), tint=at == 2)
    pen.plate(box(280, 400, 460, 460, 14))
    _guns_along(pen, _weapons(body), 430, 426, 1.0)
    _nozzles(pen, body, 130, 590)


def _carrier(pen: Pen, body: Body) -> None:
    left, right = 130, 870
    _guns_along(pen, _weapons(body), 560, 388, 0.9)
    pen.plate(box(450, 350, 580, 430, 16))
    with pen.damaged(_hurt(body, "hull")):
        pen.plate(chamfered([(left, 520), (left + 60, 420), (right - 210, 410), (right - 70, 500), (right, 610), (right - 60, 690),
                             (left + 30, 690), (left, 620)], 14), inset=22)  # fmt: skip
        pen.hole([(660, 438), (716, 476), (770, 520), (660, 520)])
        pen.ink([(668, 452), (712, 482), (752, 514), (668, 514)])
        pen.plate(box(230, 470, 360, 640, 10), tint=True)
        pen.line([(295, 470), (295, 640)])
    for x in (230, 390, 560, 740):
        pen.plate(disc(x, 716, 82, 20), shade=False)
        pen.ink(disc(x, 716, 44, 16))
        pen.hole(disc(x, 716, 16, 10), least=MIDDLE)
    pen.ink(box(180, 250, 186, 430))


def _sled(pen: Pen, body: Body) -> None:
    pen.plate(chamfered([(90, 690), (170, 640), (830, 640), (920, 700), (870, 800), (130, 800)], 16), shade=False)
    for at in range(9):
        pen.line([(150 + 84 * at, 700), (130 + 88 * at, 796)])
    with pen.damaged(_hurt(body, "hull")):
        pen.plate(chamfered([(130, 650), (220, 540), (680, 520), (860, 640)], 18), inset=18)
        pen.plate(disc(280, 560, 84, 18))
        pen.ink(disc(280, 560, 56, 16))
        pen.hole(*(bar((280, 560), point, 10, 26) for point in arc(280, 560, 50, 0, 240, 2)), least=MIDDLE)
    _guns_along(pen, _weapons(body), 560, 470, 1.7)
    pen.plate(chamfered([(440, 530), (480, 420), (620, 410), (700, 530)], 16), tint=True, inset=18)


def _sentry(pen: Pen, body: Body) -> None:
    for foot in (240, 500, 760):
        pen.ink(bar((500, 600), (foot, 850), 34, 24))
        pen.plate(slab(foot, 836, 880, 70, 130, 10))
    pen.plate(slab(500, 560, 680, 150, 220, 20), inset=20)
    weapons = _weapons(body)
    for at, each in enumerate(weapons):
        with pen.at(
            500 + 120 * (at - (len(weapons) - 1) / 2), 400, turn=180, size=1.5 * each.size if len(weapons) < 2 else 1.1
        ):
            arms.draw(pen, each.kind, each.barrels)
    with pen.damaged(_hurt(body, "hull")):
        pen.plate(chamfered([(330, 360), (670, 360), (720, 470), (660, 590), (340, 590), (280, 470)], 16), inset=22)
        pen.hole(box(420, 430, 580, 480))
        pen.ink(box(428, 438, 572, 472))
        for sign in (-1, 1):
            pen.plate(slab(500 + sign * 186, 380, 600, 70, 90, 12), tint=True)


# --- in the air -------------------------------------------------------------------------------------------------------


def _rotor(pen: Pen, body: Body) -> None:
    """Draw a drone or a gunship from the front: fans at its sides, a turret below."""
    weapons = _weapons(body)
    for sign in (-1, 1):
        pen.plate(bar((500, 440), (500 + sign * 270, 410), 70, 40), shade=False)
        x = 500 + sign * 300
        pen.plate(slab(x, 350, 470, 250, 210, 18), tint=True, inset=20)
        pen.ink(box(x - 150, 330, x + 150, 344))
        pen.ink(box(x - 8, 330, x + 8, 372))
        pen.ink(*(box(x - 74 + 46 * n, 402, x - 50 + 46 * n, 430) for n in range(4)), least=MIDDLE)
    below = [each for each in weapons if each.place != "back"]
    for at, each in enumerate(below):
        with pen.at(500 + 180 * (at - (len(below) - 1) / 2), 610, size=1.1 * each.size):
            arms.draw(pen, each.kind, each.barrels)
    with pen.damaged(_hurt(body, "hull")):
        hull = [(400, 330), (600, 330), (680, 430), (660, 560), (560, 640), (440, 640), (340, 560), (320, 430)]
        pen.plate(chamfered(hull, 14), inset=24)
        pen.hole(chamfered([(410, 400), (590, 400), (626, 470), (560, 530), (440, 530), (374, 470)], 10))
        pen.ink(chamfered([(420, 412), (580, 412), (608, 468), (552, 516), (448, 516), (392, 468)], 10))
        pen.hole([(430, 424), (482, 424), (440, 470), (416, 466)])
    for sign in (-1, 1):
        pen.ink(
            bar((500 + sign * 120, 620), (500 + sign * 170, 760), 16, 12),
            box(500 + sign * 170 - 60, 750, 500 + sign * 170 + 60, 768),
        )
    pen.plate([(470, 330), (500, 190), (530, 330)], tint=True, shade=False)


def _above(pen: Pen, body: Body, *, wings: bool) -> None:
    """Draw a flyer from above, nose up: fuselage, wings in two parts each, tail. `areas` make them thicker."""
    extra = dict(body.areas)
    weapons = _weapons(body)
    gear = Counter(body.gear)
    sweep = 130 + 160 * body.speed
    half = 74 + 30 * body.plate + 16 * extra.get("chest", 0)
    for at in range(gear["pack"] + 2 * gear["boosters"] + 1):
        x = 500 + 62 * (at - (gear["pack"] + 2 * gear["boosters"]) / 2)
        pen.plate(slab(x, 800, 890, 46, 58, 4), shade=False)
        pen.ink(slab(x, 872, 896, 50, 60))
    for side, sign in (("left", 1), ("right", -1)):
        inner, outer = 500 + sign * 210, 500 + sign * (430 if wings else 340)
        with pen.damaged(_hurt(body, f"{side}-leg")):
            tip = 24 + 60 * extra.get(f"{side}-leg", 0)
            if wings:
                pen.plate(
                    [(inner, 470 + sweep * 0.35), (outer, 470 + sweep), (outer, 540 + sweep + tip), (inner, 690)],
                    tint=True,
                    inset=20,
                )
            else:
                pen.plate(box(min(inner, outer), 420, max(inner, outer), 690 + tip, 30), tint=True, inset=22)
        with pen.damaged(_hurt(body, f"{side}-arm")):
            root = 400 - 60 * extra.get(f"{side}-arm", 0)
            pen.plate(
                [(500, root), (inner, 470 + sweep * 0.35), (inner, 700 + 40 * extra.get(f"{side}-arm", 0)), (500, 760)],
                inset=20,
            )
        mounted = {part: [each for each in weapons if each.place == f"{side}-{part}"] for part in ("arm", "leg")}
        for part, x in (("arm", 500 + sign * 165), ("leg", 500 + sign * (320 if wings else 276))):
            for at, each in enumerate(mounted[part]):
                with pen.at(
                    x + sign * 64 * at, 600 + (sweep * 0.3 if part == "leg" else 0), turn=NOSE_UP, size=0.95 * each.size
                ):
                    arms.draw(pen, each.kind, each.barrels)
    with pen.damaged(_hurt(body, "head")):
        tail = 130 + 60 * extra.get("head", 0)
        for sign in (-1, 1):
            pen.plate([(500, 700), (500 + sign * tail, 810), (500 + sign * tail, 860), (500, 830)], tint=True)
    for at, each in enumerate([each for each in weapons if each.place == "head"]):
        with pen.at(500, 790 - 40 * at, size=0.7 * each.size):
            arms.draw(pen, each.kind, each.barrels)
    for at, each in enumerate([each for each in weapons if each.place in ("chest", "hull")]):
        with pen.at(
            500 + (half + 24) * (1 if at % 2 else -1), 440 + 60 * (at // 2), turn=NOSE_UP, size=0.9 * each.size
        ):
            arms.draw(pen, each.kind, each.barrels)
    with pen.damaged(_hurt(body, "chest")):
        nose = 110 if wings else 170
        pen.plate([(500 - half * 0.2, nose), (500 + half * 0.2, nose), (500 + half, 380), (500 + half, 730), (500 + half * 0.6, 850),
                   (500 - half * 0.6, 850), (500 - half, 730), (500 - half, 380)], inset=20)  # fmt: skip
        glass = slab(500, 300, 440, half * 0.6, half * 0.95, 14)
        pen.hole(glass)
        pen.ink(slab(500, 312, 428, half * 0.44, half * 0.76, 12))
    for at in range(sum(count for kind, count in gear.items() if kind not in ("pack", "boosters"))):
        pen.plate(box(500 - half * 0.5, 500 + 52 * at, 500 + half * 0.5, 538 + 52 * at, 6), shade=False)
    if wings:
        pen.fine([(500, 470), (500, 830)])


def _jet(pen: Pen, body: Body) -> None:
    _above(pen, body, wings=True)


def _space(pen: Pen, body: Body) -> None:
    _above(pen, body, wings=False)


# --- on the water, and between the stars ------------------------------------------------------------------------------


def _boat(pen: Pen, body: Body) -> None:
    extra = dict(body.areas)
    weapons = _weapons(body)
    deck = 600
    rows = {"front": [], "roof": [], "rear": []}  # type: dict[str, list[Mounted]]
    for each in weapons:
        rows["front" if each.place.endswith("arm") else "rear" if each.place in ("head", "back") else "roof"].append(
            each
        )
    for at, each in enumerate(rows["front"]):
        with pen.at(640 + 100 * at, deck - 26, turn=ALONG, size=0.8 * each.size):
            arms.draw(pen, each.kind, each.barrels)
    for at, each in enumerate(rows["roof"]):
        with pen.at(400 + 110 * at, deck - 190, turn=ALONG, size=0.85 * each.size):
            arms.draw(pen, each.kind, each.barrels)
    for at, each in enumerate(rows["rear"]):
        with pen.at(190 + 60 * at, deck - 30, turn=180, size=0.6 * each.size):
            arms.draw(pen, each.kind, each.barrels)
    with pen.damaged(_hurt(body, "chest")):
        height = 150 + 40 * extra.get("chest", 0)
        pen.plate(
            chamfered([(300, deck + 10), (330, deck - height), (520, deck - height), (600, deck + 10)], 12), inset=16
        )
        pen.hole(box(430, deck - height + 24, 552, deck - height + 62))
        pen.ink(box(438, deck - height + 30, 540, deck - height + 56))
    pen.ink(box(356, deck - 330, 362, deck - 130), box(330, deck - 290, 390, deck - 282))
    with pen.damaged(_hurt(body, "left-arm") or _hurt(body, "right-arm")):
        pen.plate(chamfered([(90, deck), (930, deck - 30), (840, 740), (170, 740)], 14), inset=20)
    for at, part in enumerate(("left-leg", "right-leg", "left-arm", "right-arm")):
        if extra.get(part):
            pen.plate(box(190 + 160 * at, deck + 26, 320 + 160 * at, deck + 26 + 84 * extra[part], 6), tint=True)
    pen.plate([(150, 700), (880, 700), (850, 760), (180, 760)], tint=True, shade=False)
    pen.line([(40, 786), (120, 770), (200, 786), (280, 770), (360, 786), (440, 770), (520, 786), (600, 770), (680, 786), (760, 770),
              (840, 786), (920, 770), (970, 784)], least=0)  # fmt: skip
    _nozzles(pen, body, 110, 660)
    _roof_gear(pen, body, 300, deck - 10)


def _ship(pen: Pen, body: Body) -> None:
    """Draw a warship from the side: bow to the right, turrets on its deck, a bridge."""
    big = body.bulk
    deck = 560 - 40 * big
    weapons = _weapons(body)
    turrets = [
        each
        for each in weapons
        if each.kind in ("main-gun", "laser", "turbo-laser", "particle", "cannon", "beam-cannon", "howitzer", "breath")
    ]
    sides = [each for each in weapons if each not in turrets]
    pen.plate([(60, deck + 40), (10, deck - 150), (110, deck - 150), (190, deck + 20)], tint=True, inset=14)
    for at, each in enumerate(turrets[:4]):
        x = 640 - 190 * at if at < 2 else 300 - 130 * (at - 2)
        y = deck - 46 - (60 if at % 2 else 0)
        pen.plate(slab(x, y - 4, deck + 30, 90, 120, 8))
        with pen.at(x + 10, y - 10, turn=ALONG, size=0.78 * each.size):
            arms.draw(pen, each.kind, each.barrels)
    with pen.damaged(_hurt(body, "head")):
        pen.plate(
            chamfered(
                [(200, deck + 20), (226, deck - 190 - 60 * big), (330, deck - 190 - 60 * big), (390, deck + 20)], 10
            ),
            inset=14,
        )
        top = deck - 190 - 60 * big
        pen.plate(box(190, top - 40, 366, top + 26, 10))
        pen.ink(box(210, top - 18, 350, top - 2))
        pen.ink(box(262, top - 150, 270, top - 36), box(226, top - 110, 306, top - 100))
    with pen.damaged(_hurt(body, "hull")):
        pen.plate(chamfered([(40, deck), (720, deck - 10), (960, deck + 70), (880, deck + 130 + 30 * big), (620, deck + 220 + 60 * big),
                             (150, deck + 200 + 50 * big), (60, deck + 120)], 14), inset=26)  # fmt: skip
    pen.line([(60, deck + 92), (930, deck + 96)], least=0)
    pen.plate(chamfered([(560, deck + 112), (860, deck + 106), (800, deck + 160), (590, deck + 176)], 8), tint=True)
    for at, each in enumerate(sides[:5]):
        with pen.at(170 + 120 * at, deck + 60, turn=ALONG, size=0.5 * each.size):
            arms.draw(pen, each.kind, each.barrels)
    for at in range(6):
        pen.ink(box(150 + 62 * at, deck + 120, 176 + 62 * at, deck + 138), least=MIDDLE)
    for at in range(2 + round(big)):
        pen.plate(box(0 + 6, deck + 30 + 62 * at, 62, deck + 82 + 62 * at, 8), shade=False)
        pen.ink(box(2, deck + 34 + 62 * at, 18, deck + 78 + 62 * at))


# --- people -----------------------------------------------------------------------------------------------------------


def _squad(pen: Pen, body: Body) -> None:
    heads = 3 + 2 * round(body.bulk)
    for at in range(heads):
        x = 500 + 190 * (at - (heads - 1) / 2) * (0.82 if heads > 3 else 1)
        y = 0 if at % 2 else 60
        with pen.at(x, 260 + y, size=0.92):
            pen.ink(bar((-26, 260), (-50, 520), 50, 44), bar((26, 260), (54, 520), 50, 44))
            pen.plate(slab(0, 66, 290, 150, 116, 20), tint=at == heads // 2)
            pen.ink(bar((-66, 90), (-40, 230), 38, 30))
            pen.plate(bar((-70, 226), (130, 130), 26, 18))
            pen.plate(bar((70, 90), (60, 190), 42, 34))
            pen.plate(disc(0, 12, 48, 14))
            pen.ink(box(-34, 12, 40, 30))
    if body.speed > 0.5:
        pen.ink(box(90, 120, 98, 420))
        pen.plate([(98, 124), (200, 150), (98, 190)], tint=True, shade=False)


FRAMES: Final[dict[str, Callable[[Pen, Body], None]]] = {
    "tank": _tank,
    "sapper": _sapper,
    "carrier": _carrier,
    "sled": _sled,
    "sentry": _sentry,
    "rotor": _rotor,
    "jet": _jet,
    "space": _space,
    "boat": _boat,
    "ship": _ship,
    "squad": _squad,
    "beast": beasts.draw,
}
