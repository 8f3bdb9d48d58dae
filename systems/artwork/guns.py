"""Drawings of guns and launchers along y, attached at 0 0."""

from __future__ import annotations

from collections.abc import Callable

from systems.artwork.canvas import FULL, MIDDLE, Pen, bar, box, disc, mirrored, slab

Draw = Callable[[Pen, int], None]


def _block(pen: Pen, half: float = 34, top: float = -28, bottom: float = 72) -> None:
    pen.plate(box(-half, top, half, bottom, 10), inset=12)
    pen.ink(box(-half + 8, bottom - 20, half - 8, bottom - 14), least=FULL)


def _spread(count: int, pitch: float) -> list[float]:
    """Return positions side by side, centred on 0."""
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


def _main_gun(pen: Pen, barrels: int) -> None:
    for x in _spread(max(2, barrels), 46):
        pen.plate(slab(x, 40, 250, 30, 20))
        pen.plate(box(x - 15, 236, x + 15, 262, 4), shade=False)
    pen.plate(box(-62, -40, 62, 66, 18), inset=16)
