"""Drawings of weapons along y, attached at 0 0, about 200 long at size 1; their kinds, also in names of players.

Each kind has its own shape.
"""

from __future__ import annotations

import re
from typing import Final

from systems.artwork.canvas import MIDDLE, Pen, box, disc, slab
from systems.artwork.guns import (
    HEX_AROUND,
    Draw,
    _autocannon,
    _bazooka,
    _beam_cannon,
    _beam_rifle,
    _block,
    _breath,
    _cannon,
    _ciws,
    _flamer,
    _gatling,
    _grenades,
    _howitzer,
    _laser,
    _machine_gun,
    _main_gun,
    _minigun,
    _missile,
    _particle,
    _pistol,
    _rail,
    _rifle,
    _rocket_pod,
    _rotary,
    _scatter,
    _six_pack,
    _sniper,
    _spread,
    _submunition,
    _swarm,
    _torpedo,
    _turbo_laser,
)


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
BOXES = frozenset({"missile", "swarm", "six-pack", "rocket-pod"})  # always drawn from the front
BARE = frozenset(
    {"saber", "claw", "fist", "rocket-fist", "tail", "breath", "cards", "great-sword", "knife"}
)  # not drawn in gunmetal
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
    if kind not in MUZZLES:  # weapons without a muzzle are drawn whole, but smaller
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


NAMED_KINDS = (  # the word that comes first in the name counts
    ("drill missile", "torpedo"),
    ("rocket punch", "rocket-fist"),
    ("rocket fist", "rocket-fist"),
    ("punch", "fist"),
    ("fist", "fist"),
    ("side gun", "ciws"),
    ("tread", "treads"),
    ("tail", "tail"),
    ("claw", "claw"),
    ("talon", "claw"),
    ("great sword", "great-sword"),
    ("greatsword", "great-sword"),
    ("heat sword", "great-sword"),
    ("jyuoken", "great-sword"),
    ("sword", "saber"),
    ("saber", "saber"),
    ("sabre", "saber"),
    ("lance", "lance"),
    ("spear", "lance"),
    ("pike", "lance"),
    ("axe", "axe"),
    ("hatchet", "axe"),
    ("tomahawk", "axe"),
    ("hammer", "axe"),
    ("knife", "knife"),
    ("dagger", "knife"),
    ("whip", "whip"),
    ("chain", "whip"),
    ("card bit", "bits"),
    ("funnel", "bits"),
    ("bit", "bits"),
    ("card", "cards"),
    ("ram", "drill"),
    ("drill", "drill"),
    ("saw", "blade"),
    ("blade", "blade"),
    ("flame", "flamer"),
    ("fire", "flamer"),
    ("hurricane", "breath"),
    ("breath", "breath"),
    ("photon", "breath"),
    ("sniper", "sniper"),
    ("railgun", "rail"),
    ("rail", "rail"),
    ("gauss", "rail"),
    ("howitzer", "howitzer"),
    ("mortar", "howitzer"),
    ("artillery", "howitzer"),
    ("micromissile", "swarm"),
    ("swarm", "swarm"),
    ("rocket", "rocket-pod"),
    ("missile", "missile"),
    ("torpedo", "torpedo"),
    ("bazooka", "bazooka"),
    ("gatling", "gatling"),
    ("minigun", "minigun"),
    ("vulcan", "rotary"),
    ("rotary", "rotary"),
    ("beam m", "machine-gun"),
    ("machine", "machine-gun"),
    ("phalanx", "ciws"),
    ("turret", "ciws"),
    ("flak", "ciws"),
    ("grenade", "grenades"),
    ("particle", "particle"),
    ("ppc", "particle"),
    ("plasma", "particle"),
    ("death ray", "turbo-laser"),
    ("laser", "laser"),
    ("main cannon", "main-gun"),
    ("main gun", "main-gun"),
    ("beam cannon", "beam-cannon"),
    ("autocannon", "autocannon"),
    ("auto cannon", "autocannon"),
    ("cannon", "cannon"),
    ("shotgun", "scatter"),
    ("scatter", "scatter"),
    ("pistol", "pistol"),
    ("carbine", "pistol"),
    ("beam rifle", "beam-rifle"),
    ("assault rifle", "rifle"),
    ("rifle", "beam-rifle"),
    ("beam", "laser"),
    ("ray", "laser"),
    ("gun", "machine-gun"),
)


def kind_named(name: str, otherwise: str) -> str:
    """Return the kind of weapon that a name mentions; `otherwise` if none."""
    words = " ".join(re.findall(r"[a-z]+", name.lower()))
    return next((kind for word, kind in NAMED_KINDS if re.search(rf"\b{word}", words)), otherwise)


def kinds_named(text: str) -> tuple[str, ...]:
    """Return the kind of every weapon in a text such as `twin cannon, rocket pod and claw`."""
    parts = re.split(r"[,;/+&]|\band\b|\bwith\b", text.lower())
    return tuple(kind for part in parts if (kind := kind_named(part, "")))
