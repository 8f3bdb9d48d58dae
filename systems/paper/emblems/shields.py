"""The shapes of shields, and the place of the charge on each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from systems.paper.bodies.ink import disc
from systems.paper.emblems.outlines import Outline, outline

FRAME = 500


@dataclass(frozen=True, slots=True)
class Shield:
    name: str
    shape: Outline
    middle: tuple[float, float]  # of its charge
    reach: float  # of its charge, to each side


def _drawn(name: str, data: str, middle: tuple[float, float], reach: float) -> Shield:
    return Shield(name, outline(data), middle, reach)


# By their letter in a code: it never changes its meaning.
SHIELDS: Mapping[str, Shield] = {
    "h": _drawn("Heater", "M45 40L455 40L455 210C455 330 370 425 250 475C130 425 45 330 45 210Z", (250, 212), 160),
    "k": _drawn(
        "Kite",
        "M250 15C340 15 400 70 400 160C400 270 330 390 250 490C170 390 100 270 100 160C100 70 160 15 250 15Z",
        (250, 184),
        122,
    ),
    "t": _drawn("Triangle", "M20 45Q250 10 480 45Q400 330 250 485Q100 330 20 45Z", (250, 180), 128),
    "q": _drawn("Banner", "M50 50L450 50L450 450L50 450Z", (250, 250), 172),
    "p": _drawn("Swallowtail", "M75 25L425 25L425 480L250 370L75 480Z", (250, 198), 146),
    "r": Shield("Roundel", tuple(disc(250, 250, 225, 44)), (250, 250), 160),
    "z": _drawn("Lozenge", "M250 10L490 250L250 490L10 250Z", (250, 250), 115),
    "x": _drawn("Plate", "M135 25L365 25L480 250L365 475L135 475L20 250Z", (250, 250), 158),
    "s": _drawn(
        "Notched",
        "M40 75Q100 90 140 25Q195 65 250 65Q305 65 360 25Q400 90 460 75Q440 160 455 240C465 350 360 440 250 480"
        "C140 440 35 350 45 240Q60 160 40 75Z",
        (250, 245),
        152,
    ),
    "o": _drawn(
        "Targe",
        "M60 25L440 25Q445 70 485 75L485 425Q445 430 440 475L60 475Q55 430 15 425L15 75Q55 70 60 25Z",
        (250, 250),
        172,
    ),
    "c": _drawn(
        "Cross plate",
        "M140 15L360 15L360 110L485 110L485 390L360 390L360 485L140 485L140 390L15 390L15 110L140 110Z",
        (250, 250),
        143,
    ),
    "w": _drawn("Wedge", "M20 115L250 20L480 115L430 330L250 485L70 330Z", (250, 230), 138),
    "v": _drawn(
        "Oval",
        "M250 10C340 10 400 110 400 250C400 390 340 490 250 490C160 490 100 390 100 250C100 110 160 10 250 10Z",
        (250, 250),
        130,
    ),
}
