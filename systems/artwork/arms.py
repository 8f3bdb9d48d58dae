"""Drawings of weapons along y, fixed at 0 0; about 200 long at size 1. Each kind has its own shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from systems.artwork.canvas import FULL
from systems.artwork.canvas import MIDDLE
from systems.artwork.canvas import Pen
from systems.artwork.canvas import bar
from systems.artwork.canvas import box
from systems.artwork.canvas import disc
from systems.artwork.canvas import mirrored
from systems.artwork.canvas import slab


Draw = Callable[[Pen, int], None]


def _block(pen: Pen, half: float = 34, top: float = -28, bottom: float = 72) -> None:
    pen.plate(box(-half, top, half, bottom, 10), inset=12)
    pen.ink(box(-half + 8, bottom - 20, half - 8, bottom - 14), least=FULL)


def _spread(count: int, pitch: float) -> list[float]:
    """Return places side by side, centred on 0."""
    return [(at - (count - 1) / 2) * pitch for at in range(count)]


def _cannon(pen: Pen, barrels: int) -> None:
    for x in _spread(barrels, 34):
        pen.plate(box(x - 13, 60, x + 13, 178))
        pen.plate(box(x - 20, 168, x + 20, 208, 5))
        pen.ink(box(x - 12, 178, x + 12, 184), box(x - 12, 192, x + 12, 198), least=MIDDLE)
    _block(pen, 34 + 15 * (barrels - 1))


def _autocannon(pen: Pen, barrels: int) -> None:
    for x in _spread(barrels, 34):
        pen.plate(box(x - 16, 60, x + 16, 130, 4))
        pen.plate(box(x - 10, 126, x + 10, 206))
        pen.ink(*(box(x - 5, y, x + 5, y + 8) for y in (140, 156, 172)), least=MIDDLE)
    _block(pen, 34 + 15 * (barrels - 1))
    pen.plate(box(30 + 15 * (barrels - 1), -10, 58 + 15 * (barrels - 1), 44, 8))  # its drum


def _rotary(pen: Pen, barrels: int) -> None:
    count = 3 if barrels < 4 else barrels
    for x in _spread(count, 20):
        pen.plate(box(x - 8, 60, x + 8, 196), shade=False)
    half = count * 10 + 6
    pen.plate(box(-half, 96, half, 112, 3))
    pen.plate(box(-half, 168, half, 184, 3))
    _block(pen, max(34, half - 2))


def _minigun(pen: Pen, barrels: int) -> None:
    with pen.at(size=0.72):
        for x in (-12, 0, 12):
            pen.plate(box(x - 5, 50, x + 5, 190), shade=False)
        pen.plate(box(-22, 150, 22, 164, 3))
        pen.plate(disc(0, 20, 38, 12))
        pen.ink(disc(0, 20, 12, 8), least=MIDDLE)


def _rail(pen: Pen, barrels: int) -> None:
    for x in (-24, 24):
        pen.plate(box(x - 11, 56, x + 11, 246, 4))
    pen.ink(*(box(-13, y, 13, y + 10) for y in (92, 130, 168, 206)))
    _block(pen, 42, -34, 78)
    pen.fine(*([(-30, y), (30, y)] for y in (8, 22, 36)))


def _howitzer(pen: Pen, barrels: int) -> None:
    pen.plate(box(-26, 56, 26, 184))
    for x in (-36, 36):
        pen.plate(box(x - 9, 50, x + 9, 128, 4), shade=False)
    pen.plate(slab(0, 176, 226, 62, 74, 8))
    pen.ink(box(-26, 188, 26, 196), box(-28, 206, 28, 214), least=MIDDLE)
    _block(pen, 48, -40, 68)


def _laser(pen: Pen, barrels: int) -> None:
    for x in _spread(barrels, 42):
        pen.plate(slab(x, 60, 196, 26, 17))
        for y in (84, 106, 128):
            pen.plate(box(x - 19, y, x + 19, y + 9, 3), shade=False)
        pen.plate(disc(x, 204, 15, 14), shade=False)
        pen.hole(disc(x, 204, 7, 10), least=MIDDLE)
    _block(pen, 30 + 20 * (barrels - 1))


def _turbo_laser(pen: Pen, barrels: int) -> None:
    pen.plate(slab(0, 60, 232, 34, 20))
    for y, half in ((76, 34), (110, 30), (144, 26), (178, 22)):
        pen.plate(slab(0, y, y + 15, half * 2, half * 1.4, 3), shade=False)
    pen.plate(disc(0, 240, 22, 16))
    pen.hole(disc(0, 240, 10, 12), least=MIDDLE)
    _block(pen, 36, -34, 68)


def _particle(pen: Pen, barrels: int) -> None:
    prong = [(12, 96), (30, 104), (38, 150), (34, 226), (22, 226), (20, 150)]
    for each in (prong, mirrored(prong)):
        pen.plate(each)
    pen.plate(disc(0, 96, 42, 18))
    pen.ink(disc(0, 96, 22, 16))
    pen.hole(disc(0, 96, 9, 10), least=MIDDLE)
    pen.ink(disc(0, 176, 9, 10))
    _block(pen, 34, -34, 52)


def _tubes(pen: Pen, columns: int, rows: int, tube: float, *, lid: bool = False) -> None:
    """Draw a box of tubes, seen from the front."""
    pitch = tube * 2.5
    width, height = columns * pitch + 16, rows * pitch + 16
    pen.plate(box(-width / 2, -14, width / 2, height - 14, 8), shade=False)
    pen.hole(box(-width / 2 + 7, -7, width / 2 - 7, height - 21, 5))
    for row in range(rows):
        for x in _spread(columns, pitch):
            y = -6 + pitch * (row + 0.5)
            pen.ink(disc(x, y, tube, 12))
            pen.hole(disc(x, y, tube * 0.38, 6), least=MIDDLE)
    if lid:
        pen.plate(slab(0, -34, -14, width * 0.7, width, 4), tint=True, shade=False)


def _missile(pen: Pen, barrels: int) -> None:
    _tubes(pen, 2, 2, 19, lid=True)


def _swarm(pen: Pen, barrels: int) -> None:
    _tubes(pen, 4, 3, 11, lid=True)


def _six_pack(pen: Pen, barrels: int) -> None:
    _tubes(pen, 2, 3, 14)


def _torpedo(pen: Pen, barrels: int) -> None:
    """One large missile on its rail."""
    for x in _spread(barrels, 66):
        pen.plate(box(x - 30, -20, x + 30, 10, 4))
        pen.plate([(x - 24, 0), (x + 24, 0), (x + 24, 120), (x + 14, 160), (x, 184), (x - 14, 160), (x - 24, 120)])
        pen.ink(box(x - 24, 96, x + 24, 108))
        for fin in ([(24, 0), (46, -12), (46, 16), (24, 42)],):
            pen.plate([(x + a, b) for a, b in fin], tint=True, shade=False)
            pen.plate([(x - a, b) for a, b in fin], tint=True, shade=False)


def _rocket_pod(pen: Pen, barrels: int) -> None:
    pen.plate(disc(0, 48, 62, 6), shade=False)
    pen.ink(disc(0, 48, 12, 10), *(disc(0 + x, 48 + y, 12, 10) for x, y in HEX_AROUND))
    pen.plate(box(-16, -28, 16, -4, 3))


HEX_AROUND = ((34, 0), (17, 29), (-17, 29), (-34, 0), (-17, -29), (17, -29))


def _submunition(pen: Pen, barrels: int) -> None:
    for x in (-36, 0, 36):
        pen.plate(slab(x, 30, 138, 28, 34, 3))
        pen.ink(box(x - 14, 124, x + 14, 134), least=MIDDLE)
    _block(pen, 56, -24, 46)


def _scatter(pen: Pen, barrels: int) -> None:
    pen.plate(slab(0, 60, 156, 36, 76, 4))
    pen.ink(slab(0, 138, 150, 58, 66))
    pen.plate(box(-26, 82, 26, 104, 4))
    _block(pen, 38)


def _flamer(pen: Pen, barrels: int) -> None:
    pen.plate(box(-10, 40, 10, 170))
    pen.plate(slab(0, 164, 196, 22, 46, 3))
    pen.ink(slab(0, 184, 192, 30, 40), least=MIDDLE)
    for x in (-30, 30):
        pen.plate(box(x - 17, -34, x + 17, 66, 12))


def _ciws(pen: Pen, barrels: int) -> None:
    with pen.at(size=0.8):
        for x in _spread(max(2, barrels), 20):
            pen.plate(box(x - 6, 30, x + 6, 122), shade=False)
        pen.plate(disc(0, 10, 36, 14))
        pen.ink(box(-16, 2, 16, 12), least=MIDDLE)


def _grenades(pen: Pen, barrels: int) -> None:
    with pen.at(size=0.8):
        pen.plate(box(-20, 40, 20, 116, 4))
        pen.ink(box(-14, 98, 14, 110))
        pen.plate(disc(0, 14, 42, 8))
        pen.ink(*(disc(x * 0.55, 14 + y * 0.55, 6, 8) for x, y in HEX_AROUND), least=MIDDLE)


def _breath(pen: Pen, barrels: int) -> None:
    """Rays from a mouth or a chest."""
    for x in (-52, -26, 0, 26, 52):
        pen.ink(bar((x * 0.25, 20), (x, 130 if x else 160), 4, 12))
    pen.plate(disc(0, 0, 24, 14), shade=False)


# --- held in hands: the grip is at 0 0 ---------------------------------------------------------------------------------


def _gun(
    pen: Pen, *, stock: float, body: tuple[float, float], barrel: float, bore: float, magazine: float = 0,
    scope: bool = False, drum: bool = False,
) -> None:  # fmt: skip
    long, half = body
    pen.plate(box(-bore / 2, long - 6, bore / 2, long + barrel))
    if stock:
        pen.plate([(-half * 0.7, -stock), (half * 0.9, -stock), (half, -20), (-half * 0.4, -20)])
    if magazine:
        pen.plate([(half - 4, 44), (half + magazine, 58), (half + magazine, 94), (half - 4, 84)], shade=False)
    if drum:
        pen.plate(disc(half + 16, 56, 28, 12))
        pen.ink(disc(half + 16, 56, 9, 8), least=MIDDLE)
    pen.plate(box(-half, -26, half, long, 8), inset=9)
    if scope:
        pen.plate(box(-half - 24, 10, -half - 4, 78, 5))


def _pistol(pen: Pen, barrels: int) -> None:
    _gun(pen, stock=0, body=(64, 20), barrel=58, bore=18)
    pen.hole(disc(0, 118, 5, 8), least=MIDDLE)


def _machine_gun(pen: Pen, barrels: int) -> None:
    _gun(pen, stock=0, body=(92, 24), barrel=92, bore=16, drum=True)
    pen.plate(box(-14, 118, 14, 130), shade=False)


def _rifle(pen: Pen, barrels: int) -> None:
    _gun(pen, stock=74, body=(104, 24), barrel=104, bore=18, magazine=34)
    pen.plate(box(-13, 186, 13, 210, 3), shade=False)


def _beam_rifle(pen: Pen, barrels: int) -> None:
    _gun(pen, stock=56, body=(120, 28), barrel=96, bore=24, scope=True)
    for y in (136, 154, 172):
        pen.plate(box(-18, y, 18, y + 8, 2), shade=False)
    pen.hole(disc(0, 212, 7, 10), least=MIDDLE)


def _sniper(pen: Pen, barrels: int) -> None:
    _gun(pen, stock=96, body=(124, 24), barrel=196, bore=15, scope=True, magazine=22)
    pen.plate(box(-14, 296, 14, 326, 3), shade=False)
    pen.line([(0, 200), (-30, 262)], [(0, 200), (30, 262)])


def _gatling(pen: Pen, barrels: int) -> None:
    for x in (-24, -8, 8, 24):
        pen.plate(box(x - 7, 90, x + 7, 236), shade=False)
    for y in (126, 210):
        pen.plate(box(-38, y, 38, y + 14, 3))
    pen.plate(disc(56, 40, 40, 14))
    pen.ink(disc(56, 40, 12, 8), least=MIDDLE)
    pen.plate(box(-38, -30, 38, 100, 10), inset=12)


def _bazooka(pen: Pen, barrels: int) -> None:
    pen.plate(box(-25, -120, 25, 210))
    pen.plate(slab(0, 196, 236, 56, 72, 4))
    pen.plate(slab(0, -150, -112, 74, 52, 4))
    pen.ink(slab(0, 222, 230, 54, 60), least=MIDDLE)
    pen.plate(box(22, 20, 52, 96, 6))
    pen.fine([(-25, 60), (25, 60)], [(-25, 130), (25, 130)])


def _beam_cannon(pen: Pen, barrels: int) -> None:
    pen.plate(slab(0, 90, 250, 60, 34))
    for y, half in ((110, 42), (146, 36), (182, 30)):
        pen.plate(box(-half, y, half, y + 14, 4), shade=False)
    pen.plate(disc(0, 256, 30, 16))
    pen.hole(disc(0, 256, 14, 12), least=MIDDLE)
    pen.plate(box(-46, -70, 46, 100, 14), tint=True, inset=14)


def _knife(pen: Pen, barrels: int) -> None:
    pen.plate([(-14, 22), (14, 22), (14, 92), (-2, 130), (-14, 104)])
    pen.ink(box(-22, 14, 22, 24), box(-8, -26, 8, 16))


def _saber(pen: Pen, barrels: int) -> None:
    pen.hole(slab(0, 34, 270, 24, 18, 8))
    pen.line([(-12, 40), (-9, 262), (0, 272), (9, 262), (12, 40)], [(0, 60), (0, 240)], least=0)
    pen.plate(box(-13, -34, 13, 40, 3), shade=False)
    pen.ink(box(-19, 28, 19, 38))


def _axe(pen: Pen, barrels: int) -> None:
    pen.plate(box(-9, -70, 9, 210, 2), shade=False)
    pen.plate([(6, 120), (58, 96), (86, 140), (86, 186), (58, 222), (6, 200)], tint=True)
    pen.plate([(-6, 138), (-36, 146), (-36, 178), (-6, 186)])
    pen.line([(72, 112), (72, 208)])


def _great_sword(pen: Pen, barrels: int) -> None:
    pen.plate([(-26, 40), (26, 40), (30, 300), (0, 352), (-30, 300)], shade=False)
    pen.line([(0, 60), (0, 320)])
    pen.ink(box(-52, 26, 52, 42))
    pen.plate(box(-10, -84, 10, 28, 2), shade=False)
    pen.ink(disc(0, -92, 15, 8))


def _lance(pen: Pen, barrels: int) -> None:
    pen.plate([(-9, -150), (9, -150), (13, 90), (-13, 90)], shade=False)
    pen.plate([(-40, 84), (40, 84), (22, 130), (6, 330), (0, 366), (-6, 330), (-22, 130)])
    pen.ink(box(-44, 74, 44, 88))


def _blade(pen: Pen, barrels: int) -> None:
    """A cutting arm, a walker's weapon for close combat."""
    pen.plate([(-30, 60), (30, 60), (34, 190), (2, 262), (-18, 250), (-30, 200)])
    pen.line([(16, 76), (16, 214)])
    pen.ink(box(-38, 50, 38, 64))
    _block(pen, 32, -24, 56)


def _claw(pen: Pen, barrels: int) -> None:
    for finger in ([(-40, 30), (-14, 36), (-22, 96), (-44, 150), (-58, 90)],
                   [(-12, 40), (12, 40), (10, 110), (0, 172), (-10, 110)],
                   [(40, 30), (14, 36), (22, 96), (44, 150), (58, 90)]):  # fmt: skip
        pen.plate(finger)
    pen.plate(box(-44, -24, 44, 46, 12))


def _fist(pen: Pen, barrels: int) -> None:
    pen.plate(box(-42, -20, 42, 74, 16), tint=True)
    pen.line(*([(x, 30), (x, 70)] for x in (-20, 0, 20)))
    pen.plate(box(-46, -44, 46, -14, 6))


def _rocket_fist(pen: Pen, barrels: int) -> None:
    _fist(pen, barrels)
    for x in (-30, 30):
        pen.plate(slab(x, -84, -44, 20, 34, 3))
        pen.ink(box(x - 12, -90, x + 12, -82))


def _whip(pen: Pen, barrels: int) -> None:
    wave = [(0, 20), (26, 60), (-6, 110), (-42, 150), (-22, 206), (28, 232), (34, 290)]
    pen.line(wave, [(x + 9, y) for x, y in wave], least=0)
    pen.plate(box(-13, -34, 13, 30, 3), shade=False)


def _drill(pen: Pen, barrels: int) -> None:
    pen.plate([(-48, 40), (48, 40), (0, 220)])
    pen.line([(-38, 78), (34, 92)], [(-28, 116), (24, 130)], [(-17, 156), (13, 168)])
    _block(pen, 50, -24, 44)


def _tail(pen: Pen, barrels: int) -> None:
    pen.plate([(-40, 0), (40, 0), (26, 120), (60, 200), (30, 190), (0, 230), (-24, 130)])
    pen.line([(-30, 40), (34, 40)], [(-27, 80), (30, 80)], [(-24, 120), (26, 120)])


def _treads(pen: Pen, barrels: int) -> None:
    pen.plate(box(-60, 0, 60, 60, 20))
    pen.ink(*(box(x - 6, 4, x + 6, 56) for x in (-40, -13, 14, 41)), least=MIDDLE)


def _bits(pen: Pen, barrels: int) -> None:
    """Flying weapons: fins on a rack."""
    for x in _spread(max(3, barrels), 34):
        pen.plate([(x - 13, 0), (x + 13, 0), (x + 9, 100), (x, 140), (x - 9, 100)], tint=True)
        pen.ink(box(x - 4, 20, x + 4, 60), least=MIDDLE)
    pen.plate(box(-54, -20, 54, 6, 4))


def _cards(pen: Pen, barrels: int) -> None:
    for turn in (-28, 0, 28):
        with pen.at(0, 0, turn=turn):
            pen.plate(box(-18, 30, 18, 124, 4), shade=False)
            pen.ink([(0, 58), (10, 76), (0, 94), (-10, 76)], least=MIDDLE)


def _main_gun(pen: Pen, barrels: int) -> None:
    for x in _spread(max(2, barrels), 46):
        pen.plate(slab(x, 40, 250, 30, 20))
        pen.plate(box(x - 15, 236, x + 15, 262, 4), shade=False)
    pen.plate(box(-62, -40, 62, 66, 18), inset=16)


KINDS: Final[dict[str, Draw]] = {
    "cannon": _cannon,
    "autocannon": _autocannon,
    "rotary": _rotary,
    "minigun": _minigun,
    "rail": _rail,
    "howitzer": _howitzer,
    "laser": _laser,
    "turbo-laser": _turbo_laser,
    "particle": _particle,
    "missile": _missile,
    "swarm": _swarm,
    "six-pack": _six_pack,
    "torpedo": _torpedo,
    "rocket-pod": _rocket_pod,
    "submunition": _submunition,
    "scatter": _scatter,
    "flamer": _flamer,
    "ciws": _ciws,
    "grenades": _grenades,
    "breath": _breath,
    "pistol": _pistol,
    "machine-gun": _machine_gun,
    "rifle": _rifle,
    "beam-rifle": _beam_rifle,
    "sniper": _sniper,
    "gatling": _gatling,
    "bazooka": _bazooka,
    "beam-cannon": _beam_cannon,
    "knife": _knife,
    "saber": _saber,
    "axe": _axe,
    "great-sword": _great_sword,
    "lance": _lance,
    "blade": _blade,
    "claw": _claw,
    "fist": _fist,
    "rocket-fist": _rocket_fist,
    "whip": _whip,
    "drill": _drill,
    "tail": _tail,
    "treads": _treads,
    "bits": _bits,
    "cards": _cards,
    "main-gun": _main_gun,
}
HELD = frozenset(
    {"pistol", "machine-gun", "rifle", "beam-rifle", "sniper", "gatling", "bazooka", "beam-cannon", "whip"}
)
RAISED = frozenset({"knife", "saber", "axe", "great-sword", "lance", "cards"})  # held upright
BOXES = frozenset({"missile", "swarm", "six-pack", "rocket-pod"})  # seen from the front in any position
BARE = frozenset(
    {"saber", "claw", "fist", "rocket-fist", "tail", "breath", "cards", "great-sword", "knife"}
)  # no gunmetal
WORN = frozenset({"fist", "rocket-fist", "claw"})  # replace the hand


def face(pen: Pen, kind: str, barrels: int) -> None:
    """Draw the weapon from its muzzle, about 60 across, as in a chest or a head."""
    if kind in BOXES or kind in ("torpedo", "submunition"):
        with pen.at(0, -26, size=0.62):
            draw(pen, kind if kind in BOXES else "six-pack", barrels)
        if kind == "torpedo":
            pen.plate([(-12, -30), (12, -30), (0, -52)], tint=True, shade=False)
        elif kind == "submunition":
            pen.plate(box(-30, -46, 30, -34, 3), tint=True, shade=False)
        return
    if kind in LENSES:
        for x in _spread(barrels, 50):
            radius, corners = LENSES[kind]
            pen.plate(disc(x, 0, radius, corners), shade=False)
            pen.ink(disc(x, 0, radius * 0.66, 14))
            pen.hole(disc(x - 4, -4, radius * 0.24, 8), least=MIDDLE)
        return
    if kind in ("rotary", "minigun", "gatling"):
        radius = {"rotary": 30, "minigun": 24, "gatling": 36}[kind]
        pen.plate(disc(0, 0, radius, 14), shade=False)
        pen.ink(*(disc(x * radius / 60, y * radius / 60, radius * 0.2, 8) for x, y in HEX_AROUND))
        return
    if kind in ("ciws", "grenades"):
        bores = ((-9, 0), (9, 0)) if kind == "ciws" else HEX_AROUND
        pen.plate(disc(0, 0, 28, 16 if kind == "ciws" else 8), shade=False)
        pen.ink(*(disc(x if kind == "ciws" else x * 0.5, y * 0.5, 6, 8) for x, y in bores))
        return
    if kind not in MUZZLES:  # weapons without a muzzle hang there
        with pen.at(0, -34, size=0.44):
            draw(pen, kind, barrels)
        return
    half, bore = MUZZLES[kind]
    for x in _spread(barrels, 2.2 * half):
        pen.plate(box(x - half, -half, x + half, half, half * 0.36), shade=False)
        pen.ink(disc(x, 0, bore, 14))
        if kind == "rail":
            pen.hole(box(x - 4, -bore, x + 4, bore))
        elif kind == "autocannon":
            pen.hole(disc(x, 0, bore * 0.5, 10))
        elif kind == "scatter":
            pen.hole(box(x - bore, -3, x + bore, 3), box(x - 3, -bore, x + 3, bore))


LENSES = {  # radius and number of corners
    "laser": (25, 16),
    "turbo-laser": (33, 16),
    "beam-cannon": (38, 12),
    "breath": (30, 24),
    "particle": (34, 6),
}
MUZZLES = {  # half width, and the bore
    "cannon": (21, 13),
    "autocannon": (23, 14),
    "rail": (24, 15),
    "howitzer": (32, 21),
    "scatter": (32, 24),
    "flamer": (20, 7),
    "main-gun": (36, 22),
}


def draw(pen: Pen, kind: str, barrels: int = 1) -> None:
    if kind in BARE:
        KINDS[kind](pen, barrels)
        return
    with pen.steel():
        KINDS[kind](pen, barrels)


__all__ = ["BOXES", "HELD", "KINDS", "RAISED", "WORN", "bar", "draw", "face"]
