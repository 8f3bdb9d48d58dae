"""How a field is divided: the convex parts in the second tincture, and how far the charge moves aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from systems.paper.bodies.ink import Point, arc
from systems.paper.emblems.outlines import Outline, box_of
from systems.paper.emblems.shields import Shield

FAR = 1200.0  # outside every frame
Pieces = Callable[[Shield], tuple[Outline, ...]]


@dataclass(frozen=True, slots=True)
class Division:
    name: str
    pieces: Pieces
    drop: float = 0  # of the charge, in shares of its reach
    size: float = 1  # of the charge
    is_border: bool = False  # the field lies within a border of the second tincture


def _box(left: float, top: float, right: float, bottom: float) -> Outline:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _plain(shield: Shield) -> tuple[Outline, ...]:
    return ()


def _pale(shield: Shield) -> tuple[Outline, ...]:
    return (_box(shield.middle[0], -FAR, FAR, FAR),)


def _fess(shield: Shield) -> tuple[Outline, ...]:
    return (_box(-FAR, shield.middle[1], FAR, FAR),)


def _slanting(shield: Shield, slope: float) -> tuple[Outline, ...]:
    x, y = shield.middle
    return (((x - FAR, y - slope * FAR), (x + FAR, y + slope * FAR), (x + FAR, y + 3 * FAR), (x - FAR, y + 3 * FAR)),)


def _bend(shield: Shield) -> tuple[Outline, ...]:
    return _slanting(shield, 1)


def _sinister(shield: Shield) -> tuple[Outline, ...]:
    return _slanting(shield, -1)


def _chevron(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    return (((x, y - 70), (x + FAR, y - 70 + 0.8 * FAR), (x - FAR, y - 70 + 0.8 * FAR)),)


def _quarterly(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    return _box(x, -FAR, FAR, y), _box(-FAR, y, x, FAR)


def _saltire(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    return ((x, y), (x + FAR, y - FAR), (x + FAR, y + FAR)), ((x, y), (x - FAR, y + FAR), (x - FAR, y - FAR))


def _height(shield: Shield, share: float) -> float:
    _, top, _, bottom = box_of(shield.shape)
    return top + (bottom - top) * share


def _chief(shield: Shield) -> tuple[Outline, ...]:
    return (_box(-FAR, -FAR, FAR, _height(shield, 0.27)),)


def _teeth(shield: Shield) -> tuple[Outline, ...]:
    """A chief whose lower edge is a row of teeth, one of them in the middle."""
    top, step, x = _height(shield, 0.17), 76.0, shield.middle[0]
    teeth = tuple(
        ((x + (at - 0.5) * step, top - 1), (x + (at + 0.5) * step, top - 1), (x + at * step, top + 72))
        for at in range(-4, 5)
    )
    return (_box(-FAR, -FAR, FAR, top), *teeth)


def _base(shield: Shield) -> tuple[Outline, ...]:
    """A hill in the base."""
    x, top = shield.middle[0], _height(shield, 0.7)
    return (tuple(arc(x, top + 330, 330, 180, 360, 40)),)


def _flanks(shield: Shield) -> tuple[Outline, ...]:
    """Two round bites from the sides."""
    left, top, right, bottom = box_of(shield.shape)
    middle, depth, radius = (top + bottom) / 2 - 10, (right - left) * 0.2, 330.0

    def bite(x: float) -> Outline:
        return tuple(arc(x, middle, radius, 0, 360, 60)[:-1])

    return bite(left + depth - radius), bite(right - depth + radius)


def _pile(shield: Shield) -> tuple[Outline, ...]:
    left, top, right, bottom = box_of(shield.shape)
    x = shield.middle[0]
    return (((left, top - 1), (right, top - 1), (x, bottom - 18)),)


def _gyronny(shield: Shield) -> tuple[Outline, ...]:
    x, y = shield.middle
    rim: tuple[Point, ...] = (
        (0, -FAR), (FAR, -FAR), (FAR, 0), (FAR, FAR), (0, FAR), (-FAR, FAR), (-FAR, 0), (-FAR, -FAR),
    )  # fmt: skip
    return tuple(((x, y), (x + a[0], y + a[1]), (x + b[0], y + b[1])) for a, b in zip(rim[::2], rim[1::2], strict=True))


def _bars(shield: Shield) -> tuple[Outline, ...]:
    """Two bars above and below the charge."""
    _, top, _, bottom = box_of(shield.shape)
    y, reach = shield.middle[1], shield.reach
    thick = reach * 0.3
    return _box(-FAR, y - reach * 0.93 - thick, FAR, y - reach * 0.93), _box(
        -FAR, y + reach * 0.93, FAR, y + reach * 0.93 + thick
    )


# By their letter in a code: it never changes its meaning.
DIVISIONS: Mapping[str, Division] = {
    "a": Division("Plain", _plain),
    "p": Division("Per pale", _pale),
    "f": Division("Per fess", _fess),
    "b": Division("Per bend", _bend),
    "s": Division("Per bend sinister", _sinister),
    "v": Division("Per chevron", _chevron),
    "q": Division("Quarterly", _quarterly),
    "x": Division("Per saltire", _saltire),
    "c": Division("Chief", _chief, drop=0.34, size=0.74),
    "t": Division("Toothed chief", _teeth, drop=0.36, size=0.72),
    "m": Division("Hill", _base, drop=-0.22, size=0.76),
    "w": Division("Flanks", _flanks, size=0.82),
    "l": Division("Pile", _pile, drop=-0.1, size=0.82),
    "g": Division("Gyronny", _gyronny),
    "o": Division("Border", _plain, size=0.8, is_border=True),
    "e": Division("Bars", _bars, size=0.8),
}
